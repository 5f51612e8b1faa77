package selection

import "strings"

// literal passes a comment, a string or a preprocessor's line, if one is here.
func (r *reader) literal() bool {
	text := r.text[r.at:]
	switch c := text[0]; {
	case c == '/' && strings.HasPrefix(text, "//"):
		r.pass(lineEnd(text, 0), "")
	case c == '/' && strings.HasPrefix(text, "/*"):
		r.pass(after(text, 2, "*/"), " ")
	case c == '#' && (r.at == 0 && strings.HasPrefix(text, "#!/") || r.hash && r.startsLine()):
		r.directive(text)
	case c == '/' && r.regexps && r.regexpFits():
		n := regexpLength(text)
		r.pass(n, "/…/")
		return n > 0
	default:
		return r.quotation(text)
	}
	return true
}

func (r *reader) quotation(text string) bool {
	if r.long != nil {
		if n := r.long(text, r.before()); n > 0 {
			r.pass(n, shortened(text[:n]))
			return true
		}
	}
	if strings.IndexByte(r.quotes, text[0]) < 0 || text[0] == '\'' && digit(r.before()) { // C++ has 1'000
		return false
	}
	n := quoted(text)
	r.pass(n, shortened(text[:n]))
	return true
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// pass goes n bytes on and puts shown to the head in their place.
func (r *reader) pass(n int, shown string) {
	if n == 0 {
		return
	}
	if shown != "" {
		r.add(shown)
		r.last = shown[len(shown)-1]
	}
	r.line += strings.Count(r.text[r.at:r.at+n], "\n")
	r.at += n
}

func (r *reader) before() byte {
	if r.at == 0 {
		return '\n'
	}
	return r.text[r.at-1]
}

// startsLine looks back over blanks, at most 100.
func (r *reader) startsLine() bool {
	for i := r.at - 1; i >= max(r.at-100, 0); i-- {
		if c := r.text[i]; c != ' ' && c != '\t' {
			return c == '\n'
		}
	}
	return r.at < 100
}

// directive passes a preprocessor's line with those that continue it. Of the
// branches of a condition each starts with the braces that were open before the
// first, as far as they still are.
func (r *reader) directive(text string) {
	n := lineEnd(text, 0)
	for n > 0 && n < len(text) && strings.HasSuffix(strings.TrimSuffix(text[:n], "\r"), `\`) {
		n = lineEnd(text, n+1)
	}
	line := r.line
	r.pass(n, " ")
	rest := strings.TrimLeft(text[1:n], " \t")
	switch word := firstName(rest); word {
	case "if", "ifdef", "ifndef":
		r.ifs = append(r.ifs, len(r.frames))
	case "else", "elif":
		if k := len(r.ifs); k > 0 {
			r.frames = r.frames[:min(r.ifs[k-1], len(r.frames))]
			r.head, r.parens = r.head[:0], 0
		}
	case "endif":
		r.ifs = r.ifs[:max(len(r.ifs)-1, 0)]
	case "define":
		rest = strings.TrimLeft(rest[len(word):], " \t")
		if id := firstName(rest); id != "" && strings.HasPrefix(rest[len(id):], "(") {
			parameters, _, _ := strings.Cut(rest, ")")
			r.symbols = append(r.symbols, Symbol{id, "macro", "#define " + oneLine(parameters) + ")", line, r.line})
		}
	}
}

// lineEnd gives the offset of the first line feed from a given one on, else the
// text's length.
func lineEnd(text string, from int) int {
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from + i
	}
	return len(text)
}

// after gives the offset behind the first stand of end from a given offset on.
func after(text string, from int, end string) int {
	if i := strings.Index(text[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(text)
}

// quoted gives the length of a string with backslashes. It ends with its line at
// the latest, unless a backslash continues it.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case text[0]:
			return i + 1
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return len(text)
}

// shortened keeps of a string what cannot be taken for code.
func shortened(literal string) string {
	if len(literal) > 30 || len(literal) < 2 || strings.ContainsAny(literal[1:len(literal)-1], "(){}[]<>;,:=\\\n") {
		return `"…"`
	}
	return literal
}

// regexpFits reports whether a slash can start a regular expression here: it
// does not where a value ends, after which it divides.
func (r *reader) regexpFits() bool {
	if strings.IndexByte(")]}\"'`", r.last) >= 0 || wordByte(r.last) {
		before := strings.TrimRight(r.text[max(r.at-20, 0):r.at], " \t")
		word := lastName(before)
		return word == "return" || word == "typeof" || word == "case"
	}
	return true
}

// regexpLength is 0 if the slash has no second one within its line and 500 bytes.
func regexpLength(text string) int {
	class := false
	for i := 1; i < min(len(text), 500); i++ {
		switch text[i] {
		case '\n':
			return 0
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1
			}
		}
	}
	return 0
}
