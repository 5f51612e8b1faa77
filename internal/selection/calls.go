package selection

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// How much less a file is suspected.
const (
	provenTests = 0.2  // its own package's tests pass
	onlySupport = 0.25 // it helps tests
	falling     = 0.3  // what a file's next symbol counts of the one before
)

// weighCalls counts the files that define what failing tests lead to, by the
// best of their symbols.
func (t *tree) weighCalls(sum tally, failing []*seed, f findings) {
	order, score := t.suspicion(failing, t.passing(failing, f.brokeOff))
	proven := map[string]bool{}
	for _, pkg := range f.passed {
		if dir, ok := t.goDir(pkg); ok {
			proven[dir] = true
		}
	}
	byFile := map[string][]*node{}
	for _, n := range order {
		if !n.test {
			byFile[n.path] = append(byFile[n.path], n)
		}
	}
	points, best := map[string]float64{}, 0.0
	for p, nodes := range byFile {
		slices.SortStableFunc(nodes, func(a, b *node) int { return cmp.Compare(score[b], score[a]) })
		for i, n := range nodes[:min(len(nodes), 8)] {
			points[p] += score[n] * math.Pow(falling, float64(i))
		}
		if proven[folder(p)] {
			points[p] *= provenTests
		}
		if supports(p) {
			points[p] *= onlySupport
		}
		best = max(best, points[p])
	}
	for p, nodes := range byFile {
		share := points[p] / best
		sum.add(p, "calls", failingCalls*share, fmt.Sprintf("defines %s, which the failing %s leads to", nodes[0].symbol.Name, failing[0].symbol.Name))
		for _, n := range nodes[:min(len(nodes), 40)] {
			sum.mark(p, n.symbol.Line, n.symbol.End, 0.6*share*score[n]/score[nodes[0]])
		}
	}
}

// supports reports whether a folder's name says that it helps tests.
func supports(name string) bool {
	for dir := range strings.SplitSeq(folder(name), "/") {
		if strings.Contains(dir, "test") || dir == "mock" || dir == "mocks" || dir == "fixtures" || dir == "examples" {
			return true
		}
	}
	return false
}
