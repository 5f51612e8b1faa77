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
}

// OnFailed says what becomes of the later blocks of a file after one failed.
type OnFailed string

// The choices of DESIGN 5.2.
const (
	SkipFile OnFailed = "skip"
	Continue OnFailed = "continue"
)

// skips reports whether blocks of format f are skipped after a failed one.
func (s Settings) skips(f Format) bool {
	if s.OnFailed == "" {
		return f == Anchored || f == Anchored4
	}
	return s.OnFailed == SkipFile
}

// Apply matches the blocks of one reply against the files and gives what became
// of each, and the files' new content. Blocks apply in order, each seeing its
// file as the ones before left it. Nothing is written.
func Apply(blocks []Block, read ReadFunc, set Settings) (Result, error) {
	res := Result{Outcomes: make([]Outcome, len(blocks))}
	files := map[string]*file{}
	var order []*file
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
		if len(f.todo) == 0 {
			order = append(order, f)
		}
		f.todo = append(f.todo, i)
	}
	for _, f := range order {
		f.apply(res.Outcomes, set)
		if c, changed := f.change(); changed {
			res.Changes = append(res.Changes, c)
		}
	}
	return res, nil
}

// file is one file while the blocks of a reply are applied to it.
type file struct {
	path    string
	before  string
	exists  bool
	refused *Refusal
	todo    []int // its blocks, as indices into the outcomes

	orig  *text // as it was before the reply
	now   *text
	there bool // exists now
}

// open finds the file that a block means, and settles the block's path: a path
// that does not exist gives way to that of the block before, unless it names
// another file.
func open(files map[string]*file, b *Block, read ReadFunc) (*file, error) {
	get := func(path string) (*file, error) {
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
		case isBinary(content):
			f.refused = &Refusal{path, Binary, "a NUL byte stands in its first 8 KiB"}
		default:
			f.before, f.exists = content, true
		}
		f.orig = newText(f.before)
		f.now, f.there = f.orig, f.exists
		files[path] = f
		return f, nil
	}
	if b.Path == "" && b.implied == "" {
		return &file{refused: &Refusal{"", MissingPath, "no file is named on the line above the block"}}, nil
	}
	if b.Path != "" {
		f, err := get(b.Path)
		if err != nil || b.implied == "" || f.there || len(f.todo) > 0 || f.refused != nil || b.creates() || b.Whole || namesOther(b.Path, b.implied) {
			return f, err
		}
		if g, err := get(b.implied); err != nil || !g.there {
			return f, err
		}
	}
	b.Path = b.implied
	return get(b.implied)
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

// apply runs the file's blocks. Two that want the same lines of the file as it
// was, and something different with them, both fail: then all is done again
// without them.
func (f *file) apply(outs []Outcome, set Settings) {
	conflicting := map[int]bool{}
	for {
		f.now, f.there = f.orig, f.exists
		f.orig.where = nil
		if len(f.todo)*len(f.orig.lines) > lookupWork {
			f.orig.where = newLookup(f.orig)
		}
		done := newTakes()
		failed, again := false, false
		for _, i := range f.todo {
			o := &outs[i]
			*o = Outcome{Block: o.Block, AnchorPreview: o.AnchorPreview, OldPreview: o.OldPreview, NewPreview: o.NewPreview}
			if failed && set.skips(o.Block.Format) {
				o.Status = Skipped
				continue
			}
			if conflicting[i] {
				o.fail(Conflict, &Failure{Detail: "two blocks of this reply change the same lines in different ways"})
			} else if o.Block.Preview {
				f.preview(o, set)
			} else {
				f.one(o, set, done, i)
			}
			if o.Status == Failed && !conflicting[i] && !o.Block.Preview {
				if j, same, ok := done.clash(f.orig, &o.Block); ok && !same {
					conflicting[i], conflicting[j], again = true, true, true
				}
			}
			failed = failed || o.Status == Failed && !o.Block.Preview
		}
		if !again {
			break
		}
	}
	for _, i := range f.todo {
		if o := &outs[i]; o.Status == Failed {
			f.diagnose(o, set)
		}
	}
}
