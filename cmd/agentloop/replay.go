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
		Name: "replay", Usage: "apply archived replies again, in memory; no model", ArgsUsage: "CASES.jsonl | RUN…",
		Description: "CASES holds one JSON object a line: id, response, files (path to content). RUNs are those of this\nrepository: each reply meets the files as its round found them. Nothing is written.",
		Flags: append(dirFlags(),
			toggle("json", "one JSON object a case"),
			&cli.StringFlag{Name: "matching", Usage: "exact, tiered or full, in place of the formats' defaults"},
			&cli.StringFlag{Name: "file-operations", Usage: "suggest (the default) or apply: what becomes of deletions and renames of files"},
			&cli.StringFlag{Name: "compare", Usage: "say what is rescued, broken or changed against this earlier --json output"},
		),
		Action: p.replay,
	}
}

// replay runs cases through today's engine.
func (p *program) replay(c *cli.Context) error {
	engine := replay.Engine{Settings: edits.Settings{Matching: edits.Matching(c.String("matching")), FileOps: edits.FileOps(c.String("file-operations"))}, Path: guard.Lexical}
	if m := engine.Settings.Matching; !slices.Contains([]edits.Matching{"", edits.MatchExact, edits.MatchTiered, edits.MatchFull}, m) {
		return usageError{msg: fmt.Sprintf("--matching must be exact, tiered or full, not %q", string(m))}
	}
	if ops := engine.Settings.FileOps; !slices.Contains([]edits.FileOps{"", edits.OpsSuggest, edits.OpsApply}, ops) {
		return usageError{msg: fmt.Sprintf("--file-operations must be suggest or apply, not %q", string(ops))}
	}
	cases, err := p.cases(c)
	if err != nil {
		return err
	}
	defer cases.Close()
	t := tally{out: bufio.NewWriterSize(p.term.out, 64<<10), json: c.Bool("json"), count: map[[3]string]int{}}
	if t.old, err = oldResults(c.String("compare")); err != nil {
		return err
	}
	err = engine.Each(bufio.NewReaderSize(cases, 1<<20), t.add)
	var bad *replay.BadCase
	if errors.As(err, &bad) {
		err = usageError{msg: fmt.Sprintf("%s:%d: %s", c.Args().First(), bad.Line, bad.Why), hint: "a case is {\"id\", \"response\", \"files\"}"}
	}
	if err == nil {
		t.sum()
	}
	return errors.Join(err, t.out.Flush())
}

// cases opens the file that is named, or makes cases of the runs that are.
func (p *program) cases(c *cli.Context) (io.ReadCloser, error) {
	if c.NArg() == 0 {
		return nil, usageError{msg: "no cases given", hint: "agentloop replay CASES.jsonl, or the RUNs that agentloop runs lists"}
	}
	f, err := os.Open(c.Args().First())
	switch {
	case err == nil && c.NArg() == 1:
		return f, nil
	case err == nil:
		f.Close()
		return nil, usageError{msg: "replay takes one file of cases, not " + fmt.Sprint(c.NArg())}
	case strings.ContainsAny(c.Args().First(), "./"):
		return nil, usageError{msg: fmt.Sprintf("the cases cannot be read: %v", err)}
	}
	return p.runCases(c)
}

// oldResults reads what --compare names; nil for "".
func oldResults(name string) (replay.Old, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usageError{msg: fmt.Sprintf("the old results cannot be read: %v", err)}
	}
	defer f.Close()
	old, err := replay.ReadOld(bufio.NewReaderSize(f, 1<<20))
	var bad *replay.BadCase
	if errors.As(err, &bad) {
		err = usageError{msg: fmt.Sprintf("%s:%d: %s", name, bad.Line, bad.Why)}
	}
	return old, err
}

// tally counts outcomes and prints what was asked for.
type tally struct {
	out   *bufio.Writer
	json  bool
	old   replay.Old
	count map[[3]string]int
	moved map[replay.Difference]int
}

func (t *tally) add(r replay.Result) error {
	for _, o := range r.Outcomes {
		t.count[[3]string{string(o.Format), string(o.Tier), outcomeName(string(o.Status), string(o.Reason))}]++
	}
	for range r.Malformed {
		t.count[[3]string{"", "", "malformed"}]++
	}
	switch {
	case t.old != nil:
		if d := t.old.Compare(r); d != "" {
			if t.moved == nil {
				t.moved = map[replay.Difference]int{}
			}
			t.moved[d]++
			fmt.Fprintf(t.out, "%-8s %s\n", d, oneLined(r.ID))
		}
	case t.json:
		enc := json.NewEncoder(t.out)
		enc.SetEscapeHTML(false)
		return enc.Encode(r)
	}
	return nil
}

// sum ends the output: a comparison in one line, or the table.
func (t *tally) sum() {
	switch {
	case t.old != nil:
		fmt.Fprintf(t.out, "%d rescued, %d broken, %d changed, %d new\n",
			t.moved[replay.Rescued], t.moved[replay.Broken], t.moved[replay.Changed], t.moved[replay.New])
	case !t.json:
		table(t.out, t.count)
	}
}

func outcomeName(status, reason string) string {
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
