package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
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
	// Durable, for these may be the only copy of what the user wrote.
	before := snapshot{run.ref("0"), run.base.Rev, run.repo.baseMessage(run.ID, made), true}
	rev, err := run.repo.record(ctx, before, func(s *stream) error {
		for _, c := range fresh {
			if !c.Existed {
				s.drop(c.Path)
				continue
			}
			info, err := os.Lstat(run.repo.abs(c.Path))
			if errors.Is(err, fs.ErrNotExist) {
				continue // gone meanwhile: the writer will refuse it
			}
			if err != nil {
				return fmt.Errorf("look at %s: %w", c.Path, err)
			}
			s.put(c.Path, gitMode(info.Mode()), c.Before)
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

// Trailers of a snapshot's commit.
const (
	runTrailer    = "Agentloop-Run: "
	treeTrailer   = "Agentloop-Work-Tree: "  // snapshot 0 only: Repo.name
	folderTrailer = "Agentloop-New-Folder: " // snapshot 0 only: a folder that was not there
)

func snapshotMessage(id, name string) string {
	return fmt.Sprintf("agentloop: run %s, snapshot %s\n\n%s%s\n", id, name, runTrailer, id)
}

func (r *Repo) baseMessage(id string, made []string) string {
	var b strings.Builder
	b.WriteString(snapshotMessage(id, "0"))
	fmt.Fprintf(&b, "%s%q\n", treeTrailer, r.name())
	for _, dir := range made {
		fmt.Fprintf(&b, "%s%q\n", folderTrailer, dir)
	}
	return b.String()
}

// name tells the work trees of one repository apart: "." for the main one,
// "worktrees/x" for a linked one.
func (r *Repo) name() string {
	rel, err := filepath.Rel(r.CommonDir, r.GitDir)
	if err != nil {
		return r.GitDir
	}
	return filepath.ToSlash(rel)
}

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
