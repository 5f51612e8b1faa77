package edits

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// Seeds for the fuzz targets: each way a reply can go on.
var replies = []string{
	"", "words\n", "a.go\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n",
	"a.go\n```go\n<<<<<<< SEARCH\nold\n=======\nnew\n=======\n```\nmore\n", "a\n««« EDIT\nx\n═══════ REPL\ny\n»»» EDIT END\n",
	"a\n««« EDIT\n───────\no\n═══════\nn\n───────\n»»»\n", "<think>\n<<<<<<< SEARCH\n</think>\nb\r\n<<<<<<< SEARCH\r\n", "</think>\n\\<<<<<<< SEARCH\n",
	"a\n<<<<<<< SEARCH\n<<<<<<< SEARCH\n=======\n=======\n>>>>>>> REPLACE\n>>>>>>> REPLACE\n",
	"*** Begin Patch\n*** Update File: a\n@@ x\n old\n-x\n+y\n*** Add File: b\n+z\n*** Delete File: c\n*** End Patch\n",
	"```diff\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n old\n-x\n+z\n\\ No newline at end of file\n```\n",
	"```json\n{\"tool\":\"edit_lines\",\"path\":\"a\",\"start_line\":1,\"end_line\":2,\"content\":\"z\\n\"}\n```\n",
	"a.go\n```go\npackage a\n\n// ... rest of file unchanged\n```\n", "FILE: a.go\n```go\npackage a\n```\n",
	"a.go\n<<<<<<< RENAME\nb/c.go\n>>>>>>> RENAME\n\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n", "a\n<<<<<<< RENAME\n```\n<<<<<<< RENAME\nb\nc\n>>>>>>> REPLACE\n>>>>>>> RENAME\n",
	"`git mv a 'b c.go'`\nnot `git rm a`.\n```sh\n$ git rm -f x\nmkdir -p y\n```\n", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n`git rm a`\nb\n<<<<<<< SEARCH\n=======\nz\n>>>>>>> REPLACE\n",
}

// Parse never panics, and its result does not depend on where the chunks were cut.
func FuzzParse(f *testing.F) {
	for _, r := range replies {
		f.Add(r, uint8(3))
	}
	f.Fuzz(func(t *testing.T, reply string, cut uint8) {
		all := Parser{Commands: true}
		all.Feed(reply)
		whole, p := all.Close(), Parser{Commands: true}
		size := int(cut)%9 + 1
		for rest := reply; rest != ""; rest = rest[min(size, len(rest)):] {
			p.Feed(rest[:min(size, len(rest))])
		}
		if diff := cmp.Diff(whole, p.Close(), cmp.AllowUnexported(Block{})); diff != "" {
			t.Fatalf("in chunks of %d (-whole +chunks):\n%s", size, diff)
		}
		for _, b := range whole {
			if !strings.Contains(reply, b.Raw) || b.Line < 1 || b.Line > strings.Count(reply, "\n")+1 {
				t.Fatalf("block %+v is not of the reply", b)
			}
		}
	})
}

// Apply never panics, gives one outcome a block, and changes nothing but what
// the applied blocks say.
func FuzzApply(f *testing.F) {
	for _, r := range replies {
		f.Add(r, "old\nx\r\ny")
	}
	f.Fuzz(func(t *testing.T, reply, content string) {
		p := Parser{Commands: true}
		p.Feed(reply)
		blocks := p.Close()
		for _, m := range []Matching{"", MatchExact, MatchFull} {
			res, err := Apply(blocks, func(path string) (string, error) {
				if len(path) > 3 {
					return "", fs.ErrNotExist
				}
				return content, nil
			}, Settings{Matching: m, FileOps: OpsApply})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Outcomes) != len(blocks) {
				t.Fatalf("%d outcomes for %d blocks", len(res.Outcomes), len(blocks))
			}
			for _, o := range res.Outcomes {
				if (o.Status == Failed) != (o.Fail != nil) || o.Status == Failed && o.Reason == "" || o.Status == "" {
					t.Fatalf("inconsistent outcome %+v", o)
				}
			}
		}
	})
}

// genLines makes lines from a small alphabet, so that repetitions happen.
func genLines(least, most int) *rapid.Generator[[]string] {
	line := rapid.OneOf(
		rapid.SampledFrom([]string{"", "}", "\t}", "  a", "\ta", "a", "b", "c()", "return nil", "    return nil", "x = 1", "<<<<<<< SEARCH", "=======", "»»»"}),
		rapid.StringMatching(`[ \t]{0,3}[a-z(){}]{1,6}[ \t]{0,1}`),
	)
	return rapid.SliceOfN(line, least, most)
}

// genFile makes a file with any mixture of line endings.
func genFile(t *rapid.T) string {
	var b strings.Builder
	if rapid.IntRange(0, 9).Draw(t, "bom") == 0 {
		b.WriteString(bom)
	}
	lines := genLines(0, 30).Draw(t, "file")
	for i, l := range lines {
		b.WriteString(l)
		if i == len(lines)-1 && rapid.Bool().Draw(t, "no final newline") && l != "" {
			break
		}
		b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "end"))
	}
	return b.String()
}

// An edit leaves every line that it does not change as it was, ending included;
// and what is exactly there is applied in the same way with all tiers on.
func TestOnlyChangedLinesChange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := genFile(t)
		before := newText(content)
		if len(before.lines) == 0 {
			t.Skip()
		}
		at := rapid.IntRange(0, len(before.lines)-1).Draw(t, "at")
		n := rapid.IntRange(1, min(6, len(before.lines)-at)).Draw(t, "n")
		old := before.lines[at : at+n]
		new := genLines(0, 6).Draw(t, "new")
		b := Block{Format: SearchReplace, Path: "f", Old: slices.Clone(old), New: new, Raw: `\<<<<<<< SEARCH\=======\»»»`}
		read := func(string) (string, error) { return content, nil }
		exact, err := Apply([]Block{b}, read, Settings{Matching: MatchExact})
		if err != nil {
			t.Fatal(err)
		}
		full, _ := Apply([]Block{b}, read, Settings{Matching: MatchFull})
		if exact.Outcomes[0].Status == Applied && !cmp.Equal(exact.Changes, full.Changes) {
			t.Fatalf("exact and full differ:\n%s", cmp.Diff(exact.Changes, full.Changes))
		}
		places := positions(before.lines, b.Old, 10)
		if len(places) > 1 && len(exact.Changes) > 0 && exact.Outcomes[0].Reason == "" {
			t.Fatalf("ambiguous, but applied")
		}
		if len(exact.Changes) == 0 {
			return
		}
		after := newText(exact.Changes[0].After)
		unended := before.ends[len(before.ends)-1] == endNone
		if n := len(after.lines); n > 0 && after.lines[n-1] != "" && (after.ends[n-1] == endNone) != unended {
			t.Fatal("the final newline came or went")
		}
		if after.bom != before.bom {
			t.Fatal("the byte order mark changed")
		}
		if want := slices.Concat(before.lines[:at], new, before.lines[at+n:]); !slices.Equal(want, after.lines) && len(want) > 0 {
			t.Fatalf("lines: want %q, got %q", want, after.lines)
		}
		for i := range at {
			if i+1 < len(after.ends) && before.ends[i] != after.ends[i] {
				t.Fatalf("the ending of line %d changed", i+1)
			}
		}
		for i := 1; i <= len(before.lines)-at-n; i++ {
			if before.ends[len(before.ends)-i] != after.ends[len(after.ends)-i] {
				t.Fatalf("the ending of the last line but %d changed", i-1)
			}
		}
	})
}

// A change rendered as a block, parsed and applied gives the target.
func TestRenderParseApply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := genLines(1, 20).Draw(t, "before")
		after := genLines(1, 20).Draw(t, "after")
		if slices.Equal(before, after) || strings.TrimSpace(strings.Join(before, "")) == "" {
			t.Skip()
		}
		f := rapid.SampledFrom([]Format{SearchReplace, Anchored, Anchored4}).Draw(t, "format")
		blocks := Parse(Render(Block{Format: f, Path: "f", Old: before, New: after}))
		if len(blocks) != 1 || blocks[0].Fault != "" {
			t.Fatalf("parsed to %+v", blocks)
		}
		content := strings.Join(before, "\n") + "\n"
		res, err := Apply(blocks, func(string) (string, error) { return content, nil }, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Outcomes[0]; got.Status != Applied && got.Reason != Elided && got.Reason != Malformed {
			t.Fatalf("outcome %+v", got)
		} else if got.Status == Applied && got.Reason == "" && res.Changes[0].After != strings.Join(after, "\n")+"\n" {
			t.Fatalf("got %q", res.Changes[0].After)
		}
	})
}

// The delta is a delta: keeps and drops walk the old side, keeps and inserts the new one.
func TestDelta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, new := genLines(0, 12).Draw(t, "old"), genLines(0, 12).Draw(t, "new")
		var o, n []string
		for _, s := range delta(old, new) {
			if s.kind != insert {
				o = append(o, old[s.old])
			}
			if s.kind != drop {
				n = append(n, new[s.new])
			}
			if s.kind == keep && old[s.old] != new[s.new] {
				t.Fatal("keeps lines that differ")
			}
		}
		if diff := cmp.Diff([][]string{old, new}, [][]string{o, n}, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// positions finds what a plain search finds.
func TestPositions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.SampledFrom([]string{"a", "b"})
		hay := rapid.SliceOfN(small, 0, 30).Draw(t, "hay")
		needle := rapid.SliceOfN(small, 1, 5).Draw(t, "needle")
		var want []int
		for i := 0; i+len(needle) <= len(hay); i++ {
			if slices.Equal(hay[i:i+len(needle)], needle) {
				want = append(want, i)
			}
		}
		if got := positions(hay, needle, 100); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// A reader's own trouble ends Apply; its refusals and missing files are data.
func TestReader(t *testing.T) {
	b := []Block{{Format: SearchReplace, Path: "f", Old: []string{"a"}, New: []string{"b"}}}
	if _, err := Apply(b, func(string) (string, error) { return "", fs.ErrPermission }, Settings{}); err == nil {
		t.Error("no error")
	}
	res, err := Apply(b, func(string) (string, error) { return "", fs.ErrNotExist }, Settings{})
	if err != nil || res.Outcomes[0].Reason != FileNotFound {
		t.Errorf("not there: %v, %v", res.Outcomes, err)
	}
	res, err = Apply(b, func(string) (string, error) { return "", &Refusal{"f", PathRefused, "no"} }, Settings{})
	if err != nil || res.Outcomes[0].Reason != PathRefused {
		t.Errorf("refused: %v, %v", res.Outcomes, err)
	}
}
