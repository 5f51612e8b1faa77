package standin

import "slices"

// stand is what has become of one hunk in the current file.
type stand struct {
	in      bool
	at, end int // lines of the current file that it has yet to replace, or that are its own now
}

// stands tells what has become of the file's hunks, as far as it can be told.
func (f *file) stands(now []string) []stand {
	stands, sure := f.progress(now)
	if !sure {
		stands = f.guess(now)
	}
	return stands
}

// progress finds out which hunks are in, from the current lines of the file. It
// is sure of it (ok) where the file is the start with some of the hunks applied
// and nothing else changed.
func (f *file) progress(now []string) (stands []stand, ok bool) {
	type way struct {
		pos  int // in now, after the hunk
		prev int // way that led here, of the hunk before
		stand
	}
	layers := [][]way{{{pos: 0, prev: -1}}}
	from := 0
	for _, h := range f.hunks {
		var next []way
		gap, old, new := f.start.lines[from:h.at], f.start.lines[h.at:h.end], f.wanted(h)
		for i, w := range layers[len(layers)-1] {
			if !equalAt(now, w.pos, gap) {
				continue
			}
			at := w.pos + len(gap)
			for _, s := range []stand{{true, at, at + len(new)}, {false, at, at + len(old)}} {
				side := old
				if s.in {
					side = new
				}
				seen := slices.ContainsFunc(next, func(o way) bool { return o.pos == s.end })
				if !seen && equalAt(now, at, side) {
					next = append(next, way{s.end, i, s})
				}
			}
		}
		layers, from = append(layers, next), h.end
	}
	rest := f.start.lines[from:]
	for i, w := range layers[len(layers)-1] {
		if w.pos+len(rest) != len(now) || !equalAt(now, w.pos, rest) {
			continue
		}
		stands = make([]stand, len(f.hunks))
		for k := len(f.hunks); k > 0; k-- {
			stands[k-1] = layers[k][i].stand
			i = layers[k][i].prev
		}
		return stands, true
	}
	return nil, false
}

// wanted is what the file has in place of the hunk's lines once it is in.
func (f *file) wanted(h *hunk) []string {
	var lines []string
	at := h.at
	for _, s := range h.steps {
		switch s.op {
		case keep:
			lines = append(lines, f.start.lines[at])
		case insert:
			lines = append(lines, s.text)
		}
		if s.op != insert {
			at++
		}
	}
	return lines
}

// guess is progress for a file that something else happened to: a hunk counts as
// in where its new side, with a line around it, stands once.
func (f *file) guess(now []string) []stand {
	stands := make([]stand, len(f.hunks))
	for i, h := range f.hunks {
		lo, hi := max(0, h.at-1), min(len(f.start.lines), h.end+1)
		around := func(middle []string) []string {
			return slices.Concat(f.start.lines[lo:h.at], middle, f.start.lines[h.end:hi])
		}
		if at := places(now, around(f.wanted(h))); len(at) == 1 {
			stands[i] = stand{in: true, at: at[0]}
		} else if at := places(now, around(f.start.lines[h.at:h.end])); len(at) == 1 {
			from := at[0] + h.at - lo
			stands[i] = stand{at: from, end: from + h.end - h.at}
		} else {
			stands[i] = stand{at: -1, end: -1}
		}
	}
	return stands
}
