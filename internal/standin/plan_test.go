package standin

import (
	"errors"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// corpus reads the shared corpus of real changes, or skips.
func corpus(t *testing.T) []Pair {
	t.Helper()
	pairs, err := ReadPairs("../../../shared/corpus/commits.jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the corpus is not here: %v", err)
	}
	if err != nil || len(pairs) == 0 {
		t.Fatalf("%d pairs: %v", len(pairs), err)
	}
	return pairs
}

// ours reads the project's own pairs.
func ours(t *testing.T) []Pair {
	t.Helper()
	pairs, err := ReadPairs("../../testdata/pairs")
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

// apply replaces the one place at which each block's old side stands; it is all
// that a right block needs.
func apply(t *testing.T, tree map[string]string, blocks []edits.Block) map[string]string {
	t.Helper()
	tree = maps.Clone(tree)
	for _, b := range blocks {
		was, there := tree[b.Path]
		txt := newText(was)
		if len(b.Old) == 0 {
			if there && len(txt.lines) > 0 {
				t.Fatalf("%s: a block without an old side for a file that is there", b.Path)
			}
			tree[b.Path] = txt.with(b.New, make([]string, len(b.New)))
			continue
		}
		at := places(txt.lines, b.Old)
		if len(at) != 1 {
			t.Fatalf("%s: %d places for\n%s", b.Path, len(at), strings.Join(b.Old, "\n"))
		}
		end := at[0] + len(b.Old)
		lines := slices.Replace(slices.Clone(txt.lines), at[0], end, b.New...)
		// A line of the new side ends as the old side's did, as long as these last.
		ends := slices.Replace(slices.Clone(txt.ends), at[0], end, make([]string, len(b.New))...)
		for i := range min(len(b.Old), len(b.New)) {
			ends[at[0]+i] = txt.ends[at[0]+i]
		}
		tree[b.Path] = txt.with(lines, ends)
	}
	return tree
}

// chat is a first prompt that asks for this format.
func chat(format edits.Format) Chat {
	return Chat{Messages: []Message{{Role: "system", Content: Text("You edit files.\nEdit format: " + string(format) + "\n")}, {Role: "user", Content: "the task"}}}
}

// diffTree tells how two trees differ, "" for not at all.
func diffTree(got, want map[string]string) string {
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if g, ok := got[path]; !ok || g != want[path] {
			return path
		}
	}
	if len(got) != len(want) {
		return "more files than wanted"
	}
	return ""
}

func TestPlanStraight(t *testing.T) {
	lines := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			b.WriteString("line " + string(rune('a'+i%26)) + strings.Repeat("x", i/26) + "\n")
		}
		return b.String()
	}
	same := strings.Repeat("}\n\n", 30)
	tests := []Pair{
		{ID: "insert at the start", Before: tree("a", lines(0, 9)), After: tree("a", "new\n"+lines(0, 9))},
		{ID: "insert at the end", Before: tree("a", lines(0, 9)), After: tree("a", lines(0, 9)+"new\n")},
		{ID: "delete all", Before: tree("a", lines(0, 9)), After: tree("a", "")},
		{ID: "create", Before: tree(), After: tree("d/a", "one\ntwo\n")},
		{ID: "fill an empty file", Before: tree("a", ""), After: tree("a", "one\n")},
		{ID: "no final newline", Before: tree("a", "one\ntwo"), After: tree("a", "one\nzwei")},
		{ID: "append without a final newline", Before: tree("a", "one\ntwo"), After: tree("a", "one\ntwo\nthree")},
		{ID: "CRLF", Before: tree("a", "one\r\ntwo\r\nthree\r\n"), After: tree("a", "one\r\nzwei\r\ndrei\r\nthree\r\n")},
		{ID: "BOM", Before: tree("a", bom+"one\ntwo\n"), After: tree("a", bom+"eins\ntwo\n")},
		{ID: "nothing unique around", Before: tree("a", same), After: tree("a", same[:30]+"x\n"+same[30:])},
		{ID: "two far apart", Before: tree("a", lines(0, 60)), After: tree("a", lines(0, 10)+"x\n"+lines(11, 40)+lines(42, 60))},
		{ID: "two that need each other", Before: tree("a", same), After: tree("a", same[:30]+"x\n"+same[30:60]+"y\n"+same[60:])},
		{ID: "first makes the second's lines", Before: tree("a", "b\nc\n1\n2\n3\n4\n5\n6\nd\n"), After: tree("a", "d\n1\n2\n3\n4\n5\n6\nd\ne\n")},
		{ID: "markers", Before: tree("a", "x\n=======\n<<<<<<< SEARCH\ny\n"), After: tree("a", "x\n=======\n>>>>>>> REPLACE\n««« EDIT\ny\n")},
		{ID: "several files", Before: tree("a", lines(0, 5), "b", lines(0, 5)), After: tree("a", lines(1, 5), "b", lines(0, 4))},
		{ID: "blank lines only", Before: tree("a", "x\n\n\ny\n"), After: tree("a", "x\n\n\n\n\ny\n")},
	}
	for _, format := range []edits.Format{edits.SearchReplace, edits.Anchored} {
		for _, test := range tests {
			t.Run(string(format)+"/"+test.ID, func(t *testing.T) {
				for seed := range uint64(20) {
					p := NewPlan(test.Before, test.After, Options{Seed: seed})
					if d := diffTree(p.Gold, test.After); d != "" {
						t.Fatalf("%s: gold %q, want %q", d, p.Gold[d], test.After[d])
					}
					blocks := edits.Parse(p.Player().Answer(chat(format)).Text)
					got := apply(t, p.Start, blocks)
					if d := diffTree(got, p.Gold); d != "" {
						t.Fatalf("%s: got %q, want %q", d, got[d], p.Gold[d])
					}
				}
			})
		}
	}
}

// tree makes a map of path, content, path, content …
func tree(pairs ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

// Real changes, planned without faults, lead from start to gold by exact
// replacement alone. Gold is what was wanted but for what no line can say.
func TestPlanStraightRealChanges(t *testing.T) {
	straight := func(t *testing.T, pairs []Pair, most int) {
		unsaid := 0
		for _, c := range pairs {
			p := NewPlan(c.Before, c.After, Options{Seed: 1})
			for path, want := range c.After {
				if got := p.Gold[path]; got != want {
					unsaid++
					if !slices.Equal(newText(got).lines, newText(want).lines) {
						t.Errorf("%s: %s: gold is not what was wanted", c.ID, path)
					}
				}
			}
			got := apply(t, p.Start, edits.Parse(p.Player().Answer(chat(edits.SearchReplace)).Text))
			if d := diffTree(got, p.Gold); d != "" {
				t.Errorf("%s: %s is not gold", c.ID, d)
			}
		}
		if unsaid > most {
			t.Errorf("%d files have a gold that differs", unsaid)
		}
	}
	t.Run("ours", func(t *testing.T) {
		pairs := ours(t)
		if len(pairs) < 12 {
			t.Errorf("only %d pairs", len(pairs))
		}
		straight(t, pairs, 0)
	})
	t.Run("corpus", func(t *testing.T) { straight(t, corpus(t), 3) }) // three change a final newline
}

func TestPlanIsReproducible(t *testing.T) {
	for _, c := range someTasks() {
		for _, mix := range []Mix{APIMix(), CheapMix()} {
			a, b := NewPlan(c.Before, c.After, Careless(7, mix)), NewPlan(c.Before, c.After, Careless(7, mix))
			if a.Player().Answer(chat("search-replace")).Text != b.Player().Answer(chat("search-replace")).Text || !reflect.DeepEqual(a.Start, b.Start) {
				t.Errorf("%s: two plans of one seed differ", c.ID)
			}
		}
	}
	differ := false
	for seed := range uint64(10) {
		c := someTasks()[0]
		a := NewPlan(c.Before, c.After, Careless(7, APIMix())).Player().Answer(chat("search-replace")).Text
		differ = differ || a != NewPlan(c.Before, c.After, Careless(seed, APIMix())).Player().Answer(chat("search-replace")).Text
	}
	if !differ {
		t.Error("the seed changes nothing")
	}
}
