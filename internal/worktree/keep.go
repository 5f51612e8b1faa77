package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/edits"
)

// keep puts into snapshot 0 what stands at the paths that the run is about to
// write for the first time.
func (run *Run) keep(ctx context.Context, changes []edits.Change) error {
	fresh := slices.DeleteFunc(slices.Clone(changes), func(c edits.Change) bool { return slices.Contains(run.paths, c.Path) })
	if len(fresh) == 0 {
		return nil
	}
	made := slices.Clone(run.made)
	for _, c := range fresh {
		made = append(made, run.repo.missingFolders(c.Path, made)...)
	}
	message := snapshotMessage(run.ID, "0", made)
	rev, err := run.repo.record(ctx, run.ref("0"), run.base.Rev, message, func(s *stream) error {
		for _, c := range fresh {
			info, err := os.Lstat(run.repo.abs(c.Path))
			switch {
			case !c.Existed:
				s.drop(c.Path)
			case err == nil:
				s.put(c.Path, gitMode(info.Mode()), c.Before)
			case !errors.Is(err, fs.ErrNotExist): // gone meanwhile: w will say so
				return fmt.Errorf("look at %s: %w", c.Path, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	run.base.Rev, run.made = rev, made // made stays, also if nothing is written: Prune removes only empty folders
	return nil
}

// unkeep takes back what keep did for a write that was refused: files that the
// run did not write are none of its business.
func (run *Run) unkeep(ctx context.Context, rev string) error {
	if rev == run.base.Rev {
		return nil
	}
	_, err := run.repo.git(ctx, nil, "update-ref", run.ref("0"), rev, run.base.Rev)
	if err == nil {
		run.base.Rev = rev
	}
	return err
}

// snapshotMessage is the text of a snapshot's commit. Snapshot 0 also says which
// folders were not there.
func snapshotMessage(id, name string, made []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "agentloop: run %s, snapshot %s\n\nAgentloop-Run: %s\n", id, name, id)
	for _, dir := range made {
		fmt.Fprintf(&b, "%s%q\n", folderTrailer, dir)
	}
	return b.String()
}

const folderTrailer = "Agentloop-New-Folder: "

// missingFolders gives the folders above file that are not there, outermost
// first, without those already known.
func (r *Repo) missingFolders(file string, known []string) []string {
	var missing []string
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if slices.Contains(known, dir) {
			break
		}
		if _, err := os.Lstat(r.abs(dir)); err == nil {
			break
		}
		missing = append(missing, dir)
	}
	slices.Reverse(missing)
	return missing
}

