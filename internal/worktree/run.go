package worktree

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/edits"
)

const refRoot = "refs/agentloop/"

// Run keeps the snapshots of one run. Its methods must not overlap.
type Run struct {
	ID string

	repo  *Repo
	files Opener
	base  *base         // what begin makes; not to be read before ready is closed
	ready chan struct{} // closed when base is complete
	stop  func()        // ends the making of base

	last  string            // the newest snapshot
	paths []string          // files that the run has written, in order
	state map[string]string // what the newest snapshot holds of each
	made  []string          // folders that were missing before the run wrote into them
}

// Begin starts a run, which Close ends. The snapshot of the tree before it is
// made in the background; the first Write waits for it.
func (r *Repo) Begin(ctx context.Context, id string, files Opener) (*Run, error) {
	if !isRunID(id) {
		return nil, fmt.Errorf("run %q: an id is made of at most 100 letters, digits, - and _", id)
	}
	ctx, stop := context.WithCancel(ctx)
	run := &Run{ID: id, repo: r, files: files, ready: make(chan struct{}), stop: stop, state: map[string]string{}}
	go func() {
		defer close(run.ready)
		run.base = r.recordBase(ctx, id, files)
	}()
	return run, nil
}

// Close waits until no git of the run is left; it ends one that is still at the
// snapshot of the tree before the run. What was kept stays.
func (run *Run) Close() {
	run.stop()
	<-run.ready
}

func isRunID(id string) bool {
	letters := strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
	return letters == "" && id != "" && len(id) <= 100 && id[0] != '-'
}

// Base is the tree before a run.
type Base struct {
	Rev     string   // its snapshot
	Dirty   []string // files that differed from HEAD
	LeftOut []string // of these, the ones that are not in the snapshot: large, unreadable or secret
}

// Base waits for the snapshot of the tree before the run.
func (run *Run) Base(ctx context.Context) (Base, error) {
	select {
	case <-run.ready:
		return run.base.Base, run.base.err
	case <-ctx.Done():
		return Base{}, fmt.Errorf("snapshot of the tree before the run: %w", context.Cause(ctx))
	}
}

// Write makes the changes by way of w, after it has put into snapshot 0 what
// stands at each path that the run has not written before. A renamed file keeps
// its mode; folders that a deletion leaves empty go, as with git rm. Errors are
// w's, and those of git.
func (run *Run) Write(ctx context.Context, changes []edits.Change, w Writer) error {
	was, err := run.Base(ctx)
	if err != nil {
		return err
	}
	if err := run.keep(ctx, changes); err != nil {
		return err
	}
	modes, err := run.repo.renamedModes(changes)
	if err != nil {
		return err
	}
	err = w.Write(ctx, changes, modes)
	var refused *edits.Refusal
	if errors.As(err, &refused) {
		if failed := run.unkeep(ctx, was.Rev); failed != nil {
			return fmt.Errorf("snapshot 0 after a refused write (%v): %w", err, failed)
		}
		return err
	}
	for _, c := range changes { // also after another error: some may have been written
		if !slices.Contains(run.paths, c.Path) {
			run.paths = append(run.paths, c.Path)
		}
	}
	if err != nil {
		return err
	}
	dirs, err := run.emptied(ctx, changes)
	if err != nil || len(dirs) == 0 {
		return err
	}
	return w.Prune(dirs)
}

// Snapshot keeps the tree after round n, from 1: the newest snapshot with every
// file that the run wrote as it is now, whoever wrote it last. n 0 waits for the
// snapshot that Begin started.
func (run *Run) Snapshot(ctx context.Context, n int) (rev string, err error) {
	base, err := run.Base(ctx)
	if err != nil || n == 0 {
		return base.Rev, err
	}
	return run.snapshot(ctx, fmt.Sprint(n))
}

// End keeps the tree after the last check, if it changed a file that the run
// wrote; Undo compares with it.
func (run *Run) End(ctx context.Context) error {
	if len(run.paths) == 0 {
		return nil
	}
	for _, path := range run.paths {
		now, err := look(run.files, path)
		if err != nil {
			return err
		}
		if now.digest() != run.state[path] {
			_, err := run.snapshot(ctx, "end")
			return err
		}
	}
	return nil
}

func (run *Run) snapshot(ctx context.Context, name string) (string, error) {
	from := run.last
	if from == "" {
		from = run.base.Rev
	}
	state := map[string]string{}
	after := snapshot{ref: run.ref(name), from: from, message: snapshotMessage(run.ID, name)}
	rev, err := run.repo.record(ctx, after, func(s *stream) error {
		for _, path := range run.paths {
			now, err := look(run.files, path)
			if err != nil {
				return err
			}
			state[path] = now.digest()
			switch {
			case state[path] == run.state[path]:
			case now.gone:
				s.drop(path)
			case !now.strange:
				s.put(path, now.mode, now.content)
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	run.last, run.state = rev, state
	return rev, nil
}

// Diff gives what the run changed, as a unified diff.
func (run *Run) Diff(ctx context.Context) (string, error) {
	if run.last == "" {
		return "", nil
	}
	return run.repo.Diff(ctx, run.base.Rev, run.last)
}

// Paths gives the files that the run has written, sorted.
func (run *Run) Paths() []string { return slices.Sorted(slices.Values(run.paths)) }

func (run *Run) ref(name string) string { return refRoot + run.ID + "/" + name }

func (r *Repo) abs(path string) string { return filepath.Join(r.Root, filepath.FromSlash(path)) }
