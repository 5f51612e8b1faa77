package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/agentloop/agentloop/edits"
)

const undoneName = "undone" // ref of a run that was undone

// EditedError says that files are no longer as a run left them, so that undoing
// the run would lose what somebody wrote since.
type EditedError struct {
	Run   string
	Paths []string
}

func (e *EditedError) Error() string {
	return fmt.Sprintf("run %s: changed since, so nothing was undone: %s", e.Run, strings.Join(e.Paths, ", "))
}

// Undo puts the files that a run wrote back as they were before it, and the
// index where the run staged them: created files and folders go, deleted files
// come back with their mode. Files that are so already are left alone. If one is
// neither as the run left it nor as it was before, nothing is changed and the
// error is *EditedError. It gives the files that it changed.
func (r *Repo) Undo(ctx context.Context, id string, files Opener, w Writer) ([]string, error) {
	run, err := r.Snapshots(ctx, id)
	if err != nil {
		return nil, err
	}
	moves, err := r.moves(ctx, run.Last, run.Rounds[0])
	if err != nil {
		return nil, err
	}
	changes, modes, err := r.reversal(id, moves, files)
	if err != nil {
		return nil, err
	}
	if len(changes) > 0 {
		err = w.Write(ctx, changes, modes)
	}
	var refused *edits.Refusal
	if errors.As(err, &refused) && refused.Reason == edits.ChangedOnDisk {
		return nil, &EditedError{id, []string{refused.Path}}
	}
	if err != nil {
		return nil, fmt.Errorf("undo run %s: %w", id, err)
	}
	var undone []string
	for _, c := range changes {
		undone = append(undone, c.Path)
	}
	if err := w.Prune(run.made); err != nil {
		return undone, err
	}
	if err := r.unstage(ctx, id); err != nil {
		return undone, fmt.Errorf("run %s: the files are back, but not what was staged: %w", id, err)
	}
	_, err = r.git(ctx, nil, "update-ref", refRoot+id+"/"+undoneName, run.Rounds[0])
	return undone, err
}

// reversal makes the changes that bring each file to its move's end.
func (r *Repo) reversal(id string, moves []move, files Opener) ([]edits.Change, map[string]fs.FileMode, error) {
	var changes []edits.Change
	var edited []string
	modes := map[string]fs.FileMode{}
	for _, m := range moves {
		now, err := look(files, m.path)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case m.to.holds(now):
			continue
		case !m.from.holds(now):
			edited = append(edited, m.path)
			continue
		}
		switch {
		case m.to.mode == "100755" && now.mode != "100755":
			modes[m.path] = 0o755
		case m.to.mode == "100644" && now.mode == "100755":
			modes[m.path] = 0o644
		}
		changes = append(changes, edits.Change{
			Path: m.path, Before: m.from.content, Existed: m.from.exists(), After: m.to.content, Delete: !m.to.exists(),
		})
	}
	if len(edited) > 0 {
		return nil, nil, &EditedError{id, edited}
	}
	return changes, modes, nil
}
