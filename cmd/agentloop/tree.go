package main

import (
	"context"
	"fmt"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/guard"
	"github.com/agentloop/agentloop/internal/journal"
	"github.com/agentloop/agentloop/internal/worktree"
	"github.com/agentloop/agentloop/loop"
)

// tree is a run's git work tree: guard judges every path, journal writes, and
// worktree keeps snapshots. It is a loop.Tree.
type tree struct {
	repo  *worktree.Repo
	guard *guard.Guard
	run   *worktree.Run

	backup bool            // keep each file that is changed beside it, as it was
	kept   map[string]bool // files that need no backup any more
}

// begin names the run and starts its first snapshot in the background. It comes
// before Write and Snapshot; close comes last.
func (t *tree) begin(ctx context.Context, run string) (err error) {
	t.run, err = t.repo.Begin(ctx, run, t.guard)
	return err
}

// close ends what begin started, where nobody waited for it.
func (t *tree) close() {
	if t.run != nil {
		t.run.Close()
	}
}

// Read gives the content of a file that may be edited.
func (t *tree) Read(path string) (string, error) { return t.guard.Read(path) }

// Tracked reports whether git tracks a file. It waits for git alone, which has a
// limit of its own.
func (t *tree) Tracked(path string) (bool, error) {
	return t.repo.Tracked(context.Background(), path)
}

// show gives the content of a file that may be put into a prompt: more files
// than may be edited, such as AGENTS.md.
func (t *tree) show(path string) (string, error) { return t.guard.Show(path) }

// Write makes all changes or none, once the tree before the run is safe.
func (t *tree) Write(ctx context.Context, changes []edits.Change) error {
	copies, err := t.keep(ctx, changes)
	if err != nil {
		return err
	}
	err = t.run.Write(ctx, changes, t.writer())
	return t.settle(ctx, changes, copies, err)
}

// Snapshot keeps the tree as it is after round n.
func (t *tree) Snapshot(ctx context.Context, n int) (string, error) { return t.run.Snapshot(ctx, n) }

// finish keeps the tree as the last check left it and, unless told not to,
// stages the files that the run wrote. It gives those that are staged now.
func (t *tree) finish(ctx context.Context, stage bool) ([]string, error) {
	if err := t.run.End(ctx); err != nil {
		return nil, err
	}
	if !stage {
		return nil, nil
	}
	staged, err := t.repo.Stage(ctx, t.run.ID, t.run.Paths())
	if err != nil {
		return staged, fmt.Errorf("stage the run's files: %w", err)
	}
	return staged, nil
}

// diff gives what the run changed, as a unified diff.
func (t *tree) diff(ctx context.Context) (string, error) { return t.run.Diff(ctx) }

// commit makes one commit of the files that the run wrote; "" if none differs.
func (t *tree) commit(ctx context.Context, message string) (string, error) {
	return t.repo.Commit(ctx, t.run.ID, message, t.run.Paths())
}

// undo puts the files of an earlier run back and gives those that changed.
func (t *tree) undo(ctx context.Context, run string) ([]string, error) {
	return t.repo.Undo(ctx, run, t.guard, t.writer())
}

func (t *tree) writer() *journal.Journal { return &journal.Journal{Folders: t.guard} }

// The adapters know one another only through what each says it needs.
var (
	_ loop.Tree       = (*tree)(nil)
	_ loop.Tracker    = (*tree)(nil)
	_ worktree.Opener = (*guard.Guard)(nil)
	_ worktree.Writer = (*journal.Journal)(nil)
	_ journal.Folders = (*guard.Guard)(nil)
)
