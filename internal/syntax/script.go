package syntax

import (
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// script gives the parser of JavaScript's kin. JavaScript itself is read as JSX,
// which holds all of it.
func script(loader api.Loader) func(string) *Problem {
	return func(text string) *Problem {
		if loader == api.LoaderTS && strings.HasPrefix(strings.TrimSpace(text), "<?xml") {
			return nil // a translation of Qt, whose files end in .ts too
		}
		p := transform(text, loader, "")
		if p != nil && loader != api.LoaderJSX && strings.Contains(text, "@") {
			// Each kind of decorators forbids places that the other allows.
			if transform(text, loader, `{"compilerOptions":{"experimentalDecorators":true}}`) == nil {
				return nil
			}
		}
		return p
	}
}

// transform gives esbuild's first error. It is called on the parser's goroutine:
// esbuild makes messages of its own panics, which become panics again.
func transform(text string, loader api.Loader, tsconfig string) *Problem {
	res := api.Transform(text, api.TransformOptions{Loader: loader, LogLevel: api.LogLevelSilent, TsconfigRaw: tsconfig})
	if len(res.Errors) == 0 {
		return nil
	}
	if strings.HasPrefix(res.Errors[0].Text, "panic:") {
		panic(res.Errors[0].Text)
	}
	return fromEsbuild(res.Errors[0])
}

// parseCSS reads warnings: a style sheet has no errors, since browsers skip what
// they cannot read.
func parseCSS(text string) *Problem {
	res := api.Transform(text, api.TransformOptions{Loader: api.LoaderCSS, LogLevel: api.LogLevelSilent})
	for _, m := range append(res.Errors, res.Warnings...) {
		switch {
		case strings.HasPrefix(m.Text, "panic:"):
			panic(m.Text)
		case m.ID == "css-syntax-error" || m.ID == "":
			return fromEsbuild(m)
		}
	}
	return nil
}

func fromEsbuild(m api.Message) *Problem {
	p := &Problem{Message: m.Text}
	if m.Location != nil {
		p.Line, p.Column = m.Location.Line, m.Location.Column+1
	}
	return p
}
