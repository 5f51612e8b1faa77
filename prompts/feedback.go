package prompts

// Feedback is the data of the message that opens the next round: failures only,
// each with what it takes to repair it.
type Feedback struct {
	Applied  []string  // files with applied blocks: "a.go", "b.go (3 blocks)", "c.go (1 of 2 blocks)"
	Failures []Failure // in the order of the reply
	More     []string  // failures beyond those, a line a file: "c.go: 12 blocks"
	Skipped  []string  // files with blocks that were skipped, as Applied
	NoBlocks bool      // the reply held no edit block
	Cut      bool      // the model ran out of tokens
	Full     bool      // the calls of a round were used up
	Earlier  bool      // the checks ran before the edits of this round
	Checks   []Check
}

// Failure is one failed block.
type Failure struct {
	Path     string // or the command that the block stands for: "git mv a.go b.go"
	FileOp   bool   // the block deletes or renames the file
	MovedTo  string // file-not-found: where the file is now
	Reason   string // the reason's name, as package edits has it
	Part     string // "anchor", "old", "trailing" or ""
	Preview  string // first line of what the block wanted to find, else to write
	Detail   string
	Blanks   string   // the kind of white space that differs
	Count    int      // how many places
	Tag      string   // of the file's version, where lines are known by their numbers
	Missing  []string // old lines that stand nowhere, at most 3
	Side     string   // what the format calls the lines to find: "SEARCH", "EDIT", "old"
	Snippets []Snippet
	Made     string // lines that the edit would have made, around what does not parse
	Outline  string // of the file, where there is nothing nearer to show
}

// Snippet is a piece of a file as it is now, to be copied.
type Snippet struct {
	Line int // number of its first line, from 1
	Text string
}

// Fence is a run of backticks longer than any in the text.
func (s Snippet) Fence() string { return Fence(s.Text) }

// Check is one check that failed.
type Check struct {
	Command string
	How     string   // "exit status 1", "timed out after 10m0s", "killed by SIGSEGV"
	New     []string // lines of the output that tell of a failure the first run did not have
	Output  string   // head and tail
}

// Fence is a run of backticks longer than any in the output.
func (c Check) Fence() string { return Fence(c.Output) }
