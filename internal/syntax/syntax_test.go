package syntax

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestLanguages gives each language a text that parses and one that does not.
func TestLanguages(t *testing.T) {
	for _, c := range []struct {
		path, good, bad string
		line            int
	}{
		{"a.go", "package a\n\nvar x = 1\n", "package a\n\nvar x = (1\n", 3},
		{"a.py", "if x:\n    y()\n", "if x:\ny()\n", 2},
		{"a.js", "const a = <b/>;\n", "const a = {\n", 2},
		{"a.mjs", "export const a = await b;\n", "export const a = ;\n", 1},
		{"a.ts", "let a: string = <string>b;\n", "let a: = b;\n", 1},
		{"nest.ts", "class A { constructor(@Dep() private b: B) {} }\n", "class A { constructor(@Dep( private b: B) {} }\n", 1},
		{"a.tsx", "const a = <T,>(x: T) => <b>{x}</b>;\n", "const a = <b>;\n", 2},
		{"a.css", "a { color: red }\n", "a { color: red\n", 2},
		{"a.json", "{\"a\": [1]}\n", "{\n\"a\": [1}\n", 2},
		{"a.yaml", "a: 1\n---\nb: [1, 2]\n", "a: 1\nb: [1, 2\nc: 3\n", 1},
		{"a.yml", "on: ${{ x }}\n", "\ta: b\n", 1},
		{"a.toml", "[a]\nb = 1\n", "[a]\nb = \n", 2},
		{"a.xml", "<a><b/></a>\n", "<a>\n<b></a>\n", 2},
		{"a.sh", "#!/bin/sh\nif a; then b; fi\n", "if a; then\nb\n", 1},
	} {
		v := &Validator{Note: func(path, why string) { t.Errorf("%s: %s", path, why) }}
		if p := v.Validate(t.Context(), c.path, c.good, c.good+"\n", true); p != nil {
			t.Errorf("%s: good text: %s", c.path, p)
		}
		p := v.Validate(t.Context(), c.path, c.good, c.bad, true)
		if p == nil || p.Line != c.line || p.Message == "" || p.Language == "" || p.Warn {
			t.Errorf("%s: bad text: %+v, want line %d", c.path, p, c.line)
		}
		if p := v.Validate(t.Context(), c.path, c.bad, c.bad+"\n", true); p != nil {
			t.Errorf("%s: was broken before: %s", c.path, p)
		}
		if p := v.Validate(t.Context(), c.path, "", c.bad, false); p == nil {
			t.Errorf("%s: a new file is not judged", c.path)
		}
		crlf := "\ufeff" + strings.ReplaceAll(c.good, "\n", "\r\n")
		if c.path != "a.sh" && v.Validate(t.Context(), c.path, "", crlf, false) != nil {
			t.Errorf("%s: byte order mark or CRLF is refused", c.path)
		}
	}
}

// TestNotJudged holds what passes, whatever it says.
func TestNotJudged(t *testing.T) {
	for _, c := range []struct{ path, text string }{
		{"a.html", "<a"},
		{"Makefile", "("},
		{"a.jsonc", "{"},
		{"tsconfig.build.json", "{ // x\n}"},
		{"x/.vscode/settings.json", "{ // x\n}"},
		{"{{name}}/a.py", "{{x}} y"},
		{"chart/a.yaml", "{{ if x }}\na: 1\n{{ end }}\n"},
		{"a_de.ts", "<?xml version=\"1.0\"?><TS/>"},
		{"a.sh", "#!/usr/bin/env python3\nprint((1)\n"},
		{"a.xml", "<?xml version=\"1.1\"?><a/>"},
		{"a.json", " \n"},
		{"a.sh", "echo $((a b) 2>&1)\n"},
		{"skip/x/a.go", "no"},
	} {
		v := &Validator{Rules: []Rule{{"[", Refuse}, {"skip/**", Off}, {"**", Refuse}}}
		if p := v.Validate(t.Context(), c.path, "", c.text, false); p != nil {
			t.Errorf("%s: %s", c.path, p)
		}
	}
	warn := &Validator{Rules: []Rule{{"**/*.go", Warn}}}
	if p := warn.Validate(t.Context(), "x/a.go", "", "no", false); p == nil || !p.Warn {
		t.Errorf("%+v, want a warning", p)
	}
	if p := warn.Validate(t.Context(), "a.json", "", "no", false); p == nil || p.Warn {
		t.Errorf("%+v, want a refusal", p)
	}
	emptied := (&Validator{}).Validate(t.Context(), "a.json", "{}", "", true)
	if emptied == nil {
		t.Error("a JSON file may be emptied")
	}
}

// noted gives a validator and what it noted.
func noted() (v *Validator, why *string) {
	why = new(string)
	return &Validator{Note: func(_, w string) { *why += w }}, why
}

func TestPanic(t *testing.T) {
	v, why := noted()
	lang := language{"X", func(string) *Problem { panic("ouch") }, true}
	if p := v.judge(t.Context(), lang, "a", "", "text", false); p != nil || *why != "the X parser panicked: ouch" {
		t.Errorf("%v, noted %q", p, *why)
	}
	lang.parse = func(text string) *Problem { // the old text alone is too much
		if text == "old" {
			panic("ouch")
		}
		return &Problem{}
	}
	v, why = noted()
	if p := v.judge(t.Context(), lang, "a", "old", "new", true); p != nil || *why == "" {
		t.Errorf("%v, noted %q", p, *why)
	}
}

func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan bool)
		lang := language{"X", func(string) *Problem { <-never; return &Problem{} }, true}
		v, why := noted()
		start := time.Now()
		if p := v.judge(t.Context(), lang, "a", "", "text", false); p != nil || *why != "the X parser took longer than 2s" {
			t.Errorf("%v, noted %q", p, *why)
		}
		if d := time.Since(start); d != 2*time.Second {
			t.Errorf("waited %s", d)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		v, why = noted()
		if p := v.judge(ctx, lang, "a", "", "text", false); p != nil || !strings.Contains(*why, "canceled") {
			t.Errorf("%v, noted %q", p, *why)
		}
		close(never)
	})
}

func TestTooMuch(t *testing.T) {
	v, why := noted()
	if p := v.Validate(t.Context(), "a.json", "", strings.Repeat("[", maxBytes+1), false); p != nil || !strings.Contains(*why, "bytes") {
		t.Errorf("%v, noted %q", p, *why)
	}
}

// TestDeep would end the test binary, not fail, if a parser were led too deep.
func TestDeep(t *testing.T) {
	for _, c := range []struct {
		path, unit string
		noted      bool
	}{
		{"a.js", "(", true},
		{"a.js", "!", true},
		{"a.js", "if(a)", true},
		{"a.js", "if(a){}else ", false},
		{"a.ts", "a=", true},
		{"a.tsx", "<a>", true},
		{"a.css", "a(", true},
		{"a.sh", "$(", true},
		{"a.sh", "if x; then ", false},
		{"a.toml", "a=[", true},
		{"a.go", "(", false},
		{"a.json", "[", false},
		{"a.yaml", "[", false},
		{"a.xml", "<a>", false},
		{"a.py", "f\"{", false},
		{"a.py", "(", false},
	} {
		v, why := noted()
		v.Limit = time.Minute
		p := v.Validate(t.Context(), c.path, "", strings.Repeat(c.unit, maxBytes/len(c.unit)), false)
		if got := strings.Contains(*why, "deeply"); got != c.noted || (p == nil) != c.noted {
			t.Errorf("%s of %q: %v, noted %q", c.path, c.unit, p, *why)
		}
	}
}
