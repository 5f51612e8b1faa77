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
		{Ambiguous, 28},
		{Already, 16},
		{Noop, 8},
		{UniModel, 4},
		{UniFile, 4},
		{HTMLEsc, 5},
		{LinePrefix, 4},
		{LitNewline, 3},
		{IndentShift, 3},
		{IndentOne, 3},
		{StaleContext, 5},
		{HallucLine, 7},
		{MissingLine, 3},
		{ExtraLine, 2},
		{Elided, 1},
		{Reflow, 3},
		{StaleTarget, 1},
	}
}

// CheapMix is how small models err.
func CheapMix() Mix {
	return Mix{
		{Ambiguous, 18},
		{Already, 6},
		{Noop, 8},
		{UniModel, 3},
		{UniFile, 2},
		{HTMLEsc, 4},
		{LinePrefix, 7},
		{LitNewline, 4},
		{DiffMarkers, 3},
		{TrailingWS, 6},
		{IndentShift, 8},
		{IndentOne, 5},
		{TabsSpaces, 4},
		{BlankLine, 4},
		{StaleContext, 4},
		{HallucLine, 6},
		{MissingLine, 3},
		{ExtraLine, 2},
		{Elided, 2},
		{Reflow, 1},
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
