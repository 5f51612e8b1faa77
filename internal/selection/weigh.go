package selection

import (
	"fmt"
	"math"
	"path"
	"slices"
)

// located is a mention whose file is known.
type located struct {
	mention
	path  string // of the tree
	stack int    // which stack trace of the output, from 1; 0: none
	depth int    // in that stack, 0 the innermost of the tree
	share int    // of how many files it may mean
}

// locate resolves what the output names.
func (t *tree) locate(f findings, checks []string) []located {
	dirs := t.workFolders(checks)
	var out []located
	for _, m := range f.mentions {
		from := m.folder
		if m.known {
			dir, ok := t.goDir(m.folder)
			if !ok {
				dir = ""
			}
			from = dir
		}
		files := t.resolve(m.path, from, dirs)
		for _, p := range files {
			out = append(out, located{mention: m, path: p, share: len(files)})
		}
	}
	stack(out, f.python)
	return out
}

// stack numbers the frames of each stack trace: those not more than 4 lines of
// output apart belong together.
func stack(found []located, lastIsInnermost bool) {
	count, row := 0, -10
	var open []int
	end := func() {
		for i, at := range open {
			found[at].depth = i
			if lastIsInnermost {
				found[at].depth = len(open) - 1 - i
			}
		}
		open = nil
	}
	for i := range found {
		if !found[i].frame {
			continue
		}
		if found[i].row > row+4 {
			end()
			count++
		}
		row = found[i].row
		found[i].stack = count
		open = append(open, i)
	}
	end()
}

// weighMentions counts the places that the output names.
func (t *tree) weighMentions(sum tally, found []located) {
	faults := 0
	for _, l := range found {
		points, what := float64(fault), "named"
		switch {
		case isTest(l.path):
			points, what = testFile, "failing test"
		case l.stack > 0:
			points *= math.Pow(0.85, float64(l.depth)) * math.Max(0.5, math.Pow(0.8, float64(l.stack-1)))
			what = "stack frame"
		case l.line == 0:
			points *= 0.6
		default:
			points *= math.Max(0.4, math.Pow(0.95, float64(faults)))
			faults++
		}
		points /= float64(l.share)
		where := path.Base(l.path)
		if l.line > 0 {
			where = fmt.Sprintf("%s:%d", where, l.line)
		}
		sum.add(l.path, "place", points, what+" at "+where+" in the check's output")
		sum.mark(l.path, l.line, l.line, points/fault)
	}
}

// weighSymbols counts the files that define what messages name: in the units of
// the files that the output names, and in those these import.
func (t *tree) weighSymbols(sum tally, names []string, found []located) {
	var units []string
	if len(names) == 0 {
		return
	}
	for _, l := range found {
		if u := unitOf(l.path); !slices.Contains(units, u) && len(units) < 10 {
			units = append(units, u)
		}
	}
	for _, u := range units[:len(units):len(units)] {
		for _, use := range t.unit(u).uses {
			if !slices.Contains(units, use) && len(units) < 40 {
				units = append(units, use)
			}
		}
	}
	for _, name := range names[:min(len(names), 20)] {
		for _, u := range units {
			for _, n := range t.unit(u).defs[name] {
				sum.add(n.path, "symbol", defines, "defines "+name+", which the check's output names")
				sum.mark(n.path, n.symbol.Line, n.symbol.End, 0.8)
			}
		}
	}
}

// weighTests counts the failing tests' files and what their tests call.
func (t *tree) weighTests(sum tally, f findings, found []located) {
	failing := t.seeds(f, found)
	for _, s := range failing {
		if !s.test {
			continue
		}
		sum.add(s.path, "test", testFile, "holds the failing "+s.symbol.Name)
		sum.mark(s.path, s.symbol.Line, s.symbol.End, 0.5)
		for _, line := range s.lines {
			sum.mark(s.path, line, line, 0.7)
		}
	}
	t.weighSubjects(sum, failing, found)
	if len(failing) == 0 {
		return
	}
	t.weighCalls(sum, failing, f)
	t.weighSayings(sum, failing, f.text)
	t.weighOpened(sum, failing)
	t.weighAlike(sum, failing)
}
