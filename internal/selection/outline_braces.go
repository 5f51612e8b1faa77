package selection

// Languages with braces share one reader. It goes through the text once, keeps
// what stands before a "{" or a ";" as the head of a statement, asks the
// language what the head declares, and goes on inside only where the language
// says that more is declared there. What is in comments and strings counts for
// nothing; conditional lines of a preprocessor take the first branch's braces.

// maxHead bounds a statement's head in bytes: what is longer is data.
const maxHead = 2000

// braces is a language.
type braces struct {
	// judge says what a head declares that was ended by "{" or ";" inside what is
	// called in, and whether more is declared in its braces.
	judge func(head string, end byte, in string) (s Symbol, opens bool)

	quotes  string                              // bytes that open a string of one line
	long    func(text string, before byte) int  // length of a literal of another kind that text starts with
	goesOn  string                              // a statement that starts with it goes on after its braces
	regexps bool                                // there are /regular expressions/
	hash    bool                                // there is a preprocessor
	newline func(head string, next string) bool // whether a statement ends with its line; nil: never
}

// frame is an open brace.
type frame struct {
	name   string // of the class or the like that was declared there, "" if none
	symbol int    // its index, -1 if none
	lists  bool   // declarations are looked for inside
	parens int    // brackets that were open
	resume string // the head that goes on after the closing brace
}

// reader is the state of one pass.
type reader struct {
	*braces
	text    string
	at      int // byte
	line    int // from 1
	head    []byte
	begun   int // line of the head's first byte
	ended   int // and of its last
	parens  int // brackets open in the head
	last    byte
	frames  []frame
	ifs     []int // open braces at each #if
	symbols []Symbol
}

func (b *braces) outline(text string) []Symbol {
	r := &reader{braces: b, text: text, line: 1}
	for r.at < len(r.text) && len(r.symbols) < maxSymbols {
		if !r.literal() {
			r.code(r.text[r.at])
		}
	}
	r.end(';')
	return r.symbols
}

// lists reports whether declarations are looked for here.
func (r *reader) lists() bool { return len(r.frames) == 0 || r.frames[len(r.frames)-1].lists }

// code takes one byte that belongs to no comment and no string.
func (r *reader) code(c byte) {
	r.at++
	switch c {
	case '\n':
		if r.newline != nil && r.parens == 0 && r.lists() && r.newline(string(r.head), r.text[r.at:min(r.at+100, len(r.text))]) {
			r.end(';')
		}
		r.line++
		r.add(" ")
		return
	case ' ', '\t', '\r':
		r.add(" ")
		return
	case '{':
		r.open()
	case '}':
		r.close()
	case ';':
		if r.parens == 0 {
			r.ended = r.line
			r.end(';')
		} else {
			r.add(";")
		}
	case ':':
		if r.add(":"); len(r.head) <= 10 && isLabel(string(r.head)) {
			r.head = r.head[:0]
		}
	case '(', '[':
		r.bracket(1, c)
	case ')', ']':
		r.bracket(-1, c)
	default:
		r.add(r.text[r.at-1 : r.at])
	}
	r.last = c
}

func (r *reader) bracket(step int, c byte) {
	if r.lists() {
		r.parens = max(r.parens+step, 0)
		r.add(string(c))
	}
}

// add puts text to the head. A head that is too long is ended there, and its
// brackets are forgotten: one of them may never close.
func (r *reader) add(text string) {
	if !r.lists() || text == " " && (len(r.head) == 0 || r.head[len(r.head)-1] == ' ') {
		return
	}
	if len(r.head) == 0 {
		r.begun = r.line
	}
	if text != " " {
		r.ended = r.line
	}
	if r.head = append(r.head, text...); len(r.head) > maxHead {
		r.end(';')
		r.parens = 0
	}
}

func (r *reader) open() {
	f := frame{symbol: -1, parens: r.parens}
	switch {
	case !r.lists():
	case r.parens > 0: // the head goes on
		f.resume, r.head = string(r.head)+"{…}", r.head[:0]
	default:
		f = r.end('{')
	}
	r.parens = 0
	r.frames = append(r.frames, f)
}

func (r *reader) close() {
	if r.lists() {
		r.end(';')
	}
	if len(r.frames) == 0 {
		r.parens = 0
		return
	}
	f := r.frames[len(r.frames)-1]
	r.frames = r.frames[:len(r.frames)-1]
	r.parens = f.parens
	if f.symbol >= 0 {
		r.symbols[f.symbol].End = r.line
	}
	if f.resume != "" {
		r.head, r.ended = append(r.head[:0], f.resume...), r.line
	}
}

// end asks what the head declares, and gives the frame that it opens.
func (r *reader) end(by byte) frame {
	f := frame{symbol: -1}
	head := oneLine(string(r.head))
	r.head = r.head[:0]
	if head == "" || !r.lists() {
		return f
	}
	var in frame
	if len(r.frames) > 0 {
		in = r.frames[len(r.frames)-1]
	}
	if by == '{' && r.goesOn != "" && firstName(head) == r.goesOn {
		f.resume = head + " {…}"
		return f
	}
	s, opens := r.judge(head, by, in.name)
	f.lists = opens
	if s.Kind != "namespace" && s.Kind != "mod" {
		f.name = s.Name
	}
	if s.Name != "" && s.Kind != "" {
		s.Line = r.begun
		if by == ';' {
			s.End = r.ended
		}
		f.symbol = len(r.symbols)
		r.symbols = append(r.symbols, s)
	}
	return f
}
