package standin

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"slices"
)

// draft is one wanted block on its way to be sent.
type draft struct {
	file  *file
	index int // of its hunk

	top   int    // first line of the start that the block quotes
	steps []step // what the block says, its faults included

	// old and new replace what the steps say where a fault is more than a wrong
	// line.
	old, new []string

	alter map[int]string // lines of the start that a fault wants changed
	crlf  bool           // a fault wants the file's lines to end in CRLF

	fault Fault // "" for a right block
	extra extra // a second block that a fault sends beside it

	ranged bool // is sent as a call that names the lines by their numbers
	off    int  // by how many lines RangeOff moves them
}

// extra is a block that is sent beside the wanted one.
type extra struct {
	old, new []string
	after    bool // follows the wanted block, else stands before it
	sent     bool // there is one
}

// sides gives the block's old and new side.
func (d *draft) sides() (old, new []string) {
	if d.old != nil {
		return d.old, d.new
	}
	return sides(d.steps)
}

// span is the range of the start's lines that the block quotes.
func (d *draft) span() (from, to int) {
	old, _ := sides(d.steps)
	return d.top, d.top + len(old)
}

// contexts are how many lines a model quotes around a change, each as often as
// it stands here.
func contextLines(rng *rand.Rand) int { return []int{0, 1, 1, 2, 2, 3}[rng.IntN(6)] }

// quoteAll makes a right block of each hunk. Hunks that no context between them
// tells apart become one.
func (f *file) quoteAll(seed uint64) {
again:
	f.blocks = nil
	for i := range f.hunks {
		d := f.quote(i, f.rng(seed, i, "quote"))
		if d == nil && len(f.hunks) > 1 {
			f.merge(i)
			goto again
		}
		if d == nil {
			d = f.quoteLines(0, 0, len(f.start.lines)) // the whole file stands once in itself
		}
		f.blocks = append(f.blocks, d)
	}
}

// quote makes a block of the i-th hunk: some lines around it, more until its old
// side stands once in the start and once in the file as it is when the blocks
// before it are in. nil: there are not enough lines for that.
func (f *file) quote(i int, rng *rand.Rand) *draft {
	h := f.hunks[i]
	lo, hi := f.room(i)
	from, to := max(lo, h.at-contextLines(rng)), min(hi, h.end+contextLines(rng))
	if from == to {
		from, to = max(lo, from-1), min(hi, to+1)
	}
	now := f.before(i)
	for up := true; ; up = !up {
		d := f.quoteLines(i, from, to)
		if old, _ := d.sides(); !allBlank(old) && count(f.start.lines, old) == 1 && count(now, old) == 1 {
			return d
		}
		switch {
		case from == lo && to == hi:
			return nil
		case to == hi || up && from > lo:
			from--
		default:
			to++
		}
	}
}

// quoteLines makes the i-th hunk's block of the start's lines [from, to).
func (f *file) quoteLines(i, from, to int) *draft {
	h := f.hunks[i]
	d := &draft{file: f, index: i, top: from}
	for _, line := range f.start.lines[from:h.at] {
		d.steps = append(d.steps, step{keep, line})
	}
	d.steps = append(d.steps, h.steps...)
	for _, line := range f.start.lines[h.end:to] {
		d.steps = append(d.steps, step{keep, line})
	}
	return d
}

// sound reports whether the file's right blocks still stand where they should.
func (f *file) sound() bool {
	for i, d := range f.blocks {
		if d.fault != "" && !d.extra.sent {
			continue
		}
		old, _ := d.sides()
		now := f.before(i)
		if count(f.start.lines, old) != 1 || count(now, old) != 1 {
			return false
		}
	}
	return true
}

// rng is the source of chance for one purpose of one block: no block's fate
// depends on another's.
func (f *file) rng(seed uint64, i int, purpose string) *rand.Rand {
	at := 0
	if i < len(f.hunks) {
		at = f.hunks[i].at
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%d %s %d %s", seed, purpose, at, f.path))
	return rand.New(rand.NewChaCha8(key))
}

// clone is a copy that a fault may be put into.
func (d *draft) clone() *draft {
	c := *d
	c.steps = slices.Clone(d.steps)
	c.alter = map[int]string{}
	return &c
}
