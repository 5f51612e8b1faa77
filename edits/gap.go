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
	first  int      // the first of them that starts something, else that says something; -1: none
	next   int      // the first row below that starts something; -1
	note   int      // the row above, if it is a comment; -1
	above  []level  // that go on until the gap, innermost first
	tail   []level  // of the lines, that go on until their end, not moved
	own    int      // column in which first came
	told   int      // column by the lines that are replaced; -1
	split  bool     // most of them tell it, and not all

	blankAbove, blankBelow int // lines
}

// level is one depth in which something more may come.
type level struct {
	at   int
	row  int  // the last one there
	dash bool // of a list's entries (YAML)
}

func newGap(s style, lines, before, after, broken []string) *gap {
	p := &gap{style: s, lines: s.translate(lines), lo: len(before), hi: len(before) + len(lines), next: -1, note: -1, told: -1}
	p.rows = scanRows(slices.Concat(before, p.lines, after), s.manner)
	p.first = slices.IndexFunc(p.rows[p.lo:p.hi], row.starts)
	if p.first < 0 {
		p.first = slices.IndexFunc(p.rows[p.lo:p.hi], func(r row) bool { return !r.blank() })
	}
	if p.first < 0 {
		return p
	}
	p.first += p.lo
	p.own = p.rows[p.first].at
	p.above = p.levels(p.within()+1, p.lo)
	p.tail = p.levels(p.first, p.hi)
	for i := p.lo - 1; i >= 0 && p.rows[i].blank(); i-- {
		p.blankAbove++
	}
	if i := p.lo - 1 - p.blankAbove; i >= 0 && p.rows[i].note {
		p.note = i
	}
	for i := p.hi; i < len(p.rows) && p.rows[i].blank(); i++ {
		p.blankBelow++
	}
	if i := slices.IndexFunc(p.rows[p.hi:], row.starts); i >= 0 {
		p.next = p.hi + i
	}
	p.tell(broken)
	return p
}

// levels lists the depths that go on until row to, of rows in the bracket that
// the first line is in.
func (p *gap) levels(from, to int) (all []level) {
	add := func(l level) {
		if n := len(all); n == 0 || l.at < all[n-1].at || l.at == all[n-1].at && all[n-1].dash && !l.dash {
			all = append(all, l)
		}
	}
	for i := to - 1; i >= from; i-- {
		r := p.rows[i]
		if !r.starts() || r.within != p.within() || p.closer(i) && i != p.first {
			continue
		}
		dash := p.dash(i)
		if dash && (strings.Contains(r.text, ":") || bare(r.text) == "-") {
			add(level{at: r.at + max(2, len(r.text)-len(strings.TrimLeft(r.text, "- "))), row: i})
		}
		add(level{at: r.at, row: i, dash: dash})
	}
	return all
}

func (p *gap) dash(i int) bool {
	return p.style.manner == keys && (p.rows[i].text == "-" || strings.HasPrefix(p.rows[i].text, "- "))
}

func (p *gap) closer(i int) bool {
	t := p.rows[i].text
	return t != "" && strings.IndexByte(")]}", t[0]) >= 0
}

func (p *gap) within() int  { return p.rows[p.first].within }
func (p *gap) text() string { return p.rows[p.first].text }

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

// tell learns from the lines that are replaced: the column of first for which
// most of them stand.
func (p *gap) tell(broken []string) {
	at, flat := map[string]int{}, true
	for _, l := range p.style.translate(broken) {
		text := strings.TrimSpace(l)
		if _, twice := at[text]; twice {
			at[text] = -1
		} else if text != "" {
			at[text] = columnsOf(indentOf(l))
			flat = flat && at[text] == 0
		}
	}
	votes, best := map[int]int{}, -1
	for i, l := range p.lines {
		if column, ok := at[strings.TrimSpace(l)]; ok && column >= 0 {
			v := column - p.rows[p.lo+i].at + p.own
			if votes[v]++; best < 0 || votes[v] > votes[best] {
				best = v
			}
		}
	}
	p.told, p.split = best, len(votes) > 1 && votes[best] > 1
	if flat && len(votes) > 1 {
		p.told, p.split = -1, false // they have lost what they were told by
	}
}
