package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/internal/transcript"
	"github.com/agentloop/agentloop/loop"
)

func (p *program) showCommand() *cli.Command {
	return &cli.Command{
		Name: "show", Usage: "tell a run again: prompts, replies, outcomes, checks", ArgsUsage: "[RUN]",
		Flags: append(dirFlags(),
			&cli.BoolFlag{Name: "prompts", Usage: "with the prompts whole"},
			&cli.BoolFlag{Name: "json", Usage: "the transcript as it is"},
		),
		Action: p.showRun,
	}
}

// showRun prints a transcript for people.
func (p *program) showRun(c *cli.Context) error {
	if c.NArg() > 1 {
		return usageError{msg: fmt.Sprintf("show takes one run, not %d", c.NArg()), hint: "agentloop show [RUN]"}
	}
	at, err := p.open(c)
	if err != nil {
		return err
	}
	dir, err := at.runsDir()
	if err != nil {
		return err
	}
	id, err := chosen(dir, c.Args().First(), at.repo.Root)
	if err != nil {
		return err
	}
	return transcript.Read(dir, id, func(l transcript.Line) (bool, error) {
		if c.Bool("json") {
			p.term.print(string(l.Raw))
			return true, nil
		}
		text, err := told(l, c.Bool("prompts"))
		if text != "" {
			p.term.print(safe(text))
		}
		return true, err
	})
}

// chosen gives the run that the user named, else the newest of this repository.
func chosen(dir, id, root string) (string, error) {
	ids, err := transcript.List(dir)
	if err != nil {
		return "", err
	}
	if id != "" {
		if !slices.Contains(ids, id) {
			return "", usageError{msg: fmt.Sprintf("there is no run %q", short(id)), hint: "agentloop runs lists them; what was only applied has no transcript"}
		}
		return id, nil
	}
	for _, id := range ids {
		if opened, err := opening(dir, id); err == nil && opened.Root == root {
			return id, nil
		}
	}
	return "", usageError{msg: "there is no run yet in this repository"}
}

// opening reads a transcript's first event.
func opening(dir, id string) (transcript.Opened, error) {
	var e transcript.Opened
	err := transcript.Read(dir, id, func(l transcript.Line) (bool, error) {
		return false, json.Unmarshal(l.Raw, &e)
	})
	return e, err
}

// told words one line of a transcript.
func told(l transcript.Line, prompts bool) (string, error) {
	switch l.Event {
	case "run.opened":
		return decoded(l, func(e transcript.Opened) string {
			return fmt.Sprintf("run %s in %s, model %s at %s\n", e.Run, oneLined(e.Root), oneLined(e.Model), oneLined(e.Host))
		})
	case "run.started":
		return decoded(l, func(e loop.RunStarted) string {
			return fmt.Sprintf("task: %s\nfiles: %s\n", strings.TrimSpace(e.Task), oneLined(strings.Join(e.Files, ", ")))
		})
	case "file.chosen":
		return decoded(l, func(e loop.FileChosen) string {
			return fmt.Sprintf("shows %s: %s\n", oneLined(e.Path), oneLined(e.Why))
		})
	case "prompt.sent":
		return decoded(l, func(e loop.PromptSent) string {
			if !prompts {
				return fmt.Sprintf("\n── round %d: prompt of about %d tokens ──\n", e.Round, e.Tokens)
			}
			return fmt.Sprintf("\n── round %d: prompt ──\n%s\n%s\n", e.Round, e.System, e.User)
		})
	case "reply.received":
		return decoded(l, func(e loop.ReplyReceived) string {
			return fmt.Sprintf("── reply ──\n%s\n", strings.TrimRight(e.Text, "\n"))
		})
	case "call.answered":
		return decoded(l, func(e loop.CallAnswered) string {
			return fmt.Sprintf("── call %s %s\n%s\n", oneLined(e.Tool), oneLined(e.Arguments), strings.TrimRight(e.Answer, "\n"))
		})
	case "edit.warning":
		return decoded(l, func(e loop.Warned) string { return fmt.Sprintf("warning %s: %s\n", oneLined(e.Path), oneLined(e.Why)) })
	case "retry":
		return decoded(l, func(e loop.Retried) string {
			return fmt.Sprintf("── try %d failed: %s ──\n", e.Attempt, oneLined(e.Why))
		})
	case "edit.outcome":
		return decoded(l, func(e loop.EditOutcome) string {
			return oneLined(fmt.Sprintf("%s %s:%d %s %s", e.Status, subjectOf(e), e.Line, e.Reason, e.Detail)) + "\n"
		})
	case "check.completed":
		return decoded(l, func(e loop.CheckCompleted) string {
			how := "passed"
			if !e.Passed {
				how = fmt.Sprintf("failed (exit status %d)\n%s%s", e.Exit, e.Head, e.Tail)
			}
			return fmt.Sprintf("── check %s: %s\n", oneLined(e.Command), strings.TrimRight(how, "\n"))
		})
	case "round.completed":
		return decoded(l, func(e loop.RoundCompleted) string {
			if e.Feedback == "" {
				return ""
			}
			return fmt.Sprintf("── feedback ──\n%s\n", strings.TrimRight(e.Feedback, "\n"))
		})
	case "run.completed":
		return decoded(l, func(e loop.RunCompleted) string {
			return fmt.Sprintf("\n%s: %s (%s, %d tokens)\n", e.Verdict.Status, oneLined(e.Verdict.Why), plural(e.Verdict.Rounds, "round"), e.Usage.Total())
		})
	}
	return "", nil
}

func decoded[E any](l transcript.Line, word func(E) string) (string, error) {
	var e E
	if err := json.Unmarshal(l.Raw, &e); err != nil {
		return "", fmt.Errorf("line %d of the transcript: %w", l.Seq, err)
	}
	return word(e), nil
}
