package edits

import (
	"iter"
	"strings"
)

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
// overlapping ones included.
func positions(hay, needle []string, most int) (out []int) {
	for at := range matches(hay, needle) {
		if out = append(out, at); len(out) == most {
			break
		}
	}
	return out
}

// matches gives every place at which needle stands in hay, overlapping ones
// included: Knuth, Morris and Pratt, so that a file of one repeated line costs no
// more than another.
func matches[E comparable](hay, needle []E) iter.Seq[int] {
	return func(yield func(int) bool) {
		if len(needle) == 0 || len(needle) > len(hay) {
			return
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
		k := 0
		for i := range hay {
			for k > 0 && hay[i] != needle[k] {
				k = next[k]
			}
			if hay[i] == needle[k] {
				k++
			}
			if k == len(needle) {
				if !yield(i - k + 1) {
					return
				}
				k = next[k]
			}
		}
	}
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
