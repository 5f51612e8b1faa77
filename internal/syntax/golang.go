package syntax

import (
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
)

func parseGo(text string) *Problem {
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution|parser.AllErrors)
	if err == nil {
		return nil
	}
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		first := list[0] // sorted by place
		return &Problem{Line: first.Pos.Line, Column: first.Pos.Column, Message: first.Msg}
	}
	return &Problem{Message: err.Error()}
}
