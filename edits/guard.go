package edits

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Tag names a version of a file by its content: "@" and eight hexadecimal digits.
func Tag(content string) string { return fmt.Sprintf("@%x", sha256.Sum256([]byte(content)))[:9] }

// guard says by what the lines of a call can be known again: the file's tag
// alone, or the text of the first and the last line (of the line before an
// insertion and the one after). nil: not said.
type guard []string

// UnmarshalJSON takes a string, in which lines stand one below the other, or a
// list of them; only the first and the last count.
func (g *guard) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		if text = strings.ReplaceAll(text, "\r\n", "\n"); text != "" {
			*g = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		}
		return nil
	}
	var list []string
	if json.Unmarshal(data, &list) != nil {
		return errors.New("guard must be the file's tag, or the text of the first and the last line")
	}
	*g = list
	return nil
}

// tag gives the guard's tag, if it is one.
func (g guard) tag() (string, bool) {
	if len(g) != 1 {
		return "", false
	}
	t := strings.TrimSpace(g[0])
	return t, len(t) == 9 && t[0] == '@' && strings.Trim(t[1:], "0123456789abcdef") == ""
}

// check reports whether the guard holds for a call's lines. It does not where
// its lines stand elsewhere too, unless the file is known to be as the model was
// shown it: then their numbers can be trusted.
func (f *file) check(b *Block, set Settings) (no Reason, fail *Failure) {
	if len(b.Guard) == 0 {
		return "", nil
	}
	if tag, is := b.Guard.tag(); is {
		if tag == Tag(f.orig.source) {
			return "", nil
		}
		return StaleTarget, &Failure{Detail: "the file is no longer the version " + tag}
	}
	first, last := b.guarded()
	at := f.guardedAt(b.Guard, last-first)
	here := false
	for _, i := range at {
		here = here || i == first
	}
	switch {
	case !here && len(at) == 1:
		return StaleTarget, &Failure{Detail: "its lines stand elsewhere now", Near: &Place{at[0] + 1, at[0] + 1 + last - first}}
	case !here:
		return StaleTarget, &Failure{Detail: "its lines do not stand there"}
	case set.Moved != nil && set.Moved(f.path) && !set.wasShown(f, first, last):
		return StaleTarget, &Failure{Detail: "somebody else has changed the file since you were shown it: give its tag"}
	case len(at) == 1 || set.asShown(f):
		return "", nil
	}
	fail = &Failure{Detail: "The guard says too little: give the file's tag", Count: len(at)}
	for _, i := range at[:min(len(at), maxPlaces-1)] {
		fail.Candidates = append(fail.Candidates, Place{i + 1, i + 1 + last - first})
	}
	return Ambiguous, fail
}

// guarded gives the lines, from 0, that the guard's first and last line stand
// for: of an insertion the line before it and, if the guard has two, the one
// after; at the file's beginning its first line.
func (b *Block) guarded() (first, last int) {
	if b.End >= b.Start {
		return b.Start - 1, b.End - 1
	}
	first = max(b.End-1, 0)
	if len(b.Guard) > 1 && b.End > 0 {
		return first, first + 1
	}
	return first, first
}

// guardedAt gives every line, from 0, at which the guard holds for it and the one
// that stands so many lines below.
func (f *file) guardedAt(g guard, below int) []int {
	first, last := strings.TrimSpace(g[0]), strings.TrimSpace(g[len(g)-1])
	var at []int
	for i := 0; i+below < len(f.orig.lines); i++ {
		// A guard of one line for several says nothing of the last.
		if strings.TrimSpace(f.orig.lines[i]) == first && (len(g) == 1 || strings.TrimSpace(f.orig.lines[i+below]) == last) {
			at = append(at, i)
		}
	}
	return at
}

// wasShown reports whether lines first to last, from 0, stand in the file as the
// model was shown it, one below the other.
func (s Settings) wasShown(f *file, first, last int) bool {
	shown, known := "", false
	if s.Shown != nil {
		shown, known = s.Shown(f.path)
	}
	return known && len(positions(newText(shown).lines, f.orig.lines[first:last+1], 1)) > 0
}

// asShown reports whether a file is known to be as the model was shown it.
func (s Settings) asShown(f *file) bool {
	if s.Shown == nil {
		return false
	}
	shown, known := s.Shown(f.from)
	return known && shown == f.orig.source
}
