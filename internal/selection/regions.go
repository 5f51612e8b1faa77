package selection

import (
	"cmp"
	"slices"
	"strings"
)

const (
	maxWhole    = 600 // lines of a file that is shown whole
	maxImported = 40  // lines of the imports at a file's head
	margin      = 12  // lines around a line that is named
	longest     = 160 // lines of a symbol that is shown whole
	gap         = 4   // lines between regions that are not worth leaving out
)

// regions picks the parts of a file that matter, up to a share of the budget in
// tokens: its head with the imports, what surrounds the marked places, the
// heaviest first, and while there is room what follows the head.
func regions(name, body string, symbols []Symbol, marks []mark, share int) ([]Span, int) {
	lines := strings.SplitAfter(body, "\n")
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	r := regioning{lines: lines, taken: make([]bool, len(lines)+2), left: int(float64(share)*bytesPerToken) - len(name) - 20}
	r.take(Span{1, head(lines, symbols)})
	slices.SortStableFunc(marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), a.from-b.from, a.to-b.to)
	})
	for _, m := range marks {
		r.take(surround(m, symbols, len(lines)))
	}
	if len(marks) == 0 {
		r.take(Span{1, len(lines)})
	}
	spans := r.spans()
	bytes := 0
	for _, s := range spans {
		for _, l := range lines[s.From-1 : s.To] {
			bytes += len(l)
		}
	}
	return spans, tokens(name, bytes)
}

// head gives the last line of a file's head: what stands before its first symbol.
func head(lines []string, symbols []Symbol) int {
	end := min(maxImported, len(lines))
	for _, s := range symbols {
		end = min(end, s.Line-1)
	}
	return end
}

// surround gives the region of a mark: the symbol around a line where that is
// short enough, else lines around it.
func surround(m mark, symbols []Symbol, last int) Span {
	from, to := m.from, m.to
	if from == to {
		from, to = max(1, m.from-margin), m.from+margin
		for _, s := range symbols {
			if s.Line <= m.from && m.from <= s.End && s.End-s.Line < longest {
				from, to = min(from, s.Line), max(to, s.End)
			}
		}
	}
	return Span{max(1, from-2), min(to+1, last)} // with the comment above, as a rule
}

type regioning struct {
	lines []string
	taken []bool // by line
	left  int    // bytes
}

// take adds lines from the first on while there is room; nothing where so little
// of them would fit that it tells nobody anything.
func (r *regioning) take(s Span) {
	const few = 8 // lines
	room, fit, missing := r.left, 0, 0
	for i := max(1, s.From); i <= s.To && i <= len(r.lines); i++ {
		if r.taken[i] {
			continue
		}
		missing++
		if room -= len(r.lines[i-1]); room >= 0 {
			fit++
		}
	}
	if fit < min(few, missing) {
		return
	}
	for i := max(1, s.From); i <= s.To && i <= len(r.lines) && fit > 0; i++ {
		if !r.taken[i] {
			r.left -= len(r.lines[i-1])
			r.taken[i] = true
			fit--
		}
	}
}

// spans gives what was taken, small gaps closed.
func (r *regioning) spans() []Span {
	var out []Span
	for i := 1; i <= len(r.lines); i++ {
		if !r.taken[i] {
			continue
		}
		if n := len(out); n > 0 && i-out[n-1].To <= gap {
			out[n-1].To = i
		} else {
			out = append(out, Span{i, i})
		}
	}
	return out
}
