package selection

import (
	"path"
	"slices"
	"strings"
)

// seed is a failing test among the nodes.
type seed struct {
	*node
	lines []int    // that failed, where the output says so
	subs  []string // names of failing subtests
}

// maxSeeds bounds the failing tests that are followed.
const maxSeeds = 24

// seeds finds the failing tests' own nodes: by their names, by the lines of tests'
// files that the output names, and the innermost frames of its first stack trace.
func (t *tree) seeds(f findings, found []located) []*seed {
	var out []*seed
	add := func(n *node, line int, sub string) {
		at := slices.IndexFunc(out, func(s *seed) bool { return s.node == n })
		if at < 0 {
			if len(out) >= maxSeeds {
				return
			}
			at, out = len(out), append(out, &seed{node: n})
		}
		if line > 0 {
			out[at].lines = append(out[at].lines, line)
		}
		if sub != "" && len(out[at].subs) < 8 {
			out[at].subs = append(out[at].subs, sub)
		}
	}
	for _, test := range f.tests {
		for _, n := range t.testNodes(test, found) {
			add(n, test.line, test.sub)
		}
	}
	for _, l := range found {
		inner := l.stack == 1 && l.depth < 3 // what broke may be what such a frame had called
		if l.line > 0 && (isTest(l.path) || inner) {
			if n := t.around(l.path, l.line); n != nil {
				add(n, l.line, "")
			}
		}
	}
	return out
}

// testNodes gives the nodes of tests with a name: in the package or file that
// the output speaks of, else in any test's file that it names.
func (t *tree) testNodes(test test, found []located) []*node {
	var units, files []string
	if dir, ok := t.goDir(test.pkg); ok && test.pkg != "" {
		units = append(units, dir+"/")
	}
	if test.path != "" {
		for _, p := range t.resolve(test.path, "", nil) {
			units, files = append(units, unitOf(p)), append(files, p)
		}
	}
	if len(units) == 0 {
		for _, l := range found {
			if isTest(l.path) && !slices.Contains(units, unitOf(l.path)) && len(units) < 10 {
				units, files = append(units, unitOf(l.path)), append(files, l.path)
			}
		}
	}
	var out []*node
	for _, u := range units {
		for _, n := range t.unit(u).defs[test.name] {
			if n.test {
				out = append(out, n)
			}
		}
	}
	if len(out) == 0 {
		out = t.spoken(test.name, files)
	}
	return out
}

// spoken makes nodes of tests that are calls with a string, as in
// it("adds two", …): the lines from the string on.
func (t *tree) spoken(name string, files []string) []*node {
	const span = 30 // lines that such a test is taken to have at most
	var out []*node
	for _, p := range files {
		got := t.text(p)
		if got == nil || len(name) < 3 {
			continue
		}
		if at := strings.Index(got.body, name); at >= 0 {
			line := 1 + strings.Count(got.body[:at], "\n")
			out = append(out, &node{
				path: p, unit: t.unit(unitOf(p)), test: true,
				symbol: Symbol{Name: name, Line: line, End: line + span},
			})
		}
	}
	return out
}

// around gives the innermost node that holds a line; nil if none does.
func (t *tree) around(name string, line int) *node {
	var best *node
	for _, n := range t.unit(unitOf(name)).nodes {
		if n.path == name && n.symbol.Line <= line && (line <= n.symbol.End || n.symbol.End == 0) {
			if best == nil || n.symbol.Line >= best.symbol.Line {
				best = n
			}
		}
	}
	if best == nil && path.Ext(name) != ".go" {
		best = &node{path: name, unit: t.unit(unitOf(name)), test: isTest(name), symbol: Symbol{Line: max(1, line-20), End: line + 5}}
	}
	return best
}

// passing gives tests of the seeds' files and packages that did not fail, at
// most 60: what they call too is less likely broken. Where a run broke off, it
// is not known which passed.
func (t *tree) passing(seeds []*seed, brokeOff bool) []*seed {
	const most = 60
	var out []*seed
	if brokeOff {
		return nil
	}
	failed := map[*node]bool{}
	var units []*unit
	for _, s := range seeds {
		failed[s.node] = true
		if !slices.Contains(units, s.unit) {
			units = append(units, s.unit)
		}
	}
	for _, u := range units {
		for _, n := range u.nodes {
			if n.test && !failed[n] && len(out) < most && (strings.HasPrefix(n.symbol.Name, "Test") || strings.HasPrefix(n.symbol.Name, "test_")) && n.symbol.Kind != "class" {
				out = append(out, &seed{node: n})
			}
		}
	}
	return out
}
