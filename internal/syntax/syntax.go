// Package syntax says whether a changed file still parses, before it is written.
//
// A file is judged by its name's extension: Go, Python, JavaScript, TypeScript
// (with JSX), CSS, JSON, YAML, TOML, XML and shell. The parsers are those that
// the languages' users trust, but for Python, whose layout (strings, brackets,
// indentation, what opens a block) is checked by a scanner of our own, and then
// by python3's own parser where there is one.
//
// The rule that keeps false refusals away: a file is refused only if it parsed
// before the edit and does not after. A new file is judged on its own.
//
// Not here: HTML, templates, JSON with comments; types, names and imports. A
// validator that panics, takes too long or is given too much lets the edit pass,
// and says so.
//
// Nothing is built or compiled on import; every call stands alone.
package syntax

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

// Mode says what a problem means.
type Mode string

// The modes of a file. The zero value stands for Refuse.
const (
	Off    Mode = "off"
	Warn   Mode = "warn"
	Refuse Mode = "refuse"
)

// Rule gives the files of a glob (with **) a mode. A malformed glob fits none.
type Rule struct {
	Glob string
	Mode Mode
}

// Validator judges files. Its zero value refuses whatever no longer parses. It
// may be used from several goroutines if Note may.
type Validator struct {
	Rules []Rule        // the first one that fits a path decides; none: Refuse
	Limit time.Duration // for one file, its old text included; 0: 2 s

	// Note is told why a file could not be judged ("the Go parser took longer
	// than 2s"); may be nil.
	Note func(path, why string)

	// Feed runs a program that is not from the tree over a text on its standard
	// input and gives its standard output, as sandbox.Shell's Feed does. With it
	// the layout of Python is not all that is checked: the text goes to python3's
	// own parser, whose start takes 10 to 60 ms; why that did not judge is noted for
	// the first file only. May be nil.
	Feed func(ctx context.Context, program string, args []string, text string) (out string, err error)

	noted atomic.Bool // that Feed's program did not judge
}

// Problem is where a file stops to parse.
type Problem struct {
	Line     int    // from 1; 0: unknown
	Column   int    // in bytes from 1; 0: unknown
	Message  string // the parser's words
	Language string // "Go"
	Warn     bool   // to be told only: the file may be written
}

func (p *Problem) String() string {
	switch {
	case p.Line == 0:
		return p.Language + ": " + p.Message
	case p.Column == 0:
		return fmt.Sprintf("%s, line %d: %s", p.Language, p.Line, p.Message)
	}
	return fmt.Sprintf("%s, line %d, column %d: %s", p.Language, p.Line, p.Column, p.Message)
}

// maxBytes is the longest text that is judged.
const maxBytes = 1 << 20

// Validate gives the problem that an edit brought into a file, nil if there is
// none, if there was one before, or if nobody can tell. Before is ignored where
// the file did not exist. Paths are relative, with slashes. A deleted file is
// not to be judged: its empty text may be no text of its language.
func (v *Validator) Validate(ctx context.Context, path, before, after string, existed bool) *Problem {
	mode := v.mode(path)
	lang, known := languageOf(path)
	if !known || mode == Off || existed && before == after {
		return nil
	}
	p := v.judge(ctx, lang, path, before, after, existed)
	if p != nil {
		p.Language, p.Warn = lang.name, mode == Warn
	}
	return p
}

func (v *Validator) mode(path string) Mode {
	for _, r := range v.Rules {
		if fits, err := doublestar.Match(r.Glob, path); err == nil && fits {
			return r.Mode
		}
	}
	return Refuse
}

// judge parses the new text and, only if that fails, the old one.
func (v *Validator) judge(ctx context.Context, lang language, path, before, after string, existed bool) *Problem {
	limit := v.Limit
	if limit <= 0 {
		limit = 2 * time.Second
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("took longer than %s", limit))
	defer cancel()
	empty := strings.TrimSpace(before) == ""
	if !existed && strings.TrimSpace(after) == "" {
		return nil // a file made empty on purpose
	}
	ask := func(text string) (*Problem, string) { return v.ask(ctx, lang, path, text) }
	p, why := ask(after)
	if p != nil && existed && !empty {
		var was *Problem
		if was, why = ask(before); was != nil {
			return nil
		}
	}
	if why == "" {
		return p
	}
	v.note(path, "the "+lang.name+" parser "+why)
	return nil
}

func (v *Validator) note(path, why string) {
	if v.Note != nil {
		v.Note(path, why)
	}
}

// ask parses a text by all that can; why is set where the first of them came to
// no end. Where the second did, the first has the word.
func (v *Validator) ask(ctx context.Context, lang language, path, text string) (p *Problem, why string) {
	p, why = attempt(ctx, lang, text)
	if p != nil || why != "" || lang.name != "Python" || v.Feed == nil {
		return p, why
	}
	p, unasked := v.python3(ctx, text)
	if unasked != "" && v.noted.CompareAndSwap(false, true) {
		v.note(path, "python3 "+unasked+"; only the layout of Python is checked")
	}
	return p, ""
}

// attempt parses a text; why is set where that came to no end. A parser cannot
// be stopped: one that passes the limit runs on, over a text that is bounded.
func attempt(ctx context.Context, lang language, text string) (p *Problem, why string) {
	if len(text) > maxBytes {
		return nil, fmt.Sprintf("is not given files of more than %d bytes", maxBytes)
	}
	if !lang.bounded {
		if why := steep(text); why != "" {
			return nil, why
		}
	}
	type verdict struct {
		p   *Problem
		why string
	}
	done := make(chan verdict, 1)
	go func() {
		var got verdict
		defer func() {
			if r := recover(); r != nil {
				got = verdict{why: fmt.Sprintf("panicked: %.200v", r)}
			}
			done <- got
		}()
		got.p = lang.parse(strings.TrimPrefix(text, "\ufeff"))
	}()
	select {
	case got := <-done:
		return got.p, got.why
	case <-ctx.Done():
		return nil, context.Cause(ctx).Error()
	}
}
