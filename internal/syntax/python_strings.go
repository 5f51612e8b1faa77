package syntax

import "strings"

// quoted reads a string, at its first quote. Only f-strings (and t-strings) have
// structure: since Python 3.12 the quotes of the string itself may stand within
// its fields.
func (p *python) quoted(prefix string) {
	line, column := p.line, p.at-p.start+1
	quote := p.text[p.at : p.at+1]
	if strings.HasPrefix(p.text[p.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	format, raw := strings.ContainsAny(prefix, "ft"), strings.Contains(prefix, "r")
	for p.at += len(quote); p.at < len(p.text) && p.problem == nil; {
		rest := p.text[p.at:]
		switch {
		case strings.HasPrefix(rest, quote):
			p.at += len(quote)
			return
		case format && !raw && strings.HasPrefix(rest, `\N{`):
			p.at += len(`\N{`)
		case format && strings.HasPrefix(rest, `\{`):
			p.at++
		case rest[0] == '\\':
			p.at++
			p.step()
		case format && strings.HasPrefix(rest, "{{"):
			p.at += 2
		case format && rest[0] == '{':
			p.field(quote)
		case rest[0] == '\n' && len(quote) == 1:
			p.failAt(line, column, "unterminated string literal")
			return
		default:
			p.step()
		}
	}
	p.failAt(line, column, "unterminated string literal")
}

// step goes over one byte.
func (p *python) step() {
	if p.at < len(p.text) && p.text[p.at] == '\n' {
		p.newline()
		return
	}
	p.at = min(p.at+1, len(p.text))
}

// field reads an f-string's replacement field, braces included.
func (p *python) field(quote string) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > 100 {
		p.fail("f-strings are nested too deeply")
		return
	}
	p.at++
	for open := 1; p.at < len(p.text) && p.problem == nil; {
		c := p.text[p.at]
		switch {
		case letter(c):
			w := p.word()
			if p.at < len(p.text) && (p.text[p.at] == '"' || p.text[p.at] == '\'') {
				p.quoted(strings.ToLower(w))
			}
		case c == '"' || c == '\'':
			p.quoted("")
		case c == '#' && len(quote) == 3:
			p.comment()
		case c == ':' && open == 1:
			p.spec(quote)
			return
		case c == '(' || c == '[' || c == '{':
			open++
			p.at++
		case c == ')' || c == ']' || c == '}':
			p.at++
			if open--; open == 0 {
				return
			}
		default:
			p.step()
		}
	}
}

// spec reads a field's format to its closing brace: literal text and fields.
func (p *python) spec(quote string) {
	for p.at < len(p.text) && p.problem == nil {
		switch c := p.text[p.at]; {
		case c == '}':
			p.at++
			return
		case c == '{':
			p.field(quote)
		case strings.HasPrefix(p.text[p.at:], quote), c == '\n' && len(quote) == 1:
			p.fail("f-string: expecting '}'")
		default:
			p.step()
		}
	}
}
