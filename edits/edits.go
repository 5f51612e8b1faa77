// Package edits reads edit blocks out of a model's reply and applies them to
// text files.
//
// It is pure: it opens no file, writes nothing and keeps no state between
// calls. Three steps, each the next one's argument:
//
//	reply text ─► Parser ─► []Block ─► Apply ─► []Outcome, []Change
//
// Goals: a block lands exactly where it was meant to, or it is refused with
// the data that a message needs to repair it; every byte outside the changed
// lines stays as it was.
//
// Non-goals: guessing. A block that could mean two places is refused, a line
// that the file does not hold is never overwritten, and nothing here is an
// error: a model's mistake is data (Failure). Errors are the reader's own.
//
// Invariants:
//   - Parse never panics, is linear in the reply's length, and its result does
//     not depend on where the chunks were cut.
//   - len(outcomes) == len(blocks), in the same order.
//   - A file's line endings, byte order mark, encoding and missing final
//     newline survive every edit.
//   - Below the exact tier only the lines that a block changes are written; the
//     file's own context lines stay byte for byte.
package edits

// Format names a syntax for edits. The reply decides how it is parsed; a
// configured format only decides what the prompt teaches.
type Format string

// The formats that have a parser.
const (
	SearchReplace Format = "search-replace"
	Anchored      Format = "anchored"
	Anchored4     Format = "anchored-4"
	WholeFile     Format = "whole-file"
	FileMarker    Format = "file-marker"
	UnifiedDiff   Format = "unified-diff"
	Patch         Format = "patch"
	EditLines     Format = "edit-lines"
	Shell         Format = "shell" // git rm and git mv of one file, in backticks or a shell fence
)

// Block is one requested change, whatever its format.
type Block struct {
	Format Format
	Path   string // cleaned of decoration; "" where the reply named none
	Raw    string // as it stands in the reply, marker lines included
	Line   int    // line of the reply at which the block's opening marker stands, from 1

	Old []string // lines that the file is believed to hold, without line endings
	New []string // lines to stand there instead

	// Anchor and Trail count the leading and trailing lines of Old (and of New)
	// that only fix the place: the common prefix in the anchored format, the
	// stated anchors of the four-part one. 0 in formats that state none.
	Anchor, Trail int

	// Start and End are the lines that an edit-lines block replaces, from 1, both
	// included, counted in the file as it was before the reply; Start == End+1
	// inserts before Start. 0 in other formats.
	Start, End int

	// Guard says by what the lines from Start to End can be known again, so that a
	// file that has shifted is not edited in the wrong line. nil: not said.
	Guard guard

	Hint    int  // line of the file that the reply gave for the place, from 1; 0: none
	Whole   bool // New is the whole file: replaces what is there
	Preview bool // only asks what would come of it: would-apply, and nothing changes
	Delete  bool // the file is to go away; Old, if any, is all of it

	// MoveTo, if not empty, is the file's new path: the block is a rename and has
	// no sides. Like Delete, it is done only where Settings.FileOps says so, and
	// else a wish, settled without a change.
	MoveTo string

	// Fault, if not empty, says why the block is malformed ("no closing
	// marker"). Such a block fails with reason Malformed.
	Fault string

	fit     *fit     // how New is to be indented; nil: as it stands
	literal *literal // what Old and New were made of, where they need not be whole lines
	cleaned bool     // New has lost the line numbers that a call had copied
	asks    *Call    // no block at all, but a call of a tool that makes none

	open    bool   // never closed
	implied string // file of the block before, meant where Path is "" or does not exist
}

// creates reports whether the block can only mean a new file: nothing is
// believed to be there.
func (b *Block) creates() bool {
	return len(b.Old) == 0 && !b.Whole && !b.isFileOp() && b.Start == 0
}

// isFileOp reports whether the block is about a file as a whole, not its lines.
func (b *Block) isFileOp() bool { return b.Delete || b.MoveTo != "" }

// Status says what became of a block.
type Status string

// Every block ends in exactly one of these.
const (
	Applied    Status = "applied"
	WouldApply Status = "would-apply" // dry run
	Failed     Status = "failed"
	Skipped    Status = "skipped" // an earlier block of the same file failed
)

// Reason says why. Applied outcomes carry one only for AlreadyApplied and
// NoChange, skipped ones none.
type Reason string

// The reasons of DESIGN 5.2.
const (
	Malformed      Reason = "malformed"       // the block itself is broken
	MissingPath    Reason = "missing-path"    // no file named
	PathRefused    Reason = "path-refused"    // a path that may not be written
	FileNotFound   Reason = "file-not-found"  // edits a file that is not there
	FileExists     Reason = "file-exists"     // would create a file that is there, or rename one to it
	Binary         Reason = "binary"          // NUL within the first 8 KiB
	NotFound       Reason = "not-found"       // the old side is nowhere
	Whitespace     Reason = "whitespace"      // found, but only by a tier that is off
	Ambiguous      Reason = "ambiguous"       // two places or more
	StaleTarget    Reason = "stale-target"    // place found, but the lines to go are others now
	AlreadyApplied Reason = "already-applied" // the new side is there
	NoChange       Reason = "no-change"       // old side and new side are equal
	Elided         Reason = "elided"          // a placeholder stands for lines that are missing
	HunkMismatch   Reason = "hunk-mismatch"   // a diff's hunk does not hold together
	Conflict       Reason = "conflict"        // two blocks of one reply want the same lines
	Syntax         Reason = "syntax"          // the file would no longer parse
	Declined       Reason = "declined"        // the user did not want it
	ChangedOnDisk  Reason = "changed-on-disk" // somebody else wrote the file meanwhile
)

// Tier says how literally the old side was found; "" where no place was needed.
type Tier string

// The tiers, strictest first.
const (
	Exact       Tier = "exact"
	Cleaned     Tier = "cleaned"     // without line gutters, HTML entities and the like
	Trailing    Tier = "trailing"    // without trailing white space
	Typographic Tier = "typographic" // quotes, dashes and spaces folded
	Indentation Tier = "indentation" // runs of blanks folded
	Alignment   Tier = "alignment"   // some context lines differ
)

// Outcome is what became of one block.
type Outcome struct {
	Block  Block
	Status Status
	Tier   Tier
	Reason Reason
	Line   int      // line of the file, from 1, at the time the block was applied; for failures the expected one; 0: unknown
	Hinted bool     // a line number in the reply chose among several places
	Fail   *Failure // set exactly where Status is Failed

	// First line of each part, at most 50 characters, for people.
	AnchorPreview, OldPreview, NewPreview string
}

// Failure is the data that a message about a failed block is made of.
type Failure struct {
	Part       Part     // which part of the block did not fit; "" where that has no meaning
	Detail     string   // what is wrong, for reasons that have no lines to show (malformed, path-refused)
	Blanks     Blanks   // for Whitespace and near matches that differ only so
	Near       *Place   // the best wrong place
	Candidates []Place  // Ambiguous: every place, at most 16; else up to two that are nearly as near
	Count      int      // Ambiguous: how many places there are
	Missing    []string // lines of the old side that stand nowhere in the file
	MovedTo    string   // FileNotFound: where an earlier block or round renamed the file to
	Made       []string // Syntax: what the edit would have made, around the place that does not parse
}

// Part names a part of a block.
type Part string

// The parts that can fail to match.
const (
	PartAnchor   Part = "anchor"
	PartOld      Part = "old"
	PartTrailing Part = "trailing"
)

// Blanks names the kind of a white space difference.
type Blanks string

// The kinds of white space differences.
const (
	BlanksTrailing Blanks = "trailing white space"
	BlanksTabs     Blanks = "tabs against spaces"
	BlanksIndent   Blanks = "indentation"
)

// Place is a range of lines of a file, both ends included, from 1.
type Place struct{ Line, End int }

// Change is the new content of one file, or its end. A rename is two of them: the
// old path deleted, the new one created.
type Change struct {
	Path    string
	Before  string // content that the blocks were matched against; "" for a new file
	After   string
	Existed bool
	Delete  bool
	From    string // path before the reply of a file that was renamed to Path, whose mode goes along; else ""
}

// Result is what Apply made of a reply's blocks.
type Result struct {
	Outcomes []Outcome // one for each block, in order
	Changes  []Change  // files that differ from before, in order of first change
}

// OK reports whether there was at least one block and none failed or was skipped.
func (r Result) OK() bool {
	for _, o := range r.Outcomes {
		if o.Status == Failed || o.Status == Skipped {
			return false
		}
	}
	return len(r.Outcomes) > 0
}
