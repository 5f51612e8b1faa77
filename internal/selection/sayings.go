package selection

import (
	"fmt"
	"math"
	"path"
	"strings"
)

// weighSayings counts the files that hold strings which the output shows, as
// messages of errors do; one that several files hold counts less.
func (t *tree) weighSayings(sum tally, failing []*seed, output string) {
	type saying struct {
		path string
		line int
	}
	where := map[string][]saying{}
	tested := map[string]bool{}
	var order []string
	seen := map[string]bool{}
	for _, s := range failing {
		for _, p := range t.members(unitOf(s.path)) {
			got := t.text(p)
			if got == nil || seen[p] {
				continue
			}
			seen[p] = true
			for _, l := range literals(got.body) {
				if !strings.Contains(output, l.text) {
					continue
				}
				if isTest(p) {
					tested[l.text] = true
					continue
				}
				if where[l.text] == nil {
					order = append(order, l.text)
				}
				where[l.text] = append(where[l.text], saying{p, l.line})
			}
		}
	}
	for _, said := range order {
		points := saysPoints / math.Sqrt(float64(len(where[said])))
		if tested[said] {
			points /= 2 // it may be the test's own
		}
		for _, w := range where[said][:min(len(where[said]), 4)] {
			sum.add(w.path, "says", points, fmt.Sprintf("holds %q, as the check's output does", clip(said)))
			sum.mark(w.path, w.line, w.line, points/fault)
		}
	}
}

// weighOpened counts the files whose paths stand in a failing test's lines.
func (t *tree) weighOpened(sum tally, failing []*seed) {
	for _, s := range failing {
		got := t.text(s.path)
		if got == nil || !s.test {
			continue
		}
		for _, m := range places(linesOf(got.body, s.symbol.Line, s.symbol.End), "") {
			at := path.Join(folder(s.path), m.path)
			if t.has(at) && !isTest(at) {
				sum.add(at, "opened", opened, "the failing "+s.symbol.Name+" names its path")
			}
		}
	}
}

// literal is a part of a string in double quotes that stands as it is.
type literal struct {
	text string
	line int
}

// literals gives the parts of the strings in a file that are long enough to tell,
// cut at what a format or an escape replaces.
func literals(body string) []literal {
	const short = 10 // bytes that say too little
	var out []literal
	row := 0
	for line := range strings.Lines(body) {
		row++
		for rest := line; ; {
			_, after, found := strings.Cut(rest, `"`)
			inside, next, closed := strings.Cut(after, `"`)
			if !found || !closed {
				break
			}
			rest = next
			for _, part := range strings.FieldsFunc(inside, func(r rune) bool { return r == '%' || r == '\\' || r == '{' }) {
				if part = strings.TrimSpace(part); len(part) >= short && strings.Contains(part, " ") {
					out = append(out, literal{part, row})
				}
			}
		}
	}
	return out
}
