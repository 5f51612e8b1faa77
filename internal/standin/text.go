package standin

import "strings"

const bom = "\ufeff"

// text is a file's content cut into lines, each with its own ending.
type text struct {
	bom   bool
	lines []string
	ends  []string // "\n", "\r\n"; "" at most for the last
}

func newText(content string) text {
	var t text
	content, t.bom = strings.CutPrefix(content, bom)
	for line := range strings.SplitAfterSeq(content, "\n") {
		if line == "" {
			break
		}
		end := ""
		switch {
		case strings.HasSuffix(line, "\r\n"):
			end = "\r\n"
		case strings.HasSuffix(line, "\n"):
			end = "\n"
		}
		t.lines, t.ends = append(t.lines, line[:len(line)-len(end)]), append(t.ends, end)
	}
	return t
}

// with gives the content that these lines make in the file's own manner: lines
// whose ending is nil-valued get the usual one, and the last line ends as the
// file's last line does. A file of no lines ends its lines with "\n".
func (t text) with(lines, ends []string) string {
	usual := t.usual()
	unended := len(t.ends) > 0 && t.ends[len(t.ends)-1] == ""
	var b strings.Builder
	if t.bom {
		b.WriteString(bom)
	}
	for i, line := range lines {
		end := ends[i]
		switch {
		case i == len(lines)-1 && unended:
			end = ""
		case end == "":
			end = usual
		}
		b.WriteString(line)
		b.WriteString(end)
	}
	return b.String()
}

// usual is the ending that most lines have.
func (t text) usual() string {
	crlf := 0
	for _, e := range t.ends {
		if e == "\r\n" {
			crlf++
		}
	}
	if crlf*2 > len(t.ends) {
		return "\r\n"
	}
	return "\n"
}

// count tells how often run stands in lines, up to 9.
func count(lines, run []string) int { return len(places(lines, run)) }

// places gives the indices at which run stands in lines, at most 9.
func places(lines, run []string) []int {
	var at []int
	if len(run) == 0 {
		return nil
	}
	for i := 0; i+len(run) <= len(lines) && len(at) < 9; i++ {
		if equalAt(lines, i, run) {
			at = append(at, i)
		}
	}
	return at
}

// equalAt reports whether run stands in lines at i.
func equalAt(lines []string, i int, run []string) bool {
	if i < 0 || i+len(run) > len(lines) {
		return false
	}
	for k, line := range run {
		if lines[i+k] != line {
			return false
		}
	}
	return true
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }

// allBlank reports whether no line holds anything to find.
func allBlank(lines []string) bool {
	for _, l := range lines {
		if !blank(l) {
			return false
		}
	}
	return true
}
