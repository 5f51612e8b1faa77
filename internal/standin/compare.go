package standin

import (
	"maps"
	"slices"
)

// Difference tells how a tree differs from a plan's gold.
type Difference struct {
	Open  []Planned // wanted blocks that are not in
	Stray []string  // paths that hold something that is neither start nor wanted, sorted
	Wrong int       // bytes of lines that should not be there, or not be gone, in the stray files
}

// None reports whether the tree is gold, byte for byte.
func (d Difference) None() bool { return len(d.Open) == 0 && len(d.Stray) == 0 }

// Compare tells how far a tree has come. A tree without stray files is the start
// with some of the wanted blocks in, to the byte.
func (p *Plan) Compare(tree map[string]string) Difference {
	var d Difference
	planned := map[string]*file{}
	for _, f := range p.files {
		planned[f.path] = f
	}
	paths := maps.Clone(p.Gold)
	maps.Copy(paths, tree)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		now, there := tree[path]
		gold, wanted := p.Gold[path]
		if there && wanted && now == gold {
			continue
		}
		f := planned[path]
		open, sane := []Planned(nil), false
		if f != nil {
			open, sane = f.open(now, there)
		}
		d.Open = append(d.Open, open...)
		if !sane {
			d.Stray = append(d.Stray, path)
			d.Wrong += max(1, wrongBytes(p.Start[path], gold, now))
		}
	}
	return d
}

// open lists the file's blocks that are not in, and reports whether the content
// is the start's with just the others in.
func (f *file) open(now string, there bool) (open []Planned, sane bool) {
	stands := f.stands(newText(now).lines)
	var in []bool
	for i, s := range stands {
		in = append(in, s.in && there)
		if !in[i] {
			open = append(open, Planned{Path: f.path, Line: f.hunks[i].at + 1, Fault: f.blocks[i].fault})
		}
	}
	if !there {
		return open, f.created
	}
	lines, ends := f.state(func(i int) bool { return in[i] })
	return open, now == f.start.with(lines, ends)
}

// wrongBytes counts the bytes of the lines that a file has more often than start
// and gold have them, or less often than both.
func wrongBytes(start, gold, now string) int {
	n := 0
	a, b, c := tally(start), tally(gold), tally(now)
	for line, k := range c {
		n += max(0, k-max(a[line], b[line])) * len(line)
	}
	for line, k := range a {
		n += max(0, min(k, b[line])-c[line]) * len(line)
	}
	return n
}

func tally(content string) map[string]int {
	n := map[string]int{}
	t := newText(content)
	for i, line := range t.lines {
		n[line+t.ends[i]]++
	}
	return n
}
