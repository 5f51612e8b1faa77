package edits

import (
	"slices"
	"strings"
)

// newIndenter learns from a place found below the exact tier.
func newIndenter(t *text, s spot) *indenter {
	in := &indenter{off: true, tabWidth: 4, up: 1, down: 1}
	if s.tier == Exact || s.tier == Cleaned {
		return in
	}
	in.tabs, in.moved = t.tabs(), map[string]string{}
	same, zero := 0, 0
	var shifted []pair
	for i, l := range s.old {
		at := s.line(i)
		if at < 0 || strings.TrimSpace(l) == "" || strings.TrimSpace(t.lines[at]) == "" {
			continue // blank lines teach nothing
		}
		in.notice(l, t.lines[at])
		if s.tier != Typographic {
			in.moved[l] = t.lines[at]
		}
		p := pair{i, indentOf(l), indentOf(t.lines[at])}
		in.pairs = append(in.pairs, p)
		switch {
		case p.block != p.file:
			shifted = append(shifted, p)
		case p.block == "":
			zero++
		default:
			same++
		}
	}
	switch n := len(shifted); {
	case n == 0:
	case n == 1 && shifted[0].slip():
		in.off = same > 0 || !writtenAt(s, shifted[0])
	default:
		in.off = same > 0 && same+zero >= n && !in.otherKind()
	}
	in.learnTab()
	in.learnStep()
	in.learnShift()
	return in
}

// learnShift finds out whether all lines are shifted by the same blanks.
func (in *indenter) learnShift() {
	for i, p := range in.pairs {
		more, okMore := strings.CutSuffix(p.block, p.file)
		less, okLess := strings.CutSuffix(p.file, p.block)
		if i == 0 {
			in.prefix, in.lacks = more, less
		}
		if !okMore || more != in.prefix {
			in.prefix = ""
		}
		if !okLess || less != in.lacks {
			in.lacks = ""
		}
	}
	if !in.sameKind() {
		in.prefix, in.lacks = "", ""
	}
}

// sameKind reports whether no line is indented by tabs on one side and by spaces
// on the other.
func (in *indenter) sameKind() bool {
	for _, p := range in.pairs {
		if p.block != "" && p.file != "" && strings.Contains(p.block, "\t") != strings.Contains(p.file, "\t") && !strings.HasSuffix(p.block, p.file) {
			return false
		}
	}
	return true
}

// unsure reports whether some lines are quoted at their depth and others not,
// and a line that comes stands beside one of the latter, indented like it in the
// block: nobody can tell how deep it is meant to be.
func (t *text) unsure(s spot) bool {
	in := newIndenter(t, s)
	if !in.off || len(in.pairs) == 0 {
		return false
	}
	steps := s.steps()
	for i, step := range steps {
		if step.kind != insert || i == 0 || steps[i-1].kind == insert {
			continue
		}
		for _, p := range in.pairs {
			if p.at == steps[i-1].old && p.block == indentOf(s.new[step.new]) && p.block != p.file && !p.slip() {
				return true
			}
		}
	}
	return false
}

// slip reports whether a pair looks like one misquoted line rather than a block
// that stands elsewhere: one or two spaces, or a tab, more or less.
func (p pair) slip() bool {
	long, short := p.block, p.file
	if len(long) < len(short) {
		long, short = short, long
	}
	rest, ok := strings.CutSuffix(long, short)
	return ok && (rest == "\t" || len(rest) <= 2 && strings.Trim(rest, " ") == "")
}

// writtenAt reports whether lines that come are indented as the pair is in the
// block, and none as it is in the file: then they were shifted with it.
func writtenAt(s spot, p pair) bool {
	block, file := false, false
	prefix, _ := strings.CutSuffix(p.block, p.file)
	for _, step := range s.steps() {
		if step.kind == insert && strings.TrimSpace(s.new[step.new]) != "" {
			have := indentOf(s.new[step.new])
			if len(p.block) > len(p.file) && !strings.HasPrefix(have, prefix) {
				return false
			}
			block = block || have == p.block
			file = file || have == p.file
		}
	}
	return block || !file && !strings.HasPrefix(p.block, " \t")
}

// notice keeps the typographic characters of a block's line that the file's line
// does not have.
func (in *indenter) notice(block, file string) {
	for _, r := range block {
		if r >= 0x80 && !strings.ContainsRune(file, r) && !strings.ContainsRune(in.plain, r) && foldTypes(string(r)) != string(r) {
			in.plain += string(r)
		}
	}
}

func indentOf(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// otherKind reports whether one side is indented by tabs and the other by spaces.
func (in *indenter) otherKind() bool {
	return slices.ContainsFunc(in.pairs, func(p pair) bool {
		return p.block != "" && p.file != "" && strings.Contains(p.block, "\t") != strings.Contains(p.file, "\t")
	})
}

// learnTab goes by the first pair that is tabs on one side and spaces on the other.
func (in *indenter) learnTab() {
	for _, p := range in.pairs {
		tabs, spaces := p.block, p.file
		if strings.Contains(p.file, "\t") {
			tabs, spaces = p.file, p.block
		}
		nt, ns := strings.Count(tabs, "\t"), strings.Count(spaces, " ")
		if nt > 0 && nt == len(tabs) && ns == len(spaces) && ns > 0 && ns%nt == 0 {
			in.tabWidth = ns / nt
			return
		}
	}
}

// learnStep goes by the first two pairs of different depth on both sides.
func (in *indenter) learnStep() {
	for i := 1; i < len(in.pairs); i++ {
		p, q := in.pairs[i-1], in.pairs[i]
		block := abs(in.width(q.block) - in.width(p.block))
		file := abs(in.width(q.file) - in.width(p.file))
		if block > 0 && file > 0 {
			in.up, in.down = file, block
			return
		}
	}
}
