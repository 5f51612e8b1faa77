package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/internal/transcript"
	"github.com/agentloop/agentloop/loop"
)

func (p *program) runsCommand() *cli.Command {
	return &cli.Command{
		Name: "runs", Usage: "list the runs of this repository, newest first",
		Flags: append(dirFlags(),
			&cli.BoolFlag{Name: "all", Usage: "of every repository"},
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Usage: "at most so many", Value: 20},
		),
		Action: p.runs,
	}
}

// summary is what one transcript says of its run in short.
type summary struct {
	opened transcript.Opened
	task   string
	end    *loop.RunCompleted // nil: it did not end, or was killed
}

// runs lists runs by their transcripts.
func (p *program) runs(c *cli.Context) error {
	if c.Int("limit") < 0 {
		return usageError{msg: fmt.Sprintf("--limit must not be negative, not %d", c.Int("limit"))}
	}
	at, err := p.open(c)
	if err != nil {
		return err
	}
	dir, err := at.runsDir()
	if err != nil {
		return err
	}
	ids, err := transcript.List(dir)
	if err != nil {
		return err
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	shown := 0
	for _, id := range ids {
		s, err := summarise(dir, id)
		if err != nil {
			p.term.note(err.Error())
			continue
		}
		if !c.Bool("all") && s.opened.Root != at.repo.Root {
			continue
		}
		if shown == c.Int("limit") {
			break
		}
		shown++
		how, rounds := "not ended", ""
		if s.end != nil {
			how, rounds = string(s.end.Verdict.Status), plural(s.end.Verdict.Rounds, "round")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", oneLined(id), how, rounds, clipped(oneLined(s.task), 60))
	}
	w.Flush()
	if shown == 0 {
		b.WriteString("no runs yet\n")
	}
	p.term.print(b.String())
	return nil
}

// summarise reads a transcript for its first and last events.
func summarise(dir, id string) (summary, error) {
	var s summary
	err := transcript.Read(dir, id, func(l transcript.Line) (bool, error) {
		switch l.Event {
		case s.opened.Name():
			return true, json.Unmarshal(l.Raw, &s.opened)
		case loop.RunStarted{}.Name():
			var e loop.RunStarted
			err := json.Unmarshal(l.Raw, &e)
			s.task = e.Task
			return true, err
		case loop.RunCompleted{}.Name():
			s.end = new(loop.RunCompleted)
			return true, json.Unmarshal(l.Raw, s.end)
		}
		return true, nil
	})
	return s, err
}
