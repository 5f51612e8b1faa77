package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/internal/sandbox"
	"github.com/agentloop/agentloop/internal/transcript"
	"github.com/agentloop/agentloop/loop"
	"github.com/agentloop/agentloop/prompts"
)

func (p *program) runCommand() *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "do a task", ArgsUsage: `"TASK" [FILE or GLOB …]`,
		Description: "The task is one argument, or --task-file FILE, or - for standard input. FILEs are shown to\nthe model; without any, files are chosen. Exit status: 0 done, 2 usage, 3 edits open,\n4 check fails, 5 budget, 6 no progress, 7 policy, 75 try later, 124 time out, 130 interrupted.\nEach flag has a variable: AGENTLOOP_ROUNDS for --rounds; a list there has one item a line.",
		Flags: append(dirFlags(),
			setting("model", "the model's name (no default)", "m"),
			setting("base_url", "address of the OpenAI-compatible API, up to /v1"),
			setting("edit_format", "format that the prompt teaches: "+strings.Join(editFormats(), ", ")),
			repeatable("tools", "tool to offer where the format is tools; may be repeated: "+strings.Join(prompts.ToolNames(), ", ")),
			setting("max_calls", "most calls of tools in one round (50)"),
			repeatable("check", "command that must succeed; may be repeated"),
			&cli.StringSliceFlag{Name: "read", Usage: "show this file too, for reading only; may be repeated"},
			&cli.BoolFlag{Name: "no-check", Usage: "use no check, not even a configured one"},
			setting("rounds", "most rounds (5)"),
			setting("timeout", "time for the whole run (30m)"),
			setting("check_timeout", "time for one check (10m)"),
			setting("max_tokens_total", "most tokens, both directions (2000000)"),
			setting("max_cost", "most US dollars; needs the model's prices in the configuration"),
			setting("max_requests", "most requests, tries included"),
			setting("max_output_tokens", "most tokens of one reply"),
			setting("temperature", "sampling temperature"),
			setting("seed", "sampling seed"),
			setting("reasoning_effort", "how much a reasoning model thinks"),
			setting("looks", "how often the model may ask for more files, without tools (3)"),
			setting("context_tokens", "size of the files chosen when none is named (16000)"),
			setting("matching", "how literally blocks must match: exact, tiered or full"),
			setting("after_failed_block", "what becomes of the rest of a file: skip or continue"),
			setting("file_operations", "what becomes of deletions and renames of files: suggest or apply"),
			repeatable("validate", "files that must still parse: off, warn, refuse, or GLOB=MODE; may be repeated"),
			&cli.StringFlag{Name: "task-file", Usage: "read the task from this file; - is standard input", EnvVars: []string{"AGENTLOOP_TASK_FILE"}},
			toggle("dry-run", "ask the model, but write nothing and run no check"),
			toggle("map", "send a map of the repository, also where files are named"),
			toggle("confirm", "ask on the terminal before each edit, showing the lines that change"),
			toggle("backup", "keep each file as it was before the run beside it, as FILE.bak"),
			toggle("print-prompt", "print what would be sent, and stop"),
			&cli.BoolFlag{Name: "commit", Usage: "commit the run's files when it is done"},
			&cli.BoolFlag{Name: "no-stage", Usage: "do not stage the run's files"},
			toggle("json", "events as JSON lines on standard output"),
			toggle("deltas", "with --json: the reply's text too, as it comes"),
			toggle("diff", "end with the diff"),
			toggle("quiet", "no progress", "q"),
			toggle("verbose", "more progress", "v"),
		),
		Action: p.run,
	}
}

// run does a task.
func (p *program) run(c *cli.Context) error {
	p.term.quiet = c.Bool("quiet")
	p.term.verbose = c.Bool("verbose")
	switch {
	case c.IsSet("check") && c.Bool("no-check"):
		return usageError{msg: "--check and --no-check exclude each other"}
	case c.Bool("deltas") && !c.Bool("json"):
		return usageError{msg: "--deltas needs --json"}
	}
	text, named, err := p.taskText(c)
	if err != nil {
		return err
	}
	at, err := p.open(c)
	if err != nil {
		return err
	}
	if !c.Bool("print-prompt") {
		if err := at.forRun(); err != nil {
			return err
		}
	}
	if err := at.tryTemplates(); err != nil {
		return err
	}
	task, err := at.task(c.Context, text, named, c.StringSlice("read"))
	if err != nil {
		return err
	}
	task.DryRun = c.Bool("dry-run")
	at.mapped = c.Bool("map")
	if c.Bool("print-prompt") {
		return p.printPrompt(c.Context, at, task)
	}
	client, err := at.client()
	if err != nil {
		return err
	}
	if task.DryRun {
		shown, err := at.sight(c.Context, task, false)
		if err != nil {
			return err
		}
		p.term.progress("%s", strings.TrimSuffix(shown.explain(), "\n"))
	}
	show := showing{json: c.Bool("json"), deltas: c.Bool("deltas"), diff: c.Bool("diff")}
	ctx, stop := context.WithCancelCause(c.Context)
	defer stop(nil)
	if c.Bool("confirm") {
		if show.ask, err = p.newAsker(stop); err != nil {
			return err
		}
	}
	at.backup = c.Bool("backup")
	return p.carry(ctx, at, task, client, show)
}

// showing says what is told of a run beside its progress and report.
type showing struct {
	json, deltas, diff bool
	feedback           bool   // what the model is told, on the terminal
	ask                *asker // before each edit; nil: never
	forgotten          bool   // the tree and the transcript go away afterwards
}

// carry runs a task and tells how it ended.
func (p *program) carry(ctx context.Context, at *place, task loop.Task, model loop.Model, show showing) error {
	id := transcript.NewID(time.Now())
	dir, err := at.runsDir()
	if err != nil {
		return err
	}
	file, err := transcript.Create(dir, id)
	if err != nil {
		return err
	}
	defer file.Close()
	emit := p.listeners(show, at, id, file)
	if !task.DryRun {
		if err := at.begin(ctx, id); err != nil {
			return err
		}
		defer at.close()
	}
	if err := sandbox.Hide(); err != nil {
		p.term.note(err.Error()) // a check of this user could read our environment
	}
	shell := at.shell(at.repo.Root)
	shell.OnTick = p.term.tick
	runner := loop.Runner{
		Model: model, Tree: at.tree, Shell: shell, Valid: at.validator(), Prompts: at.templates(), Show: at.show, Choose: at.choose, Find: at.find, Emit: emit.event,
	}
	if show.ask != nil {
		runner.Confirm = show.ask.confirm
	}
	run, err := runner.Run(ctx, task)
	end := p.finishRun(at, run, show.diff)
	p.exit = run.Verdict.Exit
	if !show.json {
		end.forgotten = show.forgotten
		p.report(id, run, end)
	}
	return errors.Join(err, end.err, emit.err)
}

// taskText gives the task and the rest of the arguments.
func (p *program) taskText(c *cli.Context) (string, []string, error) {
	args := c.Args().Slice()
	file := c.String("task-file")
	if file == "" && len(args) > 0 && args[0] == "-" {
		file, args = "-", args[1:]
	}
	if file == "" {
		if len(args) == 0 {
			return "", nil, usageError{msg: "no task given", hint: `agentloop run "what is to be done" [files…], or --task-file FILE`}
		}
		if strings.TrimSpace(args[0]) == "" {
			return "", nil, usageError{msg: "the task is empty"}
		}
		return args[0], args[1:], nil
	}
	const most = 1 << 20
	in, from := p.in, "standard input"
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", nil, usageError{msg: fmt.Sprintf("the task file cannot be read: %v", err)}
		}
		defer f.Close()
		in, from = f, file
	}
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	switch {
	case err != nil:
		return "", nil, usageError{msg: fmt.Sprintf("the task cannot be read from %s: %v", from, err)}
	case len(text) > most:
		return "", nil, usageError{msg: fmt.Sprintf("the task in %s is longer than 1 MiB", from)}
	case strings.TrimSpace(string(text)) == "":
		return "", nil, usageError{msg: fmt.Sprintf("the task in %s is empty", from)}
	}
	return string(text), args, nil
}

// printPrompt shows what the first round would send.
func (p *program) printPrompt(ctx context.Context, at *place, task loop.Task) error {
	for _, path := range task.Files {
		if _, err := at.show(path); err != nil {
			return usageError{msg: err.Error()}
		}
	}
	shown, err := at.sight(ctx, task, false)
	if err != nil {
		return err
	}
	p.printSight(shown)
	return nil
}

// ending is what the report tells beside the run itself.
type ending struct {
	staged, committed bool
	diff              string
	forgotten         bool // nothing can be looked up or taken back later
	err               error
}

// finishRun stages or commits what a run changed. What was done stays, even when
// the run was interrupted.
func (p *program) finishRun(at *place, run loop.Run, diff bool) ending {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var end ending
	if run.Task.DryRun || len(run.Changed) == 0 {
		return end
	}
	if base, err := at.tree.run.Base(ctx); err == nil {
		p.warnDirty(base.Dirty, run.Changed, base.Rev)
	}
	commit := at.Commit && run.Verdict.Status == loop.Done
	staged, err := at.finish(ctx, at.Stage && !commit)
	end.staged, end.err = len(staged) > 0, err
	if err == nil && diff {
		end.diff, end.err = at.diff(ctx)
	}
	if end.err != nil || !commit {
		return end
	}
	message, err := at.templates().Message(prompts.Commit{Subject: subject(run.Task.Text), Files: sorted(run.Changed)})
	if err == nil {
		_, err = at.commit(ctx, message)
	}
	end.committed, end.err = err == nil, err
	return end
}

// warnDirty tells of the user's own changes in files that the run edited.
func (p *program) warnDirty(dirty, changed []string, base string) {
	var mine []string
	for _, path := range changed {
		if slices.Contains(dirty, path) {
			mine = append(mine, path)
		}
	}
	if len(mine) > 0 {
		p.term.note(fmt.Sprintf("files that the run edited had changes of yours that were not committed: %s; as they were they are kept in %s", strings.Join(sorted(mine), ", "), base[:min(12, len(base))]))
	}
}

// subject makes a commit's first line out of a task.
func subject(task string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(task), "\n")
	return clipped(oneLined(line), 72)
}

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }
