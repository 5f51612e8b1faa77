package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"znkr.io/diff"
	"znkr.io/diff/textdiff"

	"github.com/agentloop/agentloop/edits"
)

// asker asks on the terminal before each edit.
type asker struct {
	*term
	lines *bufio.Reader
	all   bool        // no more questions
	stop  func(error) // ends the run in good order
}

type answered struct {
	text string
	err  error
}

// errDeclined is the cause of a run's end that the user asked for.
var errDeclined = errors.New("the user ended the run")

// newAsker makes an asker, or says why nobody could answer.
func (p *program) newAsker(stop func(error)) (*asker, error) {
	if !isTerminal(p.in) || !isTerminal(p.term.errs) {
		return nil, usageError{msg: "--confirm needs a terminal to ask on", hint: "leave it out, or use --dry-run to see what would be done"}
	}
	return &asker{term: p.term, lines: bufio.NewReader(p.in), stop: stop}, nil
}

// read waits for a line. One that nobody waits for any more is lost: the run is over.
func (a *asker) read() <-chan answered {
	heard := make(chan answered, 1)
	go func() {
		text, err := a.lines.ReadString('\n')
		heard <- answered{text, err}
	}()
	return heard
}

// confirm shows the lines that an edit would change and asks.
func (a *asker) confirm(ctx context.Context, o edits.Outcome, would []edits.Change) (bool, error) {
	if a.all {
		return true, nil
	}
	if command := o.Block.Command(); command != "" {
		a.say(oneLined(command) + "\n")
		would = nil // its lines are as they were
	}
	for _, c := range would {
		a.say(a.changed(c))
	}
	for {
		a.say("apply this edit? [y]es, [n]o, [a]ll, [q]uit: ")
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case typed := <-a.read():
			switch word := strings.ToLower(strings.TrimSpace(typed.text)); {
			case word == "y" || word == "yes":
				return true, nil
			case word == "n" || word == "no":
				return false, nil
			case word == "a" || word == "all":
				a.all = true
				return true, nil
			case word == "q" || word == "quit" || errors.Is(typed.err, io.EOF):
				a.stop(errDeclined)
				return false, errDeclined
			case typed.err != nil:
				return false, typed.err
			}
		}
	}
}

// changed gives the lines that come and go, without any around them.
func (a *asker) changed(c edits.Change) string {
	head := "edit " + oneLined(c.Path)
	switch {
	case c.Delete:
		return "delete " + oneLined(c.Path) + "\n"
	case !c.Existed:
		head = "create " + oneLined(c.Path)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", head)
	for line := range strings.Lines(textdiff.Unified(c.Before, c.After, diff.Context(0))) {
		switch text := safe(strings.TrimRight(line, "\r\n")); {
		case strings.HasPrefix(line, "-"):
			fmt.Fprintf(&b, "%s\n", a.paint(red, text))
		case strings.HasPrefix(line, "+"):
			fmt.Fprintf(&b, "%s\n", a.paint(green, text))
		default:
			fmt.Fprintf(&b, "%s\n", a.paint(dim, text))
		}
	}
	return b.String()
}

// say writes what the user must see, however quiet the rest is.
func (a *asker) say(text string) {
	a.lock()
	defer a.mu.Unlock()
	io.WriteString(a.errs, text)
}
