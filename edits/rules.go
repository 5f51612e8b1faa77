package edits

import (
	"slices"
	"strings"
)

// rule is one thing that speaks for a column of the first line, or against it.
type rule struct {
	why    string
	weight [3]float64
	holds  func(p *gap, at int) bool
}

func rules() []rule {
	return []rule{
		{"in the block that the line above opens", [3]float64{5.5, 6.5, 6}, func(p *gap, at int) bool { return p.opened() && at == p.up()+p.style.unit }},
		{"in the block above, deeper or less", [3]float64{-4, -3.5, -0.5}, func(p *gap, at int) bool { return p.opened() && at > p.up() && at != p.up()+p.style.unit }},
		{"not in the block that the line above opens", [3]float64{-1, -4.5, -4.5}, func(p *gap, at int) bool { return p.opened() && at <= p.up() && !p.flat(at) }},
		{"a list as deep as its key, as in the file", [3]float64{0, 0, 8}, func(p *gap, at int) bool { return p.opened() && p.flat(at) && p.style.flat }},
		{"a list as deep as its key, as nowhere else", [3]float64{0, 0, 4.5}, func(p *gap, at int) bool { return p.opened() && p.flat(at) && !p.style.flat }},
		{"beside the line above", [3]float64{1, 2.5, 0}, func(p *gap, at int) bool { return p.rank(at) == 0 && !p.opened() }},
		{"one level out", [3]float64{0.5, 2, 1.5}, func(p *gap, at int) bool { return p.rank(at) == 1 }},
		{"more levels out", [3]float64{0, 1.5, 1}, func(p *gap, at int) bool { return p.rank(at) > 1 }},
		{"beside no line above", [3]float64{-4.5, -6, -2}, func(p *gap, at int) bool { return !p.opened() && len(p.above) > 0 && p.rank(at) < 0 }},

		{"beside the line below", [3]float64{1, 2.5, 1}, func(p *gap, at int) bool { return p.joins(at) && p.down() == at && p.end(at) == at }},
		{"beside the line below, with a block between", [3]float64{4, 2.5, 2}, func(p *gap, at int) bool { return p.joins(at) && p.down() == at && p.end(at) > at }},
		{"the line below goes on in it", [3]float64{4, -5, -1}, func(p *gap, at int) bool { return p.joins(at) && p.down() > at && p.goesOn(at) }},
		{"the line below goes on above it", [3]float64{-0.5, 1.5, 3}, func(p *gap, at int) bool { return p.joins(at) && p.down() < at && p.goesOn(at) }},
		{"the line below goes on nowhere", [3]float64{-3.5, -4, -6.5}, func(p *gap, at int) bool { return p.joins(at) && !p.goesOn(at) }},
		{"the line below is in its block", [3]float64{0, 0, -2}, func(p *gap, at int) bool { return p.leads() && p.end(at)+p.style.unit == p.down() }},
		{"the line below is in its block, deeper or less", [3]float64{0, 0, 0}, func(p *gap, at int) bool {
			return p.leads() && p.end(at)+p.style.unit != p.down() && p.end(at) < p.down()
		}},
		{"the line below is not in its block", [3]float64{0, 0, -2}, func(p *gap, at int) bool {
			return p.leads() && p.end(at) >= p.down() && !(p.end(at) == p.down() && p.dash(p.next))
		}},
		{"between two of one depth", [3]float64{-2, 2.5, -0.5}, func(p *gap, at int) bool { return p.follows() && !p.opened() && p.rank(at) == 0 && p.down() == at }},

		{"in the open bracket", [3]float64{6, 0, 0}, func(p *gap, at int) bool { return p.heads() && at == p.inBracket(p.first, 0) }},
		{"at the open bracket's end", [3]float64{0, 0, 0}, func(p *gap, at int) bool { return p.within() >= 0 && p.closer(p.first) && at == p.rows[p.within()].at }},
		{"nothing above", [3]float64{10, 10, 10.5}, func(p *gap, at int) bool { return len(p.above) == 0 && p.within() < 0 && at == 0 }},
		{"the line below is in its bracket", [3]float64{0, 0, 0}, func(p *gap, at int) bool { return p.opensBracket() && p.down() == p.inBracket(p.next, at-p.own) }},

		{"what is above ended its block", [3]float64{0, -5.5, 0}, func(p *gap, at int) bool { return !p.opened() && p.rank(at) == 0 && p.ended(p.above[0].row) }},
		{"it ends its block", [3]float64{0, -6, 0}, func(p *gap, at int) bool {
			return p.follows() && p.end(at) == p.down() && p.ended(p.tail[0].row) && !p.clause(p.next)
		}},
		{"a clause beside its nearest head", [3]float64{0, 0, 0}, func(p *gap, at int) bool { return p.clause(p.first) && p.head() == at }},
		{"a clause beside no head", [3]float64{0, -9.5, 0}, func(p *gap, at int) bool { return p.clause(p.first) && !p.heading(at) }},
		{"the clause below has another head", [3]float64{0, -8.5, 0}, func(p *gap, at int) bool { return p.beheads(at) }},
		{"a declaration beside another", [3]float64{0, 1, 0}, func(p *gap, at int) bool { return p.declares(p.first) && p.declared(at) }},
		{"a declaration beside none", [3]float64{0, -0.5, 0}, func(p *gap, at int) bool { return p.declares(p.first) && !p.declared(at) && !p.opened() }},
		{"declarations go on below", [3]float64{0, 0, 0}, func(p *gap, at int) bool {
			return p.declares(p.first) && p.follows() && p.declares(p.next) && at == p.down()
		}},
		{"a statement that only a function has", [3]float64{0, -3, 0}, func(p *gap, at int) bool {
			return p.style.manner == colons && at == 0 && isWord(firstWord(p.text()), "return yield self await")
		}},

		{"more blank lines above, and beside the line below", [3]float64{-1, 4.5, 2}, func(p *gap, at int) bool { return p.blankAbove > p.blankBelow && p.follows() && p.down() == at }},
		{"more blank lines above, and beside the line above", [3]float64{1, -1, -1.5}, func(p *gap, at int) bool { return p.blankAbove > p.blankBelow && p.rank(at) == 0 }},
		{"more blank lines below, and beside the line below", [3]float64{-1.5, -2.5, -3}, func(p *gap, at int) bool { return p.blankAbove < p.blankBelow && p.follows() && p.down() == at }},
		{"more blank lines below, and beside the line above", [3]float64{1, 0, 0}, func(p *gap, at int) bool { return p.blankAbove < p.blankBelow && p.rank(at) == 0 }},
		{"no blank line above, and beside the line above", [3]float64{-0.5, 1, 2.5}, func(p *gap, at int) bool { return p.blankAbove == 0 && p.rank(at) == 0 }},
		{"blank lines above, and beside the line above", [3]float64{0.5, -1.5, 0.5}, func(p *gap, at int) bool { return p.blankAbove > 0 && p.blankBelow > 0 && p.rank(at) == 0 }},
		{"two blank lines above, at the margin", [3]float64{0, 5.5, 0}, func(p *gap, at int) bool { return p.blankAbove > 1 && at == 0 }},
		{"two blank lines below, at the margin", [3]float64{0.5, -1.5, 0}, func(p *gap, at int) bool { return p.blankBelow > 1 && at == 0 }},
		{"below a comment", [3]float64{5.5, 7.5, 6.5}, func(p *gap, at int) bool { return p.note >= 0 && p.blankAbove == 0 && at == p.rows[p.note].at }},

		{"beside entries of its kind", [3]float64{0, 0, 4.5}, func(p *gap, at int) bool { return p.style.manner == keys && p.kind(at) > 0 }},
		{"beside entries of another kind", [3]float64{0, 0, -2}, func(p *gap, at int) bool { return p.style.manner == keys && p.kind(at) < 0 }},
		{"a key twice in one mapping", [3]float64{0, 0, -5.5}, func(p *gap, at int) bool { return p.style.manner == keys && p.twice(at) }},
		{"where most lines of this first word are", [3]float64{1.5, 1, 1.5}, func(p *gap, at int) bool { return p.usual() == at }},
		{"where the nearest line of this first word is", [3]float64{0.5, 0.5, 1.5}, func(p *gap, at int) bool { return p.nearest() == at }},
		{"as after such a line elsewhere", [3]float64{1, 0.5, 1}, func(p *gap, at int) bool {
			return len(p.above) > 0 && p.pairs(p.above[0].row, p.first, at-p.rows[p.above[0].row].at) > 0
		}},
		{"as nowhere after such a line elsewhere", [3]float64{-1, -0.5, -0.5}, func(p *gap, at int) bool {
			return len(p.above) > 0 && p.pairs(p.above[0].row, p.first, at-p.rows[p.above[0].row].at) < 0
		}},
		{"the line below as after such a line elsewhere", [3]float64{1, 0.5, 2.5}, func(p *gap, at int) bool {
			return p.follows() && p.pairs(p.tail[0].row, p.next, p.down()-p.rows[p.tail[0].row].at-at+p.own) > 0
		}},
		{"the line below as nowhere after such a line elsewhere", [3]float64{-1, -0.5, -1}, func(p *gap, at int) bool {
			return p.follows() && p.pairs(p.tail[0].row, p.next, p.down()-p.rows[p.tail[0].row].at-at+p.own) < 0
		}},
		{"a block as the entry above", [3]float64{0, 0, 1}, func(p *gap, at int) bool {
			i := p.rank(at)
			return p.style.manner == keys && i >= 0 && p.parent(p.above[i].row) == p.parent(p.first)
		}},
		{"a block as the entry below", [3]float64{0, 0, 2.5}, func(p *gap, at int) bool {
			return p.style.manner == keys && p.follows() && p.down() == at && p.parent(p.next) == p.parent(p.first)
		}},
		{"no block as the entry below", [3]float64{0, 0, 2.5}, func(p *gap, at int) bool {
			return p.style.manner == keys && p.follows() && p.down() == at && p.parent(p.next) != p.parent(p.first)
		}},
		{"beside an empty entry, as those before it", [3]float64{0, 0, 4}, func(p *gap, at int) bool { return p.style.manner == keys && p.opened() && at == p.up() && p.empty() }},
		{"names that its block brought", [3]float64{0, 1, 0.5}, func(p *gap, at int) bool { return p.brought(at) }},

		{"names that its block assigned", [3]float64{0, 1, 0}, func(p *gap, at int) bool { return p.style.manner == colons && p.rank(at) >= 0 && p.shares(at) }},
		{"beside what uses its names below", [3]float64{0, 1.5, 0}, func(p *gap, at int) bool { return p.follows() && at == p.down() && p.feeds() }},
		{"beside a line above of the same word", [3]float64{2, 0.5, 2}, func(p *gap, at int) bool { i := p.rank(at); return i >= 0 && p.key(p.above[i].row) == p.key(p.first) }},
		{"beside a line below of the same word", [3]float64{1.5, 1.5, -0.5}, func(p *gap, at int) bool { return p.follows() && at == p.down() && p.key(p.next) == p.key(p.first) }},
		{"the only statement above in its block", [3]float64{0, -0.5, 0}, func(p *gap, at int) bool { return p.rank(at) == 0 && p.alone() }},
		{"as it came", [3]float64{1.5, 0.5, 1}, func(p *gap, at int) bool { return at == p.own && at > 0 }},
		{"as it came, at the margin", [3]float64{1.5, 2, 1}, func(p *gap, at int) bool { return at == p.own && at == 0 }},
		{"as the lines that it replaces", [3]float64{2.5, 2, 2}, func(p *gap, at int) bool { return at == p.told && at > 0 }},
		{"as the lines that it replaces, at the margin", [3]float64{0, 2, 2}, func(p *gap, at int) bool { return at == p.told && at == 0 }},
		{"as most of the lines that it replaces, not all", [3]float64{0.5, 1.5, 1.5}, func(p *gap, at int) bool { return at == p.told && p.split }},
		{"the end of a function's body", [3]float64{0, 1, 0}, func(p *gap, at int) bool { return p.closesFunction(at) }},
		{"about as the lines that it replaces", [3]float64{1, -0.5, 1}, func(p *gap, at int) bool { return p.told > 0 && at != p.told && abs(at-p.told)*2 < p.style.unit }},
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
				sum += r.weight[p.style.manner]
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
		add(p.up() + unit)
	}
	for _, l := range p.above {
		add(l.at)
	}
	if p.within() >= 0 {
		add(p.inBracket(p.first, 0))
		add(p.rows[p.within()].at)
	}
	if p.next >= 0 {
		for _, l := range p.tail {
			add(p.down() - l.at + p.own)
		}
		if len(p.tail) > 0 {
			add(p.down() - p.end(0) - unit)
		}
		if p.opensBracket() {
			rel := p.rows[p.rows[p.next].within].at - p.own
			add(p.down() - rel)
			add(p.down() - rel - unit)
		}
	}
	if p.note >= 0 {
		add(p.rows[p.note].at)
	}
	add(p.usual())
	add(0)
	add(p.own)
	add(p.told)
	return columns
}

// up is the column of the innermost level above.
func (p *gap) up() int { return p.above[0].at }

// down is the column of the row below.
func (p *gap) down() int { return p.rows[p.next].at }

// end is the column of the innermost level at the lines' end.
func (p *gap) end(at int) int {
	if len(p.tail) == 0 {
		return at
	}
	return p.tail[0].at - p.own + at
}

// rank counts the levels above that are left for column at; -1: it is none.
func (p *gap) rank(at int) int {
	return slices.IndexFunc(p.above, func(l level) bool { return l.at == at })
}

// opened reports whether the statement above opens a block.
func (p *gap) opened() bool { return len(p.above) > 0 && p.opens(p.above[0].row, p.lo) }

func (p *gap) opens(from, end int) bool {
	for i := end - 1; i >= from; i-- {
		if r := p.rows[i]; r.text != "" {
			return r.opens || r.scalar
		}
	}
	return false
}

// follows reports whether the row below is of the same bracket as first.
func (p *gap) follows() bool {
	return p.next >= 0 && len(p.tail) > 0 && p.rows[p.next].within == p.within() && !p.closer(p.next)
}

func (p *gap) leads() bool       { return p.follows() && p.opens(p.tail[0].row, p.hi) }
func (p *gap) joins(at int) bool { return p.follows() && !p.leads() }

// goesOn reports whether the row below is in a level that is there.
func (p *gap) goesOn(at int) bool {
	fits := func(l level, by int) bool {
		return l.at+by == p.down() && l.dash == p.dash(p.next)
	}
	return slices.ContainsFunc(p.tail, func(l level) bool { return fits(l, at-p.own) }) ||
		slices.ContainsFunc(p.above, func(l level) bool {
			return (l.at < at || l.at == at && (p.dash(p.first) || !l.dash)) && fits(l, 0)
		}) || p.down() == 0
}

// heads reports whether first is the first row in its bracket.
func (p *gap) heads() bool { return p.within() >= 0 && len(p.above) == 0 && !p.closer(p.first) }

// opensBracket reports whether the row below is in a bracket of the lines.
func (p *gap) opensBracket() bool {
	return p.next >= 0 && p.rows[p.next].within >= p.lo && p.rows[p.next].within < p.hi
}

// inBracket is where row i, the first in its bracket, should be.
func (p *gap) inBracket(i, by int) int {
	r := p.rows[p.rows[i].within]
	if p.closer(i) || isWord(firstWord(p.rows[i].text), "case default") {
		return r.at + by
	}
	return r.at + by + p.style.unit
}

// ended reports whether nothing can come after a statement in its block.
func (p *gap) ended(i int) bool {
	return p.style.manner == colons && isWord(firstWord(p.rows[i].text), "return raise break continue pass")
}

func (p *gap) clause(i int) bool {
	return p.style.manner == colons && isWord(firstWord(p.rows[i].text), "else elif except finally")
}

// headOf reports whether row i begins what clause goes on with.
func (p *gap) headOf(i int, clause string) bool {
	heads := map[string]string{"else": "if elif for while except", "elif": "if elif", "except": "try except", "finally": "try except else"}
	return isWord(firstWord(strings.TrimPrefix(p.rows[i].text, "async ")), heads[clause])
}

func (p *gap) heading(at int) bool {
	i := p.rank(at)
	return i >= 0 && p.headOf(p.above[i].row, firstWord(p.text()))
}

func (p *gap) head() int {
	for _, l := range p.above {
		if p.headOf(l.row, firstWord(p.text())) {
			return l.at
		}
	}
	return -1
}

// beheads reports whether a clause below would lose its head.
func (p *gap) beheads(at int) bool {
	if !p.follows() || !p.clause(p.next) {
		return false
	}
	clause := firstWord(p.rows[p.next].text)
	for _, l := range p.tail {
		if l.at-p.own+at == p.down() {
			return !p.headOf(l.row, clause)
		}
	}
	return at <= p.down()
}

func (p *gap) declares(i int) bool {
	t := p.rows[i].text
	return p.style.manner == colons && (isWord(firstWord(t), "def class async") || strings.HasPrefix(t, "@"))
}

// declared reports whether a declaration is above in that column's block.
func (p *gap) declared(at int) bool {
	return at == 0 || p.beside(at, p.declares)
}

// beside reports whether a row above in that column's block passes.
func (p *gap) beside(at int, passes func(i int) bool) bool {
	for i := p.lo - 1; i >= 0; i-- {
		switch r := p.rows[i]; {
		case !r.starts() || r.within != p.within():
		case p.dash(i) && r.at+2 == at:
			return passes(i)
		case r.at < at:
			return false
		case r.at == at && passes(i):
			return true
		}
	}
	return false
}

// usual gives the column in which most rows with first's first word are.
func (p *gap) usual() int {
	word := p.key(p.first)
	n := map[int]int{}
	best := -1
	for i, r := range p.rows {
		if (i < p.lo || i >= p.hi) && r.starts() && word != "" && p.key(i) == word {
			if n[r.at]++; best < 0 || n[r.at] > n[best] {
				best = r.at
			}
		}
	}
	return best
}

// key is what a row is known by among its like.
func (p *gap) key(i int) string {
	t := p.rows[i].text
	if p.style.manner == keys {
		key, _, _ := strings.Cut(strings.TrimPrefix(t, "- "), ":")
		return key
	}
	return firstWord(t)
}

// flat reports whether first is a list's entry in its key's column.
func (p *gap) flat(at int) bool { return p.dash(p.first) && at == p.up() && !p.above[0].dash }

// kind tells whether a column's entries are of first's kind: 1, -1, or 0 for none.
func (p *gap) kind(at int) int {
	found := 0
	for _, l := range p.above {
		if l.at == at && (l.dash == p.dash(p.first)) {
			return 1
		} else if l.at == at {
			found = -1
		}
	}
	return found
}

func (p *gap) twice(at int) bool {
	return !p.dash(p.first) && p.beside(at, func(i int) bool { return p.key(i) == p.key(p.first) })
}

// brought reports whether the lines use a name that the head of the block in
// that column binds.
func (p *gap) brought(at int) bool {
	i := p.rank(at)
	if i < 0 || i+1 >= len(p.above) {
		return false
	}
	head := p.rows[p.above[i+1].row].text
	if !isWord(firstWord(head), "for with except") {
		return false
	}
	names := wordsOf(head)
	for _, r := range p.rows[p.first:p.hi] {
		for _, w := range wordsOf(r.text) {
			if slices.Contains(names, w) {
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

func firstWord(text string) string {
	for i := range len(text) {
		if c := text[i]; !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			return text[:i]
		}
	}
	return text
}

// shares reports whether the lines use a name that a row above in that column's
// block, which is not the whole file's, assigned.
func (p *gap) shares(at int) bool {
	used := map[string]bool{}
	for _, r := range p.rows[p.first:p.hi] {
		for _, w := range wordsOf(r.text) {
			used[w] = true
		}
	}
	return p.beside(at, func(i int) bool { return p.assigns(i, used) })
}

// assigns reports whether row i assigns one of some names.
func (p *gap) assigns(i int, names map[string]bool) bool {
	left, _, ok := strings.Cut(p.rows[i].text, " = ")
	if !ok {
		return false
	}
	for _, w := range wordsOf(left) {
		if names[w] {
			return true
		}
	}
	return false
}

// feeds reports whether the row below uses a name that the lines assign.
func (p *gap) feeds() bool {
	used := map[string]bool{}
	for _, w := range wordsOf(p.rows[p.next].text) {
		used[w] = true
	}
	for i := p.first; i < p.hi; i++ {
		if r := p.rows[i]; r.at == p.own && r.starts() && p.style.manner == colons && p.assigns(i, used) {
			return true
		}
	}
	return false
}

// alone reports whether the row above is the first one of its block.
func (p *gap) alone() bool {
	n := 0
	p.beside(p.up(), func(i int) bool { n++; return n > 1 })
	return n == 1
}

// nearest gives the column of the nearest row with first's first word; -1: none.
func (p *gap) nearest() int {
	for i := 1; i < len(p.rows); i++ {
		for _, k := range [...]int{p.lo - i, p.hi - 1 + i} {
			if k >= 0 && k < len(p.rows) && p.rows[k].starts() && p.key(k) == p.key(p.first) {
				return p.rows[k].at
			}
		}
	}
	return -1
}

// pairs tells whether, where a row such as b comes after one such as a elsewhere
// in the file, it mostly stands so much deeper: 1, -1, or 0 if it comes nowhere.
func (p *gap) pairs(a, b, deeper int) int {
	n, last := 0, -1
	for i, r := range p.rows {
		if i >= p.lo && i < p.hi || i == b {
			last = -1
			continue
		}
		if !r.starts() {
			continue
		}
		if last >= 0 && p.key(last) == p.key(a) && p.key(i) == p.key(b) && p.dash(last) == p.dash(a) && p.dash(i) == p.dash(b) {
			if r.at-p.rows[last].at == deeper {
				n++
			} else {
				n--
			}
		}
		last = i
	}
	return max(-1, min(n, 1))
}

// parent reports whether row i has deeper ones below (YAML).
func (p *gap) parent(i int) bool { return p.rows[i].opens || p.rows[i].scalar }

// empty reports whether the row above opens a block as the one before it did,
// which has none.
func (p *gap) empty() bool {
	for i := p.above[0].row - 1; i >= 0; i-- {
		if r := p.rows[i]; r.starts() {
			return r.opens && r.at == p.up()
		}
	}
	return false
}

// closesFunction reports whether at is the body of a function that ends with
// the lines.
func (p *gap) closesFunction(at int) bool {
	i := p.rank(at)
	return i >= 0 && i+1 < len(p.above) && p.declares(p.above[i+1].row) && (p.next < 0 || p.down() < at)
}
