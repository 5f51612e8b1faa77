package standin

import (
	"math/rand/v2"
	"strings"

	"github.com/agentloop/agentloop/edits"
)

// Actor is the model that wants a plan's change. Its first answer is the plan's
// blocks; each later one repeats or repairs those that are not in yet, by what
// the prompt shows.
type Actor struct {
	plan  *Plan
	said  map[*draft]saying // what was sent last for a block
	round int

	caller *caller // nil unless it edits by calls
}

// saying is one block as it was sent.
type saying struct {
	old, new []string
	fault    Fault
}

// Player returns an actor at the start of its part.
func (p *Plan) Player() *Actor { return &Actor{plan: p, said: map[*draft]saying{}} }

// Answer gives the blocks for this prompt, or says that nothing is left.
func (a *Actor) Answer(c Chat) Answer {
	p := readPrompt(c)
	if p.format == toolsFormat && c.Offers("edit_lines") {
		return a.byCalls(c, p)
	}
	if p.format == toolsFormat { // the server takes no tools
		p.format = edits.SearchReplace
	}
	a.round++
	var blocks []string
	for _, f := range a.plan.files {
		if a.round == 1 {
			blocks = append(blocks, a.first(f, p.format)...)
		} else {
			blocks = append(blocks, a.again(f, p)...)
		}
	}
	if len(blocks) == 0 {
		return Answer{Text: Nothing}
	}
	opening := "Here is the change.\n\n"
	if a.round > 1 {
		opening = "Here are the edits that were not in yet.\n\n"
	}
	return Answer{Text: opening + strings.Join(blocks, "\n")}
}

// first renders all of a file's blocks as they were planned.
func (a *Actor) first(f *file, format edits.Format) []string {
	var out []string
	for _, d := range f.blocks {
		old, new := d.sides()
		extra := render(format, f.path, d.extra.old, d.extra.new)
		if d.extra.sent && !d.extra.after {
			out = append(out, extra)
		}
		out = append(out, render(format, f.path, old, new))
		if d.extra.sent && d.extra.after {
			out = append(out, extra)
		}
		s := saying{old: old, new: new, fault: d.fault}
		if d.extra.sent {
			s.fault = "" // the block itself is right
		}
		a.said[d] = s
	}
	return out
}

// again renders those of a file's blocks that are not in.
func (a *Actor) again(f *file, p prompt) []string {
	now, shown := p.files[f.path]
	var out []string
	if f.created {
		if d := f.blocks[0]; !shown {
			out = append(out, render(p.format, f.path, a.said[d].old, a.said[d].new))
		}
		return out
	}
	stands := f.stands(now)
	for i, d := range f.blocks {
		if shown && stands[i].in {
			continue
		}
		if shown {
			rng := f.rng(a.plan.opt.Seed+uint64(a.round), i, "repair")
			a.said[d] = a.repair(repair{f, d, a.said[d], now, stands, i}, p.feedback, rng)
		}
		out = append(out, render(p.format, f.path, a.said[d].old, a.said[d].new))
	}
	return out
}

// repair chooses what to send for a block that is not in.
func (a *Actor) repair(r repair, feedback []string, rng *rand.Rand) saying {
	if s, ok := a.mend(r, r.part(feedback), feedback, rng); ok {
		return s
	}
	return r.said
}

// mend gives the block to send in place of the last one: the same if it was only
// skipped, or if told does not name what is wrong, else one that is copied from
// the shown lines; not ok if they do not show enough.
func (a *Actor) mend(r repair, told string, shown []string, rng *rand.Rand) (saying, bool) {
	if r.said.fault == "" && len(places(r.now, r.said.old)) == 1 {
		return r.said, true // it was only skipped
	}
	if r.said.fault != "" && !names(told, r.said.fault) && rng.Float64() < a.plan.opt.Repeat {
		return r.said, true
	}
	return r.copied(shown, rng, a.plan.opt.Copy)
}

// render writes a block in the format that the prompt asked for. In the formats
// that state anchors, these are the lines that both sides begin and end with.
func render(format edits.Format, path string, old, new []string) string {
	b := edits.Block{Format: format, Path: path, Old: old, New: new}
	for b.Anchor < min(len(old), len(new)) && old[b.Anchor] == new[b.Anchor] {
		b.Anchor++
	}
	for n := min(len(old), len(new)) - b.Anchor; format == edits.Anchored4 && b.Trail < n && old[len(old)-1-b.Trail] == new[len(new)-1-b.Trail]; {
		b.Trail++
	}
	return edits.Render(b)
}
