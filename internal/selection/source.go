package selection

// File is a candidate.
type File struct {
	Path string
	Size int // bytes
}

// Source is what a choice is made from. The zero value of each field but Files
// is useful: without Read, nothing is known but paths; without Symbols, nothing
// of what files define.
type Source struct {
	Files   []File                            // of the tree, sorted by path, without those that git ignores
	Read    func(path string) (string, error) // a file's text; an error drops the file
	Symbols func(path, text string) []Symbol  // what a file declares, as Outline gives it
	Recent  []string                          // paths that the last commits changed, newest first
	Ignore  []string                          // globs of what is never chosen, beyond git's rules
	Root    string                            // absolute path of the tree, to resolve absolute paths in output; "" if unknown
}

// Evidence is what speaks for files.
type Evidence struct {
	Task   string   // what the user wants
	Output string   // what failing checks print
	Checks []string // the checks' commands, which may name folders and files
	Shown  []string // paths that are in the prompt already, in its order
}

// Chosen is a file to show.
type Chosen struct {
	Path   string
	Why    string // one short phrase, for the transcript
	Spans  []Span // regions, in the order of their lines; nil: the whole file
	Tokens int    // what it takes of the budget
}

// Span is a region of a file: lines from 1, both ends included.
type Span struct{ From, To int }

// Choice is what is shown, best first, and a line for each kind of what is not.
type Choice struct {
	Files []Chosen
	Left  []string
}

// bytesPerToken is what a token of code has been measured to hold.
const bytesPerToken = 3.5

// tokens is what a text of so many bytes takes of a budget, with its frame.
func tokens(path string, bytes int) int {
	return int(float64(bytes+len(path)+20)/bytesPerToken) + 1
}

// Choose picks the files of a prompt. The budget is in tokens of 3.5 bytes.
// Files that are shown already come first, in their order, even above the
// budget; only what is left of it takes more. The order of the rest is by how
// much speaks for a file, equal ones by their path.
//
// It reads at most 400 files and 6 MB, and none of a vague task's but those it
// chooses and those whose names resemble its words.
func (s Source) Choose(ev Evidence, budget int) Choice {
	t := newTree(s)
	return t.fill(t.weigh(ev), ev.Shown, budget)
}

// weigh counts all evidence. What is exact comes first, for the later kinds look
// around it.
func (t *tree) weigh(ev Evidence) tally {
	sum := tally{}
	said := parseOutput(ev.Output)
	found := t.locate(said, ev.Checks)
	t.weighMentions(sum, found)
	t.weighSymbols(sum, said.symbols, found)
	t.weighTests(sum, said, found)
	t.weighTask(sum, ev)
	t.weighImports(sum)
	t.weighRecent(sum)
	if sum.best() < plain {
		t.weighDefaults(sum)
	}
	return sum
}
