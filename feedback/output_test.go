package feedback_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
)

// output gives what a message shows of a check's output.
func output(t *testing.T, run feedback.CheckRun) string {
	t.Helper()
	run.Command, run.Exit = "make", 1
	pieces := quoted(word(t, feedback.Round{Outcomes: make([]edits.Outcome, 1), Checks: []feedback.CheckRun{run}}))
	if len(pieces) != 1 {
		t.Fatalf("%d pieces are quoted", len(pieces))
	}
	return pieces[0]
}

// TestElide holds that the omission is counted: what is shown and what is said to
// be left out are the whole output. The newline that ends the head may be counted
// as left out although one is shown.
func TestElide(t *testing.T) {
	left := regexp.MustCompile(`(?m)^\[… (\d+) bytes left out …\]\n`)
	rapid.Check(t, func(r *rapid.T) {
		line := rapid.StringMatching(`[a-z ]{0,80}`)
		longLine := rapid.Map(rapid.IntRange(1, 9000), func(n int) string { return strings.Repeat("z", n) })
		text := rapid.Map(rapid.SliceOfN(rapid.OneOf(line, line, longLine), 0, 150), func(l []string) string { return strings.Join(l, "\n") })
		run := feedback.CheckRun{Head: text.Draw(r, "head"), Tail: text.Draw(r, "tail")}
		if run.Tail != "" && rapid.Bool().Draw(r, "omitted") {
			run.Omitted = int64(rapid.IntRange(1, 1<<30).Draw(r, "bytes"))
		}
		shown := output(t, run)
		at := left.FindStringSubmatchIndex(shown)
		if at == nil {
			if strings.TrimRight(shown, "\n") != strings.TrimRight(run.Head+run.Tail, "\n") || run.Omitted > 0 {
				t.Fatalf("shown without an omission: %q of %q and %q, %d omitted", shown, run.Head, run.Tail, run.Omitted)
			}
			return
		}
		head, tail := shown[:at[0]], shown[at[1]:]
		from := run.Head // the head is cut from this
		if run.Omitted == 0 {
			from += run.Tail
		}
		if !strings.HasPrefix(from, head) {
			head = strings.TrimSuffix(head, "\n") // added, to put the omission on a line of its own
		}
		if rest := strings.TrimRight(run.Head+run.Tail, "\n"); !strings.HasSuffix(rest, tail) {
			tail = strings.TrimSuffix(tail, "\n") // added, before the fence
		}
		said, err := strconv.ParseInt(shown[at[2]:at[3]], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if want := int64(len(run.Head)+len(run.Tail)-len(head)-len(tail)) + run.Omitted; said != want && said != want+1 {
			t.Fatalf("%d bytes are said to be left out, but it is %d", said, want)
		}
	})
}

// TestHeadAndTail holds that the first and the last lines are the ones kept.
func TestHeadAndTail(t *testing.T) {
	shown := output(t, feedback.CheckRun{Head: numbered("line", 500)})
	for _, want := range []string{"line 1\n", "line 30\n", "line 441\n", "line 500\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown", want)
		}
	}
	for _, no := range []string{"line 31\n", "line 440\n"} {
		if strings.Contains(shown, no) {
			t.Errorf("%q is shown", no)
		}
	}
}

// TestClean holds that nothing in a check's output steers a terminal or is no
// text.
func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"\x1b[31mFAIL\x1b[0m a", "FAIL a"},
		{"\x1b[1;38;5;208mbright\x1b[K", "bright"},
		{"a\x07b\x00c\x7fd", "abcd"},
		{"tab\tand\r", "tab\tand"},
		{"bad \xff byte", "bad \ufffd byte"},
		{"cut \x1b[31", "cut "},
		{"alone \x1b", "alone "},
		{"plain", "plain"},
	} {
		if got := strings.TrimSuffix(output(t, feedback.CheckRun{Head: c.in}), "\n"); got != c.want {
			t.Errorf("%q is shown as %q, want %q", c.in, got, c.want)
		}
	}
}

// TestHow holds that the ways to fail are told apart.
func TestHow(t *testing.T) {
	for _, c := range []struct {
		run  feedback.CheckRun
		want string
	}{
		{feedback.CheckRun{Exit: 3}, "Check failed (exit status 3): make"},
		{feedback.CheckRun{Exit: -1, Signal: "SIGSEGV"}, "Check failed (ended by SIGSEGV): make"},
		{feedback.CheckRun{Exit: -1, TimedOut: true, Elapsed: 61e9}, "Check failed (timed out after 1m1s): make"},
	} {
		c.run.Command = "make"
		if said := word(t, feedback.Round{Outcomes: make([]edits.Outcome, 1), Checks: []feedback.CheckRun{c.run}}); !strings.Contains(said, c.want) {
			t.Errorf("%q is missing from %q", c.want, said)
		}
	}
}

// TestNewFailures holds that lines which failed before the run too are not told
// as new, whatever numbers are in them.
func TestNewFailures(t *testing.T) {
	base := feedback.CheckRun{Command: "make", Exit: 1, Head: "FAIL old_test.go:12 (0.03s)\nok all\n"}
	now := feedback.CheckRun{Command: "make", Exit: 1, Head: "FAIL old_test.go:15 (0.01s)\nFAIL new_test.go:3\nok all\n"}
	said := word(t, feedback.Round{Outcomes: make([]edits.Outcome, 1), Checks: []feedback.CheckRun{now}, Baseline: []feedback.CheckRun{base}})
	_, fresh, ok := strings.Cut(said, "New failures:\n")
	fresh, _, _ = strings.Cut(fresh, "```")
	if !ok || strings.TrimSpace(fresh) != "FAIL new_test.go:3" {
		t.Errorf("told as new: %q in\n%s", fresh, said)
	}

	many := feedback.CheckRun{Command: "make", Exit: 1}
	for i := range 100 {
		many.Head += fmt.Sprintf("FAIL %c%c\n", 'a'+i/10, 'a'+i%10)
	}
	said = word(t, feedback.Round{Outcomes: make([]edits.Outcome, 1), Checks: []feedback.CheckRun{many}, Baseline: []feedback.CheckRun{base}})
	_, fresh, _ = strings.Cut(said, "New failures:\n")
	fresh, _, _ = strings.Cut(fresh, "```")
	if n := strings.Count(fresh, "FAIL"); n != 15 {
		t.Errorf("%d lines are told as new, want 15", n)
	}
}
