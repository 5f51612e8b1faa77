package edits

import (
	"slices"
	"strings"
)

// rule is one thing that speaks for a column of the first line, or against it.
type rule struct {
	why    string
	weight float64
	holds  func(p *gap, at int) bool
}

func rules() []rule {
	return []rule{
		{"the block that the line above opens", 8, func(p *gap, at int) bool { return p.opened() && at == p.up(0)+p.style.unit }},
		{"within a block that was opened, oddly", 3, func(p *gap, at int) bool { return p.opened() && at > p.up(0) && at != p.up(0)+p.style.unit }},
		{"a block was opened, and this is not in it", -8, func(p *gap, at int) bool { return p.opened() && at <= p.up(0) && !p.flatList(at) }},
		{"a list as deep as its key", 2, func(p *gap, at int) bool { return p.flatList(at) }},
		{"beside the line above", 2, func(p *gap, at int) bool { return !p.opened() && len(p.levels) > 0 && at == p.up(0) }},
		{"beside a line further up", 2, func(p *gap, at int) bool { return !p.opened() && p.levelAt(at) > 0 }},
		{"beside no line above", -8, func(p *gap, at int) bool { return !p.opened() && len(p.levels) > 0 && p.levelAt(at) < 0 && !p.entry(at) }},
		{"a key of the list's entry above", 1, func(p *gap, at int) bool { return p.entry(at) }},
		{"one deeper than the open bracket", 8, func(p *gap, at int) bool { return p.heads() && at == p.bracket()+p.style.unit && !p.closer(p.first) }},
		{"the open bracket's own", 8, func(p *gap, at int) bool { return p.within() >= 0 && at == p.bracket() && p.closer(p.first) }},
		{"a case beside its switch", 8, func(p *gap, at int) bool { return p.heads() && at == p.bracket() && isCase(p.rows[p.first].text) && !p.style.caseDeeper() }},
		{"nothing above", 8, func(p *gap, at int) bool { return len(p.levels) == 0 && p.within() < 0 && at == 0 }},
		{"beside the line below", 3, func(p *gap, at int) bool { return p.follows() && !p.leaves() && p.end(at) == p.down() }},
		{"the line below is deeper, without cause", -8, func(p *gap, at int) bool { return p.follows() && !p.leaves() && p.end(at) < p.down() }},
		{"the line below is in its block", 6, func(p *gap, at int) bool { return p.follows() && p.leaves() && p.end(at)+p.style.unit == p.down() }},
		{"the line below should be in its block", -8, func(p *gap, at int) bool { return p.follows() && p.leaves() && p.end(at) >= p.down() && !p.flatBelow(at) }},
		{"the line below is in no block", -8, func(p *gap, at int) bool { return p.follows() && p.end(at) > p.down() && !p.leadsTo(at, p.down()) }},
		{"the line below is in its bracket", 8, func(p *gap, at int) bool { return p.bracketBelow(at) == p.down() && p.next >= 0 && p.rows[p.next].within >= p.lo }},
		{"the line above ended its block", -4, func(p *gap, at int) bool { return !p.opened() && len(p.levels) > 0 && at == p.up(0) && leavesBlock(p.rows[p.levels[0]].text) && !p.caseNext() }},
		{"it ends its block", -4, func(p *gap, at int) bool { return p.follows() && p.end(at) == p.down() && leavesBlock(p.rows[p.last].text) && !isClause(p.rows[p.next].text) }},
		{"a clause beside its head", 6, func(p *gap, at int) bool { return isClause(p.text()) && p.headAt(at) }},
		{"a clause without a head", -8, func(p *gap, at int) bool { return isClause(p.text()) && !p.headAt(at) }},
		{"a clause below belongs to it", -6, func(p *gap, at int) bool { return p.clauseBelow() && p.end(at) <= p.down() }},
		{"a gap above, none below", 2, func(p *gap, at int) bool { return p.gapUp > p.gapDown && p.follows() && p.end(at) == p.down() }},
		{"a gap above, beside the line above", -1, func(p *gap, at int) bool { return p.gapUp > p.gapDown && len(p.levels) > 0 && at == p.up(0) }},
		{"a gap below, beside the line below", -1, func(p *gap, at int) bool { return p.gapUp < p.gapDown && p.follows() && p.end(at) == p.down() }},
		{"no gap above, beside the line above", 2, func(p *gap, at int) bool { return p.gapUp < p.gapDown && len(p.levels) > 0 && at == p.up(0) }},
		{"two blank lines above, at the margin", 3, func(p *gap, at int) bool { return p.gapUp > 1 && at == 0 }},
		{"two blank lines below, at the margin", 1, func(p *gap, at int) bool { return p.gapDown > 1 && at == 0 }},
		{"beside the comment above", 3, func(p *gap, at int) bool { return p.prev >= 0 && p.rows[p.prev].note && p.gapUp == 0 && at == p.rows[p.prev].at }},
		{"a declaration beside another", 3, func(p *gap, at int) bool { return isDeclaration(p.text()) && p.declaredAt(at) }},
		{"a declaration not beside another", -2, func(p *gap, at int) bool { return isDeclaration(p.text()) && !p.declaredAt(at) && !p.opened() }},
		{"an entry as others at this depth", 2, func(p *gap, at int) bool { return p.style.manner == keys && p.sameKind(at) }},
		{"a key twice in one mapping", -5, func(p *gap, at int) bool { return p.style.manner == keys && p.twice(at) }},
		{"most lines of this word stand there", 2, func(p *gap, at int) bool { return p.usualFor(p.text()) == at }},
		{"a statement that needs a function", -5, func(p *gap, at int) bool { return p.style.manner == colons && at == 0 && isWord(firstWord(p.text()), "return yield self await") }},
		{"as it came", 1.5, func(p *gap, at int) bool { return at == p.own && at > 0 }},
		{"as it came, at the margin", 0.3, func(p *gap, at int) bool { return at == p.own && at == 0 }},
		{"as the lines that it replaces", 3, func(p *gap, at int) bool { return at == p.told && at > 0 }},
		{"as the lines that it replaces, at the margin", 0.3, func(p *gap, at int) bool { return at == p.told && at == 0 }},
		{"about where the replaced lines are", 1.5, func(p *gap, at int) bool { return p.told > 0 && at != p.told && abs(at-p.told)*2 < p.style.unit }},
		{"words of the block", 1, func(p *gap, at int) bool { return p.levelAt(at) >= 0 && p.shares(at) }},
	}
}

// choose gives the column for which most speaks.
func (p *gap) choose() int {
	best, most := 0, 0.0
	all := rules()
	for i, at := range p.candidates() {
		sum := 0.0
		for _, r := range all {
			if r.holds(p, at) {
				sum += r.weight
			}
		}
		if i == 0 || sum > most {
			best, most = at, sum
		}
	}
	return best
}

func (p *gap) candidates() (columns []int) {
	add := func(at int) {
		if at >= 0 && !slices.Contains(columns, at) {
			columns = append(columns, at)
		}
	}
	unit := p.style.unit
	if p.opened() {
		add(p.up(0) + unit)
	}
	for _, i := range p.levels {
		add(p.rows[i].at)
		if strings.HasPrefix(p.rows[i].text, "- ") {
			add(p.rows[i].at + 2)
		}
	}
	if p.within() >= 0 {
		add(p.bracket() + unit)
		add(p.bracket())
	}
	if p.next >= 0 {
		rel := p.rows[p.last].at - p.own
		add(p.down() - rel)
		add(p.down() - rel - unit)
		add(p.down() - rel + unit)
		if w := p.rows[p.next].within; w >= p.lo && w < p.hi {
			rel := p.rows[w].at - p.own
			add(p.down() - rel)
			add(p.down() - rel - unit)
		}
	}
	add(0)
	add(p.own)
	add(p.told)
	return columns
}

func (p *gap) within() int  { return p.rows[p.first].within }
func (p *gap) text() string { return p.rows[p.first].text }
func (p *gap) up(i int) int { return p.rows[p.levels[i]].at }
func (p *gap) down() int {
	if p.next < 0 {
		return 0
	}
	return p.rows[p.next].at
}

// bracket is the column of the row that opened the bracket which first is in.
func (p *gap) bracket() int { return p.rows[p.within()].at }

// heads reports whether first is the first row in its bracket.
func (p *gap) heads() bool { return p.within() >= 0 && len(p.levels) == 0 }

// end is where the last row comes to stand.
func (p *gap) end(at int) int { return p.rows[p.last].at - p.own + at }

// opened reports whether the statement above opens a block.
func (p *gap) opened() bool { return len(p.levels) > 0 && p.opens(p.levels[0], p.lo) }

// leaves reports whether the last statement opens a block for what is below.
func (p *gap) leaves() bool { return p.opens(p.last, p.hi) }

func (p *gap) opens(from, end int) bool {
	for i := end - 1; i >= from; i-- {
		if r := p.rows[i]; r.text != "" {
			return r.opens
		}
	}
	return false
}

// follows reports whether the row below is of the same bracket as first.
func (p *gap) follows() bool {
	return p.next >= 0 && p.rows[p.next].within == p.within() && !p.closer(p.next)
}

func (p *gap) closer(i int) bool {
	t := p.rows[i].text
	return t != "" && strings.ContainsAny(t[:1], ")]}")
}

// levelAt gives which level has a column, -1 for none.
func (p *gap) levelAt(at int) int {
	return slices.IndexFunc(p.levels, func(i int) bool { return p.rows[i].at == at })
}

// leadsTo reports whether a row in column to can come after the lines.
func (p *gap) leadsTo(at, to int) bool {
	if to < at {
		return to == 0 || p.levelAt(to) >= 0
	}
	for i := p.first; i < p.hi; i++ {
		if r := p.rows[i]; r.starts() && r.at-p.own+at == to {
			return true
		}
	}
	return false
}

func (p *gap) bracketBelow(at int) int {
	if p.next < 0 {
		return -1
	}
	w := p.rows[p.next].within
	if w < p.lo || w >= p.hi {
		return -1
	}
	column := p.rows[w].at - p.own + at
	if !p.closer(p.next) && !(isCase(p.rows[p.next].text) && !p.style.caseDeeper()) {
		column += p.style.unit
	}
	return column
}

func (s style) caseDeeper() bool { return false }

func firstWord(text string) string {
	for i := range len(text) {
		if c := text[i]; !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '@' && i == 0) {
			return text[:i]
		}
	}
	return text
}

func isCase(text string) bool { return isWord(firstWord(text), "case default") }

func isClause(text string) bool {
	return isWord(firstWord(text), "else elif except finally")
}

func isDeclaration(text string) bool {
	return isWord(firstWord(text), "def class async") || strings.HasPrefix(text, "@")
}

func leavesBlock(text string) bool {
	return isWord(firstWord(text), "return raise break continue pass")
}

func (p *gap) caseNext() bool { return false }

// headAt reports whether a clause in this column has a head.
func (p *gap) headAt(at int) bool {
	i := p.levelAt(at)
	if i < 0 {
		return false
	}
	heads := map[string]string{"else": "if elif for while except try", "elif": "if elif", "except": "try except", "finally": "try except else"}
	return isWord(firstWord(p.rows[p.levels[i]].text), heads[firstWord(p.text())])
}

// clauseBelow reports whether a clause is below whose head is not among the lines.
func (p *gap) clauseBelow() bool {
	if !p.follows() || !isClause(p.rows[p.next].text) {
		return false
	}
	return !isClause(p.text()) && p.rows[p.last].at >= p.own && !slices.ContainsFunc(p.rows[p.lo:p.hi], func(r row) bool { return r.at == p.own && r.opens })
}

func (p *gap) declaredAt(at int) bool {
	for i := p.lo - 1; i >= 0; i-- {
		r := p.rows[i]
		if r.starts() && r.at < at {
			return false
		}
		if r.starts() && r.at == at && isDeclaration(r.text) {
			return true
		}
	}
	return at == 0
}

// usualFor gives the column in which most rows with this first word are.
func (p *gap) usualFor(text string) int {
	word := p.key(text)
	n := map[int]int{}
	best := -1
	for i, r := range p.rows {
		if (i < p.lo || i >= p.hi) && r.starts() && p.key(r.text) == word && word != "" {
			if n[r.at]++; best < 0 || n[r.at] > n[best] {
				best = r.at
			}
		}
	}
	return best
}

func (p *gap) key(text string) string {
	if p.style.manner == keys {
		if i := strings.Index(text, ":"); i >= 0 {
			return text[:i]
		}
	}
	return firstWord(text)
}

// flatList reports whether first is a list's entry in its key's column.
func (p *gap) flatList(at int) bool {
	return p.style.manner == keys && p.opened() && at == p.up(0) && strings.HasPrefix(p.text(), "-")
}

func (p *gap) flatBelow(at int) bool {
	return p.style.manner == keys && p.end(at) == p.down() && strings.HasPrefix(p.rows[p.next].text, "-")
}

// entry reports whether at is that of keys in the list's entry above.
func (p *gap) entry(at int) bool {
	return p.style.manner == keys && slices.ContainsFunc(p.levels, func(i int) bool {
		return strings.HasPrefix(p.rows[i].text, "- ") && p.rows[i].at+2 == at
	})
}

func (p *gap) sameKind(at int) bool {
	i := p.levelAt(at)
	return i >= 0 && strings.HasPrefix(p.rows[p.levels[i]].text, "-") == strings.HasPrefix(p.text(), "-")
}

func (p *gap) twice(at int) bool {
	if strings.HasPrefix(p.text(), "-") {
		return false
	}
	for i := p.lo - 1; i >= 0; i-- {
		r := p.rows[i]
		if r.starts() && r.at < at {
			return false
		}
		if r.starts() && r.at == at && p.key(r.text) == p.key(p.text()) {
			return true
		}
	}
	return false
}

func (p *gap) shares(at int) bool {
	i := p.levelAt(at)
	if i <= 0 && !(i == 0) {
		return false
	}
	// names that the head of this block binds
	if i+1 >= len(p.levels) {
		return false
	}
	head := p.rows[p.levels[i+1]].text
	if !isWord(firstWord(head), "for with except") {
		return false
	}
	for k := p.first; k < p.hi; k++ {
		for _, w := range wordsOf(head) {
			if slices.Contains(wordsOf(p.rows[k].text), w) {
				return true
			}
		}
	}
	return false
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool {
		return !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9')
	})
}
