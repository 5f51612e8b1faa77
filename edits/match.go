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
// indented as that one is stands in the file that is the same or much the same,
// or goes on behind it: the block is no evidence against it.
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
		return indentOf(l) == indentOf(line) && (strings.HasPrefix(l, line) || abs(len(l)-len(line)) < 8 && g.like(l) >= 0.85)
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
