package edits

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
	if m == MatchExact {
		return tiered[:1]
	}
	return tiered
}

var tiered = []Tier{Exact, Trailing, Indentation}

// spot is a found place: lines[at:at+n] of a text, and how literally.
type spot struct {
	at, n int
	tier  Tier
}

// find looks for old in t, tier by tier. It stops at the first tier with a
// place and returns all places there; more than one is for the caller to refuse.
func (t *text) find(old []string, tiers []Tier) []spot {
	for _, tier := range tiers {
		at := positions(t.fold(tier), foldAll(old, tier), maxPlaces)
		if len(at) == 0 {
			continue
		}
		spots := make([]spot, len(at))
		for i, a := range at {
			spots[i] = spot{a, len(old), tier}
		}
		if tier != Exact && len(spots) == 1 {
			spots = append(spots, t.rivals(old, spots[0], tier, tiers)...)
		}
		return spots
	}
	return nil
}

// maxPlaces caps the places of an ambiguous block that are looked for.
const maxPlaces = 17

// rivals gives the places that match at a stricter tier in all lines but one:
// below exact, such a place may be the one that was meant.
func (t *text) rivals(old []string, found spot, tier Tier, tiers []Tier) []spot {
	if len(old) < 2 {
		return nil
	}
	var out []spot
	for _, stricter := range tiers {
		if stricter == tier {
			break
		}
		hay, needle := t.fold(stricter), foldAll(old, stricter)
		for _, at := range nearly(hay, needle) {
			if at != found.at && len(out) < maxPlaces {
				out = append(out, spot{at, len(old), stricter})
			}
		}
	}
	return out
}

// nearly gives the places where all lines of needle but one match: there the
// first half matches in full, or the second does.
func nearly(hay, needle []string) []int {
	half := len(needle) / 2
	var out []int
	try := func(at int) {
		if at < 0 || at+len(needle) > len(hay) {
			return
		}
		miss := 0
		for i := range needle {
			if hay[at+i] != needle[i] {
				if miss++; miss > 1 {
					return
				}
			}
		}
		for _, o := range out {
			if o == at {
				return
			}
		}
		out = append(out, at)
	}
	for _, at := range positions(hay, needle[:half], 1000) {
		try(at)
	}
	for _, at := range positions(hay, needle[half:], 1000) {
		try(at - half)
	}
	return out
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
