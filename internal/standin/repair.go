package standin

import (
	"math/rand/v2"
	"slices"
)

// repair is one block that is not in, and what is known of it.
type repair struct {
	file   *file
	draft  *draft
	said   saying   // as it was sent last
	now    []string // the file as it is
	stands []stand  // of all hunks of the file
	index  int      // of this one
}

// run is a range [from, to) of the current file's lines that the feedback shows.
type run struct{ from, to int }

// copied builds the block anew: old lines are copied from the feedback, and only
// from there, share of them wrongly; inserted lines are the wanted ones. It
// fails where the feedback does not show the region to change, verbatim and in a
// run that stands once in the file.
func (r repair) copied(feedback []string, rng *rand.Rand, share float64) (saying, bool) {
	seen, ok := r.shown(feedback)
	here := r.stands[r.index]
	if !ok {
		return saying{}, false
	}
	seen = r.within(seen)
	from, to := max(seen.from, here.at-contextLines(rng)), min(seen.to, here.end+contextLines(rng))
	if from >= to {
		from, to = max(seen.from, here.at-1), min(seen.to, here.end+1)
	}
	for up := true; !r.unique(from, to); up = !up {
		switch {
		case from == seen.from && to == seen.to:
			return saying{}, false
		case to == seen.to || up && from > seen.from:
			from--
		default:
			to++
		}
	}
	return r.write(from, to, rng, share), true
}

// write copies the lines from to to and puts the wanted ones in.
func (r repair) write(from, to int, rng *rand.Rand, share float64) saying {
	here := r.stands[r.index]
	at := from
	var s saying
	take := func(o op) {
		line := r.now[at]
		if rng.Float64() < share {
			if other, ok := rename(rng, line); ok {
				line, s.fault = other, Copied
			}
		}
		s.old = append(s.old, line)
		if o == keep {
			s.new = append(s.new, line)
		}
		at++
	}
	for at < here.at {
		take(keep)
	}
	for _, step := range r.file.hunks[r.index].steps {
		if step.op == insert {
			s.new = append(s.new, step.text)
		} else {
			take(step.op)
		}
	}
	for at < to {
		take(keep)
	}
	return s
}

// shown finds the longest run of the file's lines in the feedback that covers
// the region to change (for an insertion, a line beside it) and stands once in
// the file.
func (r repair) shown(feedback []string) (best run, ok bool) {
	here := r.stands[r.index]
	if here.at < 0 {
		return run{}, false
	}
	lines := r.unquoted(feedback)
	anchors := []int{here.at}
	if here.at == here.end {
		anchors = []int{here.at - 1, here.at}
	}
	for _, a := range anchors {
		if a < 0 || a >= len(r.now) {
			continue
		}
		for q, line := range lines {
			if line != r.now[a] {
				continue
			}
			lo, hi := 0, 1
			for q-lo > 0 && a-lo > 0 && lines[q-lo-1] == r.now[a-lo-1] {
				lo++
			}
			for q+hi < len(lines) && a+hi < len(r.now) && lines[q+hi] == r.now[a+hi] {
				hi++
			}
			seen := run{a - lo, a + hi}
			if seen.from <= here.at && seen.to >= here.end && r.unique(seen.from, seen.to) && (!ok || seen.to-seen.from > best.to-best.from) {
				best, ok = seen, true
			}
		}
	}
	return best, ok
}

// unquoted is the feedback without the block quoted back: that is not the file.
func (r repair) unquoted(feedback []string) []string {
	if len(r.said.old) == 0 || count(r.now, r.said.old) > 0 {
		return feedback
	}
	out := slices.Clone(feedback)
	for _, at := range places(out, r.said.old) {
		for i := range r.said.old {
			out[at+i] = "\x00" // stands in no file
		}
	}
	return out
}

// within narrows a run so that it quotes no line that another block of the same
// reply changes, if it still tells the place then.
func (r repair) within(seen run) run {
	here, narrow := r.stands[r.index], seen
	for i, s := range r.stands {
		switch {
		case s.in || s.at < 0:
		case i < r.index:
			narrow.from = max(narrow.from, min(s.end, here.at))
		case i > r.index:
			narrow.to = min(narrow.to, max(s.at, here.end))
		}
	}
	if narrow.from < narrow.to && r.unique(narrow.from, narrow.to) {
		return narrow
	}
	return seen
}

func (r repair) unique(from, to int) bool {
	return from < to && !allBlank(r.now[from:to]) && count(r.now, r.now[from:to]) == 1
}
