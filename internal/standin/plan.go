package standin

import (
	"maps"
	"slices"
)

// Plan is a wanted change as a model would send it: blocks in order, some with a
// fault, and the trees before and after. Start and Gold differ from what was
// given only by the faults that belong to a file (a line that changed after the
// model read it), and Gold by what no block of lines can say: that a final
// newline comes or goes, or that line endings change.
type Plan struct {
	Start, Gold map[string]string // path → content

	opt   Options
	files []*file // that change, by path
}

// Options says how careless the model is. The zero value makes no mistake.
type Options struct {
	Seed   uint64
	Rate   float64 // share of blocks that carry a fault, 0 to 1
	Mix    Mix     // which faults
	Copy   float64 // share of lines copied wrongly in a repair, 0 to 1
	Repeat float64 // share of faults repeated unless the feedback names them, 0 to 1
	Calls  bool    // edits are calls of tools, half of them by line numbers: those err by CallMix
}

// Careless is the model that BENCHMARKS 4 measures with.
func Careless(seed uint64, mix Mix) Options {
	return Options{Seed: seed, Rate: .30, Mix: mix, Copy: .02, Repeat: .30}
}

// Planned tells of one wanted block.
type Planned struct {
	Path  string `json:"path"`
	Line  int    `json:"line"`            // of the start at which its change begins, from 1
	Fault Fault  `json:"fault,omitempty"` // "" for none
}

// NewPlan plans the change from one tree to the other. Files that are absent
// after stay as they are: no block of lines deletes a file.
func NewPlan(before, after map[string]string, opt Options) *Plan {
	p := &Plan{Start: maps.Clone(before), Gold: maps.Clone(before), opt: opt}
	if p.Start == nil {
		p.Start, p.Gold = map[string]string{}, map[string]string{}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		was, there := before[path]
		f := &file{path: path, created: !there, start: newText(was)}
		if len(f.start.lines) == 0 {
			f.fill(newText(after[path]).lines)
		} else {
			f.hunks = hunksOf(f.start.lines, newText(after[path]).lines)
			f.quoteAll(opt.Seed)
		}
		if len(f.hunks) == 0 {
			continue
		}
		if opt.Calls {
			f.rangeThem(opt.Seed)
		}
		f.spoilAll(opt)
		if p.files = append(p.files, f); there {
			p.Start[path] = f.start.with(f.start.lines, f.start.ends)
		}
		p.Gold[path] = f.gold()
	}
	return p
}

// fill plans a file that is new or empty.
func (f *file) fill(lines []string) {
	h := &hunk{}
	for _, line := range lines {
		h.steps = append(h.steps, step{insert, line})
	}
	if len(lines) == 0 && !f.created {
		return
	}
	f.hunks = []*hunk{h}
	f.blocks = []*draft{{file: f, steps: h.steps}}
}

// Blocks lists the wanted blocks in the order in which they are sent.
func (p *Plan) Blocks() []Planned {
	var out []Planned
	for _, f := range p.files {
		for i, d := range f.blocks {
			out = append(out, Planned{Path: f.path, Line: f.hunks[i].at + 1, Fault: d.fault})
		}
	}
	return out
}
