package edits

import "strings"

// row is one line as indentation sees it.
type row struct {
	at     int    // column of its first character, tabs to 8
	text   string // without indentation and comment; "": blank, or a comment alone
	note   bool   // a comment alone
	inside bool   // it begins within a string or a comment of many lines
	joins  bool   // the line above ends in a backslash
	within int    // the row that opened the innermost bracket it begins in; -1: none
	beside int    // how far from that row's start the text after the bracket is; -1: none
	opens  bool   // a block is to follow
	scalar bool   // its text is to follow, which may be anything (YAML)
}

// blank reports whether there is nothing to see.
func (r row) blank() bool { return r.text == "" && !r.note && !r.inside }

// starts reports whether a statement (an element, an entry) may begin here.
func (r row) starts() bool { return r.text != "" && !r.inside && !r.joins }

// hangs reports whether a row continues what follows an open bracket on its line.
func (r row) hangs() bool { return r.within >= 0 && r.beside >= 0 }

// rowScanner follows strings, comments and brackets from line to line. It knows
// no language, only its manner, and a guess that is wrong costs a line or two.
type rowScanner struct {
	manner manner
	open   []bracket // that are open
	quote  string    // ends the string or comment that is open over the line's end
	joins  bool
	block  int // keys: column of the key of an open block scalar; -1: none
}

func scanRows(lines []string, m manner) []row {
	s := rowScanner{manner: m, block: -1}
	rows := make([]row, len(lines))
	for i, l := range lines {
		rows[i] = s.row(l, i)
	}
	return rows
}

// bracket is one that is open: its row, and how far from that row's start the
// text after it is; -1: none is.
type bracket struct{ row, beside int }

func opened(text string, i, number int) bracket {
	rest := strings.TrimLeft(text[i+1:], " ")
	if rest == "" || rest[0] == '#' || strings.HasPrefix(rest, "//") {
		return bracket{number, -1}
	}
	return bracket{number, len(text) - len(rest)}
}

func (s *rowScanner) row(line string, number int) row {
	r := row{at: columnsOf(indentOf(line)), inside: s.quote != "", joins: s.joins, within: -1, beside: -1}
	if n := len(s.open); n > 0 {
		r.within, r.beside = s.open[n-1].row, s.open[n-1].beside
	}
	text := strings.TrimSpace(line)
	if s.block >= 0 && text != "" {
		if r.inside = r.at > s.block; !r.inside {
			s.block = -1
		}
	}
	if r.inside && s.block >= 0 {
		r.text = text
		return r
	}
	end, note := s.tokens(text, number)
	r.text = strings.TrimSpace(text[:end])
	r.note = note && r.text == ""
	s.joins = s.quote == "" && strings.HasSuffix(r.text, `\`)
	r.opens = s.quote == "" && s.opens(r.text)
	if s.manner == keys && r.opens && strings.ContainsAny(r.text[len(r.text)-1:], "|>-+") && r.text != "-" {
		s.block = r.at
		r.opens, r.scalar = false, true
	}
	return r
}

// tokens reads one line; end is where its comment begins.
func (s *rowScanner) tokens(text string, number int) (end int, note bool) {
	for i := 0; i < len(text); {
		if s.quote != "" {
			n := strings.Index(text[i:], s.quote)
			if slash := strings.IndexByte(text[i:], '\\'); slash >= 0 && slash < n && s.quote != "*/" && s.quote != "`" {
				i += slash + 2
				continue
			}
			if n < 0 {
				return len(text), false
			}
			i += n + len(s.quote)
			s.quote = ""
			continue
		}
		if s.comment(text, i) {
			return i, true
		}
		i += s.token(text, i, number)
	}
	return len(text), false
}

// comment reports whether one begins at i that goes to the line's end.
func (s *rowScanner) comment(text string, i int) bool {
	if s.manner == braces {
		return strings.HasPrefix(text[i:], "//")
	}
	return text[i] == '#' && (s.manner == colons || i == 0 || text[i-1] == ' ')
}

// token goes over what stands at i: a string, a bracket, any byte.
func (s *rowScanner) token(text string, i, number int) (size int) {
	rest := text[i:]
	switch c := rest[0]; {
	case s.manner == keys:
		// A bracket within plain text opens nothing.
		if n := len(s.open); (c == ']' || c == '}') && n > 0 {
			s.open = s.open[:n-1]
		} else if (c == '[' || c == '{') && (n > 0 || i == 0 || text[i-1] == ' ') && !closedLater(rest) {
			s.open = append(s.open, opened(text, i, number))
		}
	case s.manner == colons && (strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''")):
		s.quote = rest[:3]
		return 3
	case c == '`' && s.manner == braces:
		s.quote = "`"
	case strings.HasPrefix(rest, "/*") && s.manner == braces:
		s.quote = "*/"
		return 2
	case c == '"' || c == '\'':
		return quotedSize(rest)
	case c == '(' || c == '[' || c == '{':
		s.open = append(s.open, opened(text, i, number))
	case c == ')' || c == ']' || c == '}':
		if n := len(s.open); n > 0 {
			s.open = s.open[:n-1]
		}
	}
	return 1
}

// closedLater reports whether the bracket that rest begins with ends in it.
func closedLater(rest string) bool {
	depth := 0
	for i := range len(rest) {
		switch rest[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return true
			}
		}
	}
	return false
}

// quotedSize measures a string that ends on its line; an apostrophe that ends
// nowhere is none.
func quotedSize(rest string) int {
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case rest[0]:
			return i + 1
		}
	}
	return 1
}
