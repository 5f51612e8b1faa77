package edits

import "strings"

// fold gives t's lines as a tier compares them.
func (t *text) fold(tier Tier) []string {
	if tier == Exact {
		return t.lines
	}
	if t.folded[tier] == nil {
		if t.folded == nil {
			t.folded = map[Tier][]string{}
		}
		t.folded[tier] = foldAll(t.lines, tier)
	}
	return t.folded[tier]
}

func foldAll(lines []string, tier Tier) []string {
	if tier == Exact || !changes(lines, tier) {
		return lines
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = foldLine(l, tier)
	}
	return out
}

// changes reports whether a tier sees any of the lines otherwise than they are.
// Most files have no trailing white space, and many nothing but ASCII.
func changes(lines []string, tier Tier) bool {
	if tier == Indentation {
		return true
	}
	for _, l := range lines {
		if n := len(l); n > 0 && (l[n-1] == ' ' || l[n-1] == '\t') || tier == Typographic && !isASCII(l) {
			return true
		}
	}
	return false
}

// foldLine takes from a line what a tier does not look at.
func foldLine(line string, tier Tier) string {
	switch tier {
	case Trailing:
		return strings.TrimRight(line, " \t")
	case Typographic:
		return strings.TrimRight(foldTypes(line), " \t")
	case Indentation:
		return foldBlanks(foldTypes(line))
	}
	return line
}

// foldBlanks drops leading and trailing blanks and makes one space of each run
// inside the line.
func foldBlanks(line string) string {
	line = strings.Trim(line, " \t\f\v")
	if !strings.Contains(line, "  ") && strings.IndexByte(line, '\t') < 0 {
		return line
	}
	var b strings.Builder
	b.Grow(len(line))
	blank := false
	for i := range len(line) {
		c := line[i]
		if c == ' ' || c == '\t' {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		}
		blank = false
		b.WriteByte(c)
	}
	return b.String()
}

// isASCII reports whether a line has nothing that foldTypes could change.
func isASCII(line string) bool {
	for i := range len(line) {
		if line[i] >= 0x80 {
			return false
		}
	}
	return true
}

// foldTypes writes typographic characters as the plain ones that they stand for.
func foldTypes(line string) string {
	if isASCII(line) {
		return line
	}
	return typographic.Replace(line)
}

// plainOf is a typographic character and what it stands for.
var plainOf = []string{
	"‘", "'", "’", "'", "‚", "'", "‛", "'", "“", `"`, "”", `"`, "„", `"`, "‟", `"`, "′", "'", "″", `"`,
	"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-", "−", "-",
	"\u00a0", " ", "\u2002", " ", "\u2003", " ", "\u2009", " ", "\u200a", " ", "\u202f", " ", "\u3000", " ",
	"…", "...", "\u200b", "", "\u200c", "", "\u200d", "", "\ufeff", "",
}

var typographic = strings.NewReplacer(plainOf...)

// foldOnly is foldTypes for some characters only.
func foldOnly(line, chars string) string {
	for _, r := range chars {
		line = strings.ReplaceAll(line, string(r), foldTypes(string(r)))
	}
	return line
}
