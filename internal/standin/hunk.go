package standin

import (
	"slices"

	"znkr.io/diff"
)

// op says what a block does with a line.
type op byte

const (
	keep   op = ' '
	remove op = '-'
	insert op = '+'
)

// step is one line of a change: kept, removed or inserted.
type step struct {
	op   op
	text string
}

// hunk is one wanted change of a file: the start's lines from at to end, of which
// the first and the last change, unless nothing but insertion is wanted
// (at == end).
type hunk struct {
	at, end int
	steps   []step
}

// mergeWithin is the largest number of unchanged lines between two changes that
// are sent as one block.
const mergeWithin = 3

// hunksOf finds the changes that lead from one version to the other, top to
// bottom.
func hunksOf(before, after []string) []*hunk {
	var hunks []*hunk
	for _, d := range diff.Hunks(before, after, diff.Context(0), diff.Minimal()) {
		h := &hunk{at: d.PosX, end: d.EndX}
		for _, e := range d.Edits {
			if e.Op == diff.Delete {
				h.steps = append(h.steps, step{remove, e.X})
			}
		}
		for _, e := range d.Edits {
			if e.Op == diff.Insert {
				h.steps = append(h.steps, step{insert, e.Y})
			}
		}
		if n := len(hunks); n > 0 && h.at-hunks[n-1].end <= mergeWithin {
			hunks[n-1].join(h, before)
			continue
		}
		hunks = append(hunks, h)
	}
	return hunks
}

// join makes one hunk of this and a later one; lines is the start.
func (h *hunk) join(later *hunk, lines []string) {
	for _, line := range lines[h.end:later.at] {
		h.steps = append(h.steps, step{keep, line})
	}
	h.steps = append(h.steps, later.steps...)
	h.end = later.end
}

// sides gives what the steps believe to be there and what they want there.
func sides(steps []step) (old, new []string) {
	for _, s := range steps {
		if s.op != insert {
			old = append(old, s.text)
		}
		if s.op != remove {
			new = append(new, s.text)
		}
	}
	return old, new
}

// file is one file of a plan.
type file struct {
	path    string
	created bool // is not there at the start
	start   text
	hunks   []*hunk
	blocks  []*draft // one for each hunk
}

// state gives the file's lines with some of the hunks in.
func (f *file) state(in func(i int) bool) (lines, ends []string) {
	from := 0
	for i, h := range f.hunks {
		if !in(i) {
			continue
		}
		lines, ends = append(lines, f.start.lines[from:h.at]...), append(ends, f.start.ends[from:h.at]...)
		at := h.at
		for _, s := range h.steps {
			switch s.op {
			case keep: // as the file has it: a fault may have changed the line
				lines, ends = append(lines, f.start.lines[at]), append(ends, f.start.ends[at])
			case insert:
				lines, ends = append(lines, s.text), append(ends, "")
			}
			if s.op != insert {
				at++
			}
		}
		from = h.end
	}
	return append(lines, f.start.lines[from:]...), append(ends, f.start.ends[from:]...)
}

// gold is the content with every hunk in.
func (f *file) gold() string {
	lines, ends := f.state(func(int) bool { return true })
	return f.start.with(lines, ends)
}

// before gives the lines of the file where the hunks before the i-th are in, as
// they are when its block is applied.
func (f *file) before(i int) []string {
	lines, _ := f.state(func(k int) bool { return k < i })
	return lines
}

// room is the range of the start's lines that the i-th block may quote without
// touching another hunk.
func (f *file) room(i int) (lo, hi int) {
	lo, hi = 0, len(f.start.lines)
	if i > 0 {
		lo = f.hunks[i-1].end
	}
	if i+1 < len(f.hunks) {
		hi = f.hunks[i+1].at
	}
	return lo, hi
}

// merge joins the i-th hunk with a neighbour; there must be one.
func (f *file) merge(i int) {
	if i+1 == len(f.hunks) {
		i--
	}
	f.hunks[i].join(f.hunks[i+1], f.start.lines)
	f.hunks = slices.Delete(f.hunks, i+1, i+2)
}
