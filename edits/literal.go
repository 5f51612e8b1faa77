package edits

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// literal is what a call of edit wants replaced, which need not be whole lines.
type literal struct{ old, new string }

// stands gives the first places at which a literal stands in a file's lines, as
// offsets in their text; not those where it would begin or end within a word.
func (l *literal) stands(all string) (at []int) {
	for i := range matches([]byte(all), []byte(l.old)) {
		if within(all, i) || within(all, i+len(l.old)) {
			continue
		}
		if at = append(at, i); len(at) == maxPlaces {
			break
		}
	}
	return at
}

// lines gives the lines of text all on which the literal at an offset stands.
func (l *literal) lines(all string, at int) Place {
	line := strings.Count(all[:at], "\n") + 1
	return Place{line, line + strings.Count(strings.TrimSuffix(l.old, "\n"), "\n")}
}

// elsewhere reports whether a literal stands outside of n lines from line at, from 0.
func (l *literal) elsewhere(t *text, at, n int) bool {
	all := strings.Join(t.lines, "\n")
	return slices.ContainsFunc(l.stands(all), func(i int) bool {
		p := l.lines(all, i)
		return p.End <= at || p.Line > at+n
	})
}

// whole makes a literal that stands once in the text, within lines, a matter of
// whole lines. places tells where it stands.
func (l *literal) whole(t *text) (old, new []string, places []Place) {
	all := strings.Join(t.lines, "\n")
	at := 0
	for _, at = range l.stands(all) {
		places = append(places, l.lines(all, at))
	}
	if len(places) != 1 {
		return nil, nil, places
	}
	end := at + len(l.old)
	begin := strings.LastIndexByte(all[:at], '\n') + 1
	if i := strings.IndexByte(all[end:], '\n'); i >= 0 {
		end += i
	} else {
		end = len(all)
	}
	if tail := strings.TrimSuffix(l.old, "\n"); isBlank(all[begin:at]) && (len(tail) < len(l.old) || at+len(tail) == end) {
		return nil, nil, nil // whole lines, but for their indentation: that is the tiers' work
	}
	changed := all[begin:at] + l.new + all[at+len(l.old):end]
	return strings.Split(all[begin:end], "\n"), strings.Split(changed, "\n"), places
}

// within reports whether a place lies between two characters of one word.
func within(s string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return wordRune(before) && wordRune(after)
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// widen makes whole lines of a block that stands within lines. It reports false
// where that fails the block, because it stands in several places. An empty line
// at its beginning or end is one that the file must have: the mere end of another
// line does not stand for it.
func (f *file) widen(o *Outcome) bool {
	b := &o.Block
	if b.literal == nil || isBlank(b.Old[0]) || isBlank(b.Old[len(b.Old)-1]) {
		return true
	}
	old, new, places := b.literal.whole(f.now)
	if len(places) > 1 {
		o.fail(Ambiguous, &Failure{Part: PartOld, Count: len(places), Candidates: places})
		return false
	}
	if len(places) == 1 {
		b.Old, b.New = old, new
	}
	return true
}
