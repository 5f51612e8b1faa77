package edits

import (
	"slices"
	"strings"
)

// What rules ask of the words in a gap: first those of YAML, then Python's.

// dash reports whether a row is an entry of a list.
func (g *gap) dash(i int) bool {
	return g.keyed() && (g.rows[i].text == "-" || strings.HasPrefix(g.rows[i].text, "- "))
}

// key is what a row is known by among its like.
func (g *gap) key(i int) string {
	if g.keyed() {
		key, _, _ := strings.Cut(strings.TrimPrefix(g.rows[i].text, "- "), ":")
		return key
	}
	return g.word(i)
}

// flat reports whether first, in column at, is a list's entry beside its key.
func (g *gap) flat(at int) bool { return g.dash(g.first) && at == g.up() && !g.above[0].dash }

// kind tells whether a column's entries are of first's kind: 1, -1, or 0 if
// there are none.
func (g *gap) kind(at int) (kind int) {
	for _, d := range g.above {
		if d.at == at && d.dash == g.dash(g.first) {
			return 1
		} else if d.at == at {
			kind = -1
		}
	}
	return kind
}

// twice reports whether first's key would be there already.
func (g *gap) twice(at int) bool {
	return !g.dash(g.first) && g.search(at, func(i int) bool { return g.key(i) == g.key(g.first) })
}

// empty reports whether the row above opens a block as the one before it did,
// which has none.
func (g *gap) empty() bool {
	for i := g.above[0].row - 1; i >= 0; i-- {
		if r := g.rows[i]; r.starts() {
			return r.opens && r.at == g.up()
		}
	}
	return false
}

// ended reports whether nothing can come after a statement in its block.
func (g *gap) ended(i int) bool {
	return g.style.manner == colons && isWord(g.word(i), "return raise break continue pass")
}

// clause reports whether a row goes on with a statement that a row above began.
func (g *gap) clause(i int) bool {
	return g.style.manner == colons && isWord(g.word(i), "else elif except finally")
}

// begins reports whether row i begins what a clause goes on with.
func (g *gap) begins(i int, clause string) bool {
	heads := map[string]string{
		"else": "if elif for while except", "elif": "if elif", "except": "try except", "finally": "try except else",
	}
	return isWord(firstWord(strings.TrimPrefix(g.rows[i].text, "async ")), heads[clause])
}

// heading reports whether a row above in column at begins what first goes on with.
func (g *gap) heading(at int) bool {
	return g.rank(at) >= 0 && g.begins(g.beside(at), g.word(g.first))
}

// head is the column of the nearest row that begins what first goes on with.
func (g *gap) head() int {
	for _, d := range g.above {
		if g.begins(d.row, g.word(g.first)) {
			return d.at
		}
	}
	return -1
}

// beheads reports whether a clause below would lose its head.
func (g *gap) beheads(at int) bool {
	if !g.follows() || !g.clause(g.next) {
		return false
	}
	for _, d := range g.tail {
		if d.at-g.own+at == g.down() {
			return !g.begins(d.row, g.word(g.next))
		}
	}
	return at <= g.down()
}

func (g *gap) declares(i int) bool {
	return g.style.manner == colons && (isWord(g.word(i), "def class async") || strings.HasPrefix(g.rows[i].text, "@"))
}

// declared reports whether a declaration is above in that column's block.
func (g *gap) declared(at int) bool { return at == 0 || g.search(at, g.declares) }

// closesFunction reports whether at is the body of a function that ends with
// the lines.
func (g *gap) closesFunction(at int) bool {
	i := g.rank(at)
	return i >= 0 && i+1 < len(g.above) && g.declares(g.above[i+1].row) && (g.next < 0 || g.down() < at)
}

// brought reports whether the lines use a name that the head of the block in
// column at binds.
func (g *gap) brought(at int) bool {
	i := g.rank(at)
	if i < 0 || i+1 >= len(g.above) || !isWord(g.word(g.above[i+1].row), "for with except") {
		return false
	}
	return overlap(words(g.rows[g.above[i+1].row].text), g.names())
}

// shares reports whether the lines use a name that a row above in the block of
// column at assigns.
func (g *gap) shares(at int) bool {
	if g.rank(at) < 0 {
		return false
	}
	names := g.names()
	return g.search(at, func(i int) bool { return overlap(assigned(g.rows[i].text), names) })
}

// feeds reports whether the row below uses a name that the lines assign.
func (g *gap) feeds() bool {
	used := words(g.rows[g.next].text)
	return slices.ContainsFunc(g.rows[g.first:g.hi], func(r row) bool {
		return r.at == g.own && r.starts() && overlap(assigned(r.text), used)
	})
}

// names lists the words of the lines.
func (g *gap) names() (all []string) {
	for _, r := range g.rows[g.first:g.hi] {
		all = append(all, words(r.text)...)
	}
	return all
}

// assigned lists the names left of a statement's equals sign.
func assigned(text string) []string {
	left, _, ok := strings.Cut(text, " = ")
	if !ok {
		return nil
	}
	return words(left)
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}
