package edits

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// takes remembers which lines of the file before the reply were dropped, by
// which block and for what, and which calls want which lines.
type takes struct {
	by    map[int]taken // line, from 0
	calls []claim       // in the reply's order; those that failed for the sake of another, too
}

type taken struct {
	block int
	by    string // what stands for the stretch of lines that was dropped with it
}

func newTakes() *takes { return &takes{by: map[int]taken{}} }

func (t *takes) clone() *takes { return &takes{maps.Clone(t.by), slices.Clone(t.calls)} }

// take notes the lines that block i drops at a place.
func (t *takes) take(i int, now *text, at spot) {
	for line, by := range dropped(at.old, at.new) {
		if from := now.from[at.line(line)]; from >= 0 {
			t.by[from] = taken{i, by}
		}
	}
}

// takeRange notes the lines that a call replaces by their numbers.
func (t *takes) takeRange(r claim) {
	for line := r.from; line < r.to; line++ {
		t.by[line] = taken{r.block, r.by}
	}
}

// written is the form in which taken keeps lines that come.
func written(lines []string) string {
	var s strings.Builder
	for _, l := range lines {
		s.WriteString(l + "\n")
	}
	return s.String()
}

// clashRange is clash for a block that names its lines by number. An insertion
// clashes with what replaces the lines on both sides of it at once.
func (t *takes) clashRange(r claim) (block int, same, ok bool) {
	if r.inserts() {
		above, one := t.by[r.from-1]
		below, two := t.by[r.from]
		return above.block, false, one && two && above.block == below.block
	}
	same = true
	for line := r.from; line < r.to; line++ {
		if by, taken := t.by[line]; taken {
			block, ok = by.block, true
			same = same && by.by == r.by
		} else {
			same = false
		}
	}
	return block, same, ok
}

// clash reports whether a block wants lines of the file before the reply that
// another block has replaced: same, if all of them and with the same lines.
func (t *takes) clash(orig *text, b *Block) (block int, same, ok bool) {
	switch {
	case len(t.by) == 0:
		return 0, false, false
	case b.Start > 0:
		return t.clashRange(claimOf(0, b))
	case len(b.Old) == 0:
		return 0, false, false
	}
	at := positions(orig.lines, b.Old, 2)
	if len(at) != 1 {
		return 0, false, false
	}
	all := true
	for line, by := range dropped(b.Old, b.New) {
		other, taken := t.by[at[0]+line]
		switch {
		case !taken:
			all = false
		case other.by != by:
			return other.block, false, true
		default:
			block, same = other.block, true
		}
	}
	return block, same && all, same && all
}

// dropped gives each old line that a delta drops, with the lines that come for
// its stretch.
func dropped(old, new []string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		steps := delta(old, new)
		for i := 0; i < len(steps); {
			from := i
			var by strings.Builder
			for i < len(steps) && steps[i].kind != keep {
				if steps[i].kind == insert {
					by.WriteString(new[steps[i].new] + "\n")
				}
				i++
			}
			for _, s := range steps[from:i] {
				if s.kind == drop && !yield(s.old, by.String()) {
					return
				}
			}
			if i == from {
				i++
			}
		}
	}
}
