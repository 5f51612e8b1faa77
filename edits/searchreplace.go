package edits

import "strings"

// Format search-replace (seed 3):
//
//	block   = path NL [fence NL] head NL {line NL} divider NL {line NL} tail NL
//	head    = n × "<" " SEARCH" [">"]        n = 5 … 9, mostly 7
//	divider = n × "="                        as many as in head
//	tail    = n × ">" " REPLACE"
//
// Leniencies, each seen in real replies: other marker lengths, the same in all
// three; "SEARCH>"; white space after a marker; a divider doubled before the
// tail; a divider where the tail should stand, directly before the fence's end;
// the tail's "REPLACE" left out; a merge conflict as content. A head inside a block, also that of a rename
// (rename.go), means that the block before was never closed.
type searchReplace struct {
	n        int // length of the markers
	fenced   bool
	odd      bool // the head has more on its line than it may
	old, new []string
	parts    int   // dividers seen
	extra    []int // where in new further dividers stand
	nested   int   // inside a merge conflict that is content: 1 before its divider, 2 behind it
}

func openSearchReplace(line string, a *above) body {
	if n := srHead(line); n > 0 {
		head := strings.TrimRight(line[n+len(" SEARCH"):], " \t")
		return &searchReplace{n: n, fenced: a.fenced(), odd: head != "" && head != ">"}
	}
	return nil
}

// srHead gives the marker length of a head line, else 0.
func srHead(line string) int {
	n := run(line, '<')
	if n < 5 || n > 9 || !strings.HasPrefix(line[n:], " SEARCH") {
		return 0
	}
	if rest := strings.TrimRight(line[n+len(" SEARCH"):], " \t"); rest == "" || strings.Trim(rest, " >") == "" {
		return n
	}
	return 0
}

func (s *searchReplace) divider(line string) bool {
	return run(line, '=') == s.n && strings.TrimRight(line[s.n:], " \t") == ""
}

func (s *searchReplace) tail(line string) bool {
	if run(line, '>') != s.n {
		return false
	}
	rest := strings.TrimRight(line[s.n:], " \t")
	return rest == " REPLACE" || rest == ""
}

// srMarker reports whether a line is any marker of the format, of any length.
func srMarker(line string) bool {
	if len(line) < 5 {
		return false
	}
	n := run(line, line[0])
	if n < 5 || n > 9 {
		return false
	}
	rest := strings.TrimRight(line[n:], " \t")
	switch line[0] {
	case '<':
		return rest == " SEARCH" || rest == " SEARCH>" || rest == " RENAME"
	case '=':
		return rest == "" && n == 7
	case '>':
		return rest == " REPLACE" || rest == " RENAME" || rest == "" && n == 7
	}
	return false
}

// run counts how often c stands at the start of line.
func run(line string, c byte) int {
	n := 0
	for n < len(line) && line[n] == c {
		n++
	}
	return n
}

func (s *searchReplace) take(line string) step {
	switch {
	case srHead(line) > 0, renameHead(line) > 0:
		return restarts
	case s.conflict(line):
	case s.divider(line):
		s.parts++
		if s.parts == 1 {
			return inside
		}
		s.extra = append(s.extra, len(s.new))
	case s.parts > 0 && s.tail(line):
		return closes
	case s.fenced && s.endsInDivider() && isFence(line):
		return escapes
	}
	line = unescape(line, srMarker)
	if s.parts == 0 {
		s.old = append(s.old, line)
	} else {
		s.new = append(s.new, line)
	}
	return inside
}

// conflict reports whether a line is a marker of a merge conflict that the block
// holds as content: "<<<<<<< ours", its divider, ">>>>>>> theirs".
func (s *searchReplace) conflict(line string) bool {
	switch {
	case s.nested == 0 && run(line, '<') == s.n && strings.HasPrefix(line[s.n:], " "):
		s.nested = 1
	case s.nested == 1 && s.divider(line):
		s.nested = 2
	case s.nested == 2 && run(line, '>') == s.n && strings.HasPrefix(line[s.n:], " ") && !s.tail(line):
		s.nested = 0
	default:
		return false
	}
	return true
}

// endsInDivider reports whether the new side so far ends in its only further
// divider. A divider alone would be a deletion that nobody asked for.
func (s *searchReplace) endsInDivider() bool {
	return len(s.extra) == 1 && s.extra[0] == len(s.new)-1 && len(s.new) > 1
}

func (s *searchReplace) finish(b Block, closed bool) []Block {
	b.Format, b.Old, b.New = SearchReplace, s.old, s.new
	if s.endsInDivider() {
		b.New, s.extra = s.new[:len(s.new)-1], nil
	}
	switch {
	case s.odd:
		b.Fault = "the opening line must be <<<<<<< SEARCH and nothing else"
	case !closed && s.parts == 0:
		b.Fault = "no ======= divider and no >>>>>>> REPLACE line: the block is not complete"
	case !closed:
		b.Fault = "no >>>>>>> REPLACE line: the block is not complete"
	case len(s.extra) > 0:
		b.Fault = "more than one ======= divider"
	}
	return []Block{b}
}
