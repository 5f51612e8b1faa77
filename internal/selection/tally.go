package selection

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Points by kind of evidence. What names a place exactly is worth most; what
// only resembles is worth something where nothing better is there.
const (
	named        = 100 // the task names the file
	fault        = 90  // a compiler or a stack frame names the place
	failingCalls = 85  // failing tests call what the file defines, at most
	alikeTest    = 30  // its name is like a failing test's, at most
	testFile     = 60  // the failing test itself
	defines      = 55  // it defines a symbol that is named
	subject      = 35  // by its name, what a failing test is about
	resembles    = 30  // its name is like words of the task, at most
	saysPoints   = 40  // it holds a text that the output shows, at most
	opened       = 40  // a failing test names its path
	sibling      = 15  // it lies beside a failing test
	imported     = 8   // one import away from what is strong
	recent       = 6   // changed by the last commits, at most
	fallback     = 5   // README, entry points
	plain        = 10  // below this, the evidence is no better than none
)

// entry is all that speaks for one file.
type entry struct {
	kinds map[string]float64 // the best points of each kind of evidence
	why   string             // of what weighs most
	top   float64
	marks []mark
}

// mark is a place in a file that matters.
type mark struct {
	from, to int // lines from 1; equal for a line that is named
	weight   float64
}

func (e *entry) points() float64 {
	sum := 0.0
	for _, kind := range slices.Sorted(maps.Keys(e.kinds)) { // in one order, so that rounding is always the same
		sum += e.kinds[kind]
	}
	return sum
}

// tally holds the entries by path.
type tally map[string]*entry

// add notes evidence of a kind; several of one kind count as the best of them.
func (t tally) add(path, kind string, points float64, why string) {
	e := t[path]
	if e == nil {
		e = &entry{kinds: map[string]float64{}}
		t[path] = e
	}
	e.kinds[kind] = max(e.kinds[kind], points)
	if points > e.top {
		e.top, e.why = points, why
	}
}

// mark notes a place in a file that has an entry.
func (t tally) mark(path string, from, to int, weight float64) {
	if e := t[path]; e != nil && from > 0 {
		e.marks = append(e.marks, mark{from, max(from, to), weight})
	}
}

func (t tally) best() float64 {
	best := 0.0
	for _, e := range t {
		best = max(best, e.points())
	}
	return best
}

// ranked gives the paths, the best first, equal ones by path.
func (t tally) ranked() []string {
	points := make(map[string]float64, len(t))
	for path, e := range t {
		points[path] = e.points()
	}
	return slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(cmp.Compare(points[b], points[a]), strings.Compare(a, b))
	})
}
