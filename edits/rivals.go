package edits

import "slices"

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
