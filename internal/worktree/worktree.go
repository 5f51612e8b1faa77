// Package worktree is all that agentloop does with git.
//
// It finds the repository, lists its files by git's own rules, keeps snapshots
// of the tree, stages and commits what a run wrote, and undoes it.
//
// Snapshots are commits under refs/agentloop/<run>/: 0 is the tree before the
// run, n the tree after round n, end the tree after the last check. They hold
// each file byte for byte as it is on the disk, whatever filters and line ending
// conversions the repository configures, and are made by git fast-import, which
// reads and writes objects and refs only. So neither the user's index, HEAD,
// branches, stash nor a held index.lock has to do with them, and they work alike
// in linked work trees, on an unborn branch, in sparse and SHA-256 repositories.
//
// Snapshot 0 is HEAD's tree plus what differs from it on the disk. Finding that
// out takes git a while in a large repository, so it goes on in the background
// from Begin to the first write. Before a file is written for the first time,
// its bytes are put into snapshot 0 even if git calls the file unchanged (its
// line endings may be converted), ignores it, or it was too large to be kept.
//
// Objects and refs are read by go-git, which starts no process, through a store
// that cannot write; git answers wherever go-git cannot (read, in store.go).
// All else is git's: status and index, whose filters and locks go-git ignores,
// every write, lists of refs, and diffs as text, in which git heeds attributes.
//
// What it does not do: it never runs a hook, a filter that the repository itself
// configures, a pager, an editor, a credential helper or a fetch; it never
// resets, cleans, checks out or stashes; it writes no file of the tree (Undo
// hands changes to a Writer).
package worktree

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agentloop/agentloop/edits"
)

// Repo is one work tree and its repository. It may be used by several goroutines.
type Repo struct {
	Root      string // absolute path of the work tree, links resolved
	GitDir    string // its git directory
	CommonDir string // the one that holds objects and refs: GitDir, except in linked work trees

	// LockWait is how long to wait for an index.lock that somebody else holds;
	// 0: 30 seconds.
	LockWait time.Duration

	program string // absolute path of git
}

// Opener opens files of the tree for reading; internal/guard implements it.
// Links are not followed, and only regular files are opened. A path that may not
// be read gives *edits.Refusal, one that is not there fs.ErrNotExist.
type Opener interface {
	Open(path string) (*os.File, error)
}

// Writer changes files of the tree; internal/journal implements it.
type Writer interface {
	// Write makes all changes or none; a file that is no longer as Change.Before
	// says gives *edits.Refusal. modes gives the mode of files that are created.
	Write(ctx context.Context, changes []edits.Change, modes map[string]fs.FileMode) error
	// Prune removes those of the folders that are empty.
	Prune(dirs []string) error
}

// Files lists the tree's files, tracked ones and those neither tracked nor
// ignored, sorted. A tracked file that was deleted is listed, a repository
// inside this one is not.
func (r *Repo) Files(ctx context.Context) ([]string, error) {
	out, err := r.git(ctx, nil, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	files := slices.DeleteFunc(fields(out), func(f string) bool { return strings.HasSuffix(f, "/") })
	slices.Sort(files)
	return slices.Compact(files), nil
}

// Dirty gives those of the paths that differ from HEAD on the disk or in the
// index, or are not tracked and not ignored.
func (r *Repo) Dirty(ctx context.Context, paths []string) ([]string, error) {
	s, err := r.status(ctx)
	if err != nil {
		return nil, err
	}
	return s.among(paths), nil
}

// Diff gives the unified diff between two snapshots or commits. Renames are
// shown as a removal and an addition. It is git's: go-git's text shows files that
// attributes call binary, calls a new empty file binary, refuses names with
// control characters, and makes of a file that became a link what cannot be applied.
func (r *Repo) Diff(ctx context.Context, a, b string) (string, error) {
	out, err := r.git(ctx, nil, "diff-tree", "-p", "-r", "--no-ext-diff", "--no-textconv", "--no-renames",
		"--no-color", "--end-of-options", a, b, "--")
	return string(out), err
}

// fields splits output that was asked for with -z.
func fields(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}
