package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	xterm "golang.org/x/term"
)

// Rules of speech: progress and errors go to standard error, reports to standard
// output; lower case, no full stop; an error is one line that begins with
// "agentloop:", and a hint follows on a line of its own where the user can act.
// Nothing that came from a model, a file or a check is printed but through safe.

// term is the only writer of words for people.
type term struct {
	mu        sync.Mutex
	out, errs io.Writer
	screen    bool // errs is a terminal that can take a line back
	color     bool // and NO_COLOR is not set
	quiet     bool
	verbose   bool

	ticking bool // the last line of errs is tick's
	minute  int  // the last one that tick told of
}

func newTerm(out, errs io.Writer) *term {
	screen := isTerminal(errs) && os.Getenv("TERM") != "dumb"
	return &term{out: out, errs: errs, screen: screen, color: screen && os.Getenv("NO_COLOR") == ""}
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// lock begins a line: tick's is taken back.
func (t *term) lock() {
	t.mu.Lock()
	if t.ticking {
		io.WriteString(t.errs, "\r\x1b[K")
		t.ticking = false
	}
}

// print writes a part of the report.
func (t *term) print(text string) {
	t.lock()
	defer t.mu.Unlock()
	io.WriteString(t.out, text)
}

// progress writes one line that tells what goes on, unless all is to be quiet.
func (t *term) progress(format string, args ...any) {
	if t.quiet {
		return
	}
	t.lock()
	defer t.mu.Unlock()
	fmt.Fprintf(t.errs, format+"\n", args...)
}

// tick tells that a check is still running. On a terminal each call replaces
// the one before; elsewhere there is a line a minute, so that whoever waits for
// words, such as a CI server, hears some.
func (t *term) tick(elapsed time.Duration) {
	if t.quiet {
		return
	}
	t.lock()
	defer t.mu.Unlock()
	minute := int(elapsed.Minutes())
	switch text := "  running for " + elapsed.Round(time.Second).String(); {
	case t.screen:
		io.WriteString(t.errs, text)
		t.ticking = true
	case minute > t.minute:
		io.WriteString(t.errs, text+"\n")
	}
	t.minute = minute
}

// note writes one line that the user should hear even when all is quiet.
func (t *term) note(text string) {
	t.lock()
	defer t.mu.Unlock()
	fmt.Fprintln(t.errs, "agentloop: "+safe(text))
}

// fail prints an error, its hint and what there is to see below it.
func (t *term) fail(err error) {
	t.note(err.Error())
	usage, ok := errors.AsType[usageError](err)
	if !ok {
		return
	}
	t.lock()
	defer t.mu.Unlock()
	if usage.hint != "" {
		fmt.Fprintln(t.errs, "hint: "+safe(usage.hint))
	}
	if usage.detail != "" {
		fmt.Fprintln(t.errs, strings.TrimRight(safe(usage.detail), "\n"))
	}
}

// The colours of progress lines.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	dim    = "2"
)

func (t *term) paint(color, text string) string {
	if !t.color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// safe makes text harmless on a terminal: control characters but newline and
// tab, C1 controls, bidirectional overrides and bytes that are not UTF-8 are
// written out as \u{…}.
func safe(text string) string {
	if !strings.ContainsFunc(text, unsafeRune) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unsafeRune(r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unsafeRune(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.IsControl(r), r == utf8.RuneError:
		return true
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
		return true
	case r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// oneLined is safe for text that must stay on its line.
func oneLined(text string) string {
	return safe(strings.Join(strings.Fields(strings.ReplaceAll(text, "\n", " ")), " "))
}
