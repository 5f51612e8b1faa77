package edits

import (
	"html"
	"slices"
	"strings"
)

// form is a way to read a block's sides: as they stand, or cleaned of what a
// model has put on every line.
type form struct {
	old, new []string
	hint     int  // line of the file that the cleaning brought to light, from 1
	joined   bool // old and new are one line each, with \n written out
	only     bool // the sides as they stand must not be matched loosely
}

// forms gives the ways to read a block, as it stands first. Each of the others
// is something that was seen in real replies, on all lines of the old side at
// once: a line-number gutter copied from a listing, HTML entities, a diff's
// markers, a body on one line with literal \n.
func forms(b *Block) []form {
	out := []form{{old: b.Old, new: b.New, hint: b.Hint}}
	if f, ok := gutter(b); ok {
		out = append(out, f)
	}
	if f, ok := entities(b); ok {
		out = append(out, f)
	}
	if f, ok := diffMarkers(b); ok {
		out = append(out, f)
		out[0].only = true // else the markers would be written into the file
	}
	if len(b.Old) == 1 && strings.Contains(b.Old[0], `\n`) {
		out = append(out, form{old: b.Old, new: b.New, joined: true})
	}
	return out
}

// gutter takes line numbers off the old side: 12| 12: 12 | 12→ and the like,
// counting up by one. On the new side they go where they stand on every line,
// where the line is copied from the old side, or where the number goes on from
// one of the old side's.
func gutter(b *Block) (form, bool) {
	f := form{}
	for i, l := range b.Old {
		n, rest, ok := cutGutter(l)
		if !ok || i > 0 && n != f.hint+i {
			return form{}, false
		}
		if i == 0 {
			f.hint = n
		}
		f.old = append(f.old, rest)
	}
	if len(f.old) == 0 {
		return form{}, false
	}
	all := !slices.ContainsFunc(b.New, func(l string) bool { _, _, ok := cutGutter(l); return !ok })
	for _, l := range b.New {
		if n, rest, ok := cutGutter(l); ok && (all || slices.Contains(b.Old, l) || n >= f.hint && n < f.hint+max(len(b.Old), len(b.New))) {
			l = rest
		}
		f.new = append(f.new, l)
	}
	return f, true
}

// cutGutter splits a line into its number and what stands behind the gutter.
func cutGutter(line string) (n int, rest string, ok bool) {
	s := strings.TrimLeft(line, " ")
	i := 0
	for i < len(s) && i < 7 && s[i] >= '0' && s[i] <= '9' {
		n = n*10 + int(s[i]-'0')
		i++
	}
	if i == 0 {
		return 0, "", false
	}
	s = s[i:]
	for _, sep := range [...]string{" | ", "| ", ": ", " │ ", "│ ", "→", "\t"} {
		if rest, ok := strings.CutPrefix(s, sep); ok {
			return n, rest, true
		}
	}
	switch strings.TrimSpace(s) {
	case "|", ":", "│", "":
		return n, "", true
	}
	return 0, "", false
}

// entities unescapes HTML on both sides, where the old side has any.
func entities(b *Block) (form, bool) {
	if !slices.ContainsFunc(b.Old, func(l string) bool { return strings.Contains(l, "&") && html.UnescapeString(l) != l }) {
		return form{}, false
	}
	f := form{hint: b.Hint}
	for _, l := range b.Old {
		f.old = append(f.old, html.UnescapeString(l))
	}
	for _, l := range b.New {
		f.new = append(f.new, html.UnescapeString(l))
	}
	return f, true
}

// diffMarkers takes the first column away, where it is a diff's on both sides.
func diffMarkers(b *Block) (form, bool) {
	old, minus, ok := cutMarkers(b.Old, '-')
	if !ok || len(old) == 0 {
		return form{}, false
	}
	new, plus, ok := cutMarkers(b.New, '+')
	if !ok || minus+plus == 0 {
		return form{}, false
	}
	return form{old: old, new: new, hint: b.Hint}, true
}

func cutMarkers(lines []string, marker byte) (out []string, n int, ok bool) {
	for _, l := range lines {
		switch {
		case l == "":
		case l[0] == marker:
			n++
			l = l[1:]
		case l[0] == ' ':
			l = l[1:]
		default:
			return nil, 0, false
		}
		out = append(out, l)
	}
	return out, n, true
}

// unjoin finds the places where the lines of the file, joined by a literal \n,
// read as the one line of a block, and gives the block's sides cut into lines.
func (t *text) unjoin(f form) (spots []spot) {
	want := f.old[0]
	for at := range t.lines {
		rest, n := want, 0
		for at+n < len(t.lines) {
			after, ok := strings.CutPrefix(rest, t.lines[at+n])
			if !ok {
				break
			}
			n++
			if after == "" {
				old := t.lines[at : at+n]
				spots = append(spots, spot{at: at, n: n, tier: Cleaned, old: old, new: cutJoined(f.new, old)})
				break
			}
			if rest, ok = strings.CutPrefix(after, `\n`); !ok {
				break
			}
			if rest == "" && n > 1 && (at+n == len(t.lines) || t.lines[at+n] != "") {
				// a \n at the very end that stands for no line
				old := t.lines[at : at+n]
				spots = append(spots, spot{at: at, n: n, tier: Cleaned, old: old, new: cutJoined(f.new, old)})
				break
			}
		}
		if len(spots) == maxPlaces {
			break
		}
	}
	return slices.DeleteFunc(spots, func(s spot) bool { return s.n < 2 })
}

// cutJoined cuts the new side at its literal \n. One inside of quotes belongs
// to the code; a line of the file is known as a whole.
func cutJoined(new, known []string) []string {
	var out []string
	for _, s := range new {
		for done := false; !done; {
			var line string
			line, s, done = nextJoined(s, known)
			out = append(out, line)
		}
	}
	return out
}

// nextJoined takes the first line off s.
func nextJoined(s string, known []string) (line, rest string, last bool) {
	best := -1
	for _, k := range known {
		if after, ok := strings.CutPrefix(s, k); ok && len(k) > best && (after == "" || strings.HasPrefix(after, `\n`)) {
			best = len(k)
		}
	}
	if best > 0 {
		return cutAt(s, best)
	}
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && strings.HasPrefix(s[i:], `\n`) && (quote == 0 || !goesOn(s[i+2:], quote)):
			return cutAt(s, i)
		case c == '\\' && quote == 0 && strings.HasPrefix(s[i:], `\\n`):
			return cutAt(s, i+1) // a line that ends in a backslash
		case c == '\\':
			i++
		case quote == 0 && (c == '"' || c == '\'' && !apostrophe(s, i)):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return s, "", true
}

// goesOn reports whether text, which follows a \n inside of quotes, goes on to
// the closing quote on the same line. Then the \n belongs to the code.
func goesOn(text string, quote byte) bool {
	if text == "" || text[0] == ' ' || text[0] == '\t' {
		return false
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return true
		case text[i] == '\\' && i+2 < len(text) && text[i+1] == 'n' && (text[i+2] == ' ' || text[i+2] == '\t'):
			return false
		case text[i] == '\\':
			i++
		}
	}
	return false
}

func cutAt(s string, i int) (line, rest string, last bool) {
	return s[:i], strings.TrimPrefix(s[i:], `\n`), i == len(s)
}

// apostrophe reports whether the ' at i stands between two letters.
func apostrophe(s string, i int) bool {
	return i > 0 && i+1 < len(s) && isLetter(s[i-1]) && isLetter(s[i+1])
}
