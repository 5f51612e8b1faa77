package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/agentloop/agentloop/edits"
)

// Tracked reports whether the index holds a file.
func (r *Repo) Tracked(ctx context.Context, path string) (bool, error) {
	entries, err := r.indexed(ctx, []string{path})
	_, ok := entries[path]
	return ok, err
}

// renamedModes gives the modes of files that come from another path.
func (r *Repo) renamedModes(changes []edits.Change) (map[string]fs.FileMode, error) {
	modes := map[string]fs.FileMode{}
	for _, c := range changes {
		if c.From == "" || c.Delete {
			continue
		}
		info, err := os.Lstat(r.abs(c.From))
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone meanwhile: the writer will refuse it
		case err != nil:
			return nil, fmt.Errorf("look at %s: %w", c.From, err)
		case info.Mode().IsRegular():
			modes[c.Path] = info.Mode().Perm()
		}
	}
	return modes, nil
}

// emptied gives the folders above deleted files, which may be empty now. Where
// there was no such file before the run, its folder may have been empty then, and
// stays.
func (run *Run) emptied(ctx context.Context, changes []edits.Change) (dirs []string, err error) {
	for _, c := range changes {
		if !c.Delete {
			continue
		}
		base, err := run.Base(ctx)
		if err != nil {
			return nil, err
		}
		_, err = run.repo.ReadAt(ctx, base.Rev, c.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for dir := path.Dir(c.Path); dir != "."; dir = path.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}
