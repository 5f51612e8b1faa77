package edits_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// What read_file adds to a file, and what a model leaves out of it, is not written.
func TestShownContent(t *testing.T) {
	long := strings.Repeat("x", 3000)
	cut := strings.TrimSuffix(strings.TrimPrefix(edits.Numbered([]string{long}, 0, 1), "    1: "), "\n")
	const file = "one\ntwo\n\nfour\nfive\n"
	dict := "d = {\n}\n"
	for _, c := range []struct {
		name, file string
		start, end int // end < start inserts
		content    string
		want       string // "": refused
		reason     edits.Reason
		tier       edits.Tier
	}{
		{"a placeholder", file, 1, 5, "one\n// ... existing code ...\nfive", "", edits.Elided, ""},
		{"a comment that leaves out", file, 1, 5, "one\n# the rest of the file remains", "", edits.Elided, ""},
		{"dots", file, 1, 5, "one\n...\nfive", "", edits.Elided, ""},
		{"dots that only come", file, 2, 1, "...", "one\n...\ntwo\n\nfour\nfive\n", "", edits.Exact},
		{"words that only come", file, 2, 1, "# skip the rest of the line", "one\n# skip the rest of the line\ntwo\n\nfour\nfive\n", "", edits.Exact},
		{"a placeholder that only comes", file, 2, 1, "# ... existing code ...", "", edits.Elided, ""},
		{"the file's own", "a\n  # ... the rest\nb\n", 1, 2, "c\n# ... the rest", "c\n# ... the rest\nb\n", "", edits.Exact},
		{"a stub's body", "def f():\n    pass\n", 2, 2, "    ...", "def f():\n    ...\n", "", edits.Exact},
		{"a stub", "def f():\n    pass\n", 1, 2, "def g():\n    ...", "def g():\n    ...\n", "", edits.Exact},

		{"a line that was cut", long + "\n", 1, 1, "y" + cut, "", edits.Malformed, ""},
		{"cut, and more", file, 1, 1, cut + "\"", "", edits.Malformed, ""},
		{"words like it", file, 1, 1, "… (many bytes more)", "… (many bytes more)\ntwo\n\nfour\nfive\n", "", edits.Exact},
		{"as the file has it", "x… (7 bytes more)\n", 1, 1, "y… (8 bytes more)", "y… (8 bytes more)\n", "", edits.Exact},

		{"numbers", file, 2, 4, "    2: deux\n    3: \n    4: four\n", "one\ndeux\n\nfour\nfive\n", "", edits.Cleaned},
		{"numbers without blanks", file, 2, 4, "    2: deux\n    3:\n\n    5:   six\n", "one\ndeux\n\n\n  six\nfive\n", "", edits.Cleaned},
		{"numbers of lines that move", file, 6, 5, "    1: one\n    2: II", file + "one\nII\n", "", edits.Cleaned},
		{"numbers that may be its own", dict, 2, 1, "    1: 'a',\n    2: 'b',", "", edits.Malformed, ""},
		{"with a line that has none", dict, 1, 1, "d = {\n    1: 'a',\n    2: 'b',", "d = {\n    1: 'a',\n    2: 'b',\n}\n", "", edits.Exact},
		{"numbers as the file has", "d = {\n    1: 'a',\n}\n", 2, 2, "    2: 'b',", "d = {\n    2: 'b',\n}\n", "", edits.Exact},
		{"numbers that do not count", file, 2, 2, "    2: a\n    4: b", "one\n    2: a\n    4: b\n\nfour\nfive\n", "", edits.Exact},
		{"other numbers", file, 2, 2, "2: a", "one\n2: a\n\nfour\nfive\n", "", edits.Exact},
	} {
		args := map[string]any{"path": "a.py", "new_content": c.content, "start_line": c.start, "end_line": c.end}
		if c.end < c.start {
			args["command"], args["insert_line"] = "insert", c.end
		}
		text, _ := json.Marshal(args)
		b, _ := edits.ReadCall("edit_lines", string(text))
		res, err := edits.Apply([]edits.Block{b}, func(string) (string, error) { return c.file, nil }, edits.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(res.Changes) > 0 {
			got = res.Changes[0].After
		}
		if o := res.Outcomes[0]; got != c.want || o.Reason != c.reason || o.Tier != c.tier {
			t.Errorf("%s: %s %s %s %+v\n%q, want\n%q", c.name, o.Status, o.Reason, o.Tier, o.Fail, got, c.want)
		}
	}
}

// A call that is applied once more, because others of its reply conflict, has lost
// its numbers only once.
func TestShownOnce(t *testing.T) {
	calls := `{"tool":"edit_lines","path":"a","start_line":1,"end_line":1,"content":"    1:     1: x"}
{"tool":"edit_lines","path":"a","start_line":2,"end_line":2,"content":"y"}
{"tool":"edit_lines","path":"a","start_line":2,"end_line":2,"content":"z"}`
	res, err := edits.Apply(edits.Parse("```json\n"+calls+"\n```\n"), func(string) (string, error) { return "one\ntwo\n", nil }, edits.Settings{})
	if err != nil || len(res.Changes) != 1 || res.Changes[0].After != "    1: x\ntwo\n" || res.Outcomes[0].Tier != edits.Cleaned {
		t.Errorf("%v %+v", err, res)
	}
}
