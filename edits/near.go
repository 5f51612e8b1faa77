package edits

import "strings"

// nearest finds the place in t that is most like needle: the near match that is
// shown when needle itself is not there. Lines vote for the offset at which they
// stand, rare lines with more weight; blanks do not count. offset is where the
// first line of needle would be, from 0.
func (t *text) nearest(needle []string) (near Place, offset int, ok bool) {
	hay := t.fold(Indentation)
	want := foldAll(needle, Indentation)
	offset, ok = vote(hay, want)
	if !ok {
		offset, ok = lookalike(hay, want)
	}
	if !ok {
		return Place{}, 0, false
	}
	first, last := max(0, offset), min(len(hay), offset+len(want))
	// Where lines are missing or extra, the end is where the last lines stand.
	for i := len(want) - 1; i >= max(0, len(want)-3); i-- {
		for at := min(len(hay)-1, offset+i+4); at > max(-1, offset+i); at-- {
			if want[i] != "" && len(want[i]) > 3 && hay[at] == want[i] {
				last = max(last, min(len(hay), at+len(want)-i))
			}
		}
	}
	if first >= last {
		return Place{}, 0, false
	}
	return Place{first + 1, last}, offset, true
}

const (
	voteReach   = 3   // offsets this far apart speak for the same place
	voteCopies  = 8   // a line that needle repeats votes only for its first copies
	rareWeight  = 720 // votes of a line that stands once in the file
	leastWeight = 60  // what a place needs: one line that stands at most 12 times
)

// vote finds the offset that most lines of want speak for.
func vote(hay, want []string) (offset int, ok bool) {
	at := map[string][]int{}
	for i, l := range want {
		if l != "" && len(at[l]) < voteCopies {
			at[l] = append(at[l], i)
		}
	}
	count := map[string]int{}
	for _, l := range hay {
		if at[l] != nil {
			count[l]++
		}
	}
	if len(count) == 0 {
		return 0, false
	}
	votes := make([]int, len(hay)+len(want)) // of offset i-len(want)
	for p, l := range hay {
		for _, i := range at[l] {
			votes[p-i+len(want)] += max(1, rareWeight/count[l])
		}
	}
	best, bestSum := -1, 0
	for o := range votes {
		if votes[o] == 0 {
			continue
		}
		sum := votes[o]
		for d := 1; d <= voteReach; d++ {
			if o-d >= 0 {
				sum += votes[o-d] / 2
			}
			if o+d < len(votes) {
				sum += votes[o+d] / 2
			}
		}
		if sum > bestSum || sum == bestSum && best >= 0 && votes[o] > votes[best] {
			best, bestSum = o, sum
		}
	}
	return best - len(want), bestSum >= leastWeight
}

// lookalike finds the line that is most like the longest line of want, for
// blocks no line of which stands in the file as it is.
func lookalike(hay, want []string) (offset int, ok bool) {
	long := 0
	for i, l := range want {
		if len(l) > len(want[long]) {
			long = i
		}
	}
	if len(want) == 0 || len(want[long]) < 6 {
		return 0, false
	}
	grams := bigrams(want[long])
	best, bestLike := -1, 0.6
	for p, l := range hay {
		if len(l)*2 < len(want[long]) || len(l) > 2*len(want[long]) {
			continue
		}
		if like := dice(grams, len(want[long])-1, l); like > bestLike {
			best, bestLike = p, like
		}
	}
	return best - long, best >= 0
}

func bigrams(s string) map[string]int {
	g := map[string]int{}
	for i := 0; i+2 <= len(s); i++ {
		g[s[i:i+2]]++
	}
	return g
}

// dice is the share of two-byte pieces that s has in common with a line that
// has the n pieces g: 0 to 1.
func dice(g map[string]int, n int, s string) float64 {
	if len(s) < 2 {
		return 0
	}
	seen := make(map[string]int, len(g))
	common := 0
	for i := 0; i+2 <= len(s); i++ {
		if p := s[i : i+2]; seen[p] < g[p] {
			seen[p]++
			common++
		}
	}
	return 2 * float64(common) / float64(n+len(s)-1)
}

// alikeness is how much two lines have in common: 0 to 1.
func alikeness(a, b string) float64 {
	if a == b {
		return 1
	}
	return dice(bigrams(a), len(a)-1, b)
}

// Outline gives the lines of content that say what is where: those that are not
// indented and open something, at most most of them.
func Outline(content string, most int) []string {
	var out []string
	for _, l := range newText(content).lines {
		if l == "" || !isLetter(l[0]) || !strings.ContainsAny(l, "({:=") {
			continue
		}
		if out = append(out, l); len(out) == most {
			break
		}
	}
	return out
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '@' || c >= 0x80
}
