package edits

import "slices"

// rule is one thing that speaks for a column of the first line, or against it.
type rule struct {
	why    string
	weight by
	holds  func(g *gap, at int) bool
}

// by is a number for each manner: braces, colons, keys.
type by [3]float64

// rules lists what speaks for and against a column. The weights are logarithms
// of odds, fitted by regression to 65,000 ranges of real Python, Go, YAML and C,
// rounded to halves; what is too rare there to be learned is set by its like.
func rules() []rule {
	return []rule{
		// What is above.
		{"in the block that the line above opens", by{3.5, 4.5, 5.5}, func(g *gap, at int) bool { return g.opened() && at == g.up()+g.style.unit }},
		{"in the block above, deeper or less", by{-6, -0.5, -1.5}, func(g *gap, at int) bool { return g.opened() && at > g.up() && at != g.up()+g.style.unit }},
		{"not in the block that the line above opens", by{1, -7, -5}, func(g *gap, at int) bool { return g.opened() && at <= g.up() && !g.flat(at) }},
		{"a list as deep as its key, as in the file", by{0, 0, 8}, func(g *gap, at int) bool { return g.opened() && g.flat(at) && g.style.flat }},
		{"a list as deep as its key, as nowhere else", by{0, 0, 5}, func(g *gap, at int) bool { return g.opened() && g.flat(at) && !g.style.flat }},
		{"beside the line above", by{0.5, 2.5, 0}, func(g *gap, at int) bool { return g.rank(at) == 0 && !g.opened() }},
		{"one level out", by{0.5, 2, 1.5}, func(g *gap, at int) bool { return g.rank(at) == 1 }},
		{"more levels out", by{-0.5, 1, 1}, func(g *gap, at int) bool { return g.rank(at) > 1 }},
		{"beside no line above", by{-4.5, -7.5, -2.5}, func(g *gap, at int) bool { return !g.opened() && len(g.above) > 0 && g.rank(at) < 0 }},

		// What is below.
		{"beside the line below", by{1, 2, 1.5}, func(g *gap, at int) bool { return g.joins() && g.down() == at && g.end(at) == at }},
		{"beside the line below, with a block between", by{3, 2, 1.5}, func(g *gap, at int) bool { return g.joins() && g.down() == at && g.end(at) > at }},
		{"the line below goes on in it", by{3.5, 0, 0.5}, func(g *gap, at int) bool { return g.joins() && g.down() > at && g.goesOn(at) }},
		{"the line below goes on above it", by{0.5, 0, 1.5}, func(g *gap, at int) bool { return g.joins() && g.down() < at && g.goesOn(at) }},
		{"the line below goes on nowhere", by{-3, -5, -5}, func(g *gap, at int) bool { return g.joins() && !g.goesOn(at) }},
		{"the line below is in its block", by{4.5, 4.5, 2.5}, func(g *gap, at int) bool { return g.leads() && g.end(at)+g.style.unit == g.down() }},
		{"the line below is not in its block", by{-1.5, 0, -1}, func(g *gap, at int) bool {
			return g.leads() && g.end(at) >= g.down() && !(g.end(at) == g.down() && g.dash(g.next))
		}},
		{"between two of one depth", by{-1, 0.5, 0}, func(g *gap, at int) bool { return g.follows() && !g.opened() && g.rank(at) == 0 && g.down() == at }},

		// Brackets.
		{"in the open bracket", by{6, 6.5, 6.5}, func(g *gap, at int) bool { return g.heads() && at == g.inBracket(g.first, 0) }},
		{"at the open bracket's end", by{9.5, 6.5, 6.5}, func(g *gap, at int) bool { return g.within() >= 0 && g.closer(g.first) && at == g.rows[g.within()].at }},
		{"nothing above", by{10, 10.5, 12}, func(g *gap, at int) bool { return len(g.above) == 0 && g.within() < 0 && at == 0 }},
		{"the line below is in its bracket", by{4.5, 3.5, 3.5}, func(g *gap, at int) bool { return g.opensBracket() && g.down() == g.inBracket(g.next, at-g.own) }},

		// Statements.
		{"what is above ended its block", by{0, -7, 0}, func(g *gap, at int) bool { return !g.opened() && g.rank(at) == 0 && g.ended(g.above[0].row) }},
		{"it ends its block", by{0, -5.5, 0}, func(g *gap, at int) bool {
			return g.follows() && g.end(at) == g.down() && g.ended(g.tail[0].row) && !g.clause(g.next)
		}},
		{"a clause beside its nearest head", by{0, 0.5, 0}, func(g *gap, at int) bool { return g.clause(g.first) && g.head() == at }},
		{"a clause beside no head", by{0, -11, 0}, func(g *gap, at int) bool { return g.clause(g.first) && !g.heading(at) }},
		{"the clause below has another head", by{0, -9.5, 0}, func(g *gap, at int) bool { return g.beheads(at) }},
		{"a declaration beside another", by{0, 1.5, 0}, func(g *gap, at int) bool { return g.declares(g.first) && g.declared(at) }},
		{"a statement that only a function has", by{0, -3.5, 0}, func(g *gap, at int) bool {
			return g.style.manner == colons && at == 0 && isWord(g.word(g.first), "return yield self await")
		}},

		// Blank lines and comments.
		{"more blank lines above, and beside the line below", by{-0.5, -0.5, -1}, func(g *gap, at int) bool { return g.blankAbove > g.blankBelow && g.follows() && g.down() == at }},
		{"more blank lines above, and beside the line above", by{1, -1.5, -2.5}, func(g *gap, at int) bool { return g.blankAbove > g.blankBelow && g.rank(at) == 0 }},
		{"more blank lines below, and beside the line below", by{-0.5, -2, -2.5}, func(g *gap, at int) bool { return g.blankAbove < g.blankBelow && g.follows() && g.down() == at }},
		{"more blank lines below, and beside the line above", by{0, 0, 0}, func(g *gap, at int) bool { return g.blankAbove < g.blankBelow && g.rank(at) == 0 }},
		{"no blank line above, and beside the line above", by{-0.5, 1, 2.5}, func(g *gap, at int) bool { return g.blankAbove == 0 && g.rank(at) == 0 }},
		{"blank lines above, and beside the line above", by{0.5, -0.5, 0}, func(g *gap, at int) bool { return g.blankAbove > 0 && g.blankBelow > 0 && g.rank(at) == 0 }},
		{"two blank lines above, at the margin", by{0, 4.5, 2.5}, func(g *gap, at int) bool { return g.blankAbove > 1 && at == 0 }},
		{"two blank lines below, none above, at the margin", by{-1.5, -2.5, -1.5}, func(g *gap, at int) bool { return g.blankAbove == 0 && g.blankBelow > 1 && at == 0 }},
		{"below a comment", by{4, 8, 6}, func(g *gap, at int) bool { return g.note >= 0 && g.blankAbove == 0 && at == g.rows[g.note].at }},

		// Entries of lists and mappings.
		{"beside entries of its kind", by{0, 0, 5}, func(g *gap, at int) bool { return g.keyed() && g.kind(at) > 0 }},
		{"beside entries of another kind", by{0, 0, -2.5}, func(g *gap, at int) bool { return g.keyed() && g.kind(at) < 0 }},
		{"a key twice in one mapping", by{0, 0, -5}, func(g *gap, at int) bool { return g.keyed() && g.twice(at) }},

		// The rest of the file.
		{"where most lines of this first word are", by{1, 0.5, 1.5}, func(g *gap, at int) bool { return g.usual == at }},
		{"where the nearest line of this first word is", by{0.5, 0.5, 1.5}, func(g *gap, at int) bool { return g.nearest == at }},
		{"as after such a line elsewhere", by{1, 0, 1}, func(g *gap, at int) bool { return g.pairsAbove(at) > 0 }},
		{"as nowhere after such a line elsewhere", by{-1, -0.5, -0.5}, func(g *gap, at int) bool { return g.pairsAbove(at) < 0 }},
		{"the line below as after such a line elsewhere", by{1, 0, 2}, func(g *gap, at int) bool { return g.pairsBelow(at) > 0 }},
		{"the line below as nowhere after such a line elsewhere", by{-1, -1, -1}, func(g *gap, at int) bool { return g.pairsBelow(at) < 0 }},
		{"a block as the entry above", by{0, 0, 1}, func(g *gap, at int) bool {
			return g.keyed() && g.rank(at) >= 0 && g.parent(g.beside(at)) == g.parent(g.first)
		}},
		{"a block as the entry below", by{0, 0, 1}, func(g *gap, at int) bool {
			return g.keyed() && g.follows() && g.down() == at && g.parent(g.next) == g.parent(g.first)
		}},
		{"beside an empty entry, as those before it", by{0, 0, 5}, func(g *gap, at int) bool { return g.keyed() && g.opened() && at == g.up() && g.empty() }},

		// Names.
		{"names that its block brought", by{0, 1, 0.5}, func(g *gap, at int) bool { return g.brought(at) }},
		{"names that its block assigned", by{1, 1, 0}, func(g *gap, at int) bool { return g.shares(at) }},
		{"beside what uses its names below", by{2, 1, 1.5}, func(g *gap, at int) bool { return g.follows() && at == g.down() && g.feeds() }},
		{"beside a line above of the same word", by{1.5, 1, 2.5}, func(g *gap, at int) bool { return g.rank(at) >= 0 && g.key(g.beside(at)) == g.key(g.first) }},
		{"beside a line below of the same word", by{1, 1, 0.5}, func(g *gap, at int) bool { return g.follows() && at == g.down() && g.key(g.next) == g.key(g.first) }},

		// The lines themselves, and those that they replace.
		{"as it came", by{1.5, 1, 1.5}, func(g *gap, at int) bool { return at == g.own && at > 0 }},
		{"as it came, at the margin", by{2, 0.5, 1}, func(g *gap, at int) bool { return at == g.own && at == 0 }},
		{"as the lines that it replaces", by{2, 2, 2}, func(g *gap, at int) bool { return at == g.told && at > 0 }},
		{"as the lines that it replaces, at the margin", by{0.5, 1.5, 1.5}, func(g *gap, at int) bool { return at == g.told && at == 0 }},
		{"as most of the lines that it replaces, not all", by{0, 0.5, 2.5}, func(g *gap, at int) bool { return at == g.told && g.split }},
		{"the end of a function's body", by{0, 1.5, 0}, func(g *gap, at int) bool { return g.closesFunction(at) }},
		{"about as the lines that it replaces", by{1, 0, 0}, func(g *gap, at int) bool { return g.told > 0 && at != g.told && abs(at-g.told)*2 < g.style.unit }},
	}
}

// choose gives the column for which most speaks.
func (g *gap) choose() int {
	best, most := 0, 0.0
	all := rules()
	for i, at := range g.candidates() {
		sum := 0.0
		for _, r := range all {
			if r.weight[g.style.manner] != 0 && r.holds(g, at) {
				sum += r.weight[g.style.manner]
			}
		}
		if i == 0 || sum > most {
			best, most = at, sum
		}
	}
	return best
}

// candidates lists the columns that something names, nearest first.
func (g *gap) candidates() (columns []int) {
	add := func(at int) {
		if at >= 0 && !slices.Contains(columns, at) {
			columns = append(columns, at)
		}
	}
	unit := g.style.unit
	if g.opened() {
		add(g.up() + unit)
	}
	for _, d := range g.above {
		add(d.at)
	}
	if w := g.within(); w >= 0 {
		add(g.inBracket(g.first, 0))
		add(g.rows[w].at)
	}
	if g.next >= 0 {
		for _, d := range g.tail {
			add(g.down() - d.at + g.own)
		}
		add(g.down() - unit - g.end(0))
	}
	if g.opensBracket() {
		rel := g.rows[g.rows[g.next].within].at - g.own
		add(g.down() - rel)
		add(g.down() - rel - unit)
	}
	if g.note >= 0 {
		add(g.rows[g.note].at)
	}
	for _, at := range []int{g.usual, 0, g.own, g.told} {
		add(at)
	}
	return columns
}
