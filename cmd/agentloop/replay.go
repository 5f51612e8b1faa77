package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/guard"
	"github.com/agentloop/agentloop/internal/replay"
)

func (p *program) replayCommand() *cli.Command {
	return &cli.Command{
		Name: "replay", Usage: "apply archived replies again, in memory; no model", ArgsUsage: "CASES.jsonl",
		Description: "CASES holds one JSON object a line: id, response, files (path to content). Nothing is written.",
		Flags: []cli.Flag{
			toggle("json", "one JSON object a case"),
			&cli.StringFlag{Name: "matching", Usage: "exact, tiered or full, in place of the formats' defaults"},
		},
		Action: p.replay,
	}
}

// replay runs cases through today's engine.
func (p *program) replay(c *cli.Context) error {
	if c.NArg() != 1 {
		return usageError{msg: "replay takes one file of cases", hint: "agentloop replay CASES.jsonl"}
	}
	engine := replay.Engine{Settings: edits.Settings{Matching: edits.Matching(c.String("matching"))}, Path: guard.Lexical}
	if m := engine.Settings.Matching; !slices.Contains([]edits.Matching{"", edits.MatchExact, edits.MatchTiered, edits.MatchFull}, m) {
		return usageError{msg: fmt.Sprintf("--matching must be exact, tiered or full, not %q", string(m))}
	}
	f, err := os.Open(c.Args().First())
	if err != nil {
		return usageError{msg: fmt.Sprintf("the cases cannot be read: %v", err)}
	}
	defer f.Close()
	count := map[[3]string]int{}
	out := bufio.NewWriterSize(p.term.out, 64<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	err = engine.Each(bufio.NewReaderSize(f, 1<<20), func(r replay.Result) error {
		for _, o := range r.Outcomes {
			count[[3]string{string(o.Format), string(o.Tier), orDash(string(o.Status), string(o.Reason))}]++
		}
		for range r.Malformed {
			count[[3]string{"", "", "malformed"}]++
		}
		if c.Bool("json") {
			return enc.Encode(r)
		}
		return nil
	})
	var bad *replay.BadCase
	if errors.As(err, &bad) {
		return errors.Join(out.Flush(), usageError{msg: fmt.Sprintf("%s:%d: %s", c.Args().First(), bad.Line, bad.Why), hint: "a case is {\"id\", \"response\", \"files\"}"})
	}
	if err != nil {
		return err
	}
	if !c.Bool("json") {
		table(out, count)
	}
	return out.Flush()
}

func orDash(status, reason string) string {
	if reason == "" {
		return status
	}
	return status + ", " + reason
}

// table prints how often each kind of outcome came.
func table(w io.Writer, count map[[3]string]int) {
	rows := make([][3]string, 0, len(count))
	for k := range count {
		rows = append(rows, k)
	}
	slices.SortFunc(rows, func(a, b [3]string) int { return strings.Compare(strings.Join(a[:], "\t"), strings.Join(b[:], "\t")) })
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "format\ttier\toutcome\tblocks")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\n", r[0], r[1], r[2], count[r])
	}
	t.Flush()
}
