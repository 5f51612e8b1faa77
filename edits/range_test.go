package edits_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// rangeCall is one call of edit_lines, and what it stands for.
type rangeCall struct {
	from, to int // lines[from:to] of the file are replaced
	new      []string
	args     map[string]any
}

// makeRange draws a call whose lines lie in lines[lo:hi].
func makeRange(rng *rand.Rand, path string, lo, hi int) rangeCall {
	c := rangeCall{from: lo + rng.IntN(hi-lo+1), args: map[string]any{"path": path}}
	c.to = c.from + rng.IntN(min(hi-c.from, 5)+1)
	for range rng.IntN(4) {
		c.new = append(c.new, []string{"", "\tnew(x)", "    y = 1", "}", "\"quoted\\\" <&>"}[rng.IntN(5)]+strings.Repeat(" ", rng.IntN(2)))
	}
	text := ""
	for _, l := range c.new {
		text += l + "\n"
	}
	switch {
	case c.from == c.to:
		c.args["command"], c.args["insert_line"], c.args["new_content"] = "insert", c.from, text
	case len(c.new) == 0 && rng.IntN(2) == 0:
		c.args["command"], c.args["start_line"], c.args["end_line"] = "delete", c.from+1, c.to
	case rng.IntN(3) == 0: // as the corpus has it
		c.args["start_line"], c.args["end_line"], c.args["content"] = c.from+1, c.to, text
	default:
		c.args["command"], c.args["start_line"], c.args["end_line"], c.args["new_content"] = "replace", c.from+1, fmt.Sprint(c.to), text
	}
	return c
}

// guard gives the call the text of its first and last line.
func (c rangeCall) guard(lines []string) bool {
	switch {
	case c.from < c.to:
		c.args["guard"] = lines[c.from] + "\n" + lines[c.to-1]
	case c.from > 0:
		c.args["guard"] = lines[c.from-1]
	default:
		return false
	}
	return strings.TrimSpace(c.args["guard"].(string)) != ""
}

func (c rangeCall) text() string {
	c.args["tool"] = "edit_lines"
	b, _ := json.Marshal(c.args)
	return "```json\n" + string(b) + "\n```\n"
}

// someFile makes a file in which many lines are equal, as in real ones.
func someFile(rng *rand.Rand) []string {
	lines := make([]string, 1+rng.IntN(60))
	for i := range lines {
		lines[i] = []string{"", "}", "\treturn nil", fmt.Sprintf("\tcall(%d)", i), fmt.Sprintf("func f%d() {", i), "\t}"}[rng.IntN(6)]
	}
	return lines
}

func applyRanges(t *testing.T, calls []rangeCall, file string) edits.Result {
	t.Helper()
	var reply strings.Builder
	for _, c := range calls {
		reply.WriteString(c.text())
	}
	res, err := edits.Apply(edits.Parse(reply.String()), func(string) (string, error) { return file, nil }, edits.Settings{})
	if err != nil || len(res.Outcomes) != len(calls) {
		t.Fatalf("%v, %d outcomes of %d calls:\n%s", err, len(res.Outcomes), len(calls), reply.String())
	}
	return res
}

// disjointRanges draws calls that want different lines, in the order of the lines:
// they may touch, and several may insert at one place.
func disjointRanges(rng *rand.Rand, lines []string) (calls []rangeCall) {
	for lo := 0; lo <= len(lines) && len(calls) < 6; {
		c := makeRange(rng, "a.go", lo, min(len(lines), lo+6))
		calls = append(calls, c)
		if lo = c.to + rng.IntN(3)/2; lo == len(lines) && rng.IntN(2) == 0 {
			break
		}
	}
	return calls
}

// shuffle gives the calls in any order in which those that insert at one place
// stand as they are: these are in the reply's order.
func shuffle(rng *rand.Rand, calls []rangeCall) []rangeCall {
	out, at := slices.Clone(calls), map[int][]rangeCall{}
	for _, c := range calls {
		if c.from == c.to {
			at[c.from] = append(at[c.from], c)
		}
	}
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	for i, c := range out {
		if c.from == c.to {
			out[i], at[c.from] = at[c.from][0], at[c.from][1:]
		}
	}
	return out
}

// Calls of one reply apply as if made at once, in whatever order they stand.
func TestRangesAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for done, set := 0, 0; done < 5000; set++ {
		lines := someFile(rng)
		if set%3 == 0 {
			lines = lines[:rng.IntN(min(len(lines), 8))] // where calls touch, and may be empty
		}
		calls := disjointRanges(rng, lines)
		want := slices.Clone(lines)
		for _, c := range slices.Backward(calls) {
			want = slices.Replace(want, c.from, c.to, c.new...)
		}
		ending := []string{"\n", "\r\n"}[rng.IntN(2)]
		if len(lines) == 0 {
			ending = "\n"
		}
		file := join(lines, ending)
		res := applyRanges(t, shuffle(rng, calls), file)
		for _, o := range res.Outcomes {
			if o.Status != edits.Applied || o.Reason == edits.AlreadyApplied {
				t.Fatalf("%s %s: %+v\n%s", o.Status, o.Reason, o.Fail, o.Block.Raw)
			}
		}
		got := file
		if len(res.Changes) > 0 {
			got = res.Changes[0].After
		}
		if text := join(want, ending); got != text {
			t.Fatalf("%d calls on\n%q\ngive\n%q\nwant\n%q", len(calls), file, got, text)
		}
		done += len(calls)
	}
}

func join(lines []string, ending string) string {
	text := ""
	for _, l := range lines {
		text += l + ending
	}
	return text
}

// Calls that want the same lines all fail, and no other does, in whatever order
// they stand.
func TestOverlappingRanges(t *testing.T) {
	const file = "1\n2\n3\n4\n5\n6\n"
	replace := func(from, to int, new string) rangeCall {
		return rangeCall{args: map[string]any{"path": "a", "start_line": from, "end_line": to, "content": new}}
	}
	insert := func(at int, new string) rangeCall {
		return rangeCall{args: map[string]any{"path": "a", "command": "insert", "insert_line": at, "content": new}}
	}
	for _, c := range []struct {
		name  string
		calls []rangeCall
		fail  int // so many of the first
		want  string
	}{
		{"two", []rangeCall{replace(1, 2, "a"), replace(2, 3, "b"), replace(4, 4, "c")}, 2, "1\n2\n3\nc\n5\n6\n"},
		{"one in the way of two", []rangeCall{replace(2, 4, "a"), replace(1, 2, "b"), replace(4, 5, "c"), insert(5, "d")}, 3, "1\n2\n3\n4\n5\nd\n6\n"},
		{"an insertion within", []rangeCall{replace(2, 4, "a"), insert(3, "b"), insert(1, "c"), insert(4, "d")}, 2, "1\nc\n2\n3\n4\nd\n5\n6\n"},
		{"one that changes nothing", []rangeCall{replace(2, 2, "2"), replace(2, 2, "b"), insert(2, "c")}, 2, "1\n2\nc\n3\n4\n5\n6\n"},
		{"the same lines for a part", []rangeCall{replace(2, 3, "a"), replace(2, 2, "a")}, 2, file},
		{"the same", []rangeCall{replace(2, 3, "a"), replace(2, 3, "a"), insert(3, "c")}, 0, "1\na\nc\n4\n5\n6\n"},
		{"one that fails by itself", []rangeCall{replace(5, 9, "a"), replace(5, 5, "b")}, 1, "1\n2\n3\n4\nb\n6\n"},
	} {
		rng := rand.New(rand.NewPCG(5, 4))
		for range 24 {
			order := rng.Perm(len(c.calls))
			var calls []rangeCall
			for _, i := range order {
				calls = append(calls, c.calls[i])
			}
			res := applyRanges(t, calls, file)
			for i, o := range res.Outcomes {
				if (o.Status == edits.Failed) != (order[i] < c.fail) {
					t.Errorf("%s, %v: %s %s of %s", c.name, order, o.Status, o.Reason, o.Block.Raw)
				}
			}
			got := file
			if len(res.Changes) > 0 {
				got = res.Changes[0].After
			}
			if got != c.want {
				t.Errorf("%s, %v: %q, want %q", c.name, order, got, c.want)
			}
		}
	}
}

// A place of which text blocks have changed the lines around is found while that
// is certain, and else it is a conflict.
func TestRangesAmongTextBlocks(t *testing.T) {
	const file = "one\ntwo\nthree\nfour\n"
	for _, c := range []struct{ name, blocks, outcomes, want string }{
		{"the line above stands", `{"tool":"edit","path":"a","old":"three\n","new":"3\nIII\n"} {"tool":"edit_lines","command":"insert","path":"a","insert_line":2,"content":"X"}`, "applied applied", "one\ntwo\nX\n3\nIII\nfour\n"},
		{"the line below stands", `{"tool":"edit","path":"a","old":"two\n","new":"2\nII\n"} {"tool":"edit_lines","command":"insert","path":"a","insert_line":2,"content":"X"}`, "applied applied", "one\n2\nII\nX\nthree\nfour\n"},
		{"a text between calls", `{"tool":"edit_lines","path":"a","start_line":3,"end_line":3,"content":"3"} {"tool":"edit","path":"a","old":"two\n","new":"2\nII\n"} {"tool":"edit_lines","command":"insert","path":"a","insert_line":2,"content":"X"}`, "applied applied failed", "one\n2\nII\n3\nfour\n"},
		{"both lines by one text", `{"tool":"edit","path":"a","old":"two\nthree\n","new":"2\n3\n"} {"tool":"edit_lines","command":"insert","path":"a","insert_line":2,"content":"X"}`, "failed failed", file},
		{"a preview behind calls", `{"tool":"edit_lines","path":"a","start_line":4,"end_line":4,"content":"4"} {"tool":"edit_lines","command":"insert","path":"a","insert_line":4,"content":"X","dry_run":true}`, "applied would-apply", "one\ntwo\nthree\n4\n"},
	} {
		res, err := edits.Apply(edits.Parse("```json\n"+c.blocks+"\n```\n"), func(string) (string, error) { return file, nil }, edits.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		got, outcomes := file, ""
		for _, o := range res.Outcomes {
			outcomes += " " + string(o.Status)
		}
		if len(res.Changes) > 0 {
			got = res.Changes[0].After
		}
		if got != c.want || outcomes != " "+c.outcomes {
			t.Errorf("%s:%s %q", c.name, outcomes, got)
		}
	}
}

// A guard makes a call on a file that has shifted a refusal: none lands in lines
// that it was not meant for.
func TestShiftedRangesWithGuard(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	applied, refused, wrong := 0, 0, 0 // wrong: would have landed, without the guard
	for applied+refused < 5000 {
		lines := someFile(rng)
		c := makeRange(rng, "a.go", 0, len(lines))
		if !c.guard(lines) {
			continue
		}
		if rng.IntN(3) == 0 {
			c.args["guard"] = edits.Tag(strings.Join(lines, "\n") + "\n")
		}
		// Somebody puts lines in, or takes some away, above the call's.
		first := c.from // the first line that the guard speaks of
		if c.from == c.to {
			first--
		}
		at, n := rng.IntN(first+1), 1+rng.IntN(3)
		shifted := slices.Insert(slices.Clone(lines), at, someFile(rng)[:1]...)
		moved := 1
		if rng.IntN(2) == 0 && at+n <= first {
			shifted, moved = slices.Delete(slices.Clone(lines), at, at+n), -n
		}
		file := strings.Join(shifted, "\n") + "\n"
		res := applyRanges(t, []rangeCall{c}, file)
		o := res.Outcomes[0]
		if o.Status == edits.Failed {
			refused++
			delete(c.args, "guard")
			if len(applyRanges(t, []rangeCall{c}, file).Changes) > 0 {
				wrong++
			}
			if o.Reason != edits.StaleTarget && o.Reason != edits.Ambiguous && o.Reason != edits.NotFound {
				t.Fatalf("%s: %+v", o.Reason, o.Fail)
			}
			continue
		}
		applied++
		if len(res.Changes) == 0 {
			continue // it changed nothing
		}
		want := strings.Join(slices.Replace(slices.Clone(shifted), c.from+moved, c.to+moved, c.new...), "\n") + "\n"
		if got := res.Changes[0].After; got != want {
			t.Fatalf("a shift by %d at %d goes unseen: %s\n%q\n%q", moved, at, c.text(), file, got)
		}
	}
	t.Logf("refused %d, of which %d would land without a guard; right or no change all the same %d", refused, wrong, applied)
	if wrong < 4000 {
		t.Errorf("only %d of the calls would do harm without a guard", wrong)
	}
}

// On the file that it was made for, a guard does not stand in the way.
func TestGuardHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	for range 2000 {
		lines := someFile(rng)
		c := makeRange(rng, "a.go", 0, len(lines))
		if !c.guard(lines) {
			continue
		}
		file := strings.Join(lines, "\n") + "\n"
		shown := edits.Settings{Shown: func(string) (string, bool) { return file, true }}
		res, err := edits.Apply(edits.Parse(c.text()), func(string) (string, error) { return file, nil }, shown)
		if err != nil || res.Outcomes[0].Status != edits.Applied {
			t.Fatalf("%v %+v %+v\n%s", err, res.Outcomes[0], res.Outcomes[0].Fail, c.text())
		}
		c.args["guard"] = edits.Tag(file)
		if res := applyRanges(t, []rangeCall{c}, file); res.Outcomes[0].Status != edits.Applied {
			t.Fatalf("%+v\n%s", res.Outcomes[0].Fail, c.text())
		}
	}
}
