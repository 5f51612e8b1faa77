package syntax

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// parseShell takes a script that either bash or a POSIX shell would take: many
// that say sh are written for bash. Another interpreter's script is not judged.
func parseShell(text string) *Problem {
	if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "#!") {
		words := strings.FieldsFunc(first, func(r rune) bool { return strings.ContainsRune("/ \t\r", r) })
		ours := false
		for _, w := range words {
			switch w {
			case "sh", "bash", "dash", "ash":
				ours = true
			}
		}
		if !ours {
			return nil
		}
	}
	var first *Problem
	for _, lang := range []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX} {
		_, err := syntax.NewParser(syntax.Variant(lang)).Parse(strings.NewReader(text), "")
		if err == nil || strings.Contains(err.Error(), "arithmetic") { // takes $((a) | b) for arithmetic
			return nil
		}
		if first == nil {
			first = fromShell(err)
		}
	}
	return first
}

func fromShell(err error) *Problem {
	var p syntax.ParseError
	if errors.As(err, &p) {
		return &Problem{Line: int(p.Pos.Line()), Column: int(p.Pos.Col()), Message: p.Text}
	}
	return &Problem{Message: err.Error()}
}
