package loop_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
	"github.com/agentloop/agentloop/internal/syntax"
	"github.com/agentloop/agentloop/loop"
	"github.com/agentloop/agentloop/prompts"
)

var update = flag.Bool("update", false, "rewrite what the line cases expect")

// TestLine plays the archives of testdata/line: a behaviour each, from the reply
// to the next message. See the README there.
func TestLine(t *testing.T) {
	files, err := filepath.Glob("../testdata/line/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no line cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c := readLineCase(t, txtar.Parse(text))
			got := txtar.Format(c.play(t))
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := gocmp.Diff(string(text), string(got)); diff != "" {
				t.Errorf("go test ./loop -run TestLine -update rewrites it (-want +got):\n%s", diff)
			}
		})
	}
}

// lineCase is one archive. What it expects is made anew when it is played.
type lineCase struct {
	comment   []byte
	task      loop.Task
	before    map[string]string
	given     []txtar.File // sections that play writes back as they were
	replies   []string
	checks    []string // "STATUS\nOUTPUT", the first before round 1
	finish    map[int]loop.Finish
	protect   []string
	untracked []string
	valid     loop.Validator
	prompts   []string // as they were sent
}

func readLineCase(t *testing.T, a *txtar.Archive) *lineCase {
	c := &lineCase{comment: a.Comment, before: map[string]string{}, finish: map[int]loop.Finish{}}
	c.task = loop.Task{Text: "the task", Format: "search-replace", Budget: loop.Budget{Rounds: 5}}
	settings := ""
	for _, f := range a.Files {
		kind, name, _ := strings.Cut(f.Name, "/")
		switch kind {
		case "before":
			c.before[name] = unwrite(string(f.Data))
		case "reply":
			c.replies = append(c.replies, unwrite(string(f.Data)))
		case "check":
			c.checks = append(c.checks, string(f.Data))
			c.task.Checks = []string{"make check"}
		case "set":
			settings = string(f.Data)
		case "feedback", "prompt", "after", "verdict", "outcomes", "suggestions", "answers":
			continue
		default:
			t.Fatalf("unknown section %q", f.Name)
		}
		c.given = append(c.given, f)
	}
	for path := range c.before {
		c.task.Files = append(c.task.Files, path)
	}
	slices.Sort(c.task.Files)
	c.set(t, settings)
	return c
}

// unwrite gives what a section of text stands for: «CR» at a line's end is a
// carriage return, «no newline» at the end takes the last newline away, «BOM» and
// «NUL» are what they say.
func unwrite(s string) string {
	s = strings.ReplaceAll(s, "«CR»\n", "\r\n")
	s = strings.ReplaceAll(s, "«BOM»", "\ufeff")
	s = strings.ReplaceAll(s, "«NUL»", "\x00")
	return strings.TrimSuffix(strings.ReplaceAll(s, "«no newline»\n", "«no newline»"), "«no newline»")
}

// write is the inverse of unwrite.
func write(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "«CR»\n")
	s = strings.ReplaceAll(s, "\ufeff", "«BOM»")
	s = strings.ReplaceAll(s, "\x00", "«NUL»")
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "«no newline»\n"
	}
	return s
}

// set reads "key value" lines that change the task.
func (c *lineCase) set(t *testing.T, text string) {
	if text == "" {
		return
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "rounds":
			c.task.Budget.Rounds, _ = strconv.Atoi(value)
		case "tokens":
			c.task.Budget.Tokens, _ = strconv.Atoi(value)
		case "format":
			c.task.Format = value
		case "matching":
			c.task.Edits.Matching = edits.Matching(value)
		case "after_failed_block":
			c.task.Edits.OnFailed = edits.OnFailed(value)
		case "file_operations":
			c.task.Edits.FileOps = edits.FileOps(value)
		case "untracked":
			c.untracked = append(c.untracked, value)
		case "dry_run":
			c.task.DryRun = true
		case "validate":
			c.valid = parses{}
		case "tools":
			c.task.Format, c.task.Tools = "tools", prompts.ToolNames()
		case "looks":
			c.task.Looks, _ = strconv.Atoi(value)
		case "hide": // the task does not name this file
			c.task.Files = slices.DeleteFunc(c.task.Files, func(p string) bool { return p == value })
		case "read":
			c.task.Files = slices.DeleteFunc(c.task.Files, func(p string) bool { return p == value })
			c.task.ReadOnly = append(c.task.ReadOnly, value)
		case "calls":
			c.task.Budget.Calls, _ = strconv.Atoi(value)
		case "protect":
			c.protect = append(c.protect, value)
		case "length": // this reply runs out of tokens
			n, _ := strconv.Atoi(value)
			c.finish[n] = loop.FinishLength
		default:
			t.Fatalf("unknown setting %q", line)
		}
	}
}

// play runs the case and gives the archive as it should read.
func (c *lineCase) play(t *testing.T) *txtar.Archive {
	tree := lineTree{&loop.Overlay{Under: c.under}, c.untracked}
	r := loop.Runner{Model: c, Tree: tree, Shell: c, Valid: c.valid, Find: c.find}
	run, err := r.Run(context.Background(), c.task)
	if err != nil {
		t.Fatal(err)
	}
	a := &txtar.Archive{Comment: c.comment, Files: c.given}
	add := func(name, text string) { a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)}) }
	for _, round := range run.Rounds {
		if len(round.Steps) > 0 {
			add(fmt.Sprintf("answers/%d", round.N), write(answers(round)))
		}
		add(fmt.Sprintf("outcomes/%d", round.N), outcomes(round))
		if round.Feedback != "" {
			add(fmt.Sprintf("feedback/%d", round.N), write(round.Feedback))
		}
	}
	if c.task.Looks > 0 {
		for i, p := range c.prompts {
			add(fmt.Sprintf("prompt/%d", i+1), write(seen(p)))
		}
	}
	for _, path := range slices.Sorted(slices.Values(run.Changed)) {
		content, err := tree.Read(path)
		if err != nil {
			content = "«gone»\n"
		}
		add("after/"+path, write(content))
	}
	add("verdict", fmt.Sprintf("%s %d: %s\n", run.Verdict.Status, run.Verdict.Exit, run.Verdict.Why))
	if len(run.Suggest) > 0 {
		add("suggestions", strings.Join(run.Suggest, "\n")+"\n")
	}
	return a
}

// lineTree is a tree in memory, all of it tracked but for some files.
type lineTree struct {
	*loop.Overlay
	untracked []string
}

func (l lineTree) Tracked(path string) (bool, error) { return !slices.Contains(l.untracked, path), nil }

// seen gives the headings of a prompt and what the model asked for.
func seen(prompt string) string {
	var b strings.Builder
	all := false
	for line := range strings.Lines(prompt) {
		if strings.HasPrefix(line, "# ") {
			all = line == "# What you asked for\n"
		}
		if all || strings.HasPrefix(line, "## ") || strings.HasPrefix(line, "Not shown") || strings.HasPrefix(line, "By you") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// answers writes what was answered to a round's calls.
func answers(r loop.Round) string {
	var b strings.Builder
	for i, s := range r.Steps {
		for _, a := range s.Answers {
			fmt.Fprintf(&b, "── to reply %d\n%s\n", i+1, strings.TrimRight(a, "\n"))
		}
	}
	return b.String()
}

// withCalls takes the lines "@call NAME ARGUMENTS" out of a reply.
func withCalls(text string) (words string, calls []loop.Call) {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "@call ")
		if !ok {
			words += line
			continue
		}
		name, args, _ := strings.Cut(strings.TrimSpace(rest), " ")
		calls = append(calls, loop.Call{ID: fmt.Sprint("call_", len(calls)+1), Name: name, Arguments: args})
	}
	return words, calls
}

func outcomes(r loop.Round) string {
	var b strings.Builder
	for _, o := range r.Outcomes {
		b.WriteString(strings.Join(strings.Fields(fmt.Sprintf("%s %s:%d %s %s",
			o.Status, cmp.Or(o.Block.Command(), o.Block.Path, "-"), o.Line, o.Tier, o.Reason)), " ") + "\n")
	}
	return b.String()
}

// parses is the validator of cases that set one.
type parses struct{}

func (parses) Validate(ctx context.Context, c edits.Change) loop.Finding {
	p := (&syntax.Validator{}).Validate(ctx, c.Path, c.Before, c.After, c.Existed)
	if p == nil {
		return loop.Finding{}
	}
	return loop.Finding{Problem: &edits.Problem{Line: p.Line, Column: p.Column, Message: p.Language + ": " + p.Message}}
}

func (c *lineCase) under(path string) (string, error) {
	if slices.Contains(c.protect, path) {
		return "", &edits.Refusal{Path: path, Reason: edits.PathRefused, Why: "protected"}
	}
	if text, ok := c.before[path]; ok {
		return text, nil
	}
	return "", fmt.Errorf("%s: %w", path, fs.ErrNotExist)
}

// find lists the case's files; a glob is one of path.Match.
func (c *lineCase) find(_ context.Context, glob string, also []string) ([]string, error) {
	var out []string
	also = append(also, slices.Collect(maps.Keys(c.before))...)
	slices.Sort(also)
	for _, p := range slices.Compact(also) {
		if ok, _ := path.Match(glob, p); ok || glob == "" {
			out = append(out, p)
		}
	}
	return out, nil
}

// Complete plays the next reply, in chunks of seven bytes.
func (c *lineCase) Complete(_ context.Context, req loop.Request) (loop.Reply, error) {
	if err := req.Reserve(); err != nil {
		return loop.Reply{}, err
	}
	c.prompts = append(c.prompts, req.User)
	n := len(c.replies)
	if n == 0 {
		return loop.Reply{}, &loop.ModelError{Kind: loop.TroubleUnavailable, Detail: "the script is at its end"}
	}
	text, calls := withCalls(c.replies[0])
	c.replies = c.replies[1:]
	for rest := text; rest != ""; {
		k := min(7, len(rest))
		req.Chunk(rest[:k])
		rest = rest[k:]
	}
	played := 0
	for _, f := range c.given {
		if strings.HasPrefix(f.Name, "reply/") {
			played++
		}
	}
	return loop.Reply{Text: text, Calls: calls, Finish: c.finish[played-n+1], Usage: loop.Usage{Requests: 1, Prompt: len(req.System+req.User) / 4, Completion: len(text) / 4}}, nil
}

// Run plays the next check.
func (c *lineCase) Run(_ context.Context, command string) (feedback.CheckRun, error) {
	if len(c.checks) == 0 {
		return feedback.CheckRun{}, fmt.Errorf("no further check was expected")
	}
	status, output, _ := strings.Cut(c.checks[0], "\n")
	c.checks = c.checks[1:]
	run := feedback.CheckRun{Command: command, Head: output}
	switch status {
	case "timeout":
		run.Exit, run.TimedOut = -1, true
	default:
		run.Exit, _ = strconv.Atoi(status)
	}
	return run, nil
}
