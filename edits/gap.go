package edits

import (
	"slices"
	"strings"
)

// gap is where lines come to stand, and what they are.
type gap struct {
	style  style
	lines  []string // in the file's style, not moved yet
	rows   []row    // all of the file with them
	lo, hi int      // those of lines are rows[lo:hi]
	first  int      // the first row of them that says something; -1: none
	last   int      // the last one that starts like first
	prev   int      // the nearest row above that starts like first; -1
	next   int      // the row below; -1
	levels []int    // rows above whose block may go on, innermost first
	told   int      // column by the lines that are replaced; -1
	own    int      // column in which first came
	gapUp, gapDown int
}

func newGap(s style, lines, before, after, broken []string) *gap {
	p := &gap{style: s, lines: s.translate(lines), lo: len(before), hi: len(before) + len(lines), first: -1, prev: -1, next: -1, told: -1}
	p.rows = scanRows(slices.Concat(before, p.lines, after), s.manner)
	for i := p.lo; i < p.hi && p.first < 0; i++ {
		if !p.rows[i].blank() {
			p.first = i
		}
	}
	if p.first < 0 {
		return p
	}
	p.own = p.rows[p.first].at
	p.above()
	p.below()
	p.told = p.tellOf(broken)
	return p
}

func (p *gap) above() {
	first := p.rows[p.first]
	for i := p.lo - 1; i >= 0 && i > first.within; i-- {
		r := p.rows[i]
		if r.blank() {
			if p.prev < 0 {
				p.gapUp++
			}
			continue
		}
		if !r.starts() && !r.note || r.within != first.within {
			continue
		}
		if p.prev < 0 {
			p.prev = i
		}
		if r.note {
			continue
		}
		if n := len(p.levels); n == 0 || r.at < p.rows[p.levels[n-1]].at {
			p.levels = append(p.levels, i)
		}
	}
}

func (p *gap) below() {
	first := p.rows[p.first]
	p.last = p.first
	for i := p.first; i < p.hi; i++ {
		if r := p.rows[i]; r.starts() && r.within == first.within {
			p.last = i
		}
	}
	for i := p.hi; i < len(p.rows); i++ {
		if r := p.rows[i]; r.starts() || r.note {
			p.next = i
			return
		} else if r.blank() {
			p.gapDown++
		}
	}
}

// least is the least indentation that lines have.
func (p *gap) least() int {
	least := -1
	for i, l := range p.lines {
		if r := p.rows[p.lo+i]; strings.TrimSpace(l) != "" && (least < 0 || r.at < least) {
			least = r.at
		}
	}
	return least
}

// tellOf gives the column that most of the replaced lines stand for.
func (p *gap) tellOf(broken []string) int {
	at := map[string]int{}
	for _, l := range p.style.translate(broken) {
		text := strings.TrimSpace(l)
		if _, twice := at[text]; twice {
			at[text] = -1
		} else if text != "" {
			at[text] = columnsOf(indentOf(l))
		}
	}
	votes := map[int]int{}
	best := -1
	for i, l := range p.lines {
		if column, ok := at[strings.TrimSpace(l)]; ok && column >= 0 {
			v := column - p.rows[p.lo+i].at + p.own
			if votes[v]++; best < 0 || votes[v] > votes[best] {
				best = v
			}
		}
	}
	return best
}
