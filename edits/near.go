package edits

import (
	"slices"
)

// nearest finds the places in t that are most like needle: the near match that
// is shown when needle itself is not there, and others that come close.
// Lines vote for the offset at which they stand, rare lines with more weight;
// what gets most votes, and what has a line like needle's longest, is then
// compared line by line. Offset is where the first line of needle would be at
// the best place, from 0.
func (t *text) nearest(needle []string) (near []Place, offset int) {
	hay := t.fold(Indentation)
	want := foldAll(needle, Indentation)
	all := 0.0
	for _, l := range want {
		all += float64(len(l))
	}
	n := nearness{hay: hay, want: want}
	var best []place // apart from each other, the most like first
	for _, o := range slices.Concat(vote(hay, want), lookalikes(hay, want)) {
		best = addPlace(best, place{o, n.likeness(o) / all}, len(want))
	}
	if len(best) == 0 || best[0].like < leastLike {
		return nil, 0
	}
	for _, p := range best[:min(len(best), nearMost)] {
		if p.like >= leastLike && p.like > best[0].like-nearMargin {
			near = append(near, p.extent(hay, want))
		}
	}
	return near, best[0].offset
}

// addPlace puts a place into a list by its likeness. Of places that overlap the
// better one stays.
func addPlace(list []place, p place, n int) []place {
	for i, q := range list {
		if abs(p.offset-q.offset) < n {
			if p.like <= q.like {
				return list
			}
			list = slices.Delete(list, i, i+1)
			break
		}
	}
	i := 0
	for i < len(list) && list[i].like >= p.like {
		i++
	}
	return slices.Insert(list, i, p)
}

// place is an offset of a block's first line, and how like the block the lines
// there are: 0 to 1.
type place struct {
	offset int
	like   float64
}

const (
	voteCopies = 8   // a line that needle repeats votes only for its first copies
	rareWeight = 720 // votes of a line that stands once in the file
	voteMost   = 12  // places of most votes that are compared
	likeMost   = 4   // lines like the longest one that are compared
	leastLike  = 0.25
	nearMost   = 3    // places shown
	nearMargin = 0.25 // likeness that a further one may lack
)

// extent is the range of lines to show for a place. Where lines are missing or
// extra, the end is where the last lines of the block stand.
func (p place) extent(hay, want []string) Place {
	first, last := max(0, p.offset), min(len(hay), p.offset+len(want))
	for i := len(want) - 1; i >= max(0, len(want)-3); i-- {
		for at := min(len(hay)-1, p.offset+i+4); at > max(-1, p.offset+i); at-- {
			if isTelling(want[i]) && hay[at] == want[i] {
				last = max(last, min(len(hay), at+len(want)-i))
			}
		}
	}
	return Place{first + 1, max(last, first+1)}
}

// likeness compares want with the lines at an offset. Each line counts by its
// length; one that stands a line higher or lower counts nearly as much.
func (n *nearness) likeness(offset int) float64 {
	sum := 0.0
	for i, l := range n.want {
		at := offset + i
		switch {
		case l == "":
		case n.stands(at, l):
			sum += float64(len(l))
		case n.stands(at+1, l) || n.stands(at-1, l):
			sum += 0.9 * float64(len(l))
		case at >= 0 && at < len(n.hay) && len(n.want) <= 400:
			like := n.grams(i).like(n.hay[at])
			sum += like * like * like * float64(len(l)) // many lines that are a little alike are no match
		}
	}
	return sum
}

func (n *nearness) stands(at int, l string) bool {
	return at >= 0 && at < len(n.hay) && n.hay[at] == l
}

// nearness compares one block with one file.
type nearness struct {
	hay, want []string
	made      []*grams // of want, made when first needed
}

func (n *nearness) grams(i int) *grams {
	if n.made == nil {
		n.made = make([]*grams, len(n.want))
	}
	if n.made[i] == nil {
		n.made[i] = newGrams(n.want[i])
	}
	return n.made[i]
}

// vote finds the offsets that most lines of want speak for.
func vote(hay, want []string) []int {
	at := map[string][]int{}
	for i, l := range want {
		if l != "" && len(at[l]) < voteCopies {
			at[l] = append(at[l], i)
		}
	}
	count := map[string]int{}
	for _, l := range hay {
		if at[l] != nil {
			count[l]++
		}
	}
	votes := make([]int, len(hay)+len(want)) // of offset i-len(want)
	for p, l := range hay {
		for _, i := range at[l] {
			votes[p-i+len(want)] += max(1, rareWeight/count[l])
		}
	}
	var best []int // indices into votes, most votes first
	for o, n := range votes {
		if n == 0 || len(best) == voteMost && n <= votes[best[voteMost-1]] {
			continue
		}
		i := len(best)
		for i > 0 && votes[best[i-1]] < n {
			i--
		}
		best = slices.Insert(best, i, o)
		best = best[:min(len(best), voteMost)]
	}
	for i := range best {
		best[i] -= len(want)
	}
	return best
}

// lookalikes finds the offsets at which a line stands that is like the longest
// line of want.
func lookalikes(hay, want []string) []int {
	long := 0
	for i, l := range want {
		if len(l) > len(want[long]) {
			long = i
		}
	}
	if len(want) == 0 || len(want[long]) < 6 {
		return nil
	}
	grams := newGrams(want[long])
	var best []place
	for p, l := range hay {
		if len(l)*2 < len(want[long]) || len(l) > 2*len(want[long]) {
			continue
		}
		like := grams.like(l)
		if like < 0.6 || len(best) == likeMost && like <= best[likeMost-1].like {
			continue
		}
		i := len(best)
		for i > 0 && best[i-1].like < like {
			i--
		}
		best = slices.Insert(best, i, place{p - long, like})
		best = best[:min(len(best), likeMost)]
	}
	var out []int
	for _, b := range best {
		out = append(out, b.offset)
	}
	return out
}
