package edits

import "slices"

// Calls that name lines by number apply as if made at once, whatever their order.
// Each has a claim in the file before the reply, and disjoint ones have one order
// in which what they write must stand: the order of their lines, and of the reply
// where several insert at one place. The lines that a call wrote are known as its
// own (text.from), so a place of which all lines are gone is found between them.

// claim is the lines [from, to) of the file before the reply that a call replaces;
// from == to: it inserts there.
type claim struct {
	block    int
	from, to int
	by       string // what it writes
}

func claimOf(block int, b *Block) claim { return claim{block, b.Start - 1, b.End, written(b.New)} }

func (r claim) inserts() bool { return r.from == r.to }

// overlaps reports whether two calls want the same lines. An insertion overlaps
// what replaces the lines on both sides of it, not what ends or begins there.
func (r claim) overlaps(o claim) bool { return r.from < o.to && o.from < r.to }

// above reports whether what r wrote stands above what o, which is disjoint and
// comes later in the reply, is to write.
func (r claim) above(o claim) bool { return r.to <= o.from }

func (r claim) equals(o claim) bool { return r.from == o.from && r.to == o.to && r.by == o.by }

// origin is what text.from holds of the lines that the k-th call wrote, and
// writer is its inverse.
func origin(k int) int    { return -2 - k }
func writer(from int) int { return -2 - from }

// call notes what a call wants. It reports whether an earlier call wants some of
// the same lines: same, if all that do want the same as this one.
func (t *takes) call(r claim) (same, ok bool) {
	same = true
	for _, other := range t.calls {
		if other.overlaps(r) {
			same, ok = same && other.equals(r), true
		}
	}
	t.calls = append(t.calls, r)
	return same, ok
}

// against lists the blocks that a call conflicts with.
func (t *takes) against(r claim) (blocks []int) {
	for _, other := range t.calls {
		if other.overlaps(r) && !other.equals(r) {
			blocks = append(blocks, other.block)
		}
	}
	return blocks
}

// find gives where lines [from, to) of the file before the reply stand now; not
// ok if one of them is gone, or something came between them.
func (f *file) find(from, to int) (at int, ok bool) {
	if from == to {
		return f.gap(from)
	}
	at = slices.Index(f.now.from, from)
	if at < 0 || at+to-from > len(f.now.from) {
		return 0, false
	}
	for i := range to - from {
		if f.now.from[at+i] != from+i {
			return 0, false
		}
	}
	return at, true
}

// gap gives the place before line to of the file before the reply. Where that line
// is gone, it is behind the last line that stands from before it, and behind what
// calls wrote that belongs above. Lines that no call wrote may be on either side:
// then not ok, unless the very line before it still stands.
func (f *file) gap(to int) (at int, ok bool) {
	below := slices.IndexFunc(f.now.from, func(from int) bool { return from >= to })
	if below >= 0 && f.now.from[below] == to {
		return below, true
	}
	if below < 0 {
		below = len(f.now.from)
	}
	at = below
	for at > 0 && f.now.from[at-1] < 0 {
		at--
	}
	beside := to == 0 || at > 0 && f.now.from[at-1] == to-1
	for at < below && f.writtenAbove(at, to) {
		at++
	}
	for i := at; i < below; i++ {
		if f.writtenAbove(i, to) || writer(f.now.from[i]) < 0 && !beside {
			return 0, false
		}
	}
	return at, true
}

// writtenAbove reports whether a call wrote line at that belongs above the place
// before line to of the file before the reply.
func (f *file) writtenAbove(at, to int) bool {
	k := writer(f.now.from[at])
	return k >= 0 && f.done.calls[k].above(claim{from: to, to: to})
}
