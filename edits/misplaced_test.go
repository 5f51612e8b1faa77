package edits

import (
	"io/fs"
	"testing"
)

// What reviews found to land in a wrong place, or to be lost.
func TestMisplaced(t *testing.T) {
	sr := func(path, old, new string) string {
		return path + "\n<<<<<<< SEARCH\n" + old + "\n=======\n" + new + "\n>>>>>>> REPLACE\n\n"
	}
	const twins = "if err != nil {\n\treturn foo()\n}\nmid\nif err != nil {\n\treturn foo()\n})\n"
	const old, stops = "if err != nil {\n\treturn foo()\n}", "if err != nil {\n\tpanic(err)\n}"
	for _, c := range []struct {
		name, reply string
		files       map[string]string
		want        []string // status and reason of each block
		after       string   // of file a; "": unchanged
	}{
		{
			"two for the same lines, a twin elsewhere", sr("a", old, stops) + sr("a", old, "if err != nil {\n\tlog.Fatal(z)\n}"),
			map[string]string{"a": twins},
			[]string{"failed conflict", "failed conflict"},
			"",
		},
		{
			"the same block again, a twin elsewhere", sr("a", old, stops) + sr("a", old, stops),
			map[string]string{"a": twins + stops + "\n"},
			[]string{"applied ", "applied already-applied"},
			stops + "\nmid\nif err != nil {\n\treturn foo()\n})\n" + stops + "\n",
		},
		{
			"insert at the beginning, its line replaced",
			`{"tool":"edit_lines","path":"a","start_line":1,"end_line":1,"content":"X\nY\n"}` + "\n" +
				`{"tool":"edit_lines","command":"insert","path":"a","insert_line":0,"new_content":"Z\n"}` + "\n",
			map[string]string{"a": "1\n2\n"},
			[]string{"applied ", "applied "},
			"Z\nX\nY\n2\n",
		},
		{
			"a bracket behind a fence takes no block", "```\n[Note] and now\n" + sr("a", "1", "2"),
			map[string]string{"a": "1\n"},
			[]string{"applied "},
			"2\n",
		},
		{
			"a patch that never was", "*** Begin Patch\nnothing\n" + sr("a", "1", "2"),
			map[string]string{"a": "1\n"},
			[]string{"applied "},
			"2\n",
		},
		{
			"a path that is not there is no other file", sr("a", "aa", "bb") + sr("lib/b.go", "x", "y"),
			map[string]string{"a": "x\naa\n"},
			[]string{"applied ", "failed file-not-found"},
			"x\nbb\n",
		},
		{
			"words that end in another path", sr("a", "aa", "bb") + sr("Now update main.go", "x", "y"),
			map[string]string{"a": "x\naa\n", "main.go": "x\n"},
			[]string{"applied ", "failed file-not-found"},
			"x\nbb\n",
		},
		{
			"its one line stands there, without the blank before it", sr("a", "\non = False", "\nclass C: pass\n\non = False"),
			map[string]string{"a": "# state\non = False\n\ndef stop():\n\n    on = False\n"},
			[]string{"failed not-found"},
			"",
		},
		{
			"ranges that overlap", `{"tool":"edit_lines","path":"a","start_line":1,"end_line":2,"content":"x\n"}` + "\n" +
				`{"tool":"edit_lines","path":"a","start_line":2,"end_line":3,"content":"y\n"}` + "\n" +
				`{"tool":"edit_lines","path":"a","start_line":4,"end_line":4,"content":"z\n"}` + "\n",
			map[string]string{"a": "1\n2\n3\n4\n"},
			[]string{"failed conflict", "failed conflict", "applied "},
			"1\n2\n3\nz\n",
		},
		{
			"a range twice", `{"tool":"edit_lines","path":"a","start_line":1,"end_line":2,"content":"x\n"}` + "\n" +
				`{"tool":"edit_lines","path":"a","start_line":1,"end_line":2,"content":"x\n"}` + "\n",
			map[string]string{"a": "1\n2\n3\n4\n"},
			[]string{"applied ", "applied already-applied"},
			"x\n3\n4\n",
		},
		{
			"a range, then a block for its lines", `{"tool":"edit_lines","path":"a","start_line":2,"end_line":2,"content":"x\n"}` + "\n" +
				sr("a", "2\n3", "y\n3") + "\n",
			map[string]string{"a": "1\n2\n3\n4\n"},
			[]string{"failed conflict", "failed conflict"},
			"",
		},
		{
			"a block, then a range for its lines", sr("a", "2\n3", "y\n3") + "\n" +
				`{"tool":"edit_lines","path":"a","start_line":2,"end_line":2,"content":"x\n"}` + "\n",
			map[string]string{"a": "1\n2\n3\n4\n"},
			[]string{"failed conflict", "failed conflict"},
			"",
		},
		{
			"ranges side by side", `{"tool":"edit_lines","path":"a","start_line":3,"end_line":3,"content":"x\n"}` + "\n" +
				`{"tool":"edit_lines","path":"a","start_line":2,"end_line":2,"content":"y\n"}` + "\n",
			map[string]string{"a": "1\n2\n3\n4\n"},
			[]string{"applied ", "applied "},
			"1\ny\nx\n4\n",
		},
		{
			"a gutter on some new lines", sr("a", "12| foo()\n13| bar()", "12| foo()\n13| baz()\nnew()"),
			map[string]string{"a": "foo()\nbar()\n"},
			[]string{"applied "},
			"foo()\nbaz()\nnew()\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Apply(Parse(c.reply), func(p string) (string, error) {
				if text, ok := c.files[p]; ok {
					return text, nil
				}
				return "", fs.ErrNotExist
			}, Settings{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range res.Outcomes {
				got = append(got, string(o.Status)+" "+string(o.Reason))
			}
			if len(got) != len(c.want) {
				t.Fatalf("outcomes %q, want %q", got, c.want)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("block %d: %q, want %q", i+1, got[i], c.want[i])
				}
			}
			after := ""
			for _, change := range res.Changes {
				if change.Path == "a" {
					after = change.After
				}
			}
			if after != c.after {
				t.Errorf("got %q, want %q", after, c.after)
			}
		})
	}
}
