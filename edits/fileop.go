package edits

import (
	"fmt"
	"maps"
	"slices"
)

// FileOps says what becomes of blocks that delete or rename a file.
type FileOps string

// The choices. The default leaves such a block a wish: it must be possible, and
// is settled as applied with reason no-change.
const (
	OpsSuggest FileOps = "suggest"
	OpsApply   FileOps = "apply"
)

// prepare finds out what a block that deletes or renames f needs to know: the
// file at the new path, and whether git tracks f. Files that the reply or an
// earlier round created need not be tracked; what Tracked says of those is the
// caller's concern.
func (s Settings) prepare(b *Block, f *file, files map[string]*file, read ReadFunc) (to *file, err error) {
	if !b.isFileOp() {
		return nil, nil
	}
	if f.exists && s.FileOps == OpsApply && s.Tracked != nil {
		tracked, err := s.Tracked(f.path)
		if err != nil {
			return nil, fmt.Errorf("asking whether %s is tracked: %w", f.path, err)
		}
		f.untracked = !tracked
	}
	if b.MoveTo == "" {
		return nil, nil
	}
	return find(files, b.MoveTo, read)
}

// fileOp deletes or renames a file. A wish must meet the same conditions, but
// for being tracked.
func (s *sequence) fileOp(at stage) {
	o, f, to := &s.outs[at.block], at.file, at.to
	b := &o.Block
	gone, known := s.whereTo(f)
	switch {
	case !f.there && known && gone == b.MoveTo:
		o.done(AlreadyApplied, s.set)
	case !f.there:
		o.fail(FileNotFound, &Failure{Detail: "the file does not exist"})
	case to == f:
		o.done(NoChange, s.set)
	case to != nil && to.refused != nil:
		o.fail(to.refused.Reason, &Failure{Detail: b.MoveTo + ": " + to.refused.Why})
	case to != nil && to.there:
		o.fail(FileExists, &Failure{Detail: b.MoveTo + " exists"})
	case len(b.Old) > 0 && !slices.Equal(b.Old, f.now.lines):
		o.fail(HunkMismatch, &Failure{Part: PartOld, Detail: "the file to delete holds other lines"})
	case s.set.FileOps != OpsApply:
		o.done(NoChange, s.set)
	case f.untracked:
		o.fail(PathRefused, &Failure{Detail: "git does not track the file, so it may be neither deleted nor renamed"})
	default:
		o.done("", s.set)
		f.leave(b.MoveTo, to)
	}
}

// leave takes the file away from its path, and to another one unless to is nil:
// with all that the blocks before did to it.
func (f *file) leave(path string, to *file) {
	if to != nil {
		to.orig, to.now, to.there, to.from, to.done, to.gone = f.orig, f.now, true, f.from, f.done, nil
	}
	f.orig = newText("")
	f.now, f.there, f.from, f.done, f.gone = f.orig, false, "", newTakes(), &path
}

// whereTo gives the path to which an earlier block or round renamed a file, ""
// if it was deleted; not known if neither happened.
func (s *sequence) whereTo(f *file) (path string, known bool) {
	if f.there {
		return "", false
	}
	if f.gone != nil {
		return *f.gone, true
	}
	path, known = s.set.Gone[f.path]
	return path, known
}

// Tied gives the paths that renames tie to one, itself among them, sorted: what
// became of them is written together or not at all.
func (r *Result) Tied(path string) []string {
	all := map[string]bool{path: true}
	for n := 0; n < len(all); {
		n = len(all)
		for _, o := range r.Outcomes {
			b := &o.Block
			if b.MoveTo != "" && o.good() && o.Reason == "" && (all[b.Path] || all[b.MoveTo]) {
				all[b.Path], all[b.MoveTo] = true, true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}
