package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/syntax"
	"github.com/agentloop/agentloop/loop"
)

// modes is the setting validate: "refuse" for all files, or a list of "GLOB=MODE"
// of which the first that fits decides.
type modes []string

// parsed gives the rules, and what is wrong with them or "".
func (m modes) parsed() (rules []syntax.Rule, wrong string) {
	for _, text := range m {
		glob, mode := "**", text
		if i := strings.LastIndexByte(text, '='); i >= 0 {
			glob, mode = strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
		}
		switch syntax.Mode(mode) {
		case syntax.Off, syntax.Warn, syntax.Refuse:
		default:
			return nil, fmt.Sprintf("must be off, warn or refuse, or a list of GLOB=MODE, not %q", short(text))
		}
		if !doublestar.ValidatePattern(glob) {
			return nil, fmt.Sprintf("holds %q, which is no glob", short(glob))
		}
		rules = append(rules, syntax.Rule{Glob: glob, Mode: syntax.Mode(mode)})
	}
	return rules, ""
}

// setModes takes a string or a list of strings.
func setModes(into *modes, value any) string {
	if text, ok := value.(string); ok {
		*into = modes{text}
		return ""
	}
	return setList((*[]string)(into), value)
}

// validator lets a run ask internal/syntax, one file after the other.
type validator struct {
	judge syntax.Validator
	note  string // of the file that is being judged
}

func (p *place) validator() *validator {
	rules, _ := p.Validate.parsed() // refused long before, if they are wrong
	shell := p.shell(p.repo.Root)
	shell.Timeout, shell.Keep, shell.Flood = validateTime, 4<<10, 1<<20
	v := &validator{judge: syntax.Validator{Rules: rules, Feed: shell.Feed}}
	v.judge.Note = func(_, why string) { v.note = why }
	return v
}

// validateTime bounds a parser that is a program.
const validateTime = 5 * time.Second

// Validate judges one changed file.
func (v *validator) Validate(ctx context.Context, c edits.Change) (f loop.Finding) {
	v.note = ""
	defer func() { f.Note = v.note }()
	if p := v.judge.Validate(ctx, c.Path, c.Before, c.After, c.Existed); p != nil {
		f.Problem = &edits.Problem{Line: p.Line, Column: p.Column, Message: p.Language + ": " + p.Message}
		f.Warn = p.Warn
	}
	return f
}
