package standin

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// task is one pair of trees.
type task struct {
	id            string
	before, after map[string]string
}

// corpus reads the shared corpus of real changes, or skips.
func corpus(t *testing.T) []task {
	t.Helper()
	const path = "../../../shared/corpus/commits.jsonl"
	f, err := os.Open(path)
	if err != nil {
		t.Skipf("the corpus is not here: %v", err)
	}
	defer f.Close()
	var tasks []task
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		var c struct {
			ID    string
			Files []struct {
				Path          string
				Before, After *string
			}
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		one := task{c.ID, map[string]string{}, map[string]string{}}
		for _, f := range c.Files {
			if f.Before != nil {
				one.before[f.Path] = *f.Before
			}
			if f.After != nil {
				one.after[f.Path] = *f.After
			}
		}
		tasks = append(tasks, one)
	}
	if err := sc.Err(); err != nil || len(tasks) == 0 {
		t.Fatalf("%d tasks: %v", len(tasks), err)
	}
	return tasks
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
	return Chat{Messages: []Message{{"system", Text("You edit files.\nEdit format: " + string(format) + "\n")}, {"user", "the task"}}}
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
	tests := []task{
		{"insert at the start", tree("a", lines(0, 9)), tree("a", "new\n"+lines(0, 9))},
		{"insert at the end", tree("a", lines(0, 9)), tree("a", lines(0, 9)+"new\n")},
		{"delete all", tree("a", lines(0, 9)), tree("a", "")},
		{"create", tree(), tree("d/a", "one\ntwo\n")},
		{"fill an empty file", tree("a", ""), tree("a", "one\n")},
		{"no final newline", tree("a", "one\ntwo"), tree("a", "one\nzwei")},
		{"append without a final newline", tree("a", "one\ntwo"), tree("a", "one\ntwo\nthree")},
		{"CRLF", tree("a", "one\r\ntwo\r\nthree\r\n"), tree("a", "one\r\nzwei\r\ndrei\r\nthree\r\n")},
		{"BOM", tree("a", bom+"one\ntwo\n"), tree("a", bom+"eins\ntwo\n")},
		{"nothing unique around", tree("a", same), tree("a", same[:30]+"x\n"+same[30:])},
		{"two far apart", tree("a", lines(0, 60)), tree("a", lines(0, 10)+"x\n"+lines(11, 40)+lines(42, 60))},
		{"two that need each other", tree("a", same), tree("a", same[:30]+"x\n"+same[30:60]+"y\n"+same[60:])},
		{"first makes the second's lines", tree("a", "b\nc\n1\n2\n3\n4\n5\n6\nd\n"), tree("a", "d\n1\n2\n3\n4\n5\n6\nd\ne\n")},
		{"markers", tree("a", "x\n=======\n<<<<<<< SEARCH\ny\n"), tree("a", "x\n=======\n>>>>>>> REPLACE\n««« EDIT\ny\n")},
		{"several files", tree("a", lines(0, 5), "b", lines(0, 5)), tree("a", lines(1, 5), "b", lines(0, 4))},
		{"blank lines only", tree("a", "x\n\n\ny\n"), tree("a", "x\n\n\n\n\ny\n")},
	}
	for _, format := range []edits.Format{edits.SearchReplace, edits.Anchored} {
		for _, test := range tests {
			t.Run(string(format)+"/"+test.id, func(t *testing.T) {
				for seed := range uint64(20) {
					p := NewPlan(test.before, test.after, Options{Seed: seed})
					if d := diffTree(p.Gold, test.after); d != "" {
						t.Fatalf("%s: gold %q, want %q", d, p.Gold[d], test.after[d])
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

func TestPlanStraightCorpus(t *testing.T) {
	unsaid := 0
	for _, c := range corpus(t) {
		p := NewPlan(c.before, c.after, Options{Seed: 1})
		for path, want := range c.after {
			if got := p.Gold[path]; got != want {
				unsaid++
				if slices.Compare(newText(got).lines, newText(want).lines) != 0 {
					t.Errorf("%s: %s: gold is not what was wanted", c.id, path)
				}
			}
		}
		got := apply(t, p.Start, edits.Parse(p.Player().Answer(chat(edits.SearchReplace)).Text))
		if d := diffTree(got, p.Gold); d != "" {
			t.Errorf("%s: %s is not gold", c.id, d)
		}
	}
	if unsaid > 3 { // three change a final newline and nothing else that a line could not say
		t.Errorf("%d files have a gold that differs", unsaid)
	}
}

func TestPlanIsReproducible(t *testing.T) {
	for _, c := range someTasks() {
		for _, mix := range []Mix{APIMix(), CheapMix()} {
			a, b := NewPlan(c.before, c.after, Careless(7, mix)), NewPlan(c.before, c.after, Careless(7, mix))
			if a.Player().Answer(chat("search-replace")).Text != b.Player().Answer(chat("search-replace")).Text || !reflect.DeepEqual(a.Start, b.Start) {
				t.Errorf("%s: two plans of one seed differ", c.id)
			}
		}
	}
	differ := false
	for seed := range uint64(10) {
		c := someTasks()[0]
		a := NewPlan(c.before, c.after, Careless(7, APIMix())).Player().Answer(chat("search-replace")).Text
		differ = differ || a != NewPlan(c.before, c.after, Careless(seed, APIMix())).Player().Answer(chat("search-replace")).Text
	}
	if !differ {
		t.Error("the seed changes nothing")
	}
}
