package syntax

import (
	"fmt"
	"strings"
)

// The layout of a Python file, which is nearly all that an edit can break:
//
//	file      = { logical line }
//	indent    = as CPython's: a stack; tabs to 8 columns, and to 1, must agree
//	compound  = "if" | "for" | … tokens ":" [ tokens ], a body below where the line ends at ":"
//	pairs     = else after if, elif, for, while, except; except and finally after try …
//	tokens    = strings whole, brackets that match, no two operands side by side
//
// What stands inside an expression is not parsed any further. Python 2 is not
// read; strings of all versions of Python 3 are.

// level is one block that is open.
type level struct {
	col, alt int    // its indentation, with tabs to 8 columns and to 1
	last     string // first word of its last statement if that has a body, "@" for a decorator
}

// statement is one logical line.
type statement struct {
	line  int
	word  string // its first word, the one after async
	body  bool   // the word wants a body
	from  bool   // the word from was seen
	colon bool   // the colon before the body was seen
	ended bool   // and it was the last token
}

type python struct {
	text        string
	at          int // offset of the next byte
	line, start int // its line, from 1, and that line's offset
	depth       int // f-strings within f-strings

	levels  []level
	want    *statement // the line above, if its body is to come
	open    []bracket
	prev    lexeme // of the same statement
	lambdas int    // outside of brackets, whose colon is to come
	problem *Problem
}

func parsePython(text string) *Problem {
	p := &python{text: strings.ReplaceAll(text, "\r\n", "\n"), line: 1, levels: []level{{}}}
	for p.problem == nil && p.at < len(p.text) {
		p.logical()
	}
	if p.problem == nil {
		p.finish()
	}
	return p.problem
}

// logical reads one logical line, or one that is blank.
func (p *python) logical() {
	col, alt := p.indentation()
	if p.at == len(p.text) || p.text[p.at] == '#' || p.text[p.at] == '\n' {
		p.comment()
		p.newline()
		return
	}
	p.place(col, alt)
	if p.problem != nil {
		return
	}
	s := statement{line: p.line}
	p.prev, p.lambdas = lexeme{}, 0
	p.tokens(&s)
	if p.problem != nil {
		return
	}
	top := &p.levels[len(p.levels)-1]
	top.last = ""
	if s.body || s.word == "@" {
		top.last = s.word
	}
	if s.ended {
		p.want = &s
	}
}

// indentation reads the blanks at a line's start.
func (p *python) indentation() (col, alt int) {
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case ' ':
			col, alt = col+1, alt+1
		case '\t':
			col, alt = (col/8+1)*8, alt+1
		case '\f':
			col, alt = 0, 0
		default:
			return col, alt
		}
	}
	return col, alt
}

// place finds the block that a line belongs to.
func (p *python) place(col, alt int) {
	top := p.levels[len(p.levels)-1]
	if want := p.want; want != nil {
		p.want = nil
		switch {
		case col <= top.col:
			p.fail("expected an indented block after '%s' on line %d", want.word, want.line)
		case alt <= top.alt:
			p.fail("inconsistent use of tabs and spaces in indentation")
		}
		p.levels = append(p.levels, level{col: col, alt: alt})
		return
	}
	for col < top.col {
		p.closes(top)
		p.levels = p.levels[:len(p.levels)-1]
		top = p.levels[len(p.levels)-1]
		if col > top.col {
			p.fail("unindent does not match any outer indentation level")
			return
		}
	}
	switch {
	case col > top.col:
		p.fail("unexpected indent")
	case alt != top.alt:
		p.fail("inconsistent use of tabs and spaces in indentation")
	}
}

// closes checks the end of a block, or of the file.
func (p *python) closes(l level) {
	switch l.last {
	case "try":
		p.fail("expected 'except' or 'finally' block")
	case "@":
		p.fail("expected a function or class after a decorator")
	}
}

// follows checks the first word of a statement against the statement above it in
// the same block.
func (p *python) follows(word string) {
	last := p.levels[len(p.levels)-1].last
	ok := true
	switch word {
	case "else":
		ok = is(last, "if elif for while except")
	case "elif":
		ok = is(last, "if elif")
	case "except":
		ok = is(last, "try except")
	case "finally":
		ok = is(last, "try except else")
	case "async", "def", "class", "@":
		if last == "@" {
			return
		}
		fallthrough
	default:
		p.closes(level{last: last})
	}
	if !ok {
		p.fail("'%s' without the statement that it belongs to", word)
	}
}

// finish checks the end of the file.
func (p *python) finish() {
	if p.want != nil {
		p.fail("expected an indented block after '%s' on line %d", p.want.word, p.want.line)
	}
	for _, l := range p.levels {
		p.closes(l)
	}
}

// fail keeps the first problem, at the next byte.
func (p *python) fail(format string, args ...any) { p.failAt(p.line, p.at-p.start+1, format, args...) }

func (p *python) failAt(line, column int, format string, args ...any) {
	if p.problem == nil {
		p.problem = &Problem{Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
	}
}

// is reports whether a word is one of a list, parted by spaces.
func is(word, list string) bool {
	for more := word != ""; more; {
		var one string
		if one, list, more = strings.Cut(list, " "); one == word {
			return true
		}
	}
	return false
}
