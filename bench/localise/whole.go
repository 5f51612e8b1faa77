package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentloop/agentloop/internal/standin"
)

// whole carries cases through the whole program: the fault is committed, the user
// names no file, and the model is standin.Finder, which edits only what it was
// shown.
type whole struct {
	bin    string
	rounds int
	limit  time.Duration
	dir    string
	idle   bool // the model repairs nothing, but edits on: for the prompt's front
}

// ending is how one case went.
type ending struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Fixed    bool   `json:"fixed"` // done, and the file is as it was before the fault
	Status   string `json:"status"`
	Rounds   int    `json:"rounds"`
	Requests int    `json:"requests"`
	Tokens   int    `json:"prompt_tokens"` // of the first request
	Stable   int    `json:"stable_bytes"`  // of all prompts but the first, before what happened last
	Same     int    `json:"same_bytes"`    // of these, as in the prompt before
	Trouble  string `json:"trouble,omitempty"`
}

func wholeCommand(ctx context.Context, args []string, out, errs io.Writer) error {
	w := whole{}
	f := flag.NewFlagSet("localise loop", flag.ContinueOnError)
	f.SetOutput(errs)
	f.StringVar(&w.bin, "bin", "", "the agentloop to measure")
	f.IntVar(&w.rounds, "rounds", 3, "rounds of a run")
	f.DurationVar(&w.limit, "limit", 3*time.Minute, "time for one case")
	f.BoolVar(&w.idle, "idle", false, "the model adds a line a round and never repairs: measures how much of the prompt stays")
	limit := f.Int("cases", 0, "so many cases, spread over the file; 0: all")
	if err := f.Parse(args); err != nil {
		return err
	}
	if w.bin == "" || f.NArg() == 0 {
		return errors.New("loop needs --bin and files of cases")
	}
	var err error
	if w.bin, err = filepath.Abs(w.bin); err != nil {
		return err
	}
	if w.dir, err = os.MkdirTemp("", "localise-loop-"); err != nil {
		return err
	}
	defer os.RemoveAll(w.dir)
	var ends []ending
	for _, name := range f.Args() {
		cases, err := readCases(name)
		if err != nil {
			return err
		}
		cases = slices.DeleteFunc(cases, func(c faultCase) bool { return c.Build })
		for i, c := range cases {
			if *limit > 0 && i**limit/len(cases) == (i+1)**limit/len(cases) {
				continue
			}
			end, err := w.play(ctx, c)
			if err != nil {
				return err
			}
			ends = append(ends, end)
			line, _ := json.Marshal(end)
			fmt.Fprintf(errs, "%s\n", line)
		}
	}
	summary(out, ends)
	return nil
}

// play runs one case.
func (w whole) play(ctx context.Context, c faultCase) (ending, error) {
	end := ending{ID: c.ID, Kind: c.Kind}
	dir := filepath.Join(w.dir, "case")
	if err := os.RemoveAll(dir); err != nil {
		return end, err
	}
	tree := filepath.Join(dir, "tree")
	if err := copyTree(c.Tree, tree, true); err != nil {
		return end, err
	}
	file := filepath.Join(tree, filepath.FromSlash(c.File))
	gold, err := os.ReadFile(file)
	if err != nil {
		return end, err
	}
	faulty, ok := c.in(string(gold))
	if !ok {
		return end, fmt.Errorf("%s: the tree is not the one that the case was made for", c.ID)
	}
	if err := os.WriteFile(file, []byte(faulty), 0o644); err != nil {
		return end, err
	}
	if err := commit(ctx, tree); err != nil {
		return end, err
	}
	server, err := standin.Serve(w.player(c, faulty, string(gold)), nil)
	if err != nil {
		return end, err
	}
	err = w.run(ctx, c, dir, server.URL(), &end)
	log := server.Requests()
	server.Close()
	if err != nil {
		return end, err
	}
	if end.Requests = len(log); len(log) > 0 {
		end.Tokens = log[0].PromptTokens
	}
	now, err := os.ReadFile(file)
	end.Fixed = err == nil && string(now) == string(gold) && end.Status == "done"
	return end, nil
}

func (w whole) player(c faultCase, faulty, gold string) standin.Player {
	if w.idle {
		return &standin.Dawdler{Path: c.File}
	}
	return &standin.Finder{Path: c.File, Start: faulty, Gold: gold}
}

// run starts the program and reads what it tells.
func (w whole) run(ctx context.Context, c faultCase, dir, url string, end *ending) error {
	ctx, cancel := context.WithTimeout(ctx, w.limit)
	defer cancel()
	state := filepath.Join(dir, "state")
	cmd := exec.CommandContext(ctx, w.bin, "run", "--base-url", url, "--model", "standin", "--rounds", fmt.Sprint(w.rounds),
		"--check", c.Check, "--check-timeout", "45s", "--json", "--no-stage", "--", "make the tests pass")
	cmd.Dir = filepath.Join(dir, "tree")
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+state, "XDG_CONFIG_HOME="+filepath.Join(dir, "config"), "OPENAI_API_KEY=standin",
		"GOFLAGS=-mod=mod", "GOPROXY=off", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	ownGroup(cmd)
	cmd.WaitDelay = 5 * time.Second
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("run %s: %w", w.bin, err)
	}
	if cmd.ProcessState.ExitCode() == 2 {
		end.Trouble = strings.TrimSpace(errs.String())
	}
	for line := range strings.Lines(out.String()) {
		var ev struct {
			Event   string
			Verdict struct {
				Status string
				Rounds int
			}
		}
		if json.Unmarshal([]byte(line), &ev) == nil && ev.Event == "run.completed" {
			end.Status, end.Rounds = ev.Verdict.Status, ev.Verdict.Rounds
		}
	}
	return end.front(state)
}

// front sums up how much of each prompt stood in the one before.
func (e *ending) front(state string) error {
	names, err := filepath.Glob(filepath.Join(state, "agentloop", "runs", "*", "events.jsonl"))
	if err != nil || len(names) == 0 {
		return err
	}
	f, err := os.Open(names[0])
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for first := true; lines.Scan(); {
		var ev struct {
			Event  string `json:"event"`
			Stable int    `json:"stable_bytes"`
			Same   int    `json:"same_bytes"`
		}
		if json.Unmarshal(lines.Bytes(), &ev) != nil || ev.Event != "prompt.sent" {
			continue
		}
		if !first {
			e.Stable += ev.Stable
			e.Same += min(ev.Same, ev.Stable)
		}
		first = false
	}
	return lines.Err()
}

// summary prints the figures.
func summary(out io.Writer, ends []ending) {
	fixed, stable, same := 0, 0, 0
	kinds := map[string][2]int{}
	var tokens []int
	for _, e := range ends {
		k := kinds[e.Kind]
		k[1]++
		if e.Fixed {
			fixed++
			k[0]++
		}
		kinds[e.Kind] = k
		tokens = append(tokens, e.Tokens)
		stable, same = stable+e.Stable, same+e.Same
	}
	if len(ends) == 0 {
		return
	}
	slices.Sort(tokens)
	fmt.Fprintf(out, "fixed %d of %d: %.1f %%, first prompt median %d tokens\n", fixed, len(ends), 100*float64(fixed)/float64(len(ends)), tokens[len(tokens)/2])
	for kind, k := range kinds {
		fmt.Fprintf(out, "  %-12s %d of %d\n", kind, k[0], k[1])
	}
	if stable > 0 {
		fmt.Fprintf(out, "of the prompts after the first, %.1f %% of the bytes before what happened last stood in the prompt before\n", 100*float64(same)/float64(stable))
	}
}
