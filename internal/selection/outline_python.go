package selection

import "strings"

// block is a class or a function that is open, by the indentation of its first line.
type block struct {
	indent int
	class  bool
	symbol int // -1: not listed
}

// outlinePython goes by indentation: what stands inside a function, or deeper
// than one class, is not listed. A condition around a declaration is no level.
func outlinePython(text string) []Symbol {
	var symbols []Symbol
	var open []block
	last, number := 0, 0 // the line of code before this one, and this one
	for text != "" {
		line, rest, lines := pythonLine(text)
		at := number + 1
		number += lines
		text = rest
		code := strings.TrimLeft(line, " \t\f")
		if code == "" {
			continue
		}
		indent := len(line) - len(code)
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			if b := open[len(open)-1]; b.symbol >= 0 {
				symbols[b.symbol].End = last
			}
			open = open[:len(open)-1]
		}
		last = number
		s, class := pythonSymbol(code, len(open))
		if s.Name == "" {
			continue
		}
		b := block{indent, class, -1}
		if len(open) == 0 || len(open) == 1 && open[0].class {
			b.symbol, s.Line = len(symbols), at
			symbols = append(symbols, s)
		}
		open = append(open, b)
	}
	for _, b := range open {
		if b.symbol >= 0 {
			symbols[b.symbol].End = last
		}
	}
	return symbols
}

func pythonSymbol(code string, depth int) (s Symbol, class bool) {
	word := firstName(code)
	rest := strings.TrimLeft(code[len(word):], " ")
	if word == "async" {
		word = firstName(rest)
		rest = strings.TrimLeft(rest[len(word):], " ")
	}
	if word != "def" && word != "class" {
		return Symbol{}, false
	}
	s = Symbol{Name: firstName(rest), Kind: kindOr(word, "class", "func"), Signature: pythonHead(code)}
	if word == "def" && depth > 0 {
		s.Kind = "method"
	}
	return s, word == "class"
}

// pythonHead cuts a declaration before the colon that ends it.
func pythonHead(code string) string {
	code = oneLine(code)
	depth := 0
	for i := range len(code) {
		switch code[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ':':
			if depth <= 0 {
				return tidied(code[:i])
			}
		}
	}
	return tidied(code)
}

// tidied undoes what the breaking of a list into lines leaves.
func tidied(head string) string {
	return strings.NewReplacer("( ", "(", ", )", ")", ",)", ")", " )", ")").Replace(head)
}

// pythonLine gives the first logical line without comments, its long strings
// emptied, what follows, and how many lines of text it takes. Brackets join
// lines only where the first declares something: one left open elsewhere does
// not swallow the rest.
func pythonLine(text string) (line, rest string, lines int) {
	var b strings.Builder
	first := text[:min(len(text), 400)]
	word := firstName(strings.TrimLeft(first, " \t\f"))
	joins := word == "def" || word == "class" || word == "async"
	depth, i := 0, 0
	for ; i < len(text); i++ {
		switch c := text[i]; c {
		case '#':
			i = lineEnd(text, i) - 1
			continue
		case '"', '\'':
			n := pythonString(text[i:])
			b.WriteString(shortened(text[i : i+n]))
			i += n - 1
			continue
		case '\\':
			if strings.HasPrefix(text[i:], "\\\n") {
				i++
				continue
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\n':
			if !joins || depth <= 0 || b.Len() > maxHead {
				return b.String(), text[i+1:], strings.Count(text[:i+1], "\n")
			}
		}
		if b.Len() <= 2*maxHead {
			b.WriteByte(text[i])
		}
	}
	return b.String(), "", strings.Count(text, "\n") + 1
}

func pythonString(text string) int {
	if long := text[:min(3, len(text))]; long == `"""` || long == "'''" {
		for i := 3; i < len(text); i++ {
			if text[i] == '\\' {
				i++
			} else if strings.HasPrefix(text[i:], long) {
				return i + 3
			}
		}
		return len(text)
	}
	return min(quoted(text), len(text))
}
