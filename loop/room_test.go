package loop_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
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
	if got := fmt.Sprint(headings(prompts[1])); got != "[second.go best.go large.txt, lines 30-70 of 1002 large.txt, lines 81-122 of 1002 large.txt, lines 902-1002 of 1002]" {
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

// New evidence adds to what is shown, at its end. Where no check has spoken since,
// there is none, and nobody is asked.
func TestNewEvidenceAdds(t *testing.T) {
	files := map[string]string{"a.txt": "one\n", "b.txt": "two\n"}
	var last []string
	model := played{says("Hm."), says("c.txt\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n"), func(ctx context.Context, req loop.Request) (loop.Reply, error) {
		last = headings(req.User)
		return says(edit("a.txt", "one", "1"))(ctx, req)
	}}
	asked := 0
	r := loop.Runner{Model: &model, Tree: tree(files), Shell: exits(1), Choose: func(_ context.Context, need loop.Need) (loop.Context, error) {
		if asked++; len(need.Checks) != 1 {
			t.Errorf("%d checks have spoken", len(need.Checks))
		}
		if len(need.Shown) == 0 {
			return loop.Context{Picks: []loop.Pick{{Path: "b.txt", Why: "first"}}}, nil
		}
		return loop.Context{Picks: []loop.Pick{{Path: "b.txt", Why: "again"}, {Path: "a.txt", Why: "then"}}}, nil
	}}
	do := unnamed(3)
	do.Checks = []string{"make"}
	if _, err := r.Run(t.Context(), do); err != nil || fmt.Sprint(last) != "[b.txt a.txt c.txt]" {
		t.Errorf("%v, %v", last, err)
	}
	if asked != 2 {
		t.Errorf("asked %d times: before the first round and after the one with checks it makes 2", asked)
	}
}

// asked keeps the prompts that a played model gets.
func asked(prompts *[]string, replies ...string) loop.Model {
	model := played{}
	for _, text := range replies {
		model = append(model, func(ctx context.Context, req loop.Request) (loop.Reply, error) {
			*prompts = append(*prompts, req.User)
			return says(text)(ctx, req)
		})
	}
	return &model
}

// A file that is shown in parts has one for each place that changed; each part
// keeps its lines, whichever version it was asked for in, and all of the file
// wins over parts of it.
func TestPartsOfChangedFile(t *testing.T) {
	more := "line 3" + strings.Repeat("\nmore", 300)
	for name, c := range map[string]struct {
		replies []string
		want    string // what the last prompt shows
	}{
		"two places":     {[]string{edit("a.txt", "line 3", "three") + edit("a.txt", "line 4990", "last"), "No."}, "[a.txt, lines 1-23 of 5000 a.txt, lines 1000-1010 of 5000 a.txt, lines 4970-5000 of 5000]"},
		"two versions":   {[]string{edit("a.txt", "line 3", more), "SHOW a.txt:2000-2010\n", "No."}, "[a.txt, lines 1-323 of 5300 a.txt, lines 1300-1310 of 5300 a.txt, lines 2000-2010 of 5300]"},
		"whole":          {[]string{"SHOW b.txt:5-6\n", "SHOW b.txt\n", edit("b.txt", "line 3", "three"), "No."}, "[a.txt, lines 1000-1010 of 5000 b.txt]"},
		"lines are gone": {[]string{edit("a.txt", "line 1004\nline 1005\nline 1006", "line 1004"), "No."}, "[a.txt, lines 985-1024 of 4998]"},
	} {
		t.Run(name, func(t *testing.T) {
			var prompts []string
			r := chosen(map[string]string{"a.txt": numbers(5000), "b.txt": numbers(500)}, asked(&prompts, c.replies...), loop.Pick{Path: "a.txt", Spans: []loop.Span{{From: 1000, To: 1010}}})
			r.Shell = exits(1)
			do := unnamed(2)
			do.Checks, do.Looks = []string{"make"}, 3
			if _, err := r.Run(t.Context(), do); err != nil || len(prompts) != len(c.replies) {
				t.Fatalf("%v after %d prompts", err, len(prompts))
			}
			if got := fmt.Sprint(headings(prompts[len(prompts)-1])); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// A large file that the run came upon by itself is shown where it changed, under
// its new name too; what is left out of it is told.
func TestLargeFileChanged(t *testing.T) {
	var many strings.Builder
	for i := range 25 {
		many.WriteString(edit("large.txt", fmt.Sprintf("line %d", 100*i+50), "changed"))
	}
	for name, c := range map[string]struct{ reply, shown, omitted string }{
		"one place":   {edit("large.txt", "line 777", "changed"), "[large.txt, lines 757-797 of 5000]", ""},
		"many places": {many.String(), "large.txt, lines 1930-1970 of 5000]", "5 more changed places in large.txt"},
		"renamed":     {"`git mv large.txt new.txt`\n" + edit("new.txt", "line 777", "changed"), "[new.txt, lines 757-797 of 5000]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var prompts []string
			do := task(2)
			do.Files, do.Checks, do.Edits.FileOps = nil, []string{"make"}, edits.OpsApply
			r := loop.Runner{Model: asked(&prompts, c.reply, "No."), Tree: tree(map[string]string{"large.txt": numbers(5000)}), Shell: exits(1)}
			if run, err := r.Run(t.Context(), do); err != nil || len(prompts) != 2 {
				t.Fatalf("%+v, %v after %d prompts", run.Verdict, err, len(prompts))
			}
			if got := fmt.Sprint(headings(prompts[1])); !strings.HasSuffix(got, c.shown) || !strings.Contains(prompts[1], c.omitted) {
				t.Errorf("%s\n%s", got, prompts[1])
			}
		})
	}
}

// Where there is nothing else to leave out, a file that the run changed is cut.
func TestChangedFileIsCut(t *testing.T) {
	var prompts []string
	replies := asked(&prompts, edit("a.txt", "line 777", strings.Repeat("and more\n", 400)), "No.")
	model := modelFunc(func(ctx context.Context, req loop.Request) (loop.Reply, error) {
		if len(req.User) > 30_000 {
			return loop.Reply{}, &loop.ModelError{Kind: loop.TroubleContext, Detail: "too long"}
		}
		return replies.Complete(ctx, req)
	})
	r := chosen(map[string]string{"a.txt": numbers(3000)}, model, loop.Pick{Path: "a.txt"})
	r.Shell = exits(1)
	do := unnamed(2)
	do.Checks = []string{"make"}
	if _, err := r.Run(t.Context(), do); err != nil || len(prompts) != 2 {
		t.Fatalf("%v after %d prompts", err, len(prompts))
	}
	if got := fmt.Sprint(headings(prompts[1])); got != "[a.txt, lines 757-1197 of 3400]" {
		t.Error(got)
	}
}
