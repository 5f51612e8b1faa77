package syntax

import (
	"strings"
	"testing"
)

func TestPythonTakes(t *testing.T) {
	for _, text := range []string{
		"", "\n\n# only\n", "x = 1", "x = [\n  1,\n]\n", "a = b if c else d\n",
		"if a: b\nelif c: d\nelse: e\n", "try:\n  a\nexcept* E:\n  b\nelse:\n  c\nfinally:\n  d\n",
		"for x in y:\n  pass\nelse:\n  pass\n", "while (a := b):\n  pass\n", "if a:\n  b\n\n# low\n  c\n",
		"def f(a, /, b=lambda x: x, *, c: int = 3) -> 'x': ...\n", "class A: pass\n", "async def f():\n  async with a as b:\n    await c\n",
		"@a\n@b.c(1)\n# x\nasync def f(): pass\n", "@a\n\nclass B:\n\tx: int\n", "match = 1\nmatch x:\n  case [a, *b]:\n    pass\n  case _: pass\n",
		"match(x)\ncase = match[1]\ntype X = int\ntype = type(x)\n", "x = lambda: 0\nf(lambda a, *b: a)\nif (lambda: 1)(): pass\n",
		"if lambda: x: y\n", "print(a, end='')\nprint(*a, **b)\n", "from . import a\nfrom .. import b\nfrom ... import c\nfrom ...d import *\n",
		"x = 'a' \"b\" r'\\d' f'c'\n", "x = '''a\n\"b\"\n''' + \"\"\"\n'\"\"\"\n", "x = 'it\\'s'\ny = 'a\\\nb'\n", "if a and \\\n   b:\n  c\n",
		"f'{x!r:>{w}} {{}} {y:%H:%M} {d[\"k\"]} \\N{DASH}'\n", "f'{d['k']} {f'{x}'}'\n", "f\"{x:'>10}\"\n", "f'''{\n x # c }\n}'''\n", "rf'\\{x}'\n",
		"try: a\nexcept E: from b import *\n", "x = 1 if 1else 2\n", "x = 1if a else 2\ny = 0x1F.real\nz = 1.5e100.hex()\nw = 1e-5j + .5 + 1_000\nv = 1..real\n", "x = a[1:, ::2, ...]\n", "del a, b; x = 1; import c\n",
		"global a\nassert a, b\nraise A from b\nreturn\nyield\n", "x = yield\ny = not a\nz = a not in b is not c\n", "def f():\n\tif a:\n\t\tb\n\tc\n",
		"\fclass A:\n  pass\n", "größe = 1\nname_·x = 2\n", "x = (yield)\n(a) = b\n", "with (a as b, c as d):\n  pass\n", "if x:\r\n  y\r\n", "a @ b\nx @= y\n",
		"x: int\nx: int = 3\n(x): int\n", "def f[T: int](a: T): pass\n", "except_ = 1\n", "print(a) ; print(b)\n", "else_ = {1: 2, **a}\n", "lambda *, a: 0\n",
	} {
		if p := parsePython(text); p != nil {
			t.Errorf("%q: line %d, column %d: %s", text, p.Line, p.Column, p.Message)
		}
	}
}

func TestPythonRefuses(t *testing.T) {
	for _, c := range []struct {
		text, why    string
		line, column int
	}{
		{"if a:\nb\n", "indented block after 'if' on line 1", 2, 1},
		{"if a:\n  b\n c\n", "unindent does not match", 3, 2},
		{"a\n  b\n", "unexpected indent", 2, 3},
		{"def f():\n  # nothing\n", "expected an indented block", 3, 1},
		{"if a:\n        b\n\tc\n", "tabs and spaces", 3, 2},
		{"if a\n  b\n", "expected ':'", 1, 5},
		{"class A\n", "expected ':'", 1, 8},
		{"x = (1,\ny = 2\n", "was never closed", 1, 5},
		{"f(a, [b)\n", "does not match", 1, 8},
		{"f(a))\n", "unmatched ')'", 1, 5},
		{"f(a\ndef g(): pass\n", "'(' was never closed", 1, 2},
		{"x = 'abc\n", "unterminated string", 1, 5},
		{"x = '''abc\n\n", "unterminated string", 1, 5},
		{"x = f'{a'\n", "unterminated string", 1, 9},
		{"f(a b)\n", "missing before this", 1, 6},
		{"f(a,\n  b\n  c)\n", "'(' on line 1", 3, 4},
		{"x = y z\n", "missing before this", 1, 8},
		{"else:\n  a\n", "'else' without", 1, 5},
		{"for a in b:\n  c\nelif d:\n  e\n", "'elif' without", 3, 5},
		{"try:\n  a\nb\n", "expected 'except'", 3, 2},
		{"def f():\n  try:\n    a\nb\n", "expected 'except'", 4, 1},
		{"@a\nx = 1\n", "after a decorator", 2, 2},
		{"@a\n", "after a decorator", 2, 1},
		{"x =\n", "ends after '='", 1, 4},
		{"import\n", "ends after 'import'", 1, 7},
		{"a = b and\n", "ends after 'and'", 1, 10},
		{"x = 1 return x\n", "'return' within", 1, 13},
		{"x:\n  a\n", "':' at the end", 1, 3},
		{"x = a?\n", "'?'", 1, 6},
		{"x = “a”\n", "invalid character", 1, 5},
		{"x = a \\ b\n", "after line continuation", 1, 8},
		{"f(, a)\n", "',' after '('", 1, 3},
	} {
		p := parsePython(c.text)
		if p == nil || !strings.Contains(p.Message, c.why) || p.Line != c.line || p.Column != c.column {
			t.Errorf("%q: %+v, want %d:%d %q", c.text, p, c.line, c.column, c.why)
		}
	}
}

func FuzzPython(f *testing.F) {
	for _, seed := range []string{"if a:\n  b\n", "f'{x:{y}}'", "@a\ndef f(b=(1,)): '''x'''", "\\", "f'{", "a \\\n b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p := parsePython(text); p != nil && (p.Line < 1 || p.Column < 1 || p.Line > strings.Count(text, "\n")+1) {
			t.Errorf("%+v", p)
		}
	})
}
