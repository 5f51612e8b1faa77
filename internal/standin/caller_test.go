package standin

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

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

// The forms of an answer that matter.
func TestReadAnswer(t *testing.T) {
	for _, c := range []struct {
		text string
		want answer
	}{
		{"a/b.go, lines 3-4 of 9, tag @0123abcd\n    3: x: 1\n    4: \n[5 lines more: read_file with start_line 5]\n", answer{total: 9, tag: "@0123abcd", lines: map[int]string{2: "x: 1", 3: ""}}},
		{"a is empty, tag @0123abcd", answer{total: 0, tag: "@0123abcd", lines: map[int]string{}}},
		{"applied: a has 2 lines now, tag @0123abcd\n    1: \ufeffx\r\n", answer{applied: true, total: -1, tag: "@0123abcd", lines: map[int]string{0: "x"}}},
		{"applied: a, with the calls before", answer{applied: true, total: -1, lines: map[int]string{}}},
		{"nothing to change in a (already-applied)", answer{moot: true, total: -1, lines: map[int]string{}}},
		{"failed (stale-target): the file is no longer the version @00000000\n12: no line\nthe file now, tag @0123abcd\n   12: y", answer{total: -1, tag: "@0123abcd", lines: map[int]string{11: "y"}}},
		{"failed: a: there is no such file", answer{total: -1, lines: map[int]string{}}},
	} {
		got := readAnswer(c.text)
		if got.applied != c.want.applied || got.moot != c.want.moot || got.total != c.want.total || got.tag != c.want.tag || !maps.Equal(got.lines, c.want.lines) {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
}

// A call that changed nothing means that the file is not as it was thought to
// be: it is read again, and the block is not sent once more.
func TestCallerReadsAgain(t *testing.T) {
	before := tree("a", "1\n2\n3\n")
	p := NewPlan(before, tree("a", "1\ntwo\n3\n"), Options{Calls: true})
	actor, c := p.Player(), toolChat(t, "")
	answers := []string{"a, lines 1-3 of 3, tag @00000001\n    1: 1\n    2: 2\n    3: 3\n", "nothing to change in a (already-applied)", "a, lines 1-3 of 3, tag @00000002\n    1: 1\n    2: two\n    3: 3\n"}
	var said []string
	for i := range 4 {
		a := actor.Answer(c)
		if len(a.Calls) != 1 {
			said = append(said, "words")
			break
		}
		said = append(said, a.Calls[0].Name)
		id := fmt.Sprint(i)
		a.Calls[0].ID = id
		c.Messages = append(c.Messages, Message{Role: "assistant", Calls: a.Calls}, Message{Role: "tool", CallID: id, Content: Text(answers[min(i, 2)])})
	}
	if got := strings.Replace(strings.Join(said, " "), "edit_lines", "edit", 1); got != "read_file edit read_file words" {
		t.Error(got)
	}
}
