package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/internal/sandbox"
	"github.com/agentloop/agentloop/loop"
	"github.com/agentloop/agentloop/prompts"
)

func (p *program) contextCommand() *cli.Command {
	return &cli.Command{
		Name: "context", Usage: "print what a run would send, and why; no model", ArgsUsage: `"TASK" [FILE or GLOB …]`,
		Description: "Runs the checks, as a run does before its first round, chooses the files and prints the prompt, or\nwith --explain what it is made of: each file with the reason for it, tokens and cost.",
		Flags: append(dirFlags(),
			&cli.BoolFlag{Name: "explain", Usage: "each file with its size and the reason for it, not the prompt itself"},
			toggle("json", "the same as one JSON object"),
			setting("model", "the model's name, for the cost", "m"),
			setting("edit_format", "format that the prompt teaches: "+strings.Join(editFormats(), ", ")),
			repeatable("check", "command that must succeed; may be repeated"),
			&cli.BoolFlag{Name: "no-check", Usage: "use no check, not even a configured one"},
			&cli.StringSliceFlag{Name: "read", Usage: "show this file too, for reading only; may be repeated"},
			setting("check_timeout", "time for one check (10m)"),
			setting("context_tokens", "size of the files chosen when none is named (16000)"),
			&cli.StringFlag{Name: "task-file", Usage: "read the task from this file; - is standard input", EnvVars: []string{"AGENTLOOP_TASK_FILE"}},
			toggle("map", "send a map of the repository, also where files are named"),
		),
		Action: p.context,
	}
}

// context shows what the first round would send.
func (p *program) context(c *cli.Context) error {
	if c.IsSet("check") && c.Bool("no-check") {
		return usageError{msg: "--check and --no-check exclude each other"}
	}
	text, named, err := p.taskText(c)
	if err != nil {
		return err
	}
	at, err := p.open(c)
	if err != nil {
		return err
	}
	at.mapped = c.Bool("map")
	if err := at.tryTemplates(); err != nil {
		return err
	}
	task, err := at.task(c.Context, text, named, c.StringSlice("read"))
	if err != nil {
		return err
	}
	if err := sandbox.Hide(); err != nil {
		p.term.note(err.Error()) // a check of this user could read our environment
	}
	s, err := at.sight(c.Context, task, len(task.Checks) > 0)
	if err != nil {
		return err
	}
	switch {
	case c.Bool("json"):
		line, err := json.Marshal(s)
		p.term.print(string(line) + "\n")
		return err
	case c.Bool("explain"):
		p.term.print(s.explain())
	default:
		p.printSight(s)
	}
	return nil
}

// sight is what a first prompt holds.
type sight struct {
	System string         `json:"system"`
	User   string         `json:"user"`
	Tokens int            `json:"tokens_estimated"`
	Cost   *float64       `json:"cost_usd"` // of the prompt alone; null: the price is unknown
	Files  []sightFile    `json:"files"`
	Tools  []prompts.Tool `json:"tools,omitempty"`
}

type sightFile struct {
	loop.Pick
	Tokens int `json:"tokens_estimated"`
}

// bytesPerToken is the guess that a run begins with.
const bytesPerToken = 3.5

// sight renders the first prompt; with checks, they run before.
func (p *place) sight(ctx context.Context, task loop.Task, checks bool) (sight, error) {
	runner := loop.Runner{Tree: p.tree, Shell: p.shell(p.repo.Root), Prompts: p.templates(), Show: p.show, Choose: p.choose}
	prompt, picks, err := runner.FirstPrompt(ctx, task, checks)
	if err != nil {
		return sight{}, err
	}
	s := sight{System: prompt.System, User: prompt.User, Files: []sightFile{}}
	if s.Tools, err = p.templates().Tools(task.Tools); err != nil {
		return s, err
	}
	size := len(prompt.System) + len(prompt.User)
	for _, t := range s.Tools {
		size += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	s.Tokens = int(float64(size) / bytesPerToken)
	if b := p.budget(); b.Prices != nil {
		cost := b.Prices.Cost(loop.Usage{Prompt: s.Tokens})
		s.Cost = &cost
	}
	for _, pick := range picks {
		s.Files = append(s.Files, sightFile{pick, p.sizeOf(pick)})
	}
	return s, nil
}

// sizeOf estimates the tokens of what is shown of a file.
func (p *place) sizeOf(pick loop.Pick) int {
	text, err := p.show(pick.Path)
	if err != nil {
		return 0
	}
	size := len(text)
	if pick.Spans != nil {
		lines := strings.SplitAfter(text, "\n")
		size = 0
		for _, s := range pick.Spans {
			for _, l := range lines[min(s.From-1, len(lines)):min(s.To, len(lines))] {
				size += len(l)
			}
		}
	}
	return int(float64(size) / bytesPerToken)
}

// explain lists the files with the reason for each.
func (s sight) explain() string {
	var b strings.Builder
	for _, f := range s.Files {
		part, why := "", f.Why
		for _, span := range f.Spans {
			part += fmt.Sprintf(" %d-%d", span.From, span.To)
		}
		if why == "" {
			why = "named by you"
		}
		if f.ReadOnly {
			why += ", for reading only"
		}
		fmt.Fprintf(&b, "%7d  %s%s: %s\n", f.Tokens, oneLined(f.Path), part, oneLined(why))
	}
	fmt.Fprintf(&b, "%7d  tokens in all, about; %s\n", s.Tokens, dollars(s.Cost))
	return b.String()
}

// printSight prints the prompt as it would be sent.
func (p *program) printSight(s sight) {
	p.term.print(safe(s.System) + "\n" + safe(s.User))
	for _, t := range s.Tools {
		p.term.print(safe(fmt.Sprintf("\ntool %s: %s\n%s\n", t.Name, t.Description, t.Parameters)))
	}
}
