package standin

import (
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

func TestFinder(t *testing.T) {
	start := strings.Repeat("same\n", 20) + "wrong\n" + strings.Repeat("same\n", 20)
	gold := strings.Replace(start, "wrong", "right", 1)
	chat := func(user string) Chat {
		return Chat{Messages: []Message{{Role: "user", Content: Text("# Task\n" + user)}}}
	}
	whole := "## File: a/b.txt\n```txt\n" + start + "```\n"
	part := "## File: a/b.txt, lines 19-23 of 41\n```txt\nsame\nsame\nwrong\nsame\nsame\n```\n"
	for name, c := range map[string]struct{ prompt, says string }{
		"whole":       {whole, ""},
		"in a part":   {part, ""},
		"other part":  {"## File: a/b.txt, lines 1-3 of 41\n```txt\nsame\nsame\nsame\n```\n", "SHOW a/b.txt\n"},
		"only named":  {"b.txt:21: wrong\n", "SHOW a/b.txt\n"},
		"not named":   {"something is wrong\n", Nothing},
		"other file":  {"## File: a/c.txt\n```\nwrong\n```\n", Nothing},
		"of its name": {"## File: c/a/b.txt\n```\nwrong\n```\n", "SHOW a/b.txt\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &Finder{Path: "a/b.txt", Start: start, Gold: gold}
			got := f.Answer(chat(c.prompt)).Text
			if c.says != "" {
				if got != c.says {
					t.Errorf("%q", got)
				}
				return
			}
			res, err := edits.Apply(edits.Parse(got), func(string) (string, error) { return start, nil }, edits.Settings{})
			if err != nil || len(res.Changes) != 1 || res.Changes[0].After != gold {
				t.Errorf("%v, %+v\n%s", err, res.Outcomes, got)
			}
		})
	}
	f := &Finder{Path: "a/b.txt", Start: start, Gold: gold}
	f.Answer(chat("b.txt"))
	if got := f.Answer(chat("b.txt")).Text; got != "SHOW a/b.txt:801-1600\n" {
		t.Errorf("%q", got)
	}
}

func TestDawdler(t *testing.T) {
	d := &Dawdler{Path: "a.go"}
	for i, prompt := range []string{"## File: b.go, lines 3-4 of 9\n```go\nx\ny\n```\n", "## File: b.go\n```go\nx\n```\n## File: a.go\n```go\npackage a\n```\n"} {
		got := edits.Parse(d.Answer(Chat{Messages: []Message{{Role: "user", Content: Text(prompt)}}}).Text)
		if want := []string{"b.go", "a.go"}[i]; len(got) != 1 || got[0].Path != want || len(got[0].New) != len(got[0].Old)+1 {
			t.Errorf("%+v", got)
		}
	}
}
