package standin

import (
	"math/rand/v2"
	"slices"
)

// Fault names one false belief that a model may hold about a file, or one bad
// habit. Each is put into the old and the new side alike.
type Fault string

// Faults of form: the words are right.
const (
	TrailingWS  Fault = "trailing_ws"  // white space after a line
	IndentShift Fault = "indent_shift" // the whole block is further in or out
	TabsSpaces  Fault = "tabs_spaces"  // tabs for spaces, or spaces for tabs
	IndentOne   Fault = "indent_one"   // one line is a blank or two off
	BlankLine   Fault = "blank_line"   // an empty line too many or too few
	CRLF        Fault = "crlf"         // the file has CRLF, the block LF
	UniFile     Fault = "uni_file"     // the file has a curly quote or dash, the block ASCII
	UniModel    Fault = "uni_model"    // the block has curly quotes, the file ASCII
	HTMLEsc     Fault = "html_esc"     // & < > as entities
	LitNewline  Fault = "lit_newline"  // a backslash and an n between the lines
	LinePrefix  Fault = "line_prefix"  // line numbers before the lines
	DiffMarkers Fault = "diff_markers" // a diff's first column
)

// Faults of content: lines are not as the file has them.
const (
	StaleContext Fault = "stale_context" // a line beside the change is another by now
	HallucLine   Fault = "halluc_line"   // a line is quoted with another name in it
	MissingLine  Fault = "missing_line"  // a line is left out
	ExtraLine    Fault = "extra_line"    // a line is made up
	Elided       Fault = "elided"        // "..." stands for lines
	Reflow       Fault = "reflow"        // two lines are quoted as one
	CommentDrop  Fault = "comment_drop"  // a comment at a line's end is left out
	StaleTarget  Fault = "stale_target"  // a line that is to go is another by now
)

// Faults that a sound engine must not apply.
const (
	Ambiguous Fault = "ambiguous" // too few lines are quoted: they stand in 2 to 4 places
	Already   Fault = "already"   // the block is sent twice
	Noop      Fault = "noop"      // a block beside it has two equal sides
)

// Copied is no fault to draw: a line of a repair that was copied wrongly.
const Copied Fault = "copied"

// Weight is how often a fault is seen, beside the others of its mix.
type Weight struct {
	Fault Fault
	Share int
}

// Mix says how often each fault is seen.
type Mix []Weight

// APIMix is how the large models behind an API err.
func APIMix() Mix {
	return Mix{
		{Ambiguous, 28}, {Already, 16}, {Noop, 8}, {UniModel, 4}, {UniFile, 4}, {HTMLEsc, 5}, {LinePrefix, 4},
		{LitNewline, 3}, {IndentShift, 3}, {IndentOne, 3}, {StaleContext, 5}, {HallucLine, 7}, {MissingLine, 3},
		{ExtraLine, 2}, {Elided, 1}, {Reflow, 3}, {StaleTarget, 1},
	}
}

// CheapMix is how small models err.
func CheapMix() Mix {
	return Mix{
		{Ambiguous, 18}, {Already, 6}, {Noop, 8}, {UniModel, 3}, {UniFile, 2}, {HTMLEsc, 4}, {LinePrefix, 7},
		{LitNewline, 4}, {DiffMarkers, 3}, {TrailingWS, 6}, {IndentShift, 8}, {IndentOne, 5}, {TabsSpaces, 4},
		{BlankLine, 4}, {StaleContext, 4}, {HallucLine, 6}, {MissingLine, 3}, {ExtraLine, 2}, {Elided, 2}, {Reflow, 1},
	}
}

// Only is a mix of one fault.
func Only(f Fault) Mix { return Mix{{f, 1}} }

// AllFaults lists the faults that can be drawn.
func AllFaults() []Fault {
	return []Fault{
		TrailingWS, IndentShift, TabsSpaces, IndentOne, BlankLine, CRLF, UniFile, UniModel, HTMLEsc, LitNewline,
		LinePrefix, DiffMarkers, StaleContext, HallucLine, MissingLine, ExtraLine, Elided, Reflow, CommentDrop,
		StaleTarget, Ambiguous, Already, Noop,
	}
}

// draw takes one fault out of the mix, by its share.
func (m Mix) draw(rng *rand.Rand) (Fault, Mix) {
	sum := 0
	for _, w := range m {
		sum += w.Share
	}
	at := rng.IntN(max(1, sum))
	for i, w := range m {
		if at -= w.Share; at < 0 {
			return w.Fault, slices.Delete(slices.Clone(m), i, i+1)
		}
	}
	return "", nil
}

// spoilAll puts a fault into some of the file's blocks.
func (f *file) spoilAll(opt Options) {
	for i := range f.blocks {
		rng := f.rng(opt.Seed, i, "fault")
		if rng.Float64() >= opt.Rate {
			continue
		}
		for mix := opt.Mix; len(mix) > 0; {
			var fault Fault
			if fault, mix = mix.draw(rng); f.spoil(i, fault, rng) {
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
	now, _ := d.file.state(d.index)
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
