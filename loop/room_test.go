package loop_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/loop"
)

// chosen makes a runner whose files are these picks, best first.
func chosen(files map[string]string, model loop.Model, picks ...loop.Pick) *loop.Runner {
	return &loop.Runner{Model: model, Tree: tree(files), Choose: func(_ context.Context, need loop.Need) (loop.Context, error) {
		if len(need.Shown) > 0 {
			return loop.Context{}, nil
		}
		return loop.Context{Picks: slices.Clone(picks), Left: []string{"7 more files of the repository"}}, nil
	}}
}

func unnamed(rounds int) loop.Task {
	t := task(rounds)
	t.Files = nil
	return t
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

// headings gives what a prompt shows of which files.
func headings(prompt string) (all []string) {
	for line := range strings.Lines(prompt) {
		if rest, ok := strings.CutPrefix(line, "## File: "); ok {
			all = append(all, strings.TrimSpace(rest))
		}
	}
	return all
}

// What is most likely to change stands last, so that the front of the prompt
// stays when it does; a file that is shown in parts stays so, and its parts move
// with their lines.
func TestChosenFiles(t *testing.T) {
	files := map[string]string{"best.go": numbers(9), "second.go": "package b\n", "large.txt": numbers(1000)}
	var prompts []string
	keep := func(f func(context.Context, loop.Request) (loop.Reply, error)) func(context.Context, loop.Request) (loop.Reply, error) {
		return func(ctx context.Context, req loop.Request) (loop.Reply, error) {
			prompts = append(prompts, req.User)
			return f(ctx, req)
		}
	}
	model := played{
		keep(says(edit("best.go", "line 5", "line five") + "\n" + edit("large.txt", "line 100", "line 100\nand more\nand more") + "\n" + edit("large.txt", "line 50", "nothing"))),
		keep(says("No more.")),
	}
	r := chosen(files, &model, loop.Pick{Path: "best.go", Why: "named"}, loop.Pick{Path: "second.go", Why: "near"},
		loop.Pick{Path: "large.txt", Why: "large", Spans: []loop.Span{{From: 40, To: 60}, {From: 61, To: 70}, {From: 900, To: 2000}}})
	r.Shell = exits(1)
	do := unnamed(2)
	do.Checks = []string{"make"}
	if _, err := r.Run(t.Context(), do); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(headings(prompts[0])); got != "[large.txt, lines 40-70 of 1000 large.txt, lines 900-1000 of 1000 second.go best.go]" {
		t.Error(got)
	}
	if got := fmt.Sprint(headings(prompts[1])); got != "[second.go best.go large.txt, lines 30-122 of 1002 large.txt, lines 902-1002 of 1002]" {
		t.Error(got)
	}
	if !strings.Contains(prompts[0], "Not shown: 7 more files of the repository") || !strings.Contains(prompts[1], "By you: best.go (changed), large.txt (changed)") {
		t.Errorf("%s", prompts[1])
	}
}

// A prompt over the model's window is cut by rank, whether the window is known or
// learnt from a refusal, and no prompt is sent twice.
func TestPromptOverTheWindow(t *testing.T) {
	files := map[string]string{"a.txt": numbers(3000), "b.txt": numbers(3000), "c.txt": numbers(3000)}
	picks := []loop.Pick{{Path: "a.txt", Why: "a"}, {Path: "b.txt", Why: "b"}, {Path: "c.txt", Why: "c"}}
	t.Run("known", func(t *testing.T) {
		var sent []string
		model := played{func(ctx context.Context, req loop.Request) (loop.Reply, error) {
			sent = headings(req.User)
			return says("No.")(ctx, req)
		}}
		do := unnamed(1)
		do.Budget.Window = 30_000
		if _, err := chosen(files, &model, picks...).Run(t.Context(), do); err != nil || fmt.Sprint(sent) != "[b.txt a.txt]" {
			t.Errorf("%v, %v", sent, err)
		}
	})
	t.Run("learnt", func(t *testing.T) {
		var sent []string
		model := modelFunc(func(ctx context.Context, req loop.Request) (loop.Reply, error) {
			if slices.Contains(sent, req.User) {
				t.Error("the same prompt twice")
			}
			sent = append(sent, req.User)
			if len(req.User) > 40_000 {
				return loop.Reply{}, &loop.ModelError{Kind: loop.TroubleContext, Detail: "too long"}
			}
			return says(edit("a.txt", "line 5", "line five"))(ctx, req)
		})
		run, err := chosen(files, model, picks...).Run(t.Context(), unnamed(1))
		if err != nil || run.Verdict.Status != loop.Done || len(sent) != 3 || fmt.Sprint(headings(sent[2])) != "[a.txt]" {
			t.Errorf("%+v, %v, %d prompts", run.Verdict, err, len(sent))
		}
		if !strings.Contains(sent[2], "2 more files for which there is no room") {
			t.Error("what is left out is not told")
		}
	})
	t.Run("nothing to cut", func(t *testing.T) {
		tries := 0
		model := modelFunc(func(context.Context, loop.Request) (loop.Reply, error) {
			tries++
			return loop.Reply{}, &loop.ModelError{Kind: loop.TroubleContext, Detail: "too long"}
		})
		run, err := chosen(files, model, picks...).Run(t.Context(), unnamed(3))
		if err != nil || run.Verdict.Status != loop.Usable || tries != 3 {
			t.Errorf("%+v, %v after %d tries", run.Verdict, err, tries)
		}
	})
}

// New evidence adds to what is shown, at its end.
func TestNewEvidenceAdds(t *testing.T) {
	files := map[string]string{"a.txt": "one\n", "b.txt": "two\n"}
	var last []string
	model := played{says("Hm."), func(ctx context.Context, req loop.Request) (loop.Reply, error) {
		last = headings(req.User)
		return says(edit("a.txt", "one", "1"))(ctx, req)
	}}
	r := loop.Runner{Model: &model, Tree: tree(files), Shell: exits(1), Choose: func(_ context.Context, need loop.Need) (loop.Context, error) {
		if len(need.Checks) != 1 {
			t.Errorf("%d checks have spoken", len(need.Checks))
		}
		if len(need.Shown) == 0 {
			return loop.Context{Picks: []loop.Pick{{Path: "b.txt", Why: "first"}}}, nil
		}
		return loop.Context{Picks: []loop.Pick{{Path: "b.txt", Why: "again"}, {Path: "a.txt", Why: "then"}}}, nil
	}}
	do := unnamed(2)
	do.Checks = []string{"make"}
	if _, err := r.Run(t.Context(), do); err != nil || fmt.Sprint(last) != "[b.txt a.txt]" {
		t.Errorf("%v, %v", last, err)
	}
}
