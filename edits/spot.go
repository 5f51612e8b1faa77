package edits

import "strings"

// spot is a found place: how literally, and by which reading of the block.
type spot struct {
	at, n    int  // lines[at:at+n] of a text
	tier     Tier // as it was found
	old, new []string
	match    []int // where each old line stands; nil: one below the other from at
	hinted   bool
}

// line gives where old line i stands, -1 for nowhere.
func (s *spot) line(i int) int {
	if s.match == nil {
		return s.at + i
	}
	return s.match[i]
}

// steps is the delta of the block as it was read. Below the exact tier a
// difference in trailing white space is none: the model did not see it.
func (s *spot) steps() []op {
	if s.tier == Exact || s.tier == Cleaned {
		return delta(s.old, s.new)
	}
	return delta(trimmed(s.old), trimmed(s.new))
}

// trimmed takes trailing blanks off the lines that are more than that.
func trimmed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if out[i] = l; !isBlank(l) {
			out[i] = strings.TrimRight(l, " \t")
		}
	}
	return out
}
