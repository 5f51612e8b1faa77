package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words of Python, by where they may stand.
const (
	// Only at the start of a statement.
	starters = "def class return raise while try with pass break continue import global nonlocal del assert elif except finally"
	// The others that are no operands.
	joiners = "and or not in is if else for from as lambda yield await async"
	// Those that a body follows.
	bodied = "if elif else for while try except finally with def class"
	// Those that nothing else may end with.
	hanging = "and or not in is if elif else while for with import from as def class del assert global nonlocal await async lambda"
)

// lexeme is what was read last in a statement.
type lexeme struct {
	kind byte   // 0 none, 'a' operand, 's' string, 'w' word that is no operand, 'o' operator
	text string // of words and operators
}

type bracket struct {
	char         byte
	line, column int
}

// tokens reads a statement to the end of its logical line.
func (p *python) tokens(s *statement) {
	for p.problem == nil && p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c == '\n' && len(p.open) == 0:
			p.ends(s)
			p.newline()
			return
		case c == '\n':
			p.newline()
		case c == ' ' || c == '\t' || c == '\f' || c == '\r':
			p.at++
		case c == '#':
			p.comment()
		case c == '\\':
			p.at++
			if p.at < len(p.text) && p.text[p.at] != '\n' {
				p.fail("unexpected character after line continuation character")
				return
			}
			p.newline()
		case c == '"' || c == '\'':
			p.operand('s')
			p.quoted("")
		case letter(c):
			p.name(s)
		case digit(c) || c == '.' && p.at+1 < len(p.text) && digit(p.text[p.at+1]):
			p.operand('a')
			p.number()
		default:
			p.operator(s, c)
		}
	}
	switch n := len(p.open); {
	case p.problem != nil:
	case n > 0:
		p.unclosed()
	default:
		p.ends(s)
	}
}

// name reads a word, or a string with a prefix.
func (p *python) name(s *statement) {
	w := p.word()
	if p.at < len(p.text) && (p.text[p.at] == '"' || p.text[p.at] == '\'') && is(strings.ToLower(w), "r b u f t rb br fr rf tr rt") {
		p.operand('s')
		p.quoted(strings.ToLower(w))
		return
	}
	first := p.prev.kind == 0 || p.prev == lexeme{'w', "async"} && s.word == "async"
	if first && len(p.open) == 0 {
		s.word = w
		s.body = is(w, bodied)
		p.follows(w)
	}
	switch {
	case is(w, starters):
		start := first || p.prev == lexeme{'o', ":"} || p.prev == lexeme{'o', ";"} || w == "import" && s.from
		switch {
		case len(p.open) > 0:
			p.unclosed()
		case !start:
			p.fail("invalid syntax: '%s' within a statement", w)
		}
		p.prev = lexeme{'w', w}
	case is(w, joiners):
		if w == "lambda" && len(p.open) == 0 {
			p.lambdas++
		}
		s.from = s.from || w == "from" && len(p.open) == 0
		p.prev = lexeme{'w', w}
	case is(w, "match case type") && (p.prev.kind == 0 || p.prev == lexeme{'o', ":"} || p.prev == lexeme{'o', ";"}):
		p.prev = lexeme{'w', "soft"} // a keyword only where it is used as one
	default:
		p.operand('a')
	}
}

// operand notes a name, number, string or closed bracket: two side by side mean
// that something between them is lost, but for strings.
func (p *python) operand(kind byte) {
	if (p.prev.kind == 'a' || p.prev.kind == 's') && (kind == 'a' || p.prev.kind == 'a') {
		if n := len(p.open); n > 0 && p.open[n-1].line < p.line {
			p.fail("invalid syntax: a comma, an operator or the end of '%c' on line %d is missing before this", p.open[n-1].char, p.open[n-1].line)
		} else {
			p.fail("invalid syntax: an operator or a comma is missing before this")
		}
	}
	p.prev = lexeme{kind: kind}
}

// operator reads one character of an operator, or a bracket.
func (p *python) operator(s *statement, c byte) {
	next := byte(0)
	if p.at+1 < len(p.text) {
		next = p.text[p.at+1]
	}
	switch {
	case c == '(' || c == '[' || c == '{':
		if c == '{' && (p.prev.kind == 'a' || p.prev.kind == 's') {
			p.fail("invalid syntax: an operator or a comma is missing before '{'")
		}
		p.open = append(p.open, bracket{c, p.line, p.at - p.start + 1})
		p.prev = lexeme{'o', string(c)}
	case c == ')' || c == ']' || c == '}':
		p.close(c)
		p.prev = lexeme{kind: 'a'}
	case strings.HasPrefix(p.text[p.at:], "...") && !s.from:
		p.at += 2
		p.prev = lexeme{kind: 'a'}
	case c == '?' || c == '$' || c == '`' || c == '!' && next != '=' || c < ' ':
		p.fail("invalid syntax: %q", c)
	case c == ',' && p.prev.kind == 'o' && is(p.prev.text, ", ( [ { = + - . % & | ^ ~ < > @"):
		p.fail("invalid syntax: ',' after '%s'", p.prev.text)
	default:
		if c == '@' && p.prev.kind == 0 && len(p.open) == 0 {
			s.word = "@"
			p.follows("@")
		}
		if c == ':' && next == '=' {
			p.at++
			c = '='
		}
		if c == ':' && len(p.open) == 0 {
			p.colon(s)
		}
		p.prev = lexeme{'o', string(c)}
	}
	p.at++
}

// colon tells the one before a body from those of a lambda and an annotation.
func (p *python) colon(s *statement) {
	switch {
	case p.lambdas > 0:
		p.lambdas--
	case s.body && !s.colon:
		if p.prev.kind == 'w' && is(p.prev.text, hanging) && p.prev.text != "else" {
			p.fail("invalid syntax: ':' after '%s'", p.prev.text)
		}
		s.colon = true
		p.ended(s)
	case is(s.word, "match case"):
		p.ended(s)
	}
}

// ended notes whether nothing but a comment follows the colon on its line.
func (p *python) ended(s *statement) {
	rest := strings.TrimLeft(p.text[p.at+1:], " \t\f\r")
	s.ended = rest == "" || rest[0] == '\n' || rest[0] == '#'
}

// close takes off the bracket that c belongs to.
func (p *python) close(c byte) {
	n := len(p.open)
	switch {
	case n == 0:
		p.fail("unmatched '%c'", c)
		return
	case strings.IndexByte("([{", p.open[n-1].char) != strings.IndexByte(")]}", c):
		p.fail("closing parenthesis '%c' does not match opening parenthesis '%c' on line %d", c, p.open[n-1].char, p.open[n-1].line)
	case p.hangs() && !is(p.prev.text, "* /"):
		p.fail("invalid syntax: '%c' after '%s'", c, p.prev.text)
	}
	p.open = p.open[:n-1]
}

// hangs reports whether the last token asks for another one.
func (p *python) hangs() bool {
	return p.prev.kind == 'w' && is(p.prev.text, hanging) || p.prev.kind == 'o' && is(p.prev.text, "= + - * / . % & | ^ ~ < > @ !")
}

// ends checks the end of a logical line.
func (p *python) ends(s *statement) {
	switch {
	case s.body && !s.colon:
		p.fail("expected ':'")
	case p.prev == lexeme{'o', ":"} && !s.ended:
		p.fail("invalid syntax: ':' at the end of the line")
	case p.hangs() && !(p.prev.text == "*" && s.from):
		p.fail("invalid syntax: the line ends after '%s'", p.prev.text)
	}
}

func (p *python) unclosed() {
	b := p.open[len(p.open)-1]
	p.failAt(b.line, b.column, "'%c' was never closed", b.char)
}

// word reads letters and digits.
func (p *python) word() string {
	from := p.at
	for p.at < len(p.text) && (letter(p.text[p.at]) || digit(p.text[p.at])) {
		if p.text[p.at] < utf8.RuneSelf {
			p.at++
			continue
		}
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if r != '·' && r != utf8.RuneError && (unicode.IsSpace(r) || unicode.IsPunct(r) && !unicode.Is(unicode.Pc, r)) {
			p.fail("invalid character %q", r)
		}
		p.at += size
	}
	return p.text[from:p.at]
}

// number reads a number, but not the word that may stand right behind it.
func (p *python) number() {
	hex := strings.HasPrefix(strings.ToLower(p.text[p.at:min(p.at+2, len(p.text))]), "0x")
	whole := p.text[p.at] != '.' // no point and no exponent so far
	for p.at++; p.at < len(p.text); p.at++ {
		c, before := p.text[p.at], p.text[p.at-1]
		switch {
		case digit(c), c == '_' && before != '.', hex && is(strings.ToLower(string(c)), "a b c d e f x"):
		case c == '.' && whole && !hex:
			whole = false
		case (c == '+' || c == '-') && !hex && (before == 'e' || before == 'E'):
		case c == 'e' || c == 'E': // an exponent, not the word else
			if rest := p.text[p.at+1:]; rest == "" || !digit(rest[0]) && rest[0] != '+' && rest[0] != '-' {
				return
			}
			whole = false
		case is(strings.ToLower(string(c)), "x o b j"):
			whole = false
		default:
			return
		}
	}
}

// comment goes to the end of the line, newline over it.
func (p *python) comment() {
	if n := strings.IndexByte(p.text[p.at:], '\n'); n >= 0 {
		p.at += n
	} else {
		p.at = len(p.text)
	}
}

func (p *python) newline() {
	if p.at < len(p.text) {
		p.at++
		p.line++
		p.start = p.at
	}
}

func letter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
