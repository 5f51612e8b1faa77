package edits

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// ReadFunc gives the content of a file of the tree. A path that may not be used
// gives *Refusal, one that does not exist fs.ErrNotExist; any other error ends
// Apply.
type ReadFunc func(path string) (string, error)

// Settings choose how blocks are applied. The zero value is every format's default.
type Settings struct {
	Matching Matching // "": exact for the anchored formats, full for the others
	OnFailed OnFailed // "": skip for the anchored formats, continue for the others
	DryRun   bool     // outcomes say would-apply
	// Shown gives a file as the model was shown it last, so that line numbers can
	// be trusted; may be nil.
	Shown func(path string) (content string, known bool)
	// Moved reports whether somebody else has changed a file since; may be nil.
	Moved func(path string) bool

	FileOps FileOps                         // "": suggest
	Tracked func(path string) (bool, error) // whether git tracks a file that is there; nil: every one. An error ends Apply
	Gone    map[string]string               // files that earlier rounds deleted or renamed, with their new path or ""
}

// OnFailed says what becomes of the later blocks of a file after one failed.
type OnFailed string

// The choices of DESIGN 5.2.
const (
	SkipFile OnFailed = "skip"
	Continue OnFailed = "continue"
)

// skips reports whether a block is skipped after what failed of its file. By
// default a file does not go away while one of its edits is missing.
func (s Settings) skips(b *Block, f *file) bool {
	switch {
	case s.OnFailed == "" && b.isFileOp() && s.FileOps == OpsApply:
		return f.lacks
	case s.OnFailed == "":
		return f.failed && (b.Format == Anchored || b.Format == Anchored4)
	}
	return f.failed && s.OnFailed == SkipFile
}

// Apply matches the blocks of one reply against the files and gives what became
// of each, and the files' new content. Blocks apply in order, each seeing its
// file as the ones before left it. Nothing is written.
func Apply(blocks []Block, read ReadFunc, set Settings) (Result, error) {
	res := Result{Outcomes: make([]Outcome, len(blocks))}
	files := map[string]*file{}
	seq := sequence{outs: res.Outcomes, set: set}
	for i, b := range blocks {
		res.Outcomes[i] = preview(b)
		if b.Fault != "" {
			res.Outcomes[i].fail(Malformed, &Failure{Detail: b.Fault})
			continue
		}
		f, err := open(files, &b, read)
		if err != nil {
			return Result{}, fmt.Errorf("reading %s for an edit: %w", b.Path, err)
		}
		res.Outcomes[i].Block.Path = b.Path
		if f.refused != nil {
			res.Outcomes[i].fail(f.refused.Reason, &Failure{Detail: f.refused.Why})
			continue
		}
		to, err := set.prepare(&b, f, files, read)
		if err != nil {
			return Result{}, err
		}
		seq.add(i, f, to)
	}
	seq.run()
	res.Changes = seq.changes()
	return res, nil
}

// file is one path while the blocks of a reply are applied to it.
type file struct {
	path      string
	before    string
	exists    bool
	read      *text // as it was before the reply
	refused   *Refusal
	untracked bool  // may be neither deleted nor renamed
	todo      []int // its blocks, as indices into the outcomes

	// What stands at the path now; a rename takes it from one path to another.
	orig  *text // read, or what a rename brought, as that was before the reply
	now   *text
	there bool
	from  string // where it stood before the reply; "" for what the reply created
	done  *takes

	failed  bool    // one of its blocks
	lacks   bool    // an edit failed
	awaited bool    // a rename to it failed or was skipped
	gone    *string // an earlier block renamed it to this path; "": deleted it
}

// reset makes the path what it was before the reply.
func (f *file) reset() {
	f.orig, f.now, f.there, f.from, f.done = f.read, f.read, f.exists, "", newTakes()
	f.failed, f.lacks, f.awaited, f.gone = false, false, false, nil
	if f.exists {
		f.from = f.path
	}
	f.orig.where = nil
	if len(f.todo)*len(f.orig.lines) > lookupWork {
		f.orig.where = newLookup(f.orig)
	}
}

// find gives the file of a path, which is read once.
func find(files map[string]*file, path string, read ReadFunc) (*file, error) {
	if f := files[path]; f != nil {
		return f, nil
	}
	f := &file{path: path}
	content, err := read(path)
	var no *Refusal
	switch {
	case errors.As(err, &no):
		f.refused = no
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		f.before, f.exists, f.there = content, true, true
	}
	f.read = newText(f.before)
	files[path] = f
	return f, nil
}

// open finds the file that a block means, and settles the block's path: a path
// that does not exist gives way to that of the block before, unless it names
// another file.
func open(files map[string]*file, b *Block, read ReadFunc) (*file, error) {
	if b.Path == "" && b.implied == "" {
		return &file{refused: &Refusal{"", MissingPath, "no file is named on the line above the block"}}, nil
	}
	if b.Path != "" {
		f, err := find(files, b.Path, read)
		if err != nil || b.implied == "" || f.there || len(f.todo) > 0 || f.refused != nil || b.creates() || b.Whole || namesOther(b.Path, b.implied) {
			return f, err
		}
		if g, err := find(files, b.implied, read); err != nil || !g.there {
			return f, err
		}
	}
	b.Path = b.implied
	return find(files, b.implied, read)
}

// namesOther reports whether the words above a block end in what looks like a
// path and is not the implied one: the block is not meant for that file.
func namesOther(words, implied string) bool {
	name := strings.Trim(words[strings.LastIndexAny(words, " \t")+1:], "`'\"*():,")
	if !endsInExtension(name) && !strings.Contains(name, "/") {
		return false
	}
	return name != implied && !strings.HasSuffix(implied, "/"+name) && !strings.HasSuffix(name, "/"+implied)
}
