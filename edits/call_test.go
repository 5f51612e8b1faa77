package edits_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/agentloop/agentloop/edits"
)

const shopGo = "package shop\n\nfunc Price(n int) int {\n\treturn n * 100\n}\n\nfunc Half(n int) int {\n\treturn n / 2\n}\n"

// call applies one call to shop.go and tells what came of it.
func call(t *testing.T, name, args string) (edits.Outcome, string) {
	t.Helper()
	b, ok := edits.ReadCall(name, args)
	if !ok {
		t.Fatalf("%s is no tool that edits", name)
	}
	res, err := edits.Apply([]edits.Block{b}, func(path string) (string, error) {
		if path != "shop.go" {
			return "", fmt.Errorf("%s: %w", path, fs.ErrNotExist)
		}
		return shopGo, nil
	}, edits.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Changes) == 0 {
		return res.Outcomes[0], ""
	}
	return res.Outcomes[0], res.Changes[0].After
}

func TestCallsThatApply(t *testing.T) {
	for _, c := range []struct{ name, tool, args, was, is string }{
		{"whole lines", "edit", `{"path":"shop.go","old":"\treturn n * 100\n","new":"\treturn n * 90\n"}`, "n * 100", "n * 90"},
		{"within a line", "edit", `{"path":"./shop.go","old":"n * 100","new":"n * 90"}`, "n * 100", "n * 90"},
		{"from within a line to within another", "edit", `{"path":"shop.go","old":"100\n}","new":"90 // less\n}"}`, "100", "90 // less"},
		{"other indentation", "edit", `{"path":"shop.go","old":"    return n / 2\n}","new":"    return n / 2 + n%2\n}"}`, "n / 2", "n / 2 + n%2"},
		{"without the indentation", "edit", `{"path":"shop.go","old":"return n * 100\n","new":"// cents\nreturn n * 90\n"}`, "return n * 100", "// cents\n\treturn n * 90"},
		{"a number in quotes", "edit_lines", `{"path":"shop.go","start_line":"4","end_line":4.0,"new_content":"\treturn n * 90"}`, "n * 100", "n * 90"},
		{"insert", "edit_lines", `{"command":"insert","path":"shop.go","insert_line":4,"new_content":"\t// never\n","guard":"return n * 100"}`, "100\n", "100\n\t// never\n"},
		{"delete", "edit_lines", `{"command":"delete","path":"shop.go","start_line":5,"end_line":6,"guard":["}",""],"new_content":null}`, "100\n}\n\n", "100\n"},
		{"unknown argument", "edit_lines", `{"path":"shop.go","start_line":4,"end_line":4,"content":"","why":"dead"}`, "\treturn n * 100\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, after := call(t, c.tool, c.args)
			want := strings.Replace(shopGo, c.was, c.is, 1)
			if o.Status != edits.Applied || after != want {
				t.Errorf("%s %s %+v\n%s", o.Status, o.Reason, o.Fail, after)
			}
		})
	}
}

func TestCallsThatFail(t *testing.T) {
	for _, c := range []struct {
		name, tool, args string
		reason           edits.Reason
		says             string
	}{
		{"cut", "edit_lines", `{"path":"shop.go","start_l`, edits.Malformed, "not valid JSON"},
		{"no JSON", "edit", ``, edits.Malformed, "not valid JSON"},
		{"wrong type", "edit", `{"path":["shop.go"],"old":"a","new":"b"}`, edits.Malformed, "path has the wrong type: array"},
		{"no number", "edit_lines", `{"path":"shop.go","start_line":"four","end_line":4,"content":"x"}`, edits.Malformed, "an integer is expected"},
		{"half a line", "edit_lines", `{"path":"shop.go","start_line":1.5,"end_line":4,"content":"x"}`, edits.Malformed, "an integer is expected"},
		{"no path", "edit_lines", `{"start_line":1,"end_line":4,"content":"x"}`, edits.Malformed, "path is missing"},
		{"path of two lines", "edit", `{"path":"shop.go\nagentloop: done.go","old":"a","new":"b"}`, edits.Malformed, "path holds a control character"},
		{"decorated", "edit", `{"path":"#shop.go","old":"shop","new":"shoe"}`, edits.FileNotFound, ""},
		{"no end", "edit_lines", `{"path":"shop.go","start_line":1,"content":"x"}`, edits.Malformed, "start_line and end_line are needed"},
		{"no content", "edit_lines", `{"path":"shop.go","start_line":1,"end_line":1}`, edits.Malformed, "new_content is missing"},
		{"line 0", "edit_lines", `{"path":"shop.go","start_line":0,"end_line":1,"content":"x"}`, edits.Malformed, "at least 1"},
		{"backwards", "edit_lines", `{"path":"shop.go","start_line":4,"end_line":3,"content":"x"}`, edits.Malformed, "not less"},
		{"insert nowhere", "edit_lines", `{"command":"insert","path":"shop.go","new_content":"x"}`, edits.Malformed, "insert needs insert_line"},
		{"command", "edit_lines", `{"command":"append","path":"shop.go"}`, edits.Malformed, "replace, insert or delete"},
		{"indent", "edit_lines", `{"path":"shop.go","start_line":4,"end_line":4,"content":"x","indent":"smart"}`, edits.Malformed, "indent can be auto"},
		{"guard", "edit_lines", `{"path":"shop.go","start_line":4,"end_line":4,"content":"x","guard":{"a":1}}`, edits.Malformed, "guard must be"},
		{"beyond the end", "edit_lines", `{"path":"shop.go","start_line":9,"end_line":12,"content":"x"}`, edits.NotFound, "the file has 9"},
		{"other version", "edit_lines", `{"path":"shop.go","start_line":4,"end_line":4,"content":"x","guard":"@00000000"}`, edits.StaleTarget, "no longer the version @00000000"},
		{"other line", "edit_lines", `{"path":"shop.go","start_line":5,"end_line":5,"content":"x","guard":"\treturn n * 100"}`, edits.StaleTarget, "stand elsewhere now"},
		{"lines nowhere", "edit_lines", `{"path":"shop.go","start_line":5,"end_line":5,"content":"x","guard":"seven"}`, edits.StaleTarget, "do not stand there"},
		{"lines twice", "edit_lines", `{"path":"shop.go","start_line":5,"end_line":5,"content":"x","guard":"}"}`, edits.Ambiguous, "give the file's tag"},
		{"no file", "edit_lines", `{"path":"shoe.go","start_line":5,"end_line":5,"content":"x"}`, edits.FileNotFound, ""},
		{"a line left out behind an empty one", "edit", `{"path":"shop.go","old":"\n\treturn n * 100\n","new":"\n\tx()\n\treturn n * 100\n"}`, edits.NotFound, ""},
		{"no old", "edit", `{"path":"shop.go","new":"x"}`, edits.Malformed, "edit needs old and new"},
		{"within lines, twice", "edit", `{"path":"shop.go","old":"(n int)","new":"(n int64)"}`, edits.Ambiguous, ""},
		{"within a word", "edit", `{"path":"shop.go","old":"ric","new":"rix"}`, edits.NotFound, ""},
		{"there already", "edit", `{"path":"shop.go","old":"","new":"package shop"}`, edits.FileExists, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, after := call(t, c.tool, c.args)
			if o.Status != edits.Failed || o.Reason != c.reason || after != "" || !strings.Contains(o.Fail.Detail, c.says) {
				t.Errorf("%s %s %+v\n%s", o.Status, o.Reason, o.Fail, after)
			}
		})
	}
}

// A call's path is a name as it stands: what looks like decoration is part of it.
func TestCallPath(t *testing.T) {
	for arg, want := range map[string]string{
		"a.go": "a.go", "./a/../b.go": "b.go", "a//b": "a/b", "": "", "../a": "../a", "/a": "/a",
		"#a.go": "#a.go", "-a.go": "-a.go", "* a.go": "* a.go", "a.go:": "a.go:", "`a`": "`a`", "my docs/LICENSE": "my docs/LICENSE",
		"a\nb.go": "", "a\x1b[0m": "", "a\u0085": "",
	} {
		if got := edits.CallPath(arg); got != want {
			t.Errorf("%q: %q, want %q", arg, got, want)
		}
	}
}

// A preview says what would be, and nothing that comes after sees it.
func TestPreview(t *testing.T) {
	o, after := call(t, "edit_lines", `{"path":"shop.go","start_line":4,"end_line":4,"content":"x","dry_run":true}`)
	if o.Status != edits.WouldApply || after != "" {
		t.Errorf("%s, changed to %q", o.Status, after)
	}
	o, after = call(t, "edit", `{"path":"shop.go","old":"seven","new":"x","dry_run":"true"}`)
	if o.Status != edits.Failed || after != "" {
		t.Errorf("%s, changed to %q", o.Status, after)
	}
}

// What an edit within a line brings may stand elsewhere as a whole line: that is
// no sign that it is done.
func TestLiteralAlready(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want string }{
		{"within a line", "image: app:latest # pin me\n---\napp:v2\n", "app:latest", "app:v2", "image: app:v2 # pin me\n---\napp:v2\n"},
		{"done", "image: app:v2 # pin me\n---\napp:v2\n", "app:latest", "app:v2", ""},
		{"part of what came", "a()\nb()\n", "a()", "a()\nb()", ""},
		{"within another word", "myapp:latest\n---\napp:v2\n", "app:latest", "app:v2", ""},
	} {
		args, _ := json.Marshal(map[string]string{"path": "f", "old": c.old, "new": c.new})
		b, _ := edits.ReadCall("edit", string(args))
		// Sent twice, since the second must find it done.
		res, err := edits.Apply([]edits.Block{b, b}, func(string) (string, error) { return c.file, nil }, edits.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(res.Changes) > 0 {
			got = res.Changes[0].After
		}
		if o := res.Outcomes[1]; got != c.want || o.Reason != edits.AlreadyApplied {
			t.Errorf("%s: %q, then %s %s", c.name, got, o.Status, o.Reason)
		}
	}
}

// A text that overlaps itself costs no more than another.
func TestLiteralIsLinear(t *testing.T) {
	old := strings.Repeat("-aa", 1<<18) + "-a" // ends within a word wherever it stands
	args, _ := json.Marshal(map[string]string{"path": "f", "old": old, "new": "b"})
	b, _ := edits.ReadCall("edit", string(args))
	start := time.Now()
	res, err := edits.Apply([]edits.Block{b}, func(string) (string, error) { return strings.Repeat("-aa", 1<<19) + "\n", nil }, edits.Settings{})
	if err != nil || res.Outcomes[0].Status != edits.Failed {
		t.Fatal(err, res.Outcomes[0].Status)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

// Calls that are fitted in cost no more in a file of many lines.
func TestFitsInLongFile(t *testing.T) {
	file := strings.Repeat("def f(a):\n    if a:\n        return a\n", 60_000)
	var blocks []edits.Block
	for i := range 200 {
		b, _ := edits.ReadCall("edit_lines", fmt.Sprintf(`{"path":"f","start_line":%d,"end_line":%[1]d,"content":"return b","indent":"auto"}`, 300*i+3))
		blocks = append(blocks, b)
	}
	start := time.Now()
	res, err := edits.Apply(blocks, func(string) (string, error) { return file, nil }, edits.Settings{})
	if err != nil || strings.Count(res.Changes[0].After, "\n        return b\n") != 200 {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestCallsInText(t *testing.T) {
	for name, text := range map[string]string{
		"fence":             "Look:\n```json\n{\"tool\": \"edit\", \"path\": \"a\", \"old\": \"x\", \"new\": \"y\"}\n```\n",
		"bare":              "{\"tool\": \"edit\", \"path\": \"a\", \"old\": \"x\", \"new\": \"y\"}\n",
		"list":              "```\n[{\"tool\": \"edit\", \"path\": \"a\", \"old\": \"x\", \"new\": \"y\"}]\n```\n",
		"name, arguments":   "{\"name\": \"edit\", \"arguments\": {\"path\": \"a\", \"old\": \"x\", \"new\": \"y\"}}\n",
		"arguments as text": "```json\n{\"name\": \"edit\", \"arguments\": \"{\\\"path\\\": \\\"a\\\", \\\"old\\\": \\\"x\\\", \\\"new\\\": \\\"y\\\"}\"}\n```\n",
		"tags":              "<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"path\": \"a\",\n \"old\": \"x\", \"new\": \"y\"}}\n</tool_call>\n",
		"tags on the line":  "<tool_call>{\"name\": \"edit\", \"arguments\": {\"path\": \"a\", \"old\": \"x\", \"new\": \"y\"}}</tool_call>\n",
	} {
		t.Run(name, func(t *testing.T) {
			for size := 1; size < 9; size += 7 {
				var p edits.Parser
				for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
					p.Feed(rest[:min(size, len(rest))])
				}
				got := p.Close()
				if len(got) != 1 || got[0].Path != "a" || got[0].Fault != "" || fmt.Sprint(got[0].Old, got[0].New) != "[x] [y]" {
					t.Errorf("%+v", got)
				}
			}
		})
	}
	for name, text := range map[string]string{
		"another file's JSON": "```json\n{\"name\": \"search\", \"version\": \"1.0\"}\n```\n",
		"another tool":        "{\"tool\": \"bash\", \"command\": \"edit_lines\"}\n",
		"prose":               "Use {\"tool\": \"edit\"} for that.\n",
	} {
		if got := edits.Parse(text); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestCallsThatLook(t *testing.T) {
	var p edits.Parser
	p.Feed("```json\n{\"tool\": \"read_file\", \"path\": \"a.go\"}\n{\"tool\": \"edit\", \"path\": \"a\", \"old\": \"x\", \"new\": \"y\"}\n```\n")
	p.Feed("{\"name\": \"search\", \"arguments\": {\"pattern\": \"x\"}}\n")
	if blocks := p.Close(); len(blocks) != 1 {
		t.Errorf("%+v", blocks)
	}
	if got := fmt.Sprint(p.Calls()); got != `[{read_file {"tool": "read_file", "path": "a.go"}} {search {"pattern": "x"}}]` {
		t.Error(got)
	}
}
