package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/internal/worktree"
)

func (p *program) undoCommand() *cli.Command {
	return &cli.Command{
		Name: "undo", Usage: "put the files of a run back as they were before it", ArgsUsage: "[RUN]",
		Description: "Without RUN it is the newest one of this repository. A file that was edited since is not\ntouched: then nothing is, and the command says which.",
		Flags:       dirFlags(), Action: p.undo,
	}
}

// undo takes a run back.
func (p *program) undo(c *cli.Context) error {
	if c.NArg() > 1 {
		return usageError{msg: fmt.Sprintf("undo takes one run, not %d", c.NArg()), hint: "agentloop undo [RUN]"}
	}
	at, err := p.open(c)
	if err != nil {
		return err
	}
	id := c.Args().First()
	if id == "" {
		runs, err := at.repo.Runs(c.Context)
		if err != nil {
			return err
		}
		if len(runs) == 0 {
			return usageError{msg: "this repository has no run to undo"}
		}
		id = runs[0].Run
	}
	files, err := at.tree.undo(c.Context, id)
	if err != nil {
		return undoError(err)
	}
	if len(files) == 0 {
		p.term.print(fmt.Sprintf("run %s: nothing to undo, every file is as it was before\n", oneLined(id)))
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "run %s: undone in %s\n", oneLined(id), plural(len(files), "file"))
	for _, path := range files {
		fmt.Fprintf(&b, "  %s\n", oneLined(path))
	}
	p.term.print(b.String())
	return nil
}

// undoError tells the user's mistakes from trouble of ours.
func undoError(err error) error {
	if edited, ok := errors.AsType[*worktree.EditedError](err); ok {
		return usageError{
			msg: err.Error(),
			hint: fmt.Sprintf("keep what you wrote there elsewhere, put the files back as the run left them (git restore --source=refs/agentloop/%s/end FILE…), then undo",
				edited.Run),
		}
	}
	if git, ok := errors.AsType[*worktree.GitError](err); ok {
		return fmt.Errorf("undo: %w", git)
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return usageError{msg: err.Error()}
}
