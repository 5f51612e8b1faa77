package edits

import (
	"slices"
	"strings"
)

// Format anchored (seeds 2 and 4):
//
//	block = path NL [fence NL] "««« EDIT" NL {line NL} "═══════ REPL" NL {line NL} "»»» EDIT END" NL
//
// The lines that both sides begin with are the anchor; what follows is what
// goes and what comes.
//
// Format anchored-4 (seed 1) opens with the same line and closes with "»»»":
//
//	block = path NL [fence NL] "««« EDIT" NL {anchor NL} rule NL {old NL} "═══════" NL {new NL} rule NL {trailing NL} "»»»" NL
//	rule  = "───────"
//
// A further "««« EDIT" inside a block means that the block before was never closed.
type anchored struct {
	lines []string // separators included
	marks []mark
	four  bool // closed by "»»»"
}

// mark is a separator line: which one, and its index. Until the block closes
// nobody knows which of them are content.
type mark struct {
	kind markKind
	at   int
}

type markKind int

const (
	markNone markKind = iota
	markOpen
	markRepl  // ═══════ REPL
	markEqual // ═══════
	markRule  // ───────
	markEnd   // »»» EDIT END
	markEnd4  // »»»
)

func openAnchored(line string, _ *above) body {
	if anchoredMark(line) == markOpen {
		return &anchored{}
	}
	return nil
}

// anchoredMark tells which marker line of the two formats a line is.
func anchoredMark(line string) markKind {
	if len(line) < len("»»»") || line[0] != "«"[0] && line[0] != "═"[0] {
		return markNone
	}
	switch strings.TrimRight(line, " \t") {
	case "««« EDIT":
		return markOpen
	case "═══════ REPL":
		return markRepl
	case "═══════":
		return markEqual
	case "───────":
		return markRule
	case "»»» EDIT END":
		return markEnd
	case "»»»":
		return markEnd4
	}
	return markNone
}

func anchoredMarker(line string) bool { return anchoredMark(line) != markNone }

func (a *anchored) take(line string) step {
	switch k := anchoredMark(line); k {
	case markOpen:
		return restarts
	case markEnd:
		return closes
	case markEnd4:
		a.four = true
		return closes
	case markRepl, markEqual, markRule:
		a.marks = append(a.marks, mark{k, len(a.lines)})
	}
	a.lines = append(a.lines, unescape(line, anchoredMarker))
	return inside
}

func (a *anchored) finish(b Block, closed bool) []Block {
	b.Format = Anchored
	if a.four {
		b.Format = Anchored4
	}
	switch {
	case !closed:
		b.Fault = "no »»» EDIT END line: the block is not complete"
	case a.four:
		a.fourParts(&b)
	default:
		a.twoSides(&b)
	}
	return []Block{b}
}

// twoSides cuts the lines of the anchored format.
func (a *anchored) twoSides(b *Block) {
	at := -1
	for _, m := range a.marks {
		if m.kind != markRepl {
			continue // content
		}
		if at >= 0 {
			b.Fault = "more than one ═══════ REPL line"
			return
		}
		at = m.at
	}
	if at < 0 {
		b.Fault = "no ═══════ REPL line"
		return
	}
	b.Old, b.New = a.lines[:at:at], a.lines[at+1:]
	b.Anchor = commonPrefix(b.Old, b.New)
}

// fourParts cuts the lines of the four-part format.
func (a *anchored) fourParts(b *Block) {
	m := a.marks
	if len(m) != 3 || m[0].kind != markRule || m[1].kind != markEqual || m[2].kind != markRule {
		b.Fault = "the parts must be set off by ───────, ═══════, ─────── in this order"
		return
	}
	lead, old := a.lines[:m[0].at], a.lines[m[0].at+1:m[1].at]
	new, trail := a.lines[m[1].at+1:m[2].at], a.lines[m[2].at+1:]
	b.Anchor, b.Trail = len(lead), len(trail)
	b.Old = slices.Concat(lead, old, trail)
	b.New = slices.Concat(lead, new, trail)
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
