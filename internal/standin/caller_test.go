package standin

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// desk answers calls on a tree in memory, as the loop is to do it.
type desk struct {
	t     *testing.T
	tree  map[string]string
	shown map[string]string
	count map[string]int // of calls by name, and of "failed"
	mute  bool           // failures show no lines
}

func (d *desk) read(path string) (string, error) {
	if text, ok := d.tree[path]; ok {
		return text, nil
	}
	return "", fs.ErrNotExist
}

// answers applies all edits of a reply against the tree as it was before it.
func (d *desk) answers(calls []Call) []string {
	d.t.Helper()
	all := make([]string, len(calls))
	var blocks []edits.Block
	var at []int
	for i, c := range calls {
		d.count[c.Name]++
		if b, ok := edits.ReadCall(c.Name, c.Arguments); ok {
			blocks, at = append(blocks, b), append(at, i)
		} else {
			all[i] = d.page(c)
		}
	}
	res, err := edits.Apply(blocks, d.read, edits.Settings{OnFailed: edits.Continue, Shown: func(path string) (string, bool) {
		text, ok := d.shown[path]
		return text, ok
	}})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, c := range res.Changes {
		d.tree[c.Path] = c.After
	}
	for i, o := range res.Outcomes {
		path, line := o.Block.Path, o.Line
		if o.Fail != nil && o.Fail.Near != nil {
			line = o.Fail.Near.Line
		}
		around := d.numbered(path, line-4, line+3)
		if d.mute && o.Fail != nil {
			around = ""
		}
		switch {
		case o.Status == edits.Applied:
			all[at[i]] = fmt.Sprintf("applied: %s, now tag %s\n%s", path, edits.Tag(d.tree[path]), around)
		default:
			d.count["failed"]++
			all[at[i]] = fmt.Sprintf("failed (%s): %s\n%s now, tag %s\n%s", o.Reason, o.Fail.Detail, path, edits.Tag(d.tree[path]), around)
			if _, there := d.tree[path]; !there {
				all[at[i]] = fmt.Sprintf("failed (%s): %s", o.Reason, o.Fail.Detail)
			}
		}
	}
	return all
}

// page answers read_file.
func (d *desk) page(c Call) string {
	var args struct {
		Path       string
		Start, End int
	}
	var lines struct {
		Start *int `json:"start_line"`
		End   *int `json:"end_line"`
	}
	if c.Name != "read_file" || json.Unmarshal([]byte(c.Arguments), &args) != nil || json.Unmarshal([]byte(c.Arguments), &lines) != nil {
		d.t.Errorf("a call that cannot be: %+v", c)
	}
	text, there := d.tree[args.Path]
	if !there {
		return "failed (file-not-found): there is no " + args.Path
	}
	from, n := 1, len(newText(text).lines)
	if lines.Start != nil {
		from = *lines.Start
	}
	to := min(n, from+pageLines-1)
	if lines.End != nil {
		to = min(to, *lines.End)
	}
	d.shown[args.Path] = text
	return fmt.Sprintf("%s, lines %d-%d of %d, tag %s\n%s", args.Path, min(from, n), to, n, edits.Tag(text), d.numbered(args.Path, from-1, to))
}

// numbered shows lines from to to, from 0.
func (d *desk) numbered(path string, from, to int) string {
	var b strings.Builder
	lines := newText(d.tree[path]).lines
	for i := max(0, from); i < min(to, len(lines)); i++ {
		fmt.Fprintf(&b, "%5d: %s\n", i+1, lines[i])
	}
	return b.String()
}

// toolChat is the prompt of a round in which tools are offered.
func toolChat(t *testing.T, told string) Chat {
	t.Helper()
	var c Chat
	user, _ := json.Marshal("# Task\nmake the change\n\n" + told)
	if err := json.Unmarshal([]byte(`{"messages":[{"role":"system","content":"Edit format: tools\n"},{"role":"user","content":`+string(user)+`}],"tools":[{"function":{"name":"edit_lines"}},{"function":{"name":"read_file"}}]}`), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// carry plays rounds by calls until the tree is gold, and gives the rounds used
// and the calls made.
func carry(t *testing.T, p *Plan, d *desk, rounds int) (used int, said []Call) {
	t.Helper()
	actor := p.Player()
	d.t, d.tree, d.shown, d.count = t, maps.Clone(p.Start), map[string]string{}, map[string]int{}
	for used < rounds && (used == 0 || diffTree(d.tree, p.Gold) != "") {
		used++
		told := ""
		if used > 1 {
			told = feedbackHeading + "\nSome edits are not in.\n"
		}
		c := toolChat(t, told)
		for steps := 0; ; steps++ {
			a := actor.Answer(c)
			if len(a.Calls) == 0 {
				if a.Text == "" {
					t.Fatal("nothing said")
				}
				break
			}
			if steps > 40 {
				t.Fatal("the round does not end")
			}
			for i := range a.Calls {
				a.Calls[i].ID = fmt.Sprint("id", len(said)+i)
			}
			said = append(said, a.Calls...)
			c.Messages = append(c.Messages, Message{Role: "assistant", Calls: a.Calls})
			for i, text := range d.answers(a.Calls) {
				c.Messages = append(c.Messages, Message{Role: "tool", CallID: a.Calls[i].ID, Content: Text(text)})
			}
		}
	}
	return used, said
}

// Without faults every change is in after one round, by both tools.
func TestCallerWithoutFaults(t *testing.T) {
	both := map[string]int{}
	for _, c := range append(someTasks(), ours(t)...) {
		for seed := range uint64(4) {
			p := NewPlan(c.Before, c.After, Options{Seed: seed, Calls: true})
			d := &desk{}
			used, said := carry(t, p, d, 1)
			if diff := diffTree(d.tree, p.Gold); diff != "" || used != 1 || d.count["failed"] > 0 {
				t.Errorf("%s, seed %d: %s after %d calls, %d failed\n%s", c.ID, seed, diff, len(said), d.count["failed"], d.tree[diff])
			}
			for name, n := range d.count {
				both[name] += n
			}
		}
	}
	if both["edit"] < 20 || both["edit_lines"] < 20 || both["read_file"] < 20 {
		t.Errorf("calls %v", both)
	}
}

// With faults, nearly all changes are in after a round, no fault of a call does
// harm, and the same seed makes the same calls.
func TestCallerRepairs(t *testing.T) {
	for _, mute := range []bool{false, true} {
		done, n, failed := 0, 0, 0
		for _, c := range append(someTasks(), ours(t)...) {
			for seed := range uint64(8) {
				opt := Careless(seed, CheapMix())
				opt.Calls, opt.Rate = true, .5
				p := NewPlan(c.Before, c.After, opt)
				d, e := &desk{mute: mute}, &desk{mute: mute}
				_, said := carry(t, p, d, 3)
				if _, again := carry(t, p, e, 3); !slices.Equal(said, again) {
					t.Errorf("%s, seed %d: not reproducible", c.ID, seed)
				}
				diff := p.Compare(d.tree)
				n++
				failed += d.count["failed"]
				if diff.None() {
					done++
				} else {
					t.Logf("%s, seed %d: %+v", c.ID, seed, diff)
				}
			}
		}
		t.Logf("mute %v: %d of %d, %d failed calls", mute, done, n, failed)
		if done < n*95/100 || failed < n/4 {
			t.Errorf("mute %v: %d of %d converged, %d failed calls", mute, done, n, failed)
		}
	}
}

// Each fault of CallMix is put into some call; all but TextNumber are refused,
// and none stands in the way for longer than the round.
func TestCallFaults(t *testing.T) {
	for _, w := range CallMix() {
		fired, failed := 0, 0
		for _, c := range append(someTasks(), ours(t)...) {
			for seed := range uint64(6) {
				p := NewPlan(c.Before, c.After, Options{Seed: seed, Calls: true})
				for _, f := range p.files {
					for i, d := range f.blocks {
						if d.ranged && f.spoilRange(i, w.Fault, f.rng(seed, i, "test")) {
							fired++
							break
						}
					}
				}
				d := &desk{}
				carry(t, p, d, 1)
				failed += d.count["failed"]
				if diff := p.Compare(d.tree); !diff.None() {
					t.Errorf("%s: %s, seed %d: %+v", w.Fault, c.ID, seed, diff)
				}
			}
		}
		if fired < 5 || (failed == 0) != (w.Fault == TextNumber) {
			t.Errorf("%s: fired %d times, %d failed", w.Fault, fired, failed)
		}
	}
}

// A long file is read page by page.
func TestCallerPages(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	after := strings.Replace(b.String(), "line 1900\n", "changed\n", 1)
	p := NewPlan(tree("long", b.String()), tree("long", after), Options{Calls: true})
	d := &desk{}
	carry(t, p, d, 1)
	if d.count["read_file"] != 3 || diffTree(d.tree, p.Gold) != "" {
		t.Errorf("%v", d.count)
	}
}

// Where the server takes no tools, the actor edits by text.
func TestCallerWithoutTools(t *testing.T) {
	c := someTasks()[0]
	a := NewPlan(c.Before, c.After, Options{Calls: true}).Player().Answer(chat(toolsFormat))
	if len(a.Calls) > 0 || len(edits.Parse(a.Text)) == 0 {
		t.Errorf("%+v", a)
	}
}

// Real changes, with the carelessness that the bench measures with.
func TestCallerRealChanges(t *testing.T) {
	for name, mix := range map[string]Mix{"api": APIMix(), "cheap": CheapMix()} {
		done, first, n, stray, failed := 0, 0, 0, 0, 0
		for _, c := range corpus(t) {
			if c.Deletes {
				continue
			}
			opt := Careless(uint64(n), mix)
			opt.Calls = true
			p := NewPlan(c.Before, c.After, opt)
			d := &desk{}
			used, _ := carry(t, p, d, 3)
			diff := p.Compare(d.tree)
			n++
			failed += d.count["failed"]
			if diff.None() {
				if done++; used == 1 {
					first++
				}
			}
			if len(diff.Stray) > 0 {
				stray++
				t.Logf("%s: %s: %+v", name, c.ID, diff)
			}
		}
		t.Logf("%s: %d of %d, %d in one round, %d stray, %d failed calls", name, done, n, first, stray, failed)
		if done < n*98/100 || stray > n/100 || failed < n/3 {
			t.Errorf("%s: %d of %d tasks, %d with stray bytes, %d failed calls", name, done, n, stray, failed)
		}
	}
}
