package loop_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/loop"
	"github.com/agentloop/agentloop/prompts"
)

// calls answers with one call of a tool.
func calls(name, args string) func(context.Context, loop.Request) (loop.Reply, error) {
	return func(context.Context, loop.Request) (loop.Reply, error) {
		return loop.Reply{Calls: []loop.Call{{ID: "1", Name: name, Arguments: args}}, Finish: loop.FinishStop, Usage: loop.Usage{Requests: 1, Prompt: 10, Completion: 10}}, nil
	}
}

func toolTask(rounds int, checks ...string) loop.Task {
	t := task(rounds)
	t.Format, t.Tools, t.Checks, t.Files = prompts.FormatTools, prompts.ToolNames(), checks, []string{"a.txt"}
	return t
}

const twoToDeux = `{"path":"a.txt","old":"two","new":"deux"}`

// What was edited before the model went away, or the budget was used up, goes in
// when the round closes; it is done only if a check says so.
func TestModelGoesAwayAfterEdits(t *testing.T) {
	for name, c := range map[string]struct {
		last   func(context.Context, loop.Request) (loop.Reply, error)
		checks shell
		status loop.Status
	}{
		"trouble, no check":         {fails(loop.TroubleUnavailable), nil, loop.TryLater},
		"trouble, the check passes": {fails(loop.TroubleUnavailable), turns(1, 0), loop.Done},
		"trouble, the check fails":  {fails(loop.TroubleUnavailable), turns(1, 1), loop.TryLater},
	} {
		t.Run(name, func(t *testing.T) {
			under := tree(map[string]string{"a.txt": "one\ntwo\n"})
			model := played{calls("edit", twoToDeux), c.last}
			r := loop.Runner{Model: &model, Tree: under, Shell: c.checks}
			do := toolTask(3)
			if c.checks != nil {
				do.Checks = []string{"make"}
			}
			run, err := r.Run(t.Context(), do)
			if err != nil || run.Verdict.Status != c.status {
				t.Errorf("%s: %s, %v", run.Verdict.Status, run.Verdict.Why, err)
			}
			if got, _ := under.Read("a.txt"); got != "one\ndeux\n" || len(run.Changed) != 1 {
				t.Errorf("a.txt holds %q, changed %v", got, run.Changed)
			}
		})
	}
}

// A signal in the middle of a round leaves the tree as it was before it.
func TestInterruptedBetweenCalls(t *testing.T) {
	under := tree(map[string]string{"a.txt": "one\ntwo\n"})
	ctx, stop := context.WithCancel(t.Context())
	model := played{calls("edit", twoToDeux), func(ctx context.Context, _ loop.Request) (loop.Reply, error) {
		stop()
		return loop.Reply{}, ctx.Err()
	}}
	run, err := (&loop.Runner{Model: &model, Tree: under}).Run(ctx, toolTask(3))
	if got, _ := under.Read("a.txt"); err != nil || run.Verdict.Status != loop.Interrupted || got != "one\ntwo\n" {
		t.Errorf("%s, %v: %q", run.Verdict.Status, err, got)
	}
}

// The budget of calls closes the round, and without a check that says so it is
// not done: the model was not.
func TestCallsAreUsedUp(t *testing.T) {
	model := played{calls("edit", twoToDeux)}
	do := toolTask(1)
	do.Budget.Calls = 1
	run, err := (&loop.Runner{Model: &model, Tree: tree(map[string]string{"a.txt": "one\ntwo\n"})}).Run(t.Context(), do)
	if err != nil || run.Verdict.Status != loop.EditsOpen || !strings.Contains(run.Verdict.Why, "used up") {
		t.Errorf("%+v, %v", run.Verdict, err)
	}
}

// While a round lasts the model edits what it read; if somebody else wrote the
// file meanwhile, that is found when the round closes, and nothing of his is lost.
func TestSomebodyWritesDuringTheRound(t *testing.T) {
	files := map[string]string{"a.txt": "one\ntwo\n"}
	model := played{
		calls("edit", twoToDeux),
		func(ctx context.Context, req loop.Request) (loop.Reply, error) {
			files["a.txt"] = "somebody\none\ntwo\n"
			return says("All is in.")(ctx, req)
		},
	}
	under := tree(files)
	run, err := (&loop.Runner{Model: &model, Tree: under}).Run(t.Context(), toolTask(1))
	if err != nil || run.Verdict.Status != loop.EditsOpen || run.Rounds[0].Outcomes[0].Reason != edits.ChangedOnDisk {
		t.Errorf("%+v, %v", run.Verdict, err)
	}
	if got, _ := under.Read("a.txt"); got != "somebody\none\ntwo\n" {
		t.Errorf("a.txt holds %q", got)
	}
}

// Line numbers that were counted in the prompt are not taken for a file that
// somebody has changed since, unless a guard holds or the model reads it again.
func TestNumbersOfAChangedFile(t *testing.T) {
	for name, c := range map[string]struct {
		first, args string
		want        string
	}{
		"no guard":         {"", `{"path":"a.txt","start_line":2,"end_line":2,"content":"deux"}`, "zero\none\ntwo\n"},
		"a guard that is":  {"", `{"path":"a.txt","start_line":3,"end_line":3,"content":"deux","guard":"two"}`, "zero\none\ndeux\n"},
		"a guard that was": {"", `{"path":"a.txt","start_line":2,"end_line":2,"content":"deux","guard":"two"}`, "zero\none\ntwo\n"},
		"read again":       {`{"path":"a.txt"}`, `{"path":"a.txt","start_line":3,"end_line":3,"content":"deux"}`, "zero\none\ndeux\n"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"a.txt": "one\ntwo\n"}
			model := played{func(ctx context.Context, req loop.Request) (loop.Reply, error) {
				files["a.txt"] = "zero\none\ntwo\n"
				return calls("list_files", "{}")(ctx, req)
			}}
			if c.first != "" {
				model = append(model, calls("read_file", c.first))
			}
			model = append(model, calls("edit_lines", c.args), says("All is in."))
			under := tree(files)
			if _, err := (&loop.Runner{Model: &model, Tree: under}).Run(t.Context(), toolTask(1)); err != nil {
				t.Fatal(err)
			}
			if got, _ := under.Read("a.txt"); got != c.want {
				t.Errorf("a.txt holds %q, not %q", got, c.want)
			}
		})
	}
}

// Long files come in pages, and the tools say what they leave out.
func TestLongAnswers(t *testing.T) {
	files := map[string]string{"long.txt": strings.Repeat("a line\n", 2000), "wide.txt": strings.Repeat("x", 5000) + "\n", "bin": "\x00"}
	var answers []string
	last := func(_ context.Context, req loop.Request) (loop.Reply, error) {
		answers = req.Steps[0].Answers
		return loop.Reply{Text: "So.", Finish: loop.FinishStop}, nil
	}
	model := played{func(context.Context, loop.Request) (loop.Reply, error) {
		var r loop.Reply
		for _, args := range []string{`{"path":"long.txt"}`, `{"path":"long.txt","start_line":1601}`, `{"path":"wide.txt"}`, `{"path":"bin"}`} {
			r.Calls = append(r.Calls, loop.Call{Name: "read_file", Arguments: args})
		}
		r.Calls = append(r.Calls, loop.Call{Name: "search", Arguments: `{"pattern":"^a l"}`}, loop.Call{Name: "list_files", Arguments: "{}"})
		return r, nil
	}, last}
	many := make([]string, 600)
	for i := range many {
		many[i] = "long.txt"
	}
	r := loop.Runner{Model: &model, Tree: tree(files), Find: func(context.Context, string, []string) ([]string, error) { return many, nil }}
	if _, err := r.Run(t.Context(), toolTask(1)); err != nil {
		t.Fatal(err)
	}
	for i, says := range []string{
		"[1200 lines more: read_file with start_line 801]", "long.txt, lines 1601-2000 of 2000", "… (3000 bytes more)", "is a binary file",
		"[more: 1 of 600 files searched; narrow the pattern or give a glob]", "[100 files more: give a glob]",
	} {
		if !strings.Contains(answers[i], says) {
			t.Errorf("%q is not in %.300q…", says, answers[i])
		}
	}
}

// What the tree itself cannot do is an error of ours, not an answer.
func TestTreeFailsDuringTheRound(t *testing.T) {
	broken := errors.New("no disk")
	under := &loop.Overlay{Under: func(string) (string, error) { return "", broken }}
	model := played{calls("edit", twoToDeux)}
	do := toolTask(1)
	do.Files = nil
	if _, err := (&loop.Runner{Model: &model, Tree: under}).Run(t.Context(), do); !errors.Is(err, broken) || errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// Words that close a round tell of edits: a file or a diff among them is none.
func TestClosingWordsEditNothing(t *testing.T) {
	for name, words := range map[string]string{
		"path above": "a.txt\n```\ndeux\n```\n",
		"fence":      "```text:a.txt\ndeux\n```\n",
		"marker":     "FILE: a.txt\n```\ndeux\n```\n",
		"diff":       "```diff\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-three\n+trois\n```\n",
	} {
		t.Run(name, func(t *testing.T) {
			under := tree(map[string]string{"a.txt": "one\ntwo\n", "b.txt": "three\n"})
			model := played{calls("edit", twoToDeux), says("I changed this:\n\n" + words)}
			run, err := (&loop.Runner{Model: &model, Tree: under}).Run(t.Context(), toolTask(1))
			if got, _ := under.Read("a.txt"); err != nil || got != "one\ndeux\n" || len(run.Changed) != 1 {
				t.Errorf("%q, %v, %v", got, run.Changed, err)
			}
		})
	}
}

// A model's pattern or glob cannot keep a run from ending.
func TestHostilePatterns(t *testing.T) {
	var answers []string
	model := played{func(context.Context, loop.Request) (loop.Reply, error) {
		var r loop.Reply
		for _, args := range []string{
			`{"pattern":"` + strings.Repeat("(?:a?){1000}", 20) + `b"}`, `{"pattern":"` + strings.Repeat("x", 600) + `"}`,
			`{"pattern":"a","glob":"` + strings.Repeat("{*,?*}", 30) + `#"}`, `{"pattern":"((a{100}){100}){100}"}`,
		} {
			r.Calls = append(r.Calls, loop.Call{Name: "search", Arguments: args})
		}
		return r, nil
	}, func(_ context.Context, req loop.Request) (loop.Reply, error) {
		answers = req.Steps[0].Answers
		return loop.Reply{Text: "So.", Finish: loop.FinishStop}, nil
	}}
	r := loop.Runner{Model: &model, Tree: tree(map[string]string{"a.txt": strings.Repeat("a", 400_000)}), Find: func(context.Context, string, []string) ([]string, error) { return []string{"a.txt"}, nil }}
	if _, err := r.Run(t.Context(), toolTask(1)); err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		if !strings.HasPrefix(a, "failed: ") {
			t.Errorf("%.200q", a)
		}
	}
}

// What somebody wrote during a round is not overwritten by an edit that was made
// without having seen it.
func TestOthersLinesStay(t *testing.T) {
	const was, is = "one\ntwo\nthree\nfour\nfive\n", "one\ntwo\nMINE\nfour\nfive\n"
	range24 := `{"path":"a.txt","start_line":2,"end_line":4,"content":"X","guard":%s}`
	for name, steps := range map[string][][2]string{
		"both ends":     {{"edit_lines", fmt.Sprintf(range24, `["two","four"]`)}},
		"first line":    {{"edit_lines", fmt.Sprintf(range24, `"two"`)}},
		"another page":  {{"read_file", `{"path":"a.txt","start_line":5}`}, {"edit_lines", fmt.Sprintf(range24, `null`)}},
		"no page":       {{"read_file", `{"path":"a.txt","start_line":50}`}, {"edit_lines", fmt.Sprintf(range24, `null`)}},
		"found, no tag": {{"search", `{"pattern":"four"}`}, {"edit_lines", fmt.Sprintf(range24, `null`)}},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"a.txt": was}
			model := played{func(ctx context.Context, req loop.Request) (loop.Reply, error) {
				files["a.txt"] = is
				return calls("list_files", "{}")(ctx, req)
			}}
			for _, s := range steps {
				model = append(model, calls(s[0], s[1]))
			}
			model = append(model, says("All is in."))
			under := tree(files)
			r := loop.Runner{Model: &model, Tree: under, Find: func(context.Context, string, []string) ([]string, error) { return []string{"a.txt"}, nil }}
			if _, err := r.Run(t.Context(), toolTask(1)); err != nil {
				t.Fatal(err)
			}
			if got, _ := under.Read("a.txt"); got != is {
				t.Errorf("%q", got)
			}
		})
	}
}

// A preview refuses what the edit itself would.
func TestPreviewOfAMovedFile(t *testing.T) {
	args := `{"path":"a.txt","start_line":2,"end_line":4,"content":"X","guard":["two","four"]%s}`
	for _, dry := range []string{"", `,"dry_run":true`} {
		files := map[string]string{"a.txt": "one\ntwo\nthree\nfour\n"}
		answer := ""
		model := played{func(ctx context.Context, req loop.Request) (loop.Reply, error) {
			files["a.txt"] = "one\ntwo\nMINE\nfour\n"
			return calls("edit_lines", fmt.Sprintf(args, dry))(ctx, req)
		}, func(ctx context.Context, req loop.Request) (loop.Reply, error) {
			answer = req.Steps[0].Answers[0]
			return says("So.")(ctx, req)
		}}
		if _, err := (&loop.Runner{Model: &model, Tree: tree(files)}).Run(t.Context(), toolTask(1)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(answer, "failed (stale-target)") {
			t.Errorf("dry run %q: %s", dry, answer)
		}
	}
}

// The tools that prompts offer are those that edits read and the round answers.
func TestOfferedToolsAreKnown(t *testing.T) {
	for _, name := range prompts.ToolNames() {
		if _, changes := edits.ReadCall(name, "{}"); changes == edits.Looks(name) {
			t.Errorf("%s: edits %v, looks %v", name, changes, edits.Looks(name))
		}
	}
}
