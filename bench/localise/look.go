package main

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/internal/selection"
)

// definition is where a name is declared: lines from 1, both ends included.
type definition struct {
	path string
	selection.Symbol
}

// A name that more places define than this says too little to ask for it.
const mostDefinitions = 3

// steps bounds how many bodies a look reads.
const steps = 300

var (
	failing  = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)|^(?:FAIL|ERROR): (\w+)`)
	testFile = regexp.MustCompile(`_test\.go$|(^|/)(tests?/|test_)`)
	called   = regexp.MustCompile(`\b([A-Za-z_]\w*)\(`)
)

// wide is how many files a look may ask for.
const wide = 3

// asked stands for a model that uses its one look: it reads the failing tests,
// then what they call, call by call, and asks for the files of the first
// definitions that it cannot see, in that order, but for those of tests. It knows no types: a name with many definitions
// is passed over, one with a few is taken from the caller's own folder. A real
// model, which also understands what it reads, asks better.
func (p *place) asked(c faultCase, shown []selection.Chosen) (files []string) {
	if p.defined == nil {
		p.define()
	}
	queue, seen := p.failed(c.Output), map[definition]bool{}
	for n := 0; n < len(queue) && n < steps; n++ {
		for _, name := range p.calls(queue[n]) {
			d, ok := p.nearest(name, queue[n].path)
			if !ok || seen[d] || testFile.MatchString(d.path) {
				continue
			}
			seen[d] = true
			if _, visible := shows(shown, d.path, d.Line); visible {
				queue = append(queue, d)
				continue
			}
			if !slices.Contains(files, d.path) {
				files = append(files, d.path)
			}
			if len(files) == wide {
				return files
			}
		}
	}
	return files
}

// define indexes what all files of the tree declare.
func (p *place) define() {
	p.defined = map[string][]definition{}
	for _, f := range p.files {
		text, err := p.read(f.Path)
		if err != nil {
			continue
		}
		for _, s := range selection.Outline(f.Path, text) {
			p.defined[s.Name] = append(p.defined[s.Name], definition{f.Path, s})
		}
	}
}

// failed gives the definitions of the tests that an output names.
func (p *place) failed(output string) (tests []definition) {
	for _, m := range failing.FindAllStringSubmatch(output, -1) {
		for _, d := range p.defined[m[1]+m[2]] {
			if !slices.Contains(tests, d) {
				tests = append(tests, d)
			}
		}
	}
	return tests
}

// nearest chooses one definition of a name: the only one, or the first of the
// caller's folder.
func (p *place) nearest(name, from string) (definition, bool) {
	all := p.defined[name]
	if len(all) == 0 || len(all) > mostDefinitions {
		return definition{}, false
	}
	at := slices.IndexFunc(all, func(d definition) bool { return path.Dir(d.path) == path.Dir(from) })
	return all[max(at, 0)], true
}

// calls lists the names that a definition calls, in its order.
func (p *place) calls(d definition) (names []string) {
	text, err := p.read(d.path)
	if err != nil {
		return nil
	}
	lines := strings.Split(text, "\n")
	body := lines[min(d.Line-1, len(lines)):min(max(d.Line, d.End), len(lines))]
	for _, m := range called.FindAllStringSubmatch(strings.Join(body, "\n"), -1) {
		if m[1] != d.Name { // its own first line
			names = append(names, m[1])
		}
	}
	return names
}
