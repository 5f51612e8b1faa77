package main

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestTick holds that a running check is told of in one line of a terminal, and
// once a minute elsewhere.
func TestTick(t *testing.T) {
	for _, c := range []struct {
		name          string
		screen, quiet bool
		want          string
	}{
		{"terminal", true, false, "check\n  running for 1s\r\x1b[K  running for 1m0s\r\x1b[K  running for 1m1s\r\x1b[Kpassed\n"},
		{"file", false, false, "check\n  running for 1m0s\npassed\n"},
		{"quiet", true, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var errs strings.Builder
			w := &term{errs: &errs, screen: c.screen, quiet: c.quiet}
			w.progress("check")
			for _, elapsed := range []time.Duration{time.Second, time.Minute, 61 * time.Second} {
				w.tick(elapsed)
			}
			w.progress("passed")
			if got := errs.String(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestTickTellsOfEveryCheck holds that a second check begins its minutes anew.
func TestTickTellsOfEveryCheck(t *testing.T) {
	var errs strings.Builder
	w := &term{errs: &errs}
	for _, elapsed := range []time.Duration{59 * time.Second, 121 * time.Second, time.Second, 60 * time.Second} {
		w.tick(elapsed)
	}
	if got, want := errs.String(), "  running for 2m1s\n  running for 1m0s\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSafe holds that nothing which came from a model, a file or a check steers
// the terminal.
func TestSafe(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain text, überall 世界\n\ttab", "plain text, überall 世界\n\ttab"},
		{"\x1b[2J", `\u{1b}[2J`},
		{"a\rb", `a\u{d}b`},
		{"\u009b31m", `\u{9b}31m`},
		{"abc\u202edef", `abc\u{202e}def`},
		{"zero\u200bwidth", `zero\u{200b}width`},
		{"tag\U000e0041", `tag\u{e0041}`},
		{"bad \xff", `bad \u{fffd}`},
		{"bell\a", `bell\u{7}`},
	} {
		if got := safe(c.in); got != c.want {
			t.Errorf("%q is printed as %q, want %q", c.in, got, c.want)
		}
	}
	if got := oneLined("a\n b\t\tc \x1b"); got != `a b c \u{1b}` {
		t.Errorf("one line: %q", got)
	}
}

// TestFail holds the form of an error: its line, its hint, what there is to see.
func TestFail(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("disk full"), "agentloop: disk full\n"},
		{usageError{msg: "no"}, "agentloop: no\n"},
		{usageError{msg: "no", hint: "do \x1b"}, "agentloop: no\nhint: do \\u{1b}\n"},
		{usageError{msg: "no", hint: "do", detail: "-a\n+b\n"}, "agentloop: no\nhint: do\n-a\n+b\n"},
	} {
		var errs strings.Builder
		(&term{errs: &errs, quiet: true}).fail(c.err)
		if got := errs.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
