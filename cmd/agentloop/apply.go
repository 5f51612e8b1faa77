package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/internal/transcript"
	"github.com/agentloop/agentloop/loop"
)

func (p *program) applyCommand() *cli.Command {
	return &cli.Command{
		Name: "apply", Usage: "apply the edit blocks of a saved reply; no model", ArgsUsage: "[REPLY.md | -]",
		Description: "Reads the reply from a file or from standard input, and applies its blocks to the work tree.\nExit status: 0 all applied, 2 usage, 3 not all, 7 a path was refused, 130 interrupted.",
		Flags: append(dirFlags(),
			toggle("dry-run", "say what would become of each block, write nothing"),
			toggle("confirm", "ask on the terminal before each edit, showing the lines that change"),
			toggle("backup", "keep each file as it was beside it, as FILE.bak"),
			toggle("json", "events as JSON lines on standard output"),
			setting("matching", "how literally blocks must match: exact, tiered or full"),
			setting("after_failed_block", "what becomes of the rest of a file: skip or continue"),
			setting("file_operations", "what becomes of deletions and renames of files: suggest or apply"),
			repeatable("validate", "files that must still parse: off, warn, refuse, or GLOB=MODE; may be repeated"),
			&cli.BoolFlag{Name: "no-stage", Usage: "do not stage the changed files"},
			toggle("quiet", "no progress", "q"),
		),
		Action: p.apply,
	}
}

// apply is a run of one round, whose reply is given.
func (p *program) apply(c *cli.Context) error {
	p.term.quiet = c.Bool("quiet")
	if c.NArg() > 1 {
		return usageError{msg: "apply takes one reply, not " + fmt.Sprint(c.NArg()), hint: "agentloop apply [REPLY.md | -]"}
	}
	reply, err := p.readReply(c.Args().First())
	if err != nil {
		return err
	}
	at, err := p.open(c)
	if err != nil {
		return err
	}
	at.backup = c.Bool("backup")
	id := transcript.NewID(time.Now())
	if !c.Bool("dry-run") {
		if err := at.begin(c.Context, id); err != nil {
			return err
		}
		defer at.close()
	}
	task := loop.Task{
		Text: "apply a saved reply", Files: []string{}, Checks: []string{}, Format: at.EditFormat, DryRun: c.Bool("dry-run"),
		Edits:  at.edits(),
		Budget: loop.Budget{Rounds: 1},
	}
	watch := &watcher{term: p.term, started: time.Now()}
	lines := transcript.NewEncoder(p.term.out)
	runner := loop.Runner{Model: saved(reply), Tree: at.tree, Valid: at.validator(), Emit: func(e loop.Event) {
		switch e := e.(type) {
		case loop.EditOutcome:
			watch.show(e)
		case loop.Warned:
			watch.show(e)
		case loop.RunStarted, loop.RunCompleted:
		default:
			return
		}
		if c.Bool("json") {
			err = errors.Join(err, lines.Encode(e))
		}
	}}
	ctx, stop := context.WithCancelCause(c.Context)
	defer stop(nil)
	if c.Bool("confirm") {
		ask, err := p.newAsker(stop)
		if err != nil {
			return err
		}
		runner.Confirm = ask.confirm
	}
	run, failed := runner.Run(ctx, task)
	end := p.finishRun(at, run, false)
	p.exit = run.Verdict.Exit
	switch {
	case run.Verdict.Status == loop.Done && !task.DryRun:
		run.Verdict.Why = "every block is in"
	case failed == nil && len(run.Rounds) == 1 && len(run.Rounds[0].Outcomes) == 0:
		run.Verdict.Why = "the reply holds no edit block"
	}
	if !c.Bool("json") {
		p.report(id, run, end)
	}
	return errors.Join(err, failed, end.err)
}

// readReply reads a saved reply; "" and - are standard input.
func (p *program) readReply(name string) (string, error) {
	const most = 64 << 20
	in := p.in
	if name != "" && name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", usageError{msg: fmt.Sprintf("the reply cannot be read: %v", err)}
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	switch {
	case err != nil:
		return "", usageError{msg: fmt.Sprintf("the reply cannot be read: %v", err)}
	case len(text) > most:
		return "", usageError{msg: "the reply is longer than 64 MiB"}
	}
	return string(text), nil
}

// saved is a model that has answered already.
type saved string

// Complete gives the reply.
func (s saved) Complete(_ context.Context, req loop.Request) (loop.Reply, error) {
	if req.Chunk != nil {
		req.Chunk(string(s))
	}
	return loop.Reply{Text: string(s), Finish: loop.FinishStop}, nil
}
