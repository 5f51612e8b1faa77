package edits

import "strings"

// sameLines reports whether both are one slice: folding has changed nothing.
func sameLines(a, b []string) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// positions is the function of that name; what stands in the exact lines is
// looked up where there is an index.
func (t *text) positions(hay, needle []string, most int) []int {
	if t.where != nil && sameLines(hay, t.lines) {
		if at, ok := t.where.positions(t, needle, most); ok {
			return at
		}
	}
	return positions(hay, needle, most)
}

// positions gives the first most places at which needle stands in hay,
// overlapping ones included: Knuth, Morris and Pratt, so that a file of one
// repeated line costs no more than another.
func positions(hay, needle []string, most int) []int {
	if len(needle) == 0 || len(needle) > len(hay) {
		return nil
	}
	next := make([]int, len(needle)+1)
	for i, k := 1, 0; i < len(needle); i++ {
		for k > 0 && needle[i] != needle[k] {
			k = next[k]
		}
		if needle[i] == needle[k] {
			k++
		}
		next[i+1] = k
	}
	var out []int
	k := 0
	for i, line := range hay {
		for k > 0 && line != needle[k] {
			k = next[k]
		}
		if line == needle[k] {
			k++
		}
		if k == len(needle) {
			if out = append(out, i-k+1); len(out) == most {
				return out
			}
			k = next[k]
		}
	}
	return out
}

// isTelling reports whether a line says where one is: not a brace, not a blank.
func isTelling(line string) bool {
	n := 0
	for i := range len(line) {
		if c := line[i]; isLetter(c) || c >= '0' && c <= '9' {
			n++
		}
	}
	return n >= 4
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }
