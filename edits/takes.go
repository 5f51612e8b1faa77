package edits

import (
	"iter"
	"strings"
)

// takes remembers which lines of the file before the reply were dropped, by
// which block and for what.
type takes struct{ by map[int]taken } // line, from 0

type taken struct {
	block int
	by    string // what stands for the stretch of lines that was dropped with it
}

func newTakes() *takes { return &takes{map[int]taken{}} }

// take notes the lines that block i drops at a place.
func (t *takes) take(i int, now *text, at spot) {
	for line, by := range dropped(at.old, at.new) {
		if from := now.from[at.line(line)]; from >= 0 {
			t.by[from] = taken{i, by}
		}
	}
}

// takeRange notes the lines that block i replaces by their numbers.
func (t *takes) takeRange(i int, b *Block) {
	for line := b.Start - 1; line < b.End; line++ {
		t.by[line] = taken{i, written(b.New)}
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
func (t *takes) clashRange(b *Block) (block int, same, ok bool) {
	if b.End < b.Start {
		above, one := t.by[b.Start-2]
		below, two := t.by[b.Start-1]
		return above.block, false, one && two && above.block == below.block
	}
	same = true
	for line := b.Start - 1; line < b.End; line++ {
		if by, taken := t.by[line]; taken {
			block, ok = by.block, true
			same = same && by.by == written(b.New)
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
		return t.clashRange(b)
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
