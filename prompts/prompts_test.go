package prompts_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/prompts"
)

// TestExamples parses and applies every worked example that a model is shown:
// what we teach must work, on a file that holds its old side.
func TestExamples(t *testing.T) {
	for _, format := range prompts.Formats() {
		if format == prompts.FormatTools {
			continue // TestToolExamples
		}
		system := render(t, prompts.Set{}, prompts.Input{Format: format, Task: "t"}).System
		_, examples, ok := strings.Cut(system, "# Examples\n")
		if !ok {
			t.Fatalf("%s: no examples", format)
		}
		kinds := map[string]bool{}
		for _, b := range edits.Parse(examples) {
			if b.Fault != "" || string(b.Format) != format {
				t.Errorf("%s: line %d parses as %s, %q", format, b.Line, b.Format, b.Fault)
				continue
			}
			kinds[kindOf(b)] = true
			apply(t, b)
		}
		for _, kind := range []string{"change", "insert", "delete", "create"} {
			if !kinds[kind] {
				t.Errorf("%s: no example of: %s", format, kind)
			}
		}
	}
}

// TestToolExamples does the same for calls, on the file that they speak of.
func TestToolExamples(t *testing.T) {
	system := render(t, prompts.Set{}, prompts.Input{Format: prompts.FormatTools, Tools: prompts.ToolNames(), Task: "t"}).System
	_, examples, _ := strings.Cut(system, "# Examples\n")
	const math = "import os\n\n\ndef multiply(a, b):\n    return a + b\n\n    log(a)\n    debug(a)\n"
	result, err := edits.Apply(edits.Parse(examples), func(path string) (string, error) {
		if path == "src/math.py" {
			return math, nil
		}
		return "", fs.ErrNotExist
	}, edits.Settings{})
	if err != nil || len(result.Outcomes) != 5 || !result.OK() || len(result.Changes) != 2 {
		t.Fatalf("%v, %+v", err, result.Outcomes)
	}
	if got := result.Changes[0].After; got != "import os\nimport sys\n\n\ndef multiply(a, b=1):\n    return a * b\n\n" {
		t.Errorf("%q", got)
	}
	for _, without := range []string{"edit", "edit_lines"} {
		names := slices.DeleteFunc(prompts.ToolNames(), func(n string) bool { return n == without })
		system := render(t, prompts.Set{}, prompts.Input{Format: prompts.FormatTools, Tools: names, Task: "t"}).System
		if strings.Contains(system, `"tool": "`+without+`"`) || strings.Contains(system, "- "+without+" is") {
			t.Errorf("%s is taught although it is not offered", without)
		}
	}
}

// What a tool takes stands in its schema, and a user's own is checked.
func TestTools(t *testing.T) {
	tools, err := prompts.Set{}.Tools(prompts.ToolNames())
	if err != nil || len(tools) != len(prompts.ToolNames()) {
		t.Fatal(err)
	}
	size := 0
	for _, tool := range tools {
		size += len(tool.Description) + len(tool.Parameters)
	}
	if size > 3<<10 {
		t.Errorf("the tools cost %d bytes in every request", size)
	}
	for text, says := range map[string]string{
		`{"name": "undo"`:                     "unexpected end",
		`{"name": "undone", "parameters":{}}`: `must have name "undo"`,
	} {
		own := prompts.Set{Override: fstest.MapFS{"tool/undo.json": {Data: []byte(text)}}}
		if _, err := own.Tools([]string{"undo"}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := (prompts.Set{}).Tools([]string{"bash"}); err == nil {
		t.Error("there is a tool bash")
	}
}

// kindOf tells the operations of a format apart.
func kindOf(b edits.Block) string {
	old, new := strings.Join(b.Old, "\n"), strings.Join(b.New, "\n")
	switch {
	case old == "":
		return "create"
	case strings.HasPrefix(new, old):
		return "insert"
	case len(b.New) < len(b.Old):
		return "delete"
	}
	return "change"
}

// apply puts a block into a file that holds its old side among other lines.
func apply(t *testing.T, b edits.Block) {
	t.Helper()
	const above, below = "# above\n\n", "\n# below\n"
	files := map[string]string{}
	want := text(b.New)
	if len(b.Old) > 0 {
		files[b.Path] = above + text(b.Old) + below
		want = above + text(b.New) + below
	}
	result, err := edits.Apply([]edits.Block{b}, func(path string) (string, error) {
		if text, ok := files[path]; ok {
			return text, nil
		}
		return "", fs.ErrNotExist
	}, edits.Settings{Matching: edits.MatchExact})
	if err != nil {
		t.Fatal(err)
	}
	if o := result.Outcomes[0]; o.Status != edits.Applied || o.Reason != "" {
		t.Errorf("%s, line %d: %s %s", b.Format, b.Line, o.Status, o.Reason)
	} else if got := result.Changes[0].After; got != want {
		t.Errorf("%s, line %d gives %q, want %q", b.Format, b.Line, got, want)
	}
}

func text(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// TestStable holds the order of a prompt: what changes from round to round
// stands behind what does not, so that a provider's prefix cache hits.
func TestStable(t *testing.T) {
	for _, format := range prompts.Formats() {
		in := prompts.Input{
			Format: format, Extra: "extra", Guide: "guide", Task: "the task", Checks: []string{"make check"},
			Files:   []prompts.File{{Path: "a.go", Text: "a\n"}, {Path: "b.go", Text: "b\n"}},
			Omitted: []string{"3 more files"},
		}
		first := render(t, prompts.Set{}, in)
		in.Feedback = "something failed\n"
		second := render(t, prompts.Set{}, in)
		in.Feedback = "something else failed\n"
		third := render(t, prompts.Set{}, in)
		if first.System != second.System || second.System != third.System {
			t.Errorf("%s: the system message changes between rounds", format)
		}
		const mark = "\n# What happened in the last round\n"
		for _, next := range []string{second.User, third.User} {
			head, _, ok := strings.Cut(next, mark)
			if !ok || !strings.HasPrefix(first.User, head) {
				t.Errorf("%s: the part before the feedback changes:\n%s\n--- but was\n%s", format, head, first.User)
			}
		}
		if again := render(t, prompts.Set{}, in); again != third {
			t.Errorf("%s: the same input gives another prompt", format)
		}

		// A changed file moves behind the others; those stay where they were.
		in.Files, in.Changed = in.Files[:1], []prompts.File{{Path: "b.go", Text: "B\n"}}
		moved := render(t, prompts.Set{}, in)
		a, b := strings.Index(moved.User, "## File: a.go"), strings.Index(moved.User, "B\n")
		if a < 0 || b < a || !strings.HasPrefix(first.User, moved.User[:b]) {
			t.Errorf("%s: a changed file changes what stands before it:\n%s", format, moved.User)
		}
	}
}

// TestSmall holds what a first request costs beside the files.
func TestSmall(t *testing.T) {
	const most = 4096
	for _, format := range prompts.Formats() {
		p := render(t, prompts.Set{}, prompts.Input{Format: format, Task: "make the tests pass", Checks: []string{"go test ./..."}})
		if n := len(p.System) + len(p.User); n > most {
			t.Errorf("%s: %d bytes beside the files, more than %d", format, n, most)
		}
	}
}

// TestFence holds that no text can close the fence around it.
func TestFence(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "```"}, {"a `b` c", "```"}, {"```go\n```\n", "````"}, {"``````", "```````"}, {"`` ``", "```"},
	} {
		if got := prompts.Fence(c.text); got != c.want {
			t.Errorf("fence of %q is %s, want %s", c.text, got, c.want)
		}
	}
	p := render(t, prompts.Set{}, prompts.Input{
		Format: "search-replace", Task: "t", Files: []prompts.File{{Path: "README.md", Text: "```\ncode\n```\n"}},
	})
	if !strings.Contains(p.User, "\n````md\n```\ncode\n```\n````\n") {
		t.Errorf("a file with a fence is not fenced longer:\n%s", p.User)
	}
}

// TestOverride holds that a user's template replaces ours of the same name, and
// only that one.
func TestOverride(t *testing.T) {
	mine := prompts.Set{Override: fstest.MapFS{
		"task.tmpl":                  {Data: []byte("MINE {{.Task}}")},
		"format/search-replace.tmpl": {Data: []byte("SAY IT YOUR WAY")},
		"commit.tmpl":                {Data: []byte("mine: {{.Subject}}")},
	}}
	p := render(t, mine, prompts.Input{Format: "search-replace", Task: "do it"})
	if p.User != "MINE do it" || !strings.Contains(p.System, "SAY IT YOUR WAY") || !strings.Contains(p.System, "You change files") {
		t.Errorf("overridden: %q, %q", p.System, p.User)
	}
	if got, err := mine.Message(prompts.Commit{Subject: "s"}); err != nil || got != "mine: s" {
		t.Errorf("commit message %q, %v", got, err)
	}
	if got := render(t, mine, prompts.Input{Format: "anchored", Task: "do it"}); strings.Contains(got.System, "YOUR WAY") {
		t.Error("the override of one format is used for another")
	}
}

// TestBrokenOverride holds that a mistake in a template is one line that names it.
func TestBrokenOverride(t *testing.T) {
	in := prompts.Input{Format: "search-replace", Task: "t"}
	for name, broken := range map[string]string{
		"task.tmpl":                  "{{.Task",
		"system.tmpl":                "{{.Nope}}",
		"format/search-replace.tmpl": "{{range}}",
	} {
		set := prompts.Set{Override: fstest.MapFS{name: {Data: []byte(broken)}}}
		_, err := set.Render(in)
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s with %q: %v", name, broken, err)
		}
	}
	for name, broken := range map[string]fs.FS{
		"feedback.tmpl": fstest.MapFS{"feedback.tmpl": {Data: []byte("{{template \"gone\"}}")}},
		"a folder":      fstest.MapFS{"feedback.tmpl/x": {Data: nil}},
	} {
		if _, err := (prompts.Set{Override: broken}).Feedback(prompts.Feedback{NoBlocks: true}); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
	if _, err := (prompts.Set{}).Render(prompts.Input{Format: "udiff"}); err == nil || !strings.Contains(err.Error(), "there are anchored, search-replace") {
		t.Errorf("an unknown format: %v", err)
	}
}

// TestReasons holds that every reason of package edits has words of its own.
func TestReasons(t *testing.T) {
	said := map[string]edits.Reason{}
	for _, reason := range []edits.Reason{
		edits.Malformed, edits.MissingPath, edits.PathRefused, edits.FileNotFound, edits.FileExists, edits.Binary, edits.NotFound,
		edits.Whitespace, edits.Ambiguous, edits.StaleTarget, edits.Elided, edits.HunkMismatch, edits.Conflict, edits.Syntax, edits.ChangedOnDisk,
	} {
		got, err := (prompts.Set{}).Feedback(prompts.Feedback{Failures: []prompts.Failure{{
			Path: "a.go", Reason: string(reason), Detail: "the detail", Blanks: "indentation", Count: 2,
		}}})
		if err != nil {
			t.Fatal(err)
		}
		if before, twice := said[got]; twice {
			t.Errorf("%s and %s are told in the same words: %s", before, reason, got)
		}
		said[got] = reason
		if !strings.HasPrefix(got, "a.go: ") || strings.Contains(got, "<no value>") {
			t.Errorf("%s: %q", reason, got)
		}
	}
}

func render(t *testing.T, set prompts.Set, in prompts.Input) prompts.Prompt {
	t.Helper()
	p, err := set.Render(in)
	if err != nil {
		t.Fatal(fmt.Errorf("render: %w", err))
	}
	return p
}
