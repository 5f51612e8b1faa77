package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentloop/agentloop/internal/standin"
	"github.com/agentloop/agentloop/internal/syntax"
)

// result is how one task went.
type result struct {
	ID           string            `json:"id"`
	Gold         bool              `json:"gold"` // the tree is the wanted one, byte for byte
	Status       string            `json:"status,omitempty"`
	Exit         int               `json:"exit"`
	Rounds       int               `json:"rounds"`
	Requests     int               `json:"requests"` // more than rounds where tools were called
	PromptTokens int               `json:"prompt_tokens"`
	Blocks       []standin.Planned `json:"blocks"`
	Open         []standin.Planned `json:"open,omitempty"`
	Stray        []string          `json:"stray,omitempty"`
	WrongBytes   int               `json:"wrong_bytes"`
	Failed       []string          `json:"failed,omitempty"`   // outcomes of the last round, worded
	Applied      int               `json:"applied"`            // edits that went in
	Invalid      int               `json:"invalid"`            // edits refused because a file would no longer parse
	Unparsed     []string          `json:"unparsed,omitempty"` // files left that no longer parse, though start and gold do
	Hung         bool              `json:"hung,omitempty"`
	Broken       string            `json:"broken,omitempty"` // why the task could not be played
	ElapsedMS    int64             `json:"elapsed_ms"`
}

// playAll plays the tasks, several at a time, and gives their results in order.
func playAll(ctx context.Context, set settings, mix, temp string, pairs []standin.Pair, errs io.Writer) []result {
	results := make([]result, len(pairs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(set.parallel, len(pairs)) {
		wg.Go(func() {
			for i := range next {
				dir := filepath.Join(temp, fmt.Sprintf("%s-%d", mix, i))
				if set.keep != "" {
					dir = filepath.Join(set.keep, mix+"-"+pairs[i].ID)
				}
				results[i] = play(ctx, set, mix, dir, pairs[i])
				if set.keep == "" {
					os.RemoveAll(dir)
				}
			}
		})
	}
	for i := range pairs {
		if ctx.Err() != nil {
			results[i] = result{ID: pairs[i].ID, Broken: ctx.Err().Error()}
			continue
		}
		next <- i
		if (i+1)%50 == 0 {
			fmt.Fprintf(errs, "%s: %d of %d\n", mix, i+1, len(pairs))
		}
	}
	close(next)
	wg.Wait()
	return results
}

// play plays one task below dir.
func play(ctx context.Context, set settings, mix, dir string, pair standin.Pair) (r result) {
	begun := time.Now()
	defer func() { r.ElapsedMS = time.Since(begun).Milliseconds() }()
	r.ID = pair.ID
	opt, err := options(mix, taskSeed(set.seed, pair.ID))
	if err != nil {
		r.Broken = err.Error()
		return r
	}
	opt.Calls = set.format == "tools"
	plan := standin.NewPlan(pair.Before, pair.After, opt)
	r.Blocks = plan.Blocks()
	if err := prepare(ctx, dir, plan); err != nil {
		r.Broken = err.Error()
		return r
	}
	server, err := standin.Serve(plan.Player(), nil)
	if err != nil {
		r.Broken = err.Error()
		return r
	}
	out, err := runProgram(ctx, set, dir, server.URL(), pair, &r)
	server.Close()
	r.asked(server.Requests())
	r.told(out)
	if err != nil {
		r.Broken = err.Error()
	}
	if err := r.judge(plan, filepath.Join(dir, "tree")); err != nil {
		r.Broken = err.Error()
	}
	if set.keep != "" {
		if err := keep(dir, plan, server.Requests()); err != nil {
			r.Broken = err.Error()
		}
	}
	return r
}

// taskSeed lets a task's faults depend on nothing but the seed and its id.
func taskSeed(seed uint64, id string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", seed, id)
	return h.Sum64()
}

// runProgram runs agentloop to its end, or kills it with all its children when
// its time is up. Its output is kept beside the tree.
func runProgram(ctx context.Context, set settings, dir, url string, pair standin.Pair, r *result) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, set.timeout)
	defer cancel()
	args := []string{
		"run", "--config", filepath.Join(dir, "config.toml"), "--base-url", url, "--model", "standin",
		"--edit-format", set.format, "--rounds", fmt.Sprint(set.rounds), "--json", "--", pair.Task,
	}
	if set.validate != "" {
		args = slices.Insert(args, 1, "--validate", set.validate)
	}
	var files []string
	for path := range pair.Before {
		files = append(files, path)
	}
	slices.Sort(files)
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, set.bin, append(args, files...)...)
	cmd.Dir, cmd.Env = filepath.Join(dir, "tree"), environment(dir)
	cmd.Stdout, cmd.Stderr = &out, &errs
	ownGroup(cmd)
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	r.Hung = errors.Is(ctx.Err(), context.DeadlineExceeded)
	r.Exit = cmd.ProcessState.ExitCode()
	kept := write(dir, map[string]string{"stdout.jsonl": out.String(), "stderr.txt": errs.String()})
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit) && !r.Hung:
		return out.Bytes(), fmt.Errorf("run %s: %w", set.bin, err)
	case r.Exit == 1 || r.Exit == 2:
		return out.Bytes(), fmt.Errorf("agentloop could not run (exit %d): %s", r.Exit, lastLine(errs.String()))
	}
	return out.Bytes(), kept
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// asked reads what was asked from the server's log. A request in which the model
// has not spoken yet begins a round.
func (r *result) asked(log []standin.Request) {
	r.Requests = len(log)
	for _, req := range log {
		if !slices.ContainsFunc(req.Chat.Messages, func(m standin.Message) bool { return m.Role == "assistant" }) {
			r.Rounds++
		}
		r.PromptTokens += req.PromptTokens
	}
}

// told reads the program's own account: its verdict, and what failed in the last
// round.
func (r *result) told(out []byte) {
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var ev struct {
			Event   string
			Path    string
			Line    int
			Reason  string
			Detail  string
			Old     string
			Status  string
			Verdict struct{ Status string }
		}
		if json.Unmarshal(lines.Bytes(), &ev) != nil {
			continue
		}
		switch ev.Event {
		case "round.started":
			r.Failed = nil
		case "edit.outcome":
			switch {
			case ev.Reason == "syntax":
				r.Invalid++
			case ev.Status == "applied" && ev.Reason == "":
				r.Applied++
			}
			if ev.Status == "failed" || ev.Status == "skipped" {
				r.Failed = append(r.Failed, strings.TrimRight(fmt.Sprintf("%s:%d %s %s %q %s", ev.Path, ev.Line, ev.Status, ev.Reason, ev.Old, ev.Detail), " "))
			}
		case "run.completed":
			r.Status = ev.Verdict.Status
		}
	}
}

// judge compares the tree that was left with the plan.
func (r *result) judge(plan *standin.Plan, dir string) error {
	tree, err := read(dir)
	if err != nil {
		return err
	}
	d := plan.Compare(tree)
	r.Gold, r.Open, r.Stray, r.WrongBytes = d.None(), d.Open, d.Stray, d.Wrong
	var judge syntax.Validator
	for _, path := range slices.Sorted(maps.Keys(tree)) {
		was, there := plan.Start[path]
		if judge.Validate(context.Background(), path, was, tree[path], there) != nil && judge.Validate(context.Background(), path, was, plan.Gold[path], there) == nil {
			r.Unparsed = append(r.Unparsed, path)
		}
	}
	return nil
}
