package edits

import (
	"slices"
	"strings"
)

// reindent gives lines the indentation that their place asks for (edit_lines
// with indent "auto", seed 5). All lines are without endings:
//
//	lines          the new content
//	before, after  all lines of the file above and below the place
//	broken         the lines that are replaced; nil for an insertion
//
// The lines keep their depth relative to each other, written with the tabs or
// spaces and in the unit of the file; a blank line becomes empty. They are moved
// as one, so the column of the first one that says something decides: what is
// around speaks for or against each column that it could be in (rules), and the
// replaced lines, whose indentation may be what was wrong, have a small say.
//
// A level that is not nil decides instead: the column, in spaces, of the least
// indented line. Where the file is indented by tabs a multiple of 4 is a tab for
// each 4; other levels are columns with a tab at every 8.
func reindent(lines []string, before, after []string, broken []string, level *int) []string {
	before, after = nearby(before, after)
	out := make([]string, len(lines))
	g := newGap(styleOf(before, after, lines), lines, before, after, broken)
	if g.first < 0 {
		return out
	}
	by := 0
	if level != nil {
		by = g.style.level(*level) - g.least()
	} else {
		by = g.choose() - g.own
	}
	for i, l := range g.lines {
		if strings.TrimSpace(l) != "" {
			out[i] = g.style.shift(l, by)
		}
	}
	return out
}

// nearbyLines is how many lines on both sides of a place say how it is indented;
// more cost time and say the same.
const nearbyLines = 2000

// nearby leaves away what is far from a place. What is left of the lines above
// begins at the margin, as a file does, if there is such a line not far above.
func nearby(before, after []string) (above, below []string) {
	from := max(0, len(before)-nearbyLines)
	for i := from; i > max(0, from-nearbyLines); i-- {
		if l := before[i]; l != "" && indentOf(l) == "" && inWord(rune(l[0])) {
			from = i
			break
		}
	}
	return before[from:], after[:min(len(after), nearbyLines)]
}

// gap is where lines come to stand, and what they are.
type gap struct {
	style  style
	lines  []string // in the file's style, not moved yet
	rows   []row    // all of the file with them
	lo, hi int      // those of lines are rows[lo:hi]
	first  int      // the first of them that starts a statement, else that says something; -1: none
	own    int      // column in which that one came
	above  []depth  // that go on until the gap, innermost first
	tail   []depth  // of the lines, that go on until their end, not moved
	next   int      // the first row below that starts a statement; -1: none
	note   int      // the row above, if it is a comment; -1

	blankAbove, blankBelow int // lines

	usual, nearest int  // columns of rows of first's first word: most of them, and the nearest; -1: there are none
	told           int  // column of first by the lines that are replaced; -1: they do not tell
	split          bool // most of those tell it, and not all
}

// depth is a column in which something more may come.
type depth struct {
	at   int
	row  int  // the last one there
	dash bool // of a list's entries (YAML)
}

func newGap(s style, lines, before, after, broken []string) *gap {
	g := &gap{style: s, lines: s.translate(lines), lo: len(before), hi: len(before) + len(lines)}
	g.rows = scanRows(slices.Concat(before, g.lines, after), s.manner)
	g.first = indexFrom(g.rows[:g.hi], g.lo, row.starts)
	if g.first < 0 {
		g.first = indexFrom(g.rows[:g.hi], g.lo, func(r row) bool { return !r.blank() })
	}
	if g.first < 0 {
		return g
	}
	g.own = g.rows[g.first].at
	g.above = g.depths(g.within()+1, g.lo)
	g.tail = g.depths(g.first, g.hi)
	g.next = indexFrom(g.rows, g.hi, row.starts)
	g.note = -1
	i := g.lo - 1
	for ; i >= 0 && g.rows[i].blank(); i-- {
		g.blankAbove++
	}
	if i >= 0 && g.rows[i].note {
		g.note = i
	}
	for i := g.hi; i < len(g.rows) && g.rows[i].blank(); i++ {
		g.blankBelow++
	}
	g.likes()
	g.tell(broken)
	return g
}

// indexFrom finds the first row from a number on that passes; -1: none does.
func indexFrom(rows []row, from int, passes func(row) bool) int {
	if i := slices.IndexFunc(rows[from:], passes); i >= 0 {
		return from + i
	}
	return -1
}

// depths lists those that go on until row to, of rows in first's bracket.
func (g *gap) depths(from, to int) (all []depth) {
	add := func(d depth) {
		if n := len(all); n == 0 || d.at < all[n-1].at || d.at == all[n-1].at && all[n-1].dash && !d.dash {
			all = append(all, d)
		}
	}
	for i := to - 1; i >= from; i-- {
		r := g.rows[i]
		if !r.starts() || r.within != g.within() || g.closer(i) && i != g.first {
			continue
		}
		dash := g.dash(i)
		if dash && (strings.Contains(r.text, ":") || bare(r.text) == "-") { // an entry that is a mapping
			add(depth{at: r.at + max(2, len(r.text)-len(strings.TrimLeft(r.text, "- "))), row: i})
		}
		add(depth{at: r.at, row: i, dash: dash})
	}
	return all
}

// least is the least indentation that lines have.
func (g *gap) least() int {
	least := -1
	for i, l := range g.lines {
		if at := g.rows[g.lo+i].at; strings.TrimSpace(l) != "" && (least < 0 || at < least) {
			least = at
		}
	}
	return least
}
