package edits

import "strings"

// likes looks for rows that begin as first does.
func (g *gap) likes() {
	word, most := g.key(g.first), map[int]int{}
	g.usual, g.nearest = -1, -1
	away := len(g.rows)
	for i, r := range g.rows {
		if i >= g.lo && i < g.hi || !r.starts() || g.key(i) != word {
			continue
		}
		if most[r.at]++; word != "" && (g.usual < 0 || most[r.at] > most[g.usual]) {
			g.usual = r.at
		}
		if n := max(g.lo-i, i-g.hi+1); n < away {
			away, g.nearest = n, r.at
		}
	}
}

// tell learns from the lines that are replaced in which column first was,
// according to most of those that come again.
func (g *gap) tell(broken []string) {
	at, flat := map[string]int{}, true
	for _, l := range g.style.translate(broken) {
		text := strings.TrimSpace(l)
		if _, twice := at[text]; twice {
			at[text] = -1
		} else if text != "" {
			at[text] = columnsOf(indentOf(l))
			flat = flat && at[text] == 0
		}
	}
	votes, best := map[int]int{}, -1
	for i, l := range g.lines {
		if column, ok := at[strings.TrimSpace(l)]; ok && column >= 0 {
			v := column - g.rows[g.lo+i].at + g.own
			if votes[v]++; best < 0 || votes[v] > votes[best] {
				best = v
			}
		}
	}
	g.told, g.split = best, len(votes) > 1 && votes[best] > 1
	if flat && len(votes) > 1 {
		g.told, g.split = -1, false // they have lost what they were told by
	}
}
