// Package journal is the only writer of tree files.
//
// Several changes are made as one, in three steps:
//
//	check    every file is byte for byte what the change was made from
//	stage    all new content goes to the disk under random names beside its target
//	replace  each target is compared again, then replaced by one rename
//
// A file is never half written, and a hard link to it elsewhere keeps the old
// content, since the rename puts a new file in its place. An error in the middle
// puts back what was replaced.
//
// What it does not do: it does not judge paths (Folders does), it knows nothing
// of git, and it is not yet crash-safe over several files: a kill in the middle
// of the third step leaves some of them new. The point between the second and
// the third step is where a record of the changes will be committed.
package journal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/edits"
)

// Folders is how the journal gets at the tree; internal/guard implements it.
// Errors are *edits.Refusal for a path that may not be used, and wrap
// fs.ErrNotExist where a folder is missing.
type Folders interface {
	// Parent opens the folder that holds the last name of path, where a regular
	// file or nothing stands. With create, it makes missing folders and names
	// them in made, outermost first, also beside an error.
	Parent(path string, create bool) (dir *os.Root, made []string, err error)
	// Folder opens a folder, "." for the tree's root.
	Folder(dir string) (*os.Root, error)
}

// Journal writes to one tree. Calls must not overlap.
type Journal struct{ Folders Folders }

// Write makes all changes or none. A file that is no longer as Change.Before
// says, or that stands where a new one is to be, gives *edits.Refusal with reason
// ChangedOnDisk; a read-only one is refused too. A file gets the mode that modes
// holds for its path; without one an existing file keeps its mode, and a new one
// gets 0644 less the umask. An existing file keeps its owner. The context is
// heeded until the first file is replaced.
//
// Files are removed last: of a renamed one there always is one copy at least.
//
// An error that is no refusal may leave files changed if putting them back
// failed too; it then names them.
func (j *Journal) Write(ctx context.Context, changes []edits.Change, modes map[string]fs.FileMode) error {
	w := &write{folders: j.Folders}
	defer w.close()
	for _, c := range changes {
		w.targets = append(w.targets, &target{Change: c, mode: modes[c.Path]})
	}
	slices.SortStableFunc(w.targets, func(a, b *target) int { return a.turn() - b.turn() })
	err := w.check()
	if err == nil {
		err = w.stage(ctx)
	}
	// The crash journal's commit point will be here.
	if err == nil {
		err = w.replace()
	}
	if err != nil {
		return w.undo(err)
	}
	return w.sync()
}

// Prune removes those of the folders that are there and empty. A folder that
// may not be touched, or that holds something, is left.
func (j *Journal) Prune(dirs []string) error {
	deepest := slices.Clone(dirs)
	slices.SortFunc(deepest, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	for _, dir := range deepest {
		at, err := j.Folders.Folder(path.Dir(dir))
		var refused *edits.Refusal
		if errors.Is(err, fs.ErrNotExist) || errors.As(err, &refused) {
			continue
		}
		if err != nil {
			return fmt.Errorf("remove folder %s: %w", dir, err)
		}
		removeEmpty(at, path.Base(dir))
		at.Close()
	}
	return nil
}

// removeEmpty leaves a folder that is not empty to the system's refusal.
func removeEmpty(at *os.Root, name string) {
	if info, err := at.Lstat(name); err == nil && info.IsDir() {
		at.Remove(name)
	}
}

// write is one call of Write.
type write struct {
	folders Folders
	targets []*target
	made    []string // folders made, outermost first
}

// check opens the folders that are there and compares every file.
func (w *write) check() error {
	seen := make(map[string]bool, len(w.targets))
	for _, t := range w.targets {
		if seen[t.Path] {
			return fmt.Errorf("write %s: two changes for one file", t.Path)
		}
		seen[t.Path] = true
		dir, _, err := w.folders.Parent(t.Path, false)
		switch {
		case errors.Is(err, fs.ErrNotExist) && t.Existed:
			return t.changed("is gone")
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		}
		t.dir = dir
		if err := t.compare(); err != nil {
			return err
		}
	}
	return nil
}

func (w *write) stage(ctx context.Context) error {
	for _, t := range w.targets {
		if err := ctx.Err(); err != nil {
			return err
		}
		if t.Delete {
			continue
		}
		if t.dir == nil {
			dir, made, err := w.folders.Parent(t.Path, true)
			w.made = append(w.made, made...)
			if err != nil {
				return err
			}
			t.dir = dir
		}
		temp, err := t.stage(t.After)
		if err != nil {
			return fmt.Errorf("write %s: %w", t.Path, err)
		}
		t.temp = temp
	}
	return nil
}

func (w *write) replace() error {
	for _, t := range w.targets {
		if err := t.replace(); err != nil {
			return err
		}
	}
	return nil
}

// undo puts back what was replaced and takes away what was staged. The cause is
// returned as it is, unless something could not be put back.
func (w *write) undo(cause error) error {
	var left []string
	for _, t := range slices.Backward(w.targets) {
		if t.temp != "" {
			t.dir.Remove(t.temp)
		}
		if t.done && t.restore() != nil {
			left = append(left, t.Path)
		}
	}
	(&Journal{w.folders}).Prune(w.made)
	if len(left) > 0 {
		return fmt.Errorf("%v; left changed, since putting them back failed too: %s", cause, strings.Join(left, ", "))
	}
	return cause
}

// sync makes the renames last. Windows cannot, and needs not.
func (w *write) sync() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	synced := map[string]bool{}
	for _, t := range w.targets {
		if dir := path.Dir(t.Path); !synced[dir] {
			synced[dir] = true
			if err := syncFolder(t.dir); err != nil {
				return fmt.Errorf("sync folder %s: %w", dir, err)
			}
		}
	}
	for _, made := range w.made {
		if dir := path.Dir(made); !synced[dir] {
			synced[dir] = true
			at, err := w.folders.Folder(dir)
			if err == nil {
				err = syncFolder(at)
				at.Close()
			}
			if err != nil {
				return fmt.Errorf("sync folder %s: %w", dir, err)
			}
		}
	}
	return nil
}

func syncFolder(at *os.Root) error {
	f, err := at.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

func (w *write) close() {
	for _, t := range w.targets {
		if t.dir != nil {
			t.dir.Close()
		}
	}
}
