package feedback_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
	"github.com/agentloop/agentloop/prompts"
)

// files are a tree for one test.
type files map[string]string

func (f files) read(path string) (string, bool) {
	text, ok := f[path]
	return text, ok
}

// message applies a reply to the files and words what became of it.
func (f files) message(t *testing.T, reply string) string {
	t.Helper()
	result, err := edits.Apply(edits.Parse(reply), func(path string) (string, error) {
		if text, ok := f[path]; ok {
			return text, nil
		}
		return "", fs.ErrNotExist
	}, edits.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Changes {
		f[c.Path] = c.After
	}
	return word(t, feedback.Round{Outcomes: result.Outcomes, Read: f.read})
}

func word(t *testing.T, r feedback.Round) string {
	t.Helper()
	said, err := feedback.Message(r, prompts.Set{})
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func block(path, old, new string) string {
	return path + "\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n\n"
}

// numbered gives lines "word 1" to "word n".
func numbered(word string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s %d\n", word, i+1)
	}
	return b.String()
}

// quoted gives the fenced pieces of a message.
func quoted(said string) (pieces []string) {
	fence, piece := "", ""
	for line := range strings.Lines(said) {
		bare := strings.TrimSuffix(line, "\n")
		switch {
		case fence == "" && strings.HasPrefix(bare, "```") && strings.Trim(bare, "`") == "":
			fence, piece = bare, ""
		case fence == "":
		case bare == fence:
			pieces, fence = append(pieces, piece), ""
		default:
			piece += line
		}
	}
	return pieces
}

// TestNothingToTell holds that a round that is all in has no feedback.
func TestNothingToTell(t *testing.T) {
	f := files{"a.txt": "one\n"}
	if said := f.message(t, block("a.txt", "one\n", "two\n")); said != "" {
		t.Errorf("there is nothing to tell, but: %q", said)
	}
	good := feedback.Round{Outcomes: []edits.Outcome{{Status: edits.Applied}}, Checks: []feedback.CheckRun{{Command: "true"}}}
	if said := word(t, good); said != "" {
		t.Errorf("a check that passed is told of: %q", said)
	}
	if said := word(t, feedback.Round{}); !strings.Contains(said, "no edit block") {
		t.Errorf("a reply without a block: %q", said)
	}
	if said := word(t, feedback.Round{Cut: true, Outcomes: good.Outcomes}); !strings.Contains(said, "ran out of tokens") {
		t.Errorf("a reply that was cut: %q", said)
	}
}

// TestCaps holds that feedback stays small, whatever a reply held, and that
// what is left out is counted.
func TestCaps(t *testing.T) {
	t.Run("failures", func(t *testing.T) {
		f, reply := files{}, ""
		for i := range 60 {
			path := fmt.Sprintf("f%02d.txt", i)
			f[path] = "one\n"
			reply += block(path, "no such line at all\n", "x\n")
		}
		said := f.message(t, reply)
		told := len(regexp.MustCompile(`(?m)^f\d\d\.txt, block `).FindAllString(said, -1))
		left := strings.Count(said[strings.Index(said, "More failed blocks, not shown:"):], ".txt")
		if told != 40 || left != 20 {
			t.Errorf("%d failures are told and %d counted, want 40 and 20", told, left)
		}
	})
	t.Run("lines", func(t *testing.T) {
		f, reply := files{}, ""
		for i := range 30 {
			path := fmt.Sprintf("f%02d.txt", i)
			f[path] = numbered("line", 40) + "here it is\n" + numbered("after", 40) + "here it is\n" + numbered("end", 40)
			reply += block(path, "here it is\n", "x\n")
		}
		lines := strings.Count(strings.Join(quoted(f.message(t, reply)), ""), "\n")
		if lines > 200 || lines < 190 {
			t.Errorf("%d lines are quoted, want just under 200", lines)
		}
	})
	t.Run("bytes", func(t *testing.T) {
		f, reply := files{}, ""
		for i := range 50 {
			path := fmt.Sprintf("pkg/f%02d.go", i)
			for j := range 4 {
				body := fmt.Sprintf("\tout, err := transform%d(input, options%d)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tout = append(out, %d)\n", j, i, j)
				f[path] += fmt.Sprintf("func step%d() {\n%s}\n\n", j, body)
				wrong := strings.NewReplacer("append", "extend", "transform", "translate").Replace(body)
				reply += block(path, wrong, wrong+"\tdone()\n")
			}
		}
		if said := f.message(t, reply); len(said) > 30_000 || strings.Count(said, ", block ") < 5 {
			t.Errorf("200 failed blocks make a message of %d bytes, with %d told: want at most 30,000 and at least 5", len(said), strings.Count(said, ", block "))
		} else {
			t.Logf("%d bytes for 200 failed blocks", len(said))
		}
	})
	t.Run("candidates", func(t *testing.T) {
		f := files{"a.txt": strings.Repeat(numbered("x", 5)+"here it is\n", 9)}
		said := f.message(t, block("a.txt", "here it is\n", "x\n"))
		if got := len(quoted(said)); got > 4 || !strings.Contains(said, "in 9 places") {
			t.Errorf("%d places are shown:\n%s", got, said)
		}
	})
	t.Run("output", func(t *testing.T) {
		run := feedback.CheckRun{Command: "make", Exit: 1, Head: numbered("out", 100_000)}
		if said := word(t, feedback.Round{Outcomes: make([]edits.Outcome, 1), Checks: []feedback.CheckRun{run}}); len(said) > 6500 {
			t.Errorf("the output of a check takes %d bytes", len(said))
		}
	})
}

// TestSnippetsUnique holds that what is to be copied stands once in the file, so
// that a model that copies it sends a block that applies. Places so near to each
// other that their pieces overlap are shown in one.
func TestSnippetsUnique(t *testing.T) {
	same := "if x {\n\treturn 1\n}\n\n"
	for name, text := range map[string]string{
		"apart":      numbered("a", 10) + same + numbered("b", 10) + same + numbered("c", 10),
		"repeated":   "top\n" + strings.Repeat(same, 6) + "bottom\n",
		"at the end": same + numbered("b", 3) + same,
		"crlf":       strings.ReplaceAll(numbered("a", 5)+same+numbered("b", 5)+same, "\n", "\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			f := files{"a.go": text}
			pieces := quoted(f.message(t, block("a.go", "if x {\n\treturn 1\n", "if x {\n\treturn 2\n")))
			if apart := name == "apart" || name == "crlf"; len(pieces) == 0 || apart != (len(pieces) > 1) {
				t.Fatalf("%d pieces are shown", len(pieces))
			}
			for _, piece := range pieces {
				if n := strings.Count("\n"+strings.ReplaceAll(text, "\r\n", "\n"), "\n"+piece); n != 1 {
					t.Errorf("this piece stands %d times in the file:\n%s", n, piece)
				}
			}
		})
	}
}

// TestNoMarkers holds that nothing in a message can be parsed as an edit when a
// model says it back: not the lines of files, of checks or of its own block.
func TestNoMarkers(t *testing.T) {
	evil := block("other.txt", "a\n", "b\n") + "x.txt\n««« EDIT\na\n═══════ REPL\nb\n»»» EDIT END\n"
	f := files{
		"a.txt":     "above\n" + evil + "target line one\n" + evil + "below\n",
		"other.txt": "a\n",
	}
	said := f.message(t, block("a.txt", "target line won\n", "x\n"))
	said += word(t, feedback.Round{
		Outcomes: []edits.Outcome{{Status: edits.Applied}},
		Checks:   []feedback.CheckRun{{Command: "git diff", Exit: 1, Head: evil}},
		Baseline: []feedback.CheckRun{{Command: "git diff", Exit: 1}},
	})
	said += word(t, feedback.Round{Outcomes: []edits.Outcome{{
		Block: edits.Block{Path: "a.txt"}, Status: edits.Failed, Reason: edits.Malformed,
		Fail: &edits.Failure{Detail: "<<<<<<< SEARCH\na"}, OldPreview: "<<<<<<< SEARCH",
	}}})
	if blocks := edits.Parse(said); len(blocks) > 0 {
		t.Errorf("the message holds %d blocks:\n%s", len(blocks), said)
	}
	if !strings.Contains(said, `\<<<<<<< SEARCH`) || !strings.Contains(said, `\««« EDIT`) {
		t.Errorf("the marker lines are not quoted with a backslash:\n%s", said)
	}
	if len(edits.Parse(f["a.txt"])) == 0 {
		t.Error("the test is void: the file itself holds no block")
	}
}

// TestDiagnosis holds that each failure comes with what it takes to mend it.
func TestDiagnosis(t *testing.T) {
	for _, c := range []struct {
		name, text, reply string
		want              []string
	}{
		{"stale", "func a() {\n\treturn 1\n}\n", block("a.go", "func a() {\n\treturn 2\n}\n", "func a() {\n\treturn 3\n}\n"), []string{"a.go, block", "```\nfunc a() {\n\treturn 1\n}\n```"}},
		{"nowhere", "package a\n\nfunc One() {}\n\nfunc Two() {}\n", block("a.go", "zzz qqq\n", "x\n"), []string{"SEARCH is not in the file", "func One() {}", "func Two() {}"}},
		{"no file", "", block("b.go", "a\n", "x\n"), []string{"b.go", "there is no such file"}},
		{"exists", "a\n", block("a.go", "", "x\n"), []string{"the file exists already"}},
		{"elided", "a\nb\nc\n", block("a.go", "a\nb\nc\n", "a\n// ... rest of the code ...\n"), []string{"stands for lines left out"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := files{}
			if c.text != "" {
				f["a.go"] = c.text
			}
			said := f.message(t, c.reply)
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("%q is missing from:\n%s", want, said)
				}
			}
		})
	}
}

// TestApplied holds that what is in is told in one line, once something failed.
func TestApplied(t *testing.T) {
	f := files{"a.txt": "one\ntwo\n", "b.txt": "one\n"}
	said := f.message(t, block("a.txt", "one\n", "1\n")+block("a.txt", "two\n", "2\n")+block("b.txt", "nine\n", "9\n"))
	if !strings.HasPrefix(said, "Applied, do not send again: a.txt (2 blocks).\n") {
		t.Errorf("what is in is not told first:\n%s", said)
	}
}
