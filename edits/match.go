package edits

import (
	"slices"
	"strings"
)

// Matching says how far below the exact tier a block may be found.
type Matching string

// The settings of DESIGN 5.2; "" stands for the format's default.
const (
	MatchExact  Matching = "exact"
	MatchTiered Matching = "tiered" // exact, trailing white space, indentation: seed 3's three
	MatchFull   Matching = "full"
)

// tiers gives the tiers that a setting allows, in order.
func (m Matching) tiers(f Format) []Tier {
	if m == "" {
		m = MatchFull
		if f == Anchored || f == Anchored4 {
			m = MatchExact // as seeds 1, 2 and 4 promise
		}
	}
	switch m {
	case MatchExact:
		return allTiers[:1]
	case MatchTiered:
		return []Tier{Exact, Trailing, Indentation}
	}
	if f == UnifiedDiff {
		return allTiers[:len(allTiers)-1] // its context is all that fixes a hunk: it must be there
	}
	return allTiers
}

var allTiers = []Tier{Exact, Cleaned, Trailing, Typographic, Indentation, Alignment}

// spot is a found place: how literally, and by which reading of the block.
type spot struct {
	at, n    int  // lines[at:at+n] of a text
	tier     Tier // as it was found
	old, new []string
	match    []int // where each old line stands; nil: one below the other from at
	hinted   bool
}

// line gives where old line i stands, -1 for nowhere.
func (s *spot) line(i int) int {
	if s.match == nil {
		return s.at + i
	}
	return s.match[i]
}

// steps is the delta of the block as it was read. Below the exact tier a
// difference in trailing white space is none: the model did not see it.
func (s *spot) steps() []op {
	if s.tier == Exact || s.tier == Cleaned {
		return delta(s.old, s.new)
	}
	return delta(trimmed(s.old), trimmed(s.new))
}

// trimmed takes trailing blanks off the lines that are more than that.
func trimmed(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if out[i] = l; !isBlank(l) {
			out[i] = strings.TrimRight(l, " \t")
		}
	}
	return out
}

// maxPlaces caps the places of an ambiguous block that are looked for.
const maxPlaces = 17

// find looks for a block in t, tier by tier. It stops at the first tier with a
// place and returns all places there; more than one is for the caller to refuse.
func (t *text) find(b *Block, tiers []Tier) []spot {
	var readings []form // made when the exact tier found nothing
	for _, tier := range tiers {
		if tier == Exact {
			if spots := t.places(form{old: b.Old, new: b.New, hint: b.Hint}, Exact, Exact); len(spots) > 0 {
				return spots
			}
			continue
		}
		if readings == nil {
			readings = forms(b)
			if !slices.Contains(tiers, Cleaned) {
				readings = readings[:1]
			}
		}
		for i, f := range readings {
			if spots := t.findForm(f, tier, i > 0); len(spots) > 0 {
				return t.withRivals(f, spots, tier, tiers)
			}
		}
	}
	return nil
}

// findForm looks for one reading of a block at one tier.
func (t *text) findForm(f form, tier Tier, cleaned bool) []spot {
	switch {
	case tier == Cleaned && !cleaned, f.only && tier != Cleaned && !cleaned:
		return nil
	case f.joined:
		if tier != Cleaned {
			return nil
		}
		return t.unjoin(f)
	case (tier == Indentation || tier == Alignment) && (!slices.ContainsFunc(f.old, isTelling) || f.bareDeletion()):
		return nil
	case tier == Cleaned:
		return t.places(f, Exact, Cleaned)
	case (tier == Alignment || tier == Indentation) && t.deleted(f):
		return nil
	case tier == Alignment:
		return t.align(f)
	case tier == Indentation && t.hasTwin(f.old):
		return nil
	}
	return t.places(f, tier, tier)
}

// deleted reports whether a block only drops lines, and what it leaves stands in
// the file exactly: it is done already, and a looser match is another place.
func (t *text) deleted(f form) bool {
	return len(f.new) > 0 && len(f.new) < len(f.old) && commonSubsequence(f.old, f.new) == len(f.new) &&
		slices.ContainsFunc(f.new, isTelling) && len(t.positions(t.lines, f.new, 1)) > 0
}

// hasTwin reports whether a block has but one line that is not blank, and a line
// indented as that one is stands in the file that is much the same, or goes on
// behind it: the block is no evidence against it.
func (t *text) hasTwin(old []string) bool {
	line := ""
	for _, l := range old {
		if !isBlank(l) {
			if line != "" {
				return false
			}
			line = l
		}
	}
	g := newGrams(line)
	return slices.ContainsFunc(t.lines, func(l string) bool {
		return l != line && indentOf(l) == indentOf(line) && (strings.HasPrefix(l, line) || abs(len(l)-len(line)) < 8 && g.like(l) >= 0.85)
	})
}

// bareDeletion reports whether a block only drops lines, from between braces and
// blanks. Once it is done, lines like those stand elsewhere at another depth.
func (f form) bareDeletion() bool {
	drops := false
	for _, s := range delta(f.old, f.new) {
		switch {
		case s.kind == insert, s.kind == keep && isTelling(f.old[s.old]):
			return false
		case s.kind == drop:
			drops = true
		}
	}
	return drops
}

// places gives where the old side of f stands as tier compares lines; told is
// the tier that goes on record.
func (t *text) places(f form, tier, told Tier) []spot {
	hay, needle := t.fold(tier), foldAll(f.old, tier)
	if tier != Exact && sameLines(hay, t.lines) && sameLines(needle, f.old) {
		return nil // the exact tier has seen that
	}
	at := t.positions(hay, needle, maxPlaces)
	if len(at) == 0 {
		return nil
	}
	spots := make([]spot, len(at))
	for i, a := range at {
		spots[i] = spot{at: a, n: len(f.old), tier: told, old: f.old, new: f.new}
	}
	return hinted(spots, f.hint)
}

// sameLines reports whether both are one slice: folding has changed nothing.
func sameLines(a, b []string) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// positions is the function of that name; what stands in the exact lines is
// looked up where there is an index.
func (t *text) positions(hay, needle []string, most int) []int {
	if t.where != nil && sameLines(hay, t.lines) {
		if at, ok := t.where.positions(t, needle, most); ok {
			return at
		}
	}
	return positions(hay, needle, most)
}

// hinted lets a line number choose among several places: where it is exact for
// one and more than 6 lines off for all others.
func hinted(spots []spot, hint int) []spot {
	if hint == 0 || len(spots) < 2 || len(spots) == maxPlaces {
		return spots
	}
	chosen := -1
	for i, s := range spots {
		switch off := abs(s.at + 1 - hint); {
		case off == 0:
			chosen = i
		case off <= 6:
			return spots
		}
	}
	if chosen < 0 {
		return spots
	}
	spots[chosen].hinted = true
	return spots[chosen : chosen+1]
}

// withRivals adds to a single place below exact the places that match at a
// stricter tier in all lines but one: such a place may be the one that was meant.
// A place that does so too, and has the last line by its own tier, is better than
// they are.
func (t *text) withRivals(f form, spots []spot, tier Tier, tiers []Tier) []spot {
	if len(spots) != 1 || len(f.old) < 2 || f.joined || tier == Cleaned {
		return spots
	}
	for _, stricter := range tiers {
		if stricter == tier {
			break
		}
		if stricter == Cleaned {
			continue
		}
		hay, needle := t.fold(stricter), foldAll(f.old, stricter)
		if tier != Alignment && misses(hay, needle, spots[0].at) <= 1 {
			continue
		}
		for _, at := range nearly(hay, needle) {
			if !overlaps(at, len(f.old), spots[0]) && len(spots) < maxPlaces && t.isRival(at, f.old) {
				spots = append(spots, spot{at: at, n: len(f.old), tier: stricter, old: f.old, new: f.new})
			}
		}
	}
	return spots
}

// isRival reports whether a place that differs in one line is to be feared: two
// telling lines of it are the block's, or the one that differs is nearly the same.
func (t *text) isRival(at int, old []string) bool {
	telling := 0
	hay := t.fold(Indentation)
	for i, l := range old {
		want := foldLine(l, Indentation)
		switch {
		case want == hay[at+i] && isTelling(want):
			telling++
		case want != hay[at+i] && (!isTelling(want) || alikeness(want, hay[at+i]) >= 0.75):
			return true
		}
	}
	return telling >= 2
}

// isTelling reports whether a line says where one is: not a brace, not a blank.
func isTelling(line string) bool {
	n := 0
	for i := range len(line) {
		if c := line[i]; isLetter(c) || c >= '0' && c <= '9' {
			n++
		}
	}
	return n >= 4
}

func overlaps(at, n int, s spot) bool { return at < s.at+s.n && s.at < at+n }

// nearly gives the places where all lines of needle but one match. One of its
// two rarest lines stands at each of them.
func nearly(hay, needle []string) []int {
	var out []int
	for _, i := range rarestTwo(hay, needle) {
		for p, l := range hay {
			if l == needle[i] && !slices.Contains(out, p-i) && misses(hay, needle, p-i) <= 1 {
				if out = append(out, p-i); len(out) == maxPlaces {
					return out
				}
			}
		}
	}
	return out
}

// rarestTwo gives the indices of the two lines of needle that stand least often in hay.
func rarestTwo(hay, needle []string) []int {
	count := make(map[string]int, len(needle))
	for _, l := range needle {
		count[l] = 0
	}
	for _, l := range hay {
		if n, ok := count[l]; ok {
			count[l] = n + 1
		}
	}
	first, second := -1, -1
	for i, l := range needle {
		switch {
		case first < 0 || count[l] < count[needle[first]]:
			first, second = i, first
		case second < 0 || count[l] < count[needle[second]]:
			second = i
		}
	}
	return []int{first, second}
}

// misses counts the lines of needle that do not stand at a place; 2 stands for more.
func misses(hay, needle []string, at int) int {
	if at < 0 || at+len(needle) > len(hay) {
		return 2
	}
	n := 0
	for i, l := range needle {
		if hay[at+i] != l {
			if n++; n > 1 {
				break
			}
		}
	}
	return n
}

// positions gives the first most places at which needle stands in hay,
// overlapping ones included: Knuth, Morris and Pratt, so that a file of one
// repeated line costs no more than another.
func positions(hay, needle []string, most int) []int {
	if len(needle) == 0 || len(needle) > len(hay) {
		return nil
	}
	next := make([]int, len(needle)+1)
	for i, k := 1, 0; i < len(needle); i++ {
		for k > 0 && needle[i] != needle[k] {
			k = next[k]
		}
		if needle[i] == needle[k] {
			k++
		}
		next[i+1] = k
	}
	var out []int
	k := 0
	for i, line := range hay {
		for k > 0 && line != needle[k] {
			k = next[k]
		}
		if line == needle[k] {
			k++
		}
		if k == len(needle) {
			if out = append(out, i-k+1); len(out) == most {
				return out
			}
			k = next[k]
		}
	}
	return out
}
