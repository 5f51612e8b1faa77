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

// Calls of one reply apply as if made at once, in whatever order they stand.
func TestRangesAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for done := 0; done < 5000; {
		lines := someFile(rng)
		var calls []rangeCall
		for lo := 0; lo <= len(lines) && len(calls) < 4; {
			c := makeRange(rng, "a.go", lo, len(lines))
			calls = append(calls, c)
			lo = max(c.to, c.from+1) + 1 // a line between: touching calls may mean the same place
		}
		want := slices.Clone(lines)
		for _, c := range slices.Backward(calls) {
			want = slices.Replace(want, c.from, c.to, c.new...)
		}
		rng.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
		ending := []string{"\n", "\r\n"}[rng.IntN(2)]
		file := strings.Join(lines, ending) + ending
		res := applyRanges(t, calls, file)
		for _, o := range res.Outcomes {
			if o.Status != edits.Applied {
				t.Fatalf("%s %s: %+v\n%s", o.Status, o.Reason, o.Fail, o.Block.Raw)
			}
		}
		got := file
		if len(res.Changes) > 0 {
			got = res.Changes[0].After
		}
		text := ""
		for _, l := range want {
			text += l + ending
		}
		if got != text {
			t.Fatalf("%d calls on\n%q\ngive\n%q\nwant\n%q", len(calls), file, got, text)
		}
		done += len(calls)
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
