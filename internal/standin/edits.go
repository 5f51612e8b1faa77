package standin

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// edits gives the calls for those of a file's blocks that are not in.
func (a *Actor) edits(f *file, v *view, feedback []string) []move {
	k := a.caller
	stands := f.stands(v.lines)
	var moves []move
	held, look := false, -1 // some wait for the others; a place that must be read first
	for i, d := range f.blocks {
		k.done[d] = stands[i].in && v.tag != ""
		if k.done[d] || k.tries[d] == maxTries {
			continue
		}
		r := repair{f, d, a.said[d], v.lines, stands, i}
		made, seen := a.moves(r, v, feedback)
		if !seen {
			look = i
		}
		held = held || seen && len(made) == 0
		moves = append(moves, made...)
	}
	switch {
	case len(moves) == 0 && held:
		return a.edits(f, v, feedback) // there are no others
	case len(moves) == 0 && look >= 0:
		s, around := stands[look], beside<<k.reads[f.path]
		return a.read(f, max(0, s.at-around), min(len(v.lines), s.end+around))
	}
	return moves
}

// moves gives the calls for one block; seen is false where the answers do not
// show enough of the file for that.
func (a *Actor) moves(r repair, v *view, feedback []string) (moves []move, seen bool) {
	k, d := a.caller, r.draft
	told := k.told[d]
	if told == "" {
		told = strings.Join(feedback, "\n")
	}
	if r.stands[r.index].at < 0 && (d.ranged || k.args[d] != "") {
		k.tries[d] = maxTries // the file is not as any of its changes leaves it
		return nil, true
	}
	args, tool := "", "edit"
	if d.ranged {
		tool = "edit_lines"
		if args, seen = a.byLines(r, v, told); !seen || args == "" {
			return nil, seen
		}
	} else if args, seen = a.byText(r, v, told); !seen {
		return nil, false
	}
	first := k.args[d] == ""
	k.tries[d]++
	k.args[d] = args
	call := func(args string, extra bool) move {
		return move{Call{Name: tool, Arguments: args}, intent{r.file, d, extra}}
	}
	moves = []move{call(args, false)}
	if extra := call(editArgs(r.file.path, d.extra.old, d.extra.new), true); first && d.extra.sent {
		if d.extra.after {
			return append(moves, extra), true
		}
		return append([]move{extra}, moves...), true
	}
	return moves, true
}

// byLines gives the arguments of edit_lines, "" for a block that is held back.
func (a *Actor) byLines(r repair, v *view, told string) (args string, seen bool) {
	k, d, here := a.caller, r.draft, r.stands[r.index]
	rng := a.rng(r, "lines")
	last := k.args[d]
	switch {
	case k.held[d] && k.tries[d] == 0:
		return last, true
	case last != "" && d.fault != "" && !names(told, d.fault) && rng.Float64() < a.plan.opt.Repeat:
		return last, true
	case !v.visible(here):
		return "", false
	case last != "":
		return arguments(r.file.rangeCall(r.index, v, here, false)), true
	}
	quote := d.fault == RangeOff || rng.IntN(2) == 0
	args = d.err(r.file.rangeCall(r.index, v, here, quote), v, here, rng)
	if d.fault == StaleTag {
		k.held[d], k.args[d] = true, args
		return "", true
	}
	return args, true
}

// byText gives the arguments of edit: at first what was planned, then what can
// be copied from the answers.
func (a *Actor) byText(r repair, v *view, told string) (args string, seen bool) {
	d := r.draft
	s, sent := a.said[d]
	if !sent {
		s.old, s.new = d.sides()
		if s.fault = d.fault; d.extra.sent {
			s.fault = "" // the block itself is right
		}
	} else if mended, ok := a.mend(r, told, v.copyable(), a.rng(r, "repair")); ok {
		s = mended
	} else if slices.Contains(v.shown, false) {
		return "", false
	}
	a.said[d] = s
	return editArgs(r.file.path, s.old, s.new), true
}

func editArgs(path string, old, new []string) string {
	return arguments(map[string]any{"path": path, "old": lined(old), "new": lined(new)})
}

// rng is the source of chance for one try of one block.
func (a *Actor) rng(r repair, purpose string) *rand.Rand {
	seed := a.plan.opt.Seed + uint64(100*a.round+a.caller.tries[r.draft])
	return r.file.rng(seed, r.index, purpose)
}
