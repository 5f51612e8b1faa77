package selection

import "strings"

// identifier is a name in a text.
type identifier struct {
	name string
	of   string // the name before its dot: "." if what stands there is none, "" without a dot
	line int    // from 1
}

// identifiers gives the names in lines of code, from the line numbered first,
// without what stands in strings and comments as far as lines show it. It knows
// quotes and //, # and /* */ of all the languages it may meet, no grammar.
func identifiers(code, ext string, first int) []identifier {
	var out []identifier
	s := scanner{text: code, line: first, ext: ext}
	for s.at < len(code) {
		c := code[s.at]
		switch {
		case c == '\n':
			s.line++
			s.at++
		case s.comment():
		case c == '"' || c == '`' || c == '\'':
			s.quoted(c)
		case wordStart(c):
			from := s.at
			for s.at < len(code) && (wordStart(code[s.at]) || isDigit(code[s.at])) {
				s.at++
			}
			id := identifier{name: code[from:s.at], line: s.line}
			if from > 0 && code[from-1] == '.' {
				id.of = "."
				if n := len(out); n > 0 && s.end == from-1 {
					id.of = out[n-1].name
				}
			}
			s.end = s.at
			out = append(out, id)
		default:
			s.at++
		}
	}
	return out
}

type scanner struct {
	text, ext string
	at, line  int
	end       int // of the last name
}

// comment skips one, if one begins here.
func (s *scanner) comment() bool {
	rest := s.text[s.at:]
	hash := s.ext == ".py" || s.ext == ".rb" || s.ext == ".sh"
	switch {
	case hash && rest[0] == '#' || !hash && strings.HasPrefix(rest, "//"):
		s.skip(strings.IndexByte(rest, '\n'))
	case !hash && strings.HasPrefix(rest, "/*"):
		s.skip(strings.Index(rest, "*/"))
	default:
		return false
	}
	return true
}

// skip goes on by n bytes, to the end if n is negative.
func (s *scanner) skip(n int) {
	if n < 0 {
		n = len(s.text) - s.at
	}
	n = min(max(n, 1), len(s.text)-s.at)
	s.line += strings.Count(s.text[s.at:s.at+n], "\n")
	s.at += n
}

// quoted skips a string. One in double quotes ends with its line at the latest;
// single quotes are a string's in some languages, a character's or a lifetime's
// in others.
func (s *scanner) quoted(q byte) {
	rest := s.text[s.at+1:]
	if q == '`' {
		s.skip(2 + strings.IndexByte(rest, '`'))
		return
	}
	limit := len(rest)
	if nl := strings.IndexByte(rest, '\n'); nl >= 0 {
		limit = nl
	}
	if q == '\'' && s.ext != ".py" && s.ext != ".rb" && !strings.HasPrefix(s.ext, ".js") && !strings.HasPrefix(s.ext, ".ts") {
		if limit = min(limit, 12); limit > 0 && rest[0] != '\\' && rest[0] < 0x80 {
			limit = min(limit, 2) // a character, or else a lifetime or the like
		}
	}
	for i := 0; i < limit; i++ {
		if rest[i] == '\\' {
			i++
		} else if rest[i] == q {
			s.skip(i + 2)
			return
		}
	}
	s.skip(1)
}

func wordStart(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// words splits names and prose into lower-case words: at every mark, and where a
// capital begins one.
func words(s string) []string {
	var out []string
	from := 0
	cut := func(to int) {
		if to > from {
			out = append(out, strings.ToLower(s[from:to]))
		}
		from = to
	}
	upper := func(i int) bool { return i >= 0 && i < len(s) && 'A' <= s[i] && s[i] <= 'Z' }
	for i := range len(s) {
		switch {
		case !wordStart(s[i]) && !isDigit(s[i]) || s[i] == '_':
			cut(i)
			from = i + 1
		case upper(i) && (!upper(i-1) || i+1 < len(s) && !upper(i+1) && wordStart(s[i+1])):
			cut(i)
		}
	}
	cut(len(s))
	return out
}
