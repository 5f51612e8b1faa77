package main

import (
	"fmt"
	"strings"
)

// block writes one edit in the search-replace format.
func block(path, old, with string) string {
	return fmt.Sprintf("%s\n```go\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n```\n\n", path, old, with)
}

// step is a right edit of the target's n-th function.
func (r *repository) step(n int) string {
	old := fmt.Sprintf("func Step%02d(a int) int {\n\treturn a + %d\n}", n, n)
	return block(r.target, old, strings.Replace(old, "a +", "a -", 1))
}

// wrong is an edit of a line that the target does not hold.
func (r *repository) wrong() string {
	return block(r.target, "func Leap(a int) int {\n\treturn a * 7\n}", "func Leap(a int) int {\n\treturn a * 8\n}")
}

func (r *repository) wrongOther() string {
	return strings.Replace(r.wrong(), r.target, r.other, 1)
}

func (r *repository) rightOther() string {
	return strings.Replace(r.step(1), r.target, r.other, 1)
}
