package standin

import (
	"math/rand/v2"
	"slices"
)

// spoilAll puts a fault into some of the file's blocks.
func (f *file) spoilAll(opt Options) {
	for i := range f.blocks {
		rng := f.rng(opt.Seed, i, "fault")
		if rng.Float64() >= opt.Rate {
			continue
		}
		mix, spoil := opt.Mix, f.spoil
		if f.blocks[i].ranged {
			mix, spoil = CallMix(), f.spoilRange
		}
		for len(mix) > 0 {
			var fault Fault
			if fault, mix = mix.draw(rng); spoil(i, fault, rng) {
				break
			}
		}
	}
}

// spoil puts this fault into the i-th block, if it fits: if the block then is
// wrong in the way that the fault means, and no other block is.
func (f *file) spoil(i int, fault Fault, rng *rand.Rand) bool {
	d := f.blocks[i].clone()
	d.fault = fault
	if !d.inject(rng) || f.alters(d) {
		return false
	}
	right, start := f.blocks[i], f.start
	f.start.lines, f.start.ends = slices.Clone(start.lines), slices.Clone(start.ends)
	for at, line := range d.alter {
		f.start.lines[at] = line
	}
	if d.crlf {
		for at, end := range start.ends {
			if end != "" {
				f.start.ends[at] = "\r\n"
			}
		}
	}
	f.blocks[i] = d
	if d.misleads() || !f.sound() {
		f.blocks[i], f.start = right, start
		return false
	}
	return true
}

// alters reports whether a line that is to change is quoted by another block.
func (f *file) alters(d *draft) bool {
	for at := range d.alter {
		for i, other := range f.blocks {
			if from, to := other.span(); i != d.index && from <= at && at < to {
				return true
			}
		}
	}
	return false
}

// misleads reports whether the block is not wrong as its fault means it to be: it
// stands somewhere to the letter, so that an exact engine may rightly apply it.
func (d *draft) misleads() bool {
	if d.extra.sent || d.crlf {
		return false
	}
	old, new := d.sides()
	if allBlank(old) || slices.Equal(old, new) {
		return true
	}
	now := d.file.before(d.index)
	for _, lines := range [][]string{d.file.start.lines, now} {
		n := count(lines, old)
		if d.fault == Ambiguous && (n < 2 || n > 4) || d.fault != Ambiguous && n > 0 {
			return true
		}
	}
	return false
}

// inject puts the fault into the draft; false where it does not fit.
func (d *draft) inject(rng *rand.Rand) bool {
	if len(d.file.start.lines) == 0 && d.fault != Already {
		return false
	}
	switch d.fault {
	case TrailingWS:
		return d.trailing(rng)
	case IndentShift:
		return d.shift(rng)
	case TabsSpaces:
		return d.tabs()
	case IndentOne:
		return d.indentOne(rng)
	case BlankLine:
		return d.blankLine(rng)
	case CRLF:
		d.crlf = d.file.start.usual() == "\n"
		return d.crlf
	case UniFile:
		return d.uniFile(rng)
	case UniModel:
		return d.uniModel(rng)
	case HTMLEsc:
		return d.htmlEscape()
	case LitNewline:
		return d.literalNewline()
	case LinePrefix:
		return d.linePrefix(rng)
	case DiffMarkers:
		return d.diffMarkers()
	case StaleContext:
		return d.stale(rng, keep)
	case StaleTarget:
		return d.stale(rng, remove)
	case HallucLine:
		return d.halluc(rng)
	case MissingLine:
		return d.missing(rng)
	case ExtraLine:
		return d.made(rng)
	case Elided:
		return d.elide(rng)
	case Reflow:
		return d.reflow(rng)
	case CommentDrop:
		return d.commentDrop(rng)
	case Ambiguous:
		return d.ambiguous()
	case Already:
		d.extra.old, d.extra.new = d.sides()
		d.extra.after, d.extra.sent = true, true
		return true
	case Noop:
		d.extra.old, _ = d.sides()
		d.extra.new, d.extra.sent = d.extra.old, true
		return true
	}
	return false
}
