package edits

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
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
// that does not exist gives way to that of the block before.
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
		if err != nil || b.implied == "" || f.there || f.refused != nil || b.creates() || b.Whole {
			return f, err
		}
		if g, err := get(b.implied); err != nil || !g.there {
			return f, err
		}
	}
	b.Path = b.implied
	return get(b.implied)
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
			} else {
				f.one(o, set, done, i)
			}
			if o.Status == Failed && !conflicting[i] {
				if j, clash := done.clash(f.orig, &o.Block); clash {
					conflicting[i], conflicting[j], again = true, true, true
				}
			}
			failed = failed || o.Status == Failed
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

// one applies a single block to the file as it is now.
func (f *file) one(o *Outcome, set Settings, done *takes, i int) {
	b := &o.Block
	switch {
	case !f.there && !b.creates() && !b.Whole:
		o.fail(FileNotFound, &Failure{Detail: "the file does not exist"})
		return
	}
	if detail, found := f.hidden(b); found {
		o.fail(Malformed, &Failure{Detail: detail})
		return
	}
	switch {
	case b.creates():
		f.create(o, set)
		return
	case b.Delete:
		f.wish(o, set)
		return
	case b.Whole:
		f.whole(o, set)
		return
	case b.Start > 0:
		f.lineRange(o, set)
		return
	case slices.Equal(b.Old, b.New):
		o.done(NoChange, set)
		if at := f.now.positions(f.now.lines, b.Old, 1); len(at) > 0 {
			o.Line = at[0] + 1
		}
		return
	}
	if at, ok := f.already(b); ok {
		o.done(AlreadyApplied, set)
		o.Line, o.Tier = at+1, Exact
		return
	}
	if line, ok := elidedLine(b, f.now); ok {
		o.fail(Elided, &Failure{Detail: line})
		return
	}
	if line, ok := f.strayMarker(b); ok {
		o.fail(Malformed, &Failure{Detail: fmt.Sprintf("the new lines hold the marker line %q; write it with a backslash before it if the file is to hold it", line)})
		return
	}
	spots := f.now.find(b, set.Matching.tiers(b.Format))
	switch {
	case len(spots) == 1 && f.now.unsure(spots[0]):
		o.fail(NotFound, &Failure{})
	case len(spots) == 1:
		done.take(i, f.now, spots[0])
		o.done("", set)
		o.Tier, o.Hinted = spots[0].tier, spots[0].hinted
		o.Line = f.replace(spots[0]) + 1
	case len(spots) > 1 && (spots[0].tier != Alignment || spots[1].tier != Alignment):
		o.fail(Ambiguous, &Failure{Count: len(spots)})
	case b.Format == UnifiedDiff:
		o.fail(HunkMismatch, &Failure{Part: PartOld, Detail: "its context and old lines are not in the file"})
	default:
		o.fail(NotFound, &Failure{})
	}
}

// create makes a new file out of a block without an old side, or fills an empty one.
func (f *file) create(o *Outcome, set Settings) {
	content := strings.TrimRight(strings.Join(o.Block.New, "\n"), "\n")
	if content != "" {
		content += "\n"
	}
	switch {
	case f.there && f.now.String() == content:
		o.done(AlreadyApplied, set)
		return
	case f.there && strings.TrimSpace(f.now.String()) != "":
		o.fail(FileExists, &Failure{Detail: "the file exists and is not empty: quote the lines to change, or the line after which to insert"})
		return
	}
	fresh := newText(content)
	for i := range fresh.from {
		fresh.from[i] = -1
	}
	f.now, f.there = fresh, true
	o.done("", set)
	o.Tier, o.Line = Exact, 1
}

// already reports that the file holds the new side where the old side would go:
// the new side has a line of its own, stands once, and the old side is gone or
// only part of that stand.
func (f *file) already(b *Block) (at int, ok bool) {
	own := slices.ContainsFunc(b.New, func(l string) bool { return strings.TrimSpace(l) != "" && !slices.Contains(b.Old, l) })
	if !own {
		return 0, false
	}
	stands := f.now.positions(f.now.lines, b.New, 2)
	if len(stands) != 1 {
		return 0, false
	}
	for i, reading := range forms(b) {
		if i > 0 && len(f.now.findForm(reading, Cleaned, true)) > 0 {
			return 0, false // the old side is there, behind a gutter or the like
		}
	}
	for _, tier := range [...]Tier{Exact, Trailing, Typographic} {
		for _, p := range f.now.positions(f.now.fold(tier), foldAll(b.Old, tier), maxPlaces) {
			if p < stands[0] || p+len(b.Old) > stands[0]+len(b.New) {
				return 0, false
			}
		}
	}
	return stands[0], true
}

// replace writes the delta of a block at the place found, from its end to its
// beginning, and gives the line, from 0, at which the first change stands.
func (f *file) replace(s spot) int {
	in := newIndenter(f.now, s)
	steps := s.steps()
	first := s.at
	for end := len(steps); end > 0; {
		if steps[end-1].kind == keep {
			end--
			continue
		}
		from := end
		for from > 0 && steps[from-1].kind != keep {
			from--
		}
		at, n, near := s.target(steps, from, end)
		var lines []string
		for _, step := range steps[from:end] {
			if step.kind == insert {
				lines = append(lines, in.line(s.new[step.new], near))
			}
		}
		f.edit().replace(at, n, lines)
		first, end = at, from
	}
	return first
}

// edit gives the file's text for changing; what it was before the reply stays.
func (f *file) edit() *text {
	if f.now == f.orig {
		f.now = f.orig.clone()
		f.orig.where = nil // it goes with the version that changes
	}
	return f.now
}

// target says which lines of the file a stretch of drops and inserts,
// steps[from:to], replaces: n lines from at. near is the old line beside which
// new ones come.
func (s *spot) target(steps []op, from, to int) (at, n, near int) {
	for _, step := range steps[from:to] {
		if step.kind == drop {
			if n == 0 {
				at = s.line(step.old)
			}
			n, near = n+1, step.old
		}
	}
	switch {
	case n > 0:
		return at, n, near
	case from > 0 && s.line(steps[from-1].old) >= 0:
		return s.line(steps[from-1].old) + 1, 0, steps[from-1].old
	case to < len(steps):
		return s.line(steps[to].old), 0, steps[to].old
	}
	return s.at, 0, 0
}

// change gives the file's new content, if it is not what it was.
func (f *file) change() (Change, bool) {
	after := f.now.String()
	if f.there == f.exists && after == f.before {
		return Change{}, false
	}
	return Change{Path: f.path, Before: f.before, After: after, Existed: f.exists}, true
}
