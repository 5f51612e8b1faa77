package edits

import (
	"slices"
	"strings"
)

// elidedLine finds a placeholder on the new side that the old side lacks: a
// line that stands for lines which the model left out. Applied as it is, it
// would delete them. A file that has such lines of its own may get another, and
// a wordless "..." among lines that only come stands for none.
func elidedLine(b *Block, now *text) (string, bool) {
	drops := commonSubsequence(b.Old, b.New) < len(b.Old)
	for i, l := range b.New {
		bare := strings.Trim(l, " \t.…/#*-;%<>!{}") == ""
		if isElision(l) && (drops || !bare) && !slices.ContainsFunc(b.Old, isElision) && !slices.Contains(now.fold(Indentation), foldBlanks(l)) && !stubBody(b, i) {
			return strings.TrimSpace(l), true
		}
	}
	return "", false
}

// isElision reports whether a line is nothing but a placeholder: "..." or "…",
// bare or as a comment, alone or with words such as "existing code".
func isElision(line string) bool {
	s := strings.TrimSpace(line)
	if len(s) < 3 || len(s) > 120 || !strings.Contains(s, "...") && !strings.Contains(s, "…") {
		return false
	}
	comment := false
	for _, open := range [...]string{"//", "#", "/*", "<!--", "--", ";", "%", "{/*", "'''", `"""`} {
		if rest, ok := strings.CutPrefix(s, open); ok {
			s, comment = rest, true
			break
		}
	}
	for _, end := range [...]string{"*/}", "*/", "-->", "'''", `"""`} {
		s = strings.TrimSuffix(s, end)
	}
	s = strings.Trim(s, " \t([{<>}])/#*-")
	words := strings.Trim(s, ". …")
	if words == "" {
		return true
	}
	return comment && (strings.HasPrefix(s, "...") || strings.HasPrefix(s, "…")) && saysRest(words)
}

// saysRest reports whether words tell of code left out.
func saysRest(words string) bool {
	words = strings.ToLower(words)
	for _, w := range [...]string{"existing", "rest", "unchanged", "remaining", "same", "previous", "other", "omitted", "code", "continue", "before", "above", "as is"} {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// stubBody reports whether line i of the new side is Python's "..." as a body:
// right below a line that ends in a colon or in a docstring.
func stubBody(b *Block, i int) bool {
	if strings.TrimSpace(b.New[i]) != "..." || !strings.HasSuffix(b.Path, ".py") && !strings.HasSuffix(b.Path, ".pyi") {
		return false
	}
	for i--; i >= 0; i-- {
		if s := strings.TrimSpace(b.New[i]); s != "" {
			return strings.HasSuffix(s, ":") || strings.HasSuffix(s, `"""`) || strings.HasSuffix(s, "'''")
		}
	}
	return false
}

// commonSubsequence counts the old lines that a delta keeps.
func commonSubsequence(old, new []string) int {
	n := 0
	for _, s := range delta(old, new) {
		if s.kind == keep {
			n++
		}
	}
	return n
}
