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
	if tier == Exact {
		return lines
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = foldLine(l, tier)
	}
	return out
}

// foldLine takes from a line what a tier does not look at.
func foldLine(line string, tier Tier) string {
	switch tier {
	case Trailing:
		return strings.TrimRight(line, " \t")
	case Indentation:
		return foldBlanks(line)
	}
	return line
}

// foldBlanks drops leading and trailing blanks and makes one space of each run
// inside the line.
func foldBlanks(line string) string {
	line = strings.Trim(line, " \t")
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
