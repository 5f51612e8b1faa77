package selection

import (
	"math"
)

// How much of a node's weight goes on to what it names.
const (
	throughType = 0.9  // from a type to its methods
	throughTest = 0.95 // a test's helper is as good as the test
	throughCode = 0.8  // one step further from what failed
	asideLine   = 0.4  // named in the test, but far from the line that failed
	asData      = 0.6  // a type, a variable or a constant: broken less often than a function
	maxSteps    = 8
	leastWeight = 0.01
)

// reached gives how strongly a test leads to each node, from 0 to 1, in the
// order in which they were first reached. What a node calls may do the damage as
// well as the node, though less likely with each step; a type leads to its methods.
func (t *tree) reached(s *seed) (order []*node, weight map[*node]float64) {
	weight = map[*node]float64{s.node: 1}
	if !s.test {
		order = append(order, s.node) // a frame of a stack is suspected itself
	}
	front := []*node{s.node}
	for step := 0; step < maxSteps && len(front) > 0; step++ {
		var next []*node
		give := func(d *node, w float64) {
			if w *= worth(d); w < leastWeight || w <= weight[d] {
				return
			}
			if weight[d] == 0 {
				order = append(order, d)
				next = append(next, d)
			}
			weight[d] = w
		}
		for _, n := range front {
			for _, id := range t.names(n) {
				defs := t.defined(n, id)
				for _, d := range defs {
					give(d, weight[n]*passed(s, n, id)/math.Sqrt(float64(len(defs))))
				}
			}
			for _, d := range n.unit.owned[n.symbol.Name] {
				if n.symbol.Kind != "method" && n.symbol.Kind != "func" {
					give(d, weight[n]*throughType)
				}
			}
		}
		front = next
	}
	return order, weight
}

// passed is how much of its weight a node gives to a name.
func passed(s *seed, n *node, id identifier) float64 {
	switch {
	case n == s.node && len(s.lines) > 0 && !near(n.lines[id.name], s.lines):
		return asideLine
	case n.test:
		return throughTest
	}
	return throughCode
}

// near reports whether a name stands within the 8 lines up to one that failed.
func near(lines, failed []int) bool {
	for _, l := range lines {
		for _, f := range failed {
			if l <= f+1 && l >= f-8 {
				return true
			}
		}
	}
	return false
}

// worth is less for what holds no code.
func worth(n *node) float64 {
	switch n.symbol.Kind {
	case "func", "method", "function", "def", "constructor", "macro", "class":
		return 1
	}
	return asData
}

// suspicion judges nodes by the failing tests that lead to them and by the
// passing ones that do (Ochiai's formula on weights), from 0 to 1.
func (t *tree) suspicion(failing, passing []*seed) (order []*node, score map[*node]float64) {
	bad, good := map[*node]float64{}, map[*node]float64{}
	for _, s := range failing {
		found, weight := t.reached(s)
		for _, n := range found {
			if bad[n] == 0 {
				order = append(order, n)
			}
			bad[n] += weight[n]
		}
	}
	for _, s := range passing {
		found, weight := t.reached(s)
		for _, n := range found {
			good[n] += weight[n]
		}
	}
	score = map[*node]float64{}
	for _, n := range order {
		mean := bad[n] / float64(len(failing))
		ochiai := bad[n] / math.Sqrt(float64(len(failing))*(bad[n]+good[n]))
		score[n] = 0.5*mean + 0.5*ochiai
	}
	return order, score
}
