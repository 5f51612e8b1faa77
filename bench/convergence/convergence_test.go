package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/standin"
)

// TestMain lets the test program stand in for agentloop: started as one of the
// programs below, it plays this part instead of running tests.
func TestMain(m *testing.M) {
	switch os.Getenv("PLAY") {
	case "good":
		fake("")
	case "spoils":
		fake("spoils")
	case "hangs":
		time.Sleep(time.Minute)
	case "broken":
		fmt.Fprintln(os.Stderr, "agentloop: unknown flag --json")
		os.Exit(2)
	default:
		os.Exit(m.Run())
	}
}

// fake is a program that asks once and applies what it gets.
func fake(habit string) {
	url, task := "", ""
	for i, arg := range os.Args {
		switch arg {
		case "--base-url":
			url = os.Args[i+1]
		case "--":
			task = os.Args[i+1]
		}
	}
	body, _ := json.Marshal(map[string]any{"messages": []any{
		map[string]any{"role": "system", "content": "Edit format: search-replace"}, map[string]any{"role": "user", "content": task},
	}})
	resp, err := http.Post(url+"/chat/completions", "application/json", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	b, _ := io.ReadAll(resp.Body)
	var answer struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.Unmarshal(b, &answer); err != nil {
		panic(err)
	}
	res, err := edits.Apply(edits.Parse(answer.Choices[0].Message.Content), func(path string) (string, error) {
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return "", fs.ErrNotExist
		}
		return string(b), err
	}, edits.Settings{})
	if err != nil {
		panic(err)
	}
	files := map[string]string{}
	for _, c := range res.Changes {
		if files[c.Path] = c.After; habit == "spoils" {
			files[c.Path] += "junk\n"
		}
	}
	if err := write(".", files); err != nil {
		panic(err)
	}
	fmt.Println(`{"event":"round.started","round":1}`)
	fmt.Println(`{"event":"edit.outcome","path":"p","status":"failed","reason":"not-found","old":"x"}`)
	fmt.Println(`{"event":"run.completed","verdict":{"status":"done"}}`)
}

// bench runs the whole bench on our own pairs with one of the fake programs.
func bench(t *testing.T, program string, args ...string) (ok bool, scores []score, text string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), program)
	// A program built with -race sleeps a second at its end unless told otherwise.
	script := fmt.Sprintf("#!/bin/sh\nPLAY=%s GORACE=atexit_sleep_ms=0 exec '%s' \"$@\"\n", program, self)
	if err := os.WriteFile(bin, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"--bin", bin, "--tasks", "../../testdata/pairs"}, args...)
	set, err := parse(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if ok, err = run(t.Context(), set, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if set.asJSON {
		if err := json.Unmarshal([]byte(out.String()), &scores); err != nil {
			t.Fatal(err)
		}
	}
	return ok, scores, out.String()
}

func TestGoodProgram(t *testing.T) {
	ok, scores, _ := bench(t, "good", "--json", "--mix", "none,api", "--limit", "3")
	if !ok || len(scores) != 2 {
		t.Fatalf("ok %v, %d scores", ok, len(scores))
	}
	none := scores[0]
	if none.N != 3 || none.Gold != 3 || none.Percent != 100 || none.ByRound[0] != 3 || none.MeanRounds != 1 || none.MedianTokens == 0 || none.WrongBytes+none.Lies+none.Doubts+none.Broken != 0 {
		t.Errorf("%+v", none)
	}
	if len(none.Faults) != 1 || none.Faults[0].Name != "none" || none.Faults[0].In != none.Faults[0].N {
		t.Errorf("%+v", none.Faults)
	}
}

func TestNeed(t *testing.T) {
	if ok, _, _ := bench(t, "good", "--mix", "none", "--limit", "2", "--need", "100"); !ok {
		t.Error("all converged, but the need is not met")
	}
	// In this one a block fits two places, which no engine may apply.
	ok, _, text := bench(t, "good", "--mix", "api", "--seed", "4", "--need", "100")
	if ok || !strings.Contains(text, "fault ambiguous") || !strings.Contains(text, "api mix, search-replace, seed 4") {
		t.Errorf("a program of one round repairs nothing:\n%s", text)
	}
}

func TestProgramsThatFail(t *testing.T) {
	for _, test := range []struct {
		program string
		check   func(s score) bool
		says    string
	}{
		{"spoils", func(s score) bool { return s.WrongBytes == 2*len("junk\n") && s.WrongTasks == 2 && s.Lies == 2 }, "wrong bytes: 5 in "},
		{"hangs", func(s score) bool { return s.Hung == 2 && s.Gold == 0 }, "hung"},
		{"broken", func(s score) bool { return s.Broken == 2 && s.Gold == 0 }, "unknown flag --json"},
	} {
		t.Run(test.program, func(t *testing.T) {
			args := []string{"--mix", "none", "--limit", "2", "--timeout", "300ms"}
			if test.program != "hangs" {
				args = args[:4]
			}
			ok, scores, _ := bench(t, test.program, append(args, "--json")...)
			if ok || !test.check(scores[0]) {
				t.Errorf("ok %v, %+v", ok, scores[0])
			}
			if _, _, text := bench(t, test.program, args...); !strings.Contains(text, test.says) {
				t.Errorf("%q is not in\n%s", test.says, text)
			}
		})
	}
}

// One task can be repeated by its id, and everything of it is kept.
func TestKeepOne(t *testing.T) {
	dir := t.TempDir()
	_, scores, _ := bench(t, "good", "--json", "--mix", "api", "--id", "go-handlers-alike", "--keep", dir)
	_, all, _ := bench(t, "good", "--json", "--mix", "api", "--limit", "2")
	if len(scores) != 1 || len(scores[0].Tasks) != 1 {
		t.Fatalf("%+v", scores)
	}
	found := false
	for _, r := range all[0].Tasks {
		found = found || r.ID == "go-handlers-alike"
		if r.ID == "go-handlers-alike" && fmt.Sprint(r.Blocks) != fmt.Sprint(scores[0].Tasks[0].Blocks) {
			t.Error("alone, the task has other faults than among all")
		}
	}
	if !found {
		t.Error("the task is not among all")
	}
	for _, name := range []string{"tree/api/api.go", "start/api/api.go", "gold/api/api.go", "exchange/1-prompt.md", "exchange/1-reply.md", "stdout.jsonl", "stderr.txt"} {
		if _, err := os.Stat(filepath.Join(dir, "api-go-handlers-alike", name)); err != nil {
			t.Error(err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, args := range [][]string{{"--mix", "apy"}, {"extra"}, {"--rounds", "0"}, {"--timeout", "-1s"}} {
		if _, err := parse(args, io.Discard); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
	if set, err := parse([]string{"--id", "none such", "--tasks", "../../testdata/pairs"}, io.Discard); err != nil {
		t.Error(err)
	} else if _, _, err := choose(".", set); err == nil || !strings.Contains(err.Error(), "none such") {
		t.Errorf("no task, but %v", err)
	}
}

func TestSum(t *testing.T) {
	s := score{Rounds: 3, Tasks: []result{
		{ID: "a", Gold: true, Rounds: 1, Status: "done", PromptTokens: 10},
		{ID: "b", Gold: true, Rounds: 3, Status: "edits-open", PromptTokens: 20, Blocks: []standin.Planned{{Fault: standin.Noop}, {}}},
		{ID: "c", Rounds: 3, Status: "done", PromptTokens: 60, Blocks: []standin.Planned{{}, {Fault: standin.Elided}}, Open: []standin.Planned{{Fault: standin.Elided}}},
		{ID: "d", Gold: true, Broken: "no disk", PromptTokens: 0},
	}}
	s.sum()
	if s.Gold != 2 || s.Percent != 50 || fmt.Sprint(s.ByRound) != "[1 1 2]" || s.MeanRounds != 2 || s.MeanTokens != 22.5 || s.MedianTokens != 20 || s.Lies != 1 || s.Doubts != 1 || s.Broken != 1 {
		t.Errorf("%+v", s)
	}
	if got := fmt.Sprint(s.Faults); got != "[{elided 1 0} {none 2 2} {noop 1 1}]" {
		t.Error(got)
	}
}
