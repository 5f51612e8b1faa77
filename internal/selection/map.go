package selection

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Map says what a repository holds beside the files that a prompt shows:
// folders, files, and what these declare, most referenced first. Equal fields
// give equal bytes.
type Map struct {
	Files   []string               // all of the repository, sorted
	Shown   []string               // those that the prompt shows: they are not repeated
	Refs    map[string]int         // how often files are used, from Survey; 0 for others
	Hidden  func(path string) bool // protected, vendored, generated …: only counted; nil: none
	Symbols func(path string) []Symbol
	Budget  int // tokens of 3.5 bytes; 0: 1,000
}

const (
	mapTokens  = 1000
	mapSymbols = 6   // of a file
	mapLine    = 100 // bytes of a signature
	lastLine   = 70  // bytes that are kept for it
	mapMisses  = 20  // files tried in vain before the rest is only counted
)

// Text renders the map; "" if there is nothing that it could tell, or no room.
//
// It first counts the files below folders, in a quarter of the budget, then
// names files with their symbols, in three quarters of what is left, then files
// alone, and last counts those that it does not name. Symbols is asked only for
// files that are likely to be named.
func (m Map) Text() string {
	budget := m.Budget
	if budget == 0 {
		budget = mapTokens
	}
	named, hidden := m.candidates()
	if len(named)+hidden == 0 {
		return ""
	}
	p := page{left: int(float64(budget) * 3.5)}
	p.left -= lastLine
	p.folders(m.Files)
	room := p.left / 4
	p.left -= room
	var rest []string
	for i, f := range named {
		if len(rest) == mapMisses {
			rest = append(rest, named[i:]...)
			break
		}
		if !p.add(m.entry(f)) {
			rest = append(rest, f)
		}
	}
	p.left += room
	for len(rest) > 0 && p.add(rest[0]+"\n") {
		rest = rest[1:]
	}
	p.left += lastLine
	p.remainder(len(rest), hidden)
	return p.text.String()
}

// candidate is a file that may be named, with what it is ordered by.
type candidate struct {
	path                string
	refs, weight, depth int
}

// candidates gives the files that may be named, best first, and counts the hidden.
func (m Map) candidates() (named []string, hidden int) {
	shown := make(map[string]bool, len(m.Shown))
	for _, f := range m.Shown {
		shown[f] = true
	}
	found := make([]candidate, 0, len(m.Files))
	for _, f := range m.Files {
		switch {
		case shown[f]:
		case m.Hidden != nil && m.Hidden(f):
			hidden++
		default:
			found = append(found, candidate{f, m.Refs[f], weight(f), strings.Count(f, "/")})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(b.refs-a.refs, a.weight-b.weight, a.depth-b.depth)
	})
	for _, c := range found {
		named = append(named, c.path)
	}
	return named, hidden
}

// weight puts sources before other files, and tests last.
func weight(file string) int {
	base := file[strings.LastIndexByte(file, '/')+1:]
	switch k := language(file); {
	case strings.Contains(base, "test") || strings.Contains(base, "spec."):
		return 3
	case k == 254 || k == 255:
		return 1
	case k == 0:
		return 2
	}
	return 0
}

// entry is a file with what it declares.
func (m Map) entry(file string) string {
	if m.Symbols == nil || language(file) == 0 && path.Ext(file) != ".md" {
		return file + "\n"
	}
	all := telling(m.Symbols(file))
	var b strings.Builder
	b.WriteString(file + "\n")
	for _, s := range all[:min(len(all), mapSymbols)] {
		line := s.Signature
		if len(line) > mapLine {
			line = line[:mapLine]
			for !utf8.ValidString(line) {
				line = line[:len(line)-1]
			}
			line += "…"
		}
		b.WriteString("  " + line + "\n")
	}
	if n := len(all) - mapSymbols; n > 0 {
		fmt.Fprintf(&b, "  and %d more\n", n)
	}
	return b.String()
}

// telling gives the symbols that others may use, those that do more than hold a
// value before those that hold one; where there are none, all.
func telling(all []Symbol) []Symbol {
	var doing, exported []Symbol
	for _, s := range all {
		if private(s) {
			continue
		}
		exported = append(exported, s)
		if s.Kind != "const" && s.Kind != "var" && s.Kind != "property" {
			doing = append(doing, s)
		}
	}
	switch {
	case len(doing) > 0:
		return doing
	case len(exported) > 0:
		return exported
	}
	return all
}

// private goes by Go's capitals, Python's underscores and Java's word.
func private(s Symbol) bool {
	first, _ := utf8.DecodeRuneInString(s.Name)
	word := firstName(s.Signature)
	isGo := word == "func" || word == "type" || word == s.Kind && (word == "const" || word == "var")
	return first == '_' || isGo && unicode.IsLower(first) || word == "private"
}
