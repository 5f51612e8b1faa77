package edits

// Alignment is the last tier: some of the block's context lines are not those
// of the file, are missing, extra, or elided. What the block changes must be
// certain all the same:
//
//   - every line that it drops is found, one below the other, and a neighbour of
//     theirs beside them, for a mere brace both; where more lines come than go,
//     the file holds nothing unknown beside them;
//   - a pure insertion has both its neighbours found, adjacent in the file;
//     at the block's edge, or beside an elision, one;
//   - of the other lines, blank ones apart, at most one is not found, and not
//     without another that is: two false beliefs are no slip any more;
//   - no other place does as well, or nearly.
//
// Lines count as found if the indentation tier calls them equal.
const (
	alignSlack  = 4   // lines of the file that may be extra or missing around
	alignElided = 400 // lines that an elision may stand for
	alignStarts = 64  // places tried: of the rarest line that must be found
	alignCells  = 1 << 20

	scoreMatch = 10 // a line found
	scoreBlank = 3  // a blank line found
	scoreSkip  = -1 // a line passed over, on either side
)

// align gives the best place for a block, and others that are as good.
func (t *text) align(f form) []spot {
	want := foldAll(f.old, Indentation)
	hay := t.fold(Indentation)
	steps := delta(f.old, f.new)
	must := required(f.old, steps)
	if len(must) == 0 || len(f.old) == 1 {
		return nil
	}
	pivot, starts := t.rarest(want, must)
	if len(starts) == 0 || len(starts) > alignStarts {
		return nil
	}
	var all, whole []candidate
	for _, p := range starts {
		match, score := alignAt(hay, want, f.old, pivot, p)
		if match == nil || !enough(match, want, f.old) || !placed(match, hay, want, steps) {
			continue
		}
		c := candidate{spot: spot{tier: Alignment, old: f.old, new: f.new, match: match}, score: score}
		c.at, c.n = extent(match)
		c.certain = certain(match, hay, steps, f)
		if all = append(all, c); complete(match, want, f.old) {
			whole = append(whole, c)
		}
	}
	if len(whole) == 1 {
		return settled(whole)
	}
	return settled(leaders(all))
}

// candidate is a place that an alignment found. One where it is not certain what
// changes cannot be chosen, but stands in the way of others.
type candidate struct {
	spot
	score   int
	certain bool
}

// settled gives the places that are left: none where the only one is uncertain.
func settled(all []candidate) []spot {
	var out []spot
	for _, c := range all {
		if len(all) > 1 || c.certain {
			out = append(out, c.spot)
		}
	}
	return out
}

// complete reports whether every line that is not blank is found: no place that
// lacks one can be meant instead.
func complete(match []int, want, old []string) bool {
	for i, l := range want {
		if l != "" && match[i] < 0 || isElision(old[i]) {
			return false
		}
	}
	return true
}

// leaders keeps the places that score best, and those that come within one line of it.
func leaders(all []candidate) []candidate {
	top := 0
	for _, c := range all {
		top = max(top, c.score)
	}
	var out []candidate
	for _, c := range all {
		if c.score > top-scoreMatch-scoreMatch/2 && len(out) < maxPlaces {
			out = append(out, c)
		}
	}
	return out
}

// required lists the old lines that must be found: those that go, and the
// neighbours of what comes.
func required(old []string, steps []op) []int {
	var must []int
	add := func(i int) {
		if i >= 0 && i < len(old) && !isElision(old[i]) && (len(must) == 0 || must[len(must)-1] != i) {
			must = append(must, i)
		}
	}
	for i := 0; i < len(steps); i++ {
		switch steps[i].kind {
		case drop:
			add(steps[i].old)
		case insert:
			if i > 0 && steps[i-1].kind == keep {
				add(steps[i-1].old)
			}
			if i+1 < len(steps) && steps[i+1].kind == keep && pureInsert(steps, i) {
				add(steps[i+1].old)
			}
		}
	}
	return must
}

// pureInsert reports whether step i stands in a stretch that drops nothing.
func pureInsert(steps []op, i int) bool {
	for i > 0 && steps[i-1].kind == insert {
		i--
	}
	return i == 0 || steps[i-1].kind == keep
}

// rarest gives the required line that stands least often in the file, and where.
// Blank lines do not qualify, and nothing is told of lines that stand too often.
func (t *text) rarest(want []string, must []int) (pivot int, at []int) {
	places := map[string][]int{}
	for _, i := range must {
		if want[i] != "" {
			places[want[i]] = nil
		}
	}
	for p, l := range t.fold(Indentation) {
		if known, ok := places[l]; ok && len(known) <= alignStarts {
			places[l] = append(known, p)
		}
	}
	pivot = -1
	for _, i := range must {
		if want[i] == "" {
			continue
		}
		here := places[want[i]]
		if pivot < 0 || len(here) < len(at) || len(here) == len(at) && len(want[i]) > len(want[pivot]) {
			pivot, at = i, here
		}
	}
	return pivot, at
}

// extent gives the range of lines that a match covers.
func extent(match []int) (at, n int) {
	first, last := -1, -1
	for _, m := range match {
		if m >= 0 {
			if first < 0 {
				first = m
			}
			last = m
		}
	}
	return first, last - first + 1
}
