package edits

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Independent blocks of one reply land the same in any order, and as a plain
// replacement of their lines would.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 60).Draw(t, "lines")
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintf("line %d of it", i)
		}
		var blocks []Block
		want := slices.Clone(lines)
		for at := 1; at+3 < n; {
			size := rapid.IntRange(1, 2).Draw(t, "size")
			new := rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,8}`), 0, 3).Draw(t, "new")
			old := lines[at-1 : at+size+1] // a line of context on both sides
			sides := slices.Concat(old[:1], new, old[len(old)-1:])
			if !slices.Equal(old, sides) {
				blocks = append(blocks, Block{Format: rapid.SampledFrom([]Format{SearchReplace, Anchored, Anchored4}).Draw(t, "format"), Path: "f", Old: old, New: sides})
				want[at] = strings.Join(new, "\n")
				for i := 1; i < size; i++ {
					want[at+i] = ""
				}
				if len(new) == 0 {
					want[at] = ""
				}
				for i := range size {
					if i > 0 || len(new) == 0 {
						want[at+i] = "\x00"
					}
				}
			}
			at += size + 2 + rapid.IntRange(0, 3).Draw(t, "gap")
		}
		oracle := strings.Join(slices.DeleteFunc(want, func(l string) bool { return l == "\x00" }), "\n") + "\n"
		content := strings.Join(lines, "\n") + "\n"
		shuffled := rapid.Permutation(blocks).Draw(t, "order")
		res, err := Apply(shuffled, func(string) (string, error) { return content, nil }, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range res.Outcomes {
			if o.Status != Applied {
				t.Fatalf("block %d: %s %s", i, o.Status, o.Reason)
			}
		}
		if len(blocks) > 0 && res.Changes[0].After != oracle {
			t.Fatalf("want %q\ngot  %q", oracle, res.Changes[0].After)
		}
	})
}

// Through any sequence of changes a text is what plain slices say, it keeps
// track of where the lines before the reply stand, and its lookup answers what a
// search through all lines does.
func TestTextThroughChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := genLines(1, 40).Draw(t, "start")
		orig := newText(strings.Join(start, "\n") + "\n")
		now := orig.clone()
		now.where = newLookup(orig)
		model := slices.Clone(start)
		t.Repeat(map[string]func(*rapid.T){
			"replace": func(t *rapid.T) {
				at := rapid.IntRange(0, len(model)).Draw(t, "at")
				n := rapid.IntRange(0, min(4, len(model)-at)).Draw(t, "n")
				new := genLines(0, 4).Draw(t, "new")
				now.replace(at, n, new)
				model = slices.Replace(model, at, at+n, new...)
			},
			"find": func(t *rapid.T) {
				if len(model) == 0 {
					t.Skip()
				}
				at := rapid.IntRange(0, len(model)-1).Draw(t, "at")
				needle := slices.Clone(model[at : at+rapid.IntRange(1, min(4, len(model)-at)).Draw(t, "n")])
				if rapid.Bool().Draw(t, "foreign") {
					needle[0] = "a line of nowhere"
				}
				want := positions(model, needle, 20)
				if got := now.positions(now.lines, needle, 20); !slices.Equal(want, got) {
					t.Fatalf("looking for %q in %q: want %v, got %v", needle, model, want, got)
				}
			},
			"": func(t *rapid.T) {
				if !slices.Equal(model, now.lines) || len(now.ends) != len(model) || len(now.from) != len(model) {
					t.Fatalf("want %q, got %q", model, now.lines)
				}
				last := -1
				for i, from := range now.from {
					if from < 0 {
						continue
					}
					if from <= last || now.lines[i] != start[from] {
						t.Fatalf("line %d came from %d, after %d", i, from, last)
					}
					last = from
				}
			},
		})
		if !slices.Equal(orig.lines, start) {
			t.Fatal("the text before the reply changed")
		}
	})
}
