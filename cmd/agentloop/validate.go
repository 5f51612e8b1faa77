package main

import (
	"context"
	"fmt"
	"strings"

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

// validator lets a run ask internal/syntax.
type validator struct{ rules []syntax.Rule }

func (s settings) validator() validator {
	rules, _ := s.Validate.parsed() // refused long before, if they are wrong
	return validator{rules}
}

// Validate judges one changed file.
func (v validator) Validate(ctx context.Context, c edits.Change) (f loop.Finding) {
	judge := syntax.Validator{Rules: v.rules, Note: func(_, why string) { f.Note = why }}
	if p := judge.Validate(ctx, c.Path, c.Before, c.After, c.Existed); p != nil {
		f.Problem = &edits.Problem{Line: p.Line, Column: p.Column, Message: p.Language + ": " + p.Message}
		f.Warn = p.Warn
	}
	return f
}
