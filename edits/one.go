package edits

import (
	"fmt"
	"slices"
	"strings"
)

// one applies a single block to the file as it is now.
func (f *file) one(o *Outcome, set Settings, done *takes, i int) {
	b := &o.Block
	if !f.there && !b.creates() && !b.Whole {
		o.fail(FileNotFound, &Failure{Detail: "the file does not exist"})
		return
	}
	if detail, found := f.hidden(b); found {
		o.fail(Malformed, &Failure{Detail: detail})
		return
	}
	switch {
	case b.creates():
		f.create(o, set)
		return
	case b.Whole:
		f.whole(o, set)
		return
	case b.Start > 0:
		f.lineRange(o, set, done, i)
		return
	case slices.Equal(b.Old, b.New):
		o.done(NoChange, set)
		if at := f.now.positions(f.now.lines, b.Old, 1); len(at) > 0 {
			o.Line = at[0] + 1
		}
		return
	}
	if at, ok := f.already(b); ok {
		o.done(AlreadyApplied, set)
		o.Line, o.Tier = at+1, Exact
		return
	}
	if line, ok := elidedLine(b, f.now); ok {
		o.fail(Elided, &Failure{Detail: line})
		return
	}
	if line, ok := f.strayMarker(b); ok {
		o.fail(Malformed, &Failure{Detail: fmt.Sprintf("the new lines hold the marker line %q; write it with a backslash before it if the file is to hold it", line)})
		return
	}
	if len(f.now.positions(f.now.lines, b.Old, 1)) == 0 {
		// Lines that an earlier block has replaced are not looked for elsewhere.
		switch _, same, ok := done.clash(f.orig, b); {
		case ok && same:
			o.done(AlreadyApplied, set)
			return
		case ok:
			o.fail(NotFound, &Failure{})
			return
		}
		if !f.widen(o) {
			return
		}
	}
	spots := f.now.find(b, set.Matching.tiers(b.Format))
	switch {
	case len(spots) == 1 && f.now.unsure(spots[0]):
		o.fail(NotFound, &Failure{})
	case len(spots) == 1:
		done.take(i, f.now, spots[0])
		o.done("", set)
		o.Tier, o.Hinted = spots[0].tier, spots[0].hinted
		o.Line = f.replace(spots[0]) + 1
	case len(spots) > 1 && (spots[0].tier != Alignment || spots[1].tier != Alignment):
		o.fail(Ambiguous, &Failure{Count: len(spots)})
	case b.Format == UnifiedDiff:
		o.fail(HunkMismatch, &Failure{Part: PartOld, Detail: "its context and old lines are not in the file"})
	default:
		o.fail(NotFound, &Failure{})
	}
}

// create makes a new file out of a block without an old side, or fills an empty one.
func (f *file) create(o *Outcome, set Settings) {
	content := strings.TrimRight(strings.Join(o.Block.New, "\n"), "\n")
	if content != "" {
		content += "\n"
	}
	switch {
	case f.there && f.now.String() == content:
		o.done(AlreadyApplied, set)
		return
	case f.there && strings.TrimSpace(f.now.String()) != "":
		o.fail(FileExists, &Failure{Detail: "the file exists and is not empty: quote the lines to change, or the line after which to insert"})
		return
	}
	fresh := newText(content)
	for i := range fresh.from {
		fresh.from[i] = -1
	}
	f.now, f.there = fresh, true
	o.done("", set)
	o.Tier, o.Line = Exact, 1
}

// already reports that the file holds the new side where the old side would go:
// the new side has a line of its own, stands once, and the old side is gone or
// only part of that stand, within lines too where it need not be whole ones.
func (f *file) already(b *Block) (at int, ok bool) {
	own := slices.ContainsFunc(b.New, func(l string) bool { return strings.TrimSpace(l) != "" && !slices.Contains(b.Old, l) })
	if !own {
		return 0, false
	}
	stands := f.now.positions(f.now.lines, b.New, 2)
	if len(stands) != 1 {
		return 0, false
	}
	for i, reading := range forms(b) {
		if i > 0 && len(f.now.findForm(reading, Cleaned, true)) > 0 {
			return 0, false // the old side is there, behind a gutter or the like
		}
	}
	for _, tier := range [...]Tier{Exact, Trailing, Typographic} {
		for _, p := range f.now.positions(f.now.fold(tier), foldAll(b.Old, tier), maxPlaces) {
			if p < stands[0] || p+len(b.Old) > stands[0]+len(b.New) {
				return 0, false
			}
		}
	}
	if b.literal != nil && b.literal.elsewhere(f.now, stands[0], len(b.New)) {
		return 0, false
	}
	return stands[0], true
}
