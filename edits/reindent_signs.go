package edits

import (
	"slices"
	"strings"
)

// What rules ask of a gap. Above and below mean what is around it, first and
// last belong to the lines that come.

func (g *gap) within() int       { return g.rows[g.first].within }
func (g *gap) word(i int) string { return firstWord(g.rows[i].text) }
func (g *gap) keyed() bool       { return g.style.manner == keys }

// up is the column of the innermost depth above, down that of the row below.
func (g *gap) up() int   { return g.above[0].at }
func (g *gap) down() int { return g.rows[g.next].at }

// end is the column of the innermost depth of the lines if first is at at.
func (g *gap) end(at int) int {
	if len(g.tail) == 0 {
		return at
	}
	return g.tail[0].at - g.own + at
}

// rank counts the depths above that are left for column at; -1: it is none.
func (g *gap) rank(at int) int {
	return slices.IndexFunc(g.above, func(d depth) bool { return d.at == at })
}

// beside is the last row above in column at, which is one of the depths.
func (g *gap) beside(at int) int { return g.above[g.rank(at)].row }

// opened reports whether the statement above opens a block, leads whether the
// last one does, for what is below.
func (g *gap) opened() bool { return len(g.above) > 0 && g.opens(g.above[0].row, g.lo) }
func (g *gap) leads() bool  { return g.follows() && g.opens(g.tail[0].row, g.hi) }
func (g *gap) joins() bool  { return g.follows() && !g.leads() }

// opens reports whether the statement that begins in row from, the last before
// row end, opens a block.
func (g *gap) opens(from, end int) bool {
	for i := end - 1; i >= from; i-- {
		if g.rows[i].text != "" {
			return g.parent(i)
		}
	}
	return false
}

// parent reports whether rows that belong to row i are below it.
func (g *gap) parent(i int) bool { return g.rows[i].opens || g.rows[i].scalar }

// follows reports whether the row below is in the same bracket as first.
func (g *gap) follows() bool {
	return g.next >= 0 && len(g.tail) > 0 && g.rows[g.next].within == g.within() && !g.closer(g.next)
}

// goesOn reports whether the row below is in a depth that goes on, if first is
// in column at.
func (g *gap) goesOn(at int) bool {
	fits := func(d depth, by int) bool { return d.at+by == g.down() && d.dash == g.dash(g.next) }
	return g.down() == 0 ||
		slices.ContainsFunc(g.tail, func(d depth) bool { return fits(d, at-g.own) }) ||
		slices.ContainsFunc(g.above, func(d depth) bool {
			return (d.at < at || d.at == at && (g.dash(g.first) || !d.dash)) && fits(d, 0)
		})
}

// closer reports whether a row begins by closing a bracket.
func (g *gap) closer(i int) bool {
	t := g.rows[i].text
	return t != "" && strings.IndexByte(")]}", t[0]) >= 0
}

// heads reports whether first is the first row in its bracket.
func (g *gap) heads() bool { return g.within() >= 0 && len(g.above) == 0 && !g.closer(g.first) }

// opensBracket reports whether the row below is in a bracket of the lines.
func (g *gap) opensBracket() bool {
	return g.next >= 0 && g.rows[g.next].within >= g.lo && g.rows[g.next].within < g.hi
}

// inBracket is where row i, the first in its bracket, should be if the row that
// opens the bracket is moved by some columns.
func (g *gap) inBracket(i, by int) int {
	r := g.rows[i]
	opener := g.rows[r.within].at + by
	switch {
	case g.closer(i) || isWord(g.word(i), "case default"):
		return opener
	case r.hangs() && !g.style.tabs:
		return opener + r.beside
	}
	return opener + g.style.hang
}

// search reports whether a row above in the block of column at passes.
func (g *gap) search(at int, passes func(i int) bool) bool {
	for i := g.lo - 1; i >= 0; i-- {
		switch r := g.rows[i]; {
		case !r.starts() || r.within != g.within():
		case g.dash(i) && r.at+2 == at: // where the mapping begins
			return passes(i)
		case r.at < at:
			return false
		case r.at == at && passes(i):
			return true
		}
	}
	return false
}

// pairsAbove tells what pairs does of the row above and first in column at.
func (g *gap) pairsAbove(at int) int {
	if len(g.above) == 0 {
		return 0
	}
	last := g.above[0].row
	return g.pairs(last, g.first, at-g.rows[last].at)
}

// pairsBelow tells what pairs does of the last row and that below, if first is
// in column at.
func (g *gap) pairsBelow(at int) int {
	if !g.follows() {
		return 0
	}
	last := g.tail[0].row
	return g.pairs(last, g.next, g.down()-(g.rows[last].at-g.own+at))
}

// pairs tells whether, where a row like b comes after one like a elsewhere in
// the file, it mostly is so much deeper: 1, -1, or 0 if it comes nowhere.
func (g *gap) pairs(a, b, deeper int) int {
	like := func(i, of int) bool { return g.dash(i) == g.dash(of) && g.key(i) == g.key(of) }
	n, last := 0, -1
	for i, r := range g.rows {
		switch {
		case i >= g.lo && i < g.hi || i == b:
			last = -1
			continue
		case !r.starts():
			continue
		case last < 0 || !like(i, b) || !like(last, a):
		case r.at-g.rows[last].at == deeper:
			n++
		default:
			n--
		}
		last = i
	}
	return max(-1, min(n, 1))
}
