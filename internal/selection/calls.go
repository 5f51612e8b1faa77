package selection

import (
	"cmp"
	"fmt"
	"math"
	"path"
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

// weighAlike counts the files whose names are like the failing tests' names: a
// word that few files beside them have counts most.
func (t *tree) weighAlike(sum tally, failing []*seed) {
	for _, s := range failing {
		if !s.test {
			continue
		}
		said := map[string]bool{}
		for _, w := range words(s.symbol.Name + " " + strings.Join(s.subs, " ")) {
			said[stemmed(w)] = true
		}
		files := t.members(unitOf(s.path))
		often := map[string]int{}
		for _, p := range files {
			for _, w := range words(path.Base(p)) {
				often[stemmed(w)]++
			}
		}
		for _, p := range files {
			if isTest(p) {
				continue
			}
			if share := likeness(path.Base(p), said, often, len(files)); share > 0 {
				sum.add(p, "alike", alikeTest*share, "its name is like that of the failing "+s.symbol.Name)
			}
		}
	}
}

// likeness is the part of a name's words that are said, each by how rare it is.
func likeness(base string, said map[string]bool, often map[string]int, files int) float64 {
	all, both := 0.0, 0.0
	for _, w := range words(strings.TrimSuffix(base, path.Ext(base))) {
		w = stemmed(w)
		rare := math.Log(1 + float64(files)/float64(often[w]))
		all += rare
		if said[w] {
			both += rare
		}
	}
	if all == 0 {
		return 0
	}
	return both / all
}
