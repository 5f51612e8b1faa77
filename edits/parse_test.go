package edits

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// The same changes in each format must parse to equal blocks.
func TestFormatsAgree(t *testing.T) {
	changes := []struct {
		name     string
		old, new []string
	}{
		{"replace", []string{"a", "b"}, []string{"a", "c"}},
		{"insert after", []string{"a"}, []string{"a", "b"}},
		{"insert before", []string{"b"}, []string{"a", "b"}},
		{"delete", []string{"a", "b", "c"}, []string{"a", "c"}},
		{"delete all", []string{"a", "b"}, nil},
		{"create", nil, []string{"a", "", "b"}},
		{"create empty", nil, nil},
		{"blank lines", []string{"", "a", ""}, []string{"", "b", ""}},
		{"backticks", []string{"```go", "x", "```"}, []string{"```go", "y", "```"}},
		{"markers in a line", []string{"x <<<<<<< SEARCH"}, []string{"x ======="}},
		{"marker lines", []string{"<<<<<<< SEARCH", "=======", "««« EDIT"}, []string{">>>>>>> REPLACE", "»»» EDIT END", "═══════ REPL"}},
		{"backslashed marker lines", []string{`\<<<<<<< SEARCH`, `\\=======`}, []string{`\\\»»»`, `\x`}},
		{"white space", []string{"  a  ", "\tb"}, []string{"\ta", "  b\t"}},
	}
	for _, f := range []Format{SearchReplace, Anchored, Anchored4} {
		for _, c := range changes {
			b := Block{Format: f, Path: "dir/a file.txt", Old: c.old, New: c.new}
			got := Parse("Some words.\n\n" + Render(b) + "\nMore words.\n")
			if len(got) != 1 || got[0].Fault != "" {
				t.Errorf("%s, %s: %d blocks, fault %q", f, c.name, len(got), got[0].Fault)
				continue
			}
			opts := []cmp.Option{cmpopts.IgnoreUnexported(Block{}), cmpopts.IgnoreFields(Block{}, "Raw", "Line", "Anchor", "Trail"), cmpopts.EquateEmpty()}
			if diff := cmp.Diff(b, got[0], opts...); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", f, c.name, diff)
			}
		}
	}
}

// What stands where of a reply: paths, lines, faults.
func TestParse(t *testing.T) {
	const body = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		name, reply string
		want        []string // "line path: fault", one a block
	}{
		{"empty", "", nil},
		{"prose", "I would change `a.go`.\n=======\nnothing\n", nil},
		{"path above", "a.go\n" + body, []string{"2 a.go: "}},
		{"path with spaces", "my dir/a file.go\n" + body, []string{"2 my dir/a file.go: "}},
		{"path without an extension", "Makefile\n" + body, []string{"2 Makefile: "}},
		{"path above a fence", "a.go\n```go\n" + body + "```\n", []string{"3 a.go: "}},
		{"path inside a fence", "```go\na.go\n" + body + "```\n", []string{"3 a.go: "}},
		{"path in a fence of its own", "```\na.go\n```\n```go\n" + body + "```\n", []string{"5 a.go: "}},
		{"source tag", "a.go\n<source>go\n" + body + "</source>\n", []string{"3 a.go: "}},
		{"heading", "### `a.go`:\n" + body, []string{"2 a.go: "}},
		{"bold", "**a.go**\n" + body, []string{"2 a.go: "}},
		{"label", "File: a.go\n" + body, []string{"2 a.go: "}},
		{"dot slash", "./dir//a.go\n" + body, []string{"2 dir/a.go: "}},
		{"prose above", "Here is the change:\n" + body, []string{"2 : "}},
		{"no path", body, []string{"1 : "}},
		{"long path", long + ".go\n" + body, []string{"2 " + long + ".go: "}},
		{"CRLF reply", strings.ReplaceAll("a.go\n"+body, "\n", "\r\n"), []string{"2 a.go: "}},
		{"no newline at the end", strings.TrimSuffix("a.go\n"+body, "\n"), []string{"2 a.go: "}},
		{"six", strings.NewReplacer("<<<<<<<", "<<<<<<", "=======", "======", ">>>>>>>", ">>>>>>").Replace("a.go\n" + body), []string{"2 a.go: "}},
		{"eight", strings.NewReplacer("<<<<<<<", "<<<<<<<<", "=======", "========", ">>>>>>>", ">>>>>>>>").Replace("a.go\n" + body), []string{"2 a.go: "}},
		{"SEARCH>", strings.Replace("a.go\n"+body, "SEARCH", "SEARCH>", 1), []string{"2 a.go: "}},
		{"indented marker", "a.go\n  " + body, []string{"6 : no <<<<<<< SEARCH line"}},
		{"quoted", "> a.go\n> <<<<<<< SEARCH\n> old\n> =======\n> new\n> >>>>>>> REPLACE\n", nil},
		{"doubled divider", strings.Replace("a.go\n"+body, ">>>", "=======\n>>>", 1), []string{"2 a.go: "}},
		{"divider for a tail", "a.go\n```\n" + strings.Replace(body, ">>>>>>> REPLACE", "=======", 1) + "```\nwords\n", []string{"3 a.go: "}},
		{"divider inside", strings.Replace("a.go\n"+body, "new", "new\n=======\nnewer", 1), []string{"2 a.go: more than one"}},
		{"unclosed", "a.go\n<<<<<<< SEARCH\nold\n=======\nnew\n", []string{"2 a.go: no >>>>>>> REPLACE"}},
		{"no divider", "a.go\n<<<<<<< SEARCH\nold\n", []string{"2 a.go: no ======="}},
		{"restart", "a.go\n<<<<<<< SEARCH\nold\nb.go\n" + body, []string{"2 a.go: no =======", "5 b.go: "}},
		{"think", "<think>\na.go\n" + body + "</think>\nb.go\n" + body, []string{"10 b.go: "}},
		{"think unopened", "a.go\n" + body + "</think>\nb.go\n" + body, []string{"9 b.go: "}},
		{"think closed twice", "<think>\nhm\n</think>\nb.go\n" + body + "</think>\n", []string{"5 b.go: "}},
		{"think on one line", "<think>hm</think>\na.go\n" + body, []string{"3 a.go: "}},
		{"tag in a body", "a.go\n<<<<<<< SEARCH\n<think>\n=======\n</think>\n>>>>>>> REPLACE\n", []string{"2 a.go: "}},
		{"anchored", "a.go\n««« EDIT\nx\n═══════ REPL\ny\n»»» EDIT END\n", []string{"2 a.go: "}},
		{"anchored without middle", "a.go\n««« EDIT\nx\n»»» EDIT END\n", []string{"2 a.go: no ═══════ REPL"}},
		{"anchored twice", "a.go\n««« EDIT\nx\n═══════ REPL\ny\n═══════ REPL\n»»» EDIT END\n", []string{"2 a.go: more than one"}},
		{"anchored open", "a.go\n««« EDIT\nx\n═══════ REPL\ny\n", []string{"2 a.go: no »»» EDIT END"}},
		{"rule in an anchored body", "a.go\n««« EDIT\n───────\n═══════ REPL\n═══════\n»»» EDIT END\n", []string{"2 a.go: "}},
		{"four parts wrong", "a.go\n««« EDIT\nx\n═══════\ny\n»»»\n", []string{"2 a.go: the parts"}},
	} {
		var got []string
		for _, b := range Parse(c.reply) {
			got = append(got, fmt.Sprintf("%d %s: %s", b.Line, b.Path, b.Fault))
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], c.want[i]) || strings.HasSuffix(c.want[i], ": ") && got[i] != c.want[i] {
				t.Errorf("%s: got %q, want %q", c.name, got[i], c.want[i])
			}
		}
	}
}

func TestRawIsTheBlock(t *testing.T) {
	a := "a.go\n```\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\nwords\n"
	got := Parse(a)
	if len(got) != 1 || got[0].Raw != "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n" {
		t.Errorf("raw: %+v", got)
	}
}

func TestSuggestions(t *testing.T) {
	got := Suggestions("Run `git rm a.go` and `git mv a b`, then `ls`, `mkdir -p x/y`.\n`rm -rf build`\n```\ngit rm not-in-backticks\n```\n`git rm `\n")
	want := []string{"git rm a.go", "git mv a b", "mkdir -p x/y", "rm -rf build"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
