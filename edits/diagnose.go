package edits

import (
	"slices"
	"strings"
)

// diagnose fills in what a message about a failed block needs, by the file as
// the whole reply left it: the lines shown to the model are the current ones.
func (f *file) diagnose(o *Outcome, set Settings) {
	b, fail := &o.Block, o.Fail
	switch {
	case b.Start > 0 && fail.Near == nil && len(fail.Candidates) == 0:
		if at, ok := f.find(b.Start-1, min(b.End, len(f.orig.lines))); ok && b.Start <= len(f.orig.lines) {
			fail.Near = &Place{at + 1, min(at+1+b.End-b.Start, len(f.now.lines))}
			o.Line = fail.Near.Line
		}
		return
	case b.Whole || b.isFileOp() || b.Start > 0:
		return
	}
	switch o.Reason {
	case Ambiguous:
		if len(fail.Candidates) > 0 {
			break
		}
		f.candidates(o, set)
	case NotFound:
		f.explain(o, set)
	case Elided, Conflict, Malformed, HunkMismatch:
		if at := f.now.find(b, allTiers); len(at) == 1 {
			fail.Near = &Place{at[0].at + 1, at[0].at + at[0].n}
		} else if near, _ := f.now.nearest(likely(b)); len(near) > 0 {
			fail.Near = &near[0]
		}
	}
	switch {
	case fail.Near != nil:
		o.Line = fail.Near.Line
	case len(fail.Candidates) > 0:
		o.Line = fail.Candidates[0].Line
	case b.Anchor > 0:
		if at := positions(f.now.lines, b.Old[:1], 1); len(at) > 0 {
			o.Line = at[0] + 1
		}
	}
}

// candidates lists the places of an ambiguous block.
func (f *file) candidates(o *Outcome, set Settings) {
	spots := f.now.find(&o.Block, set.Matching.tiers(o.Block.Format))
	for _, s := range spots[:min(len(spots), maxPlaces-1)] {
		o.Fail.Candidates = append(o.Fail.Candidates, Place{s.at + 1, s.at + s.n})
	}
	o.Fail.Count = max(len(spots), 2)
	o.Fail.Part = PartOld
	if o.Block.Anchor > 0 {
		o.Fail.Part = PartAnchor
	}
}

// explain says why a block was not found: only white space is different, the
// place is there but its lines are others, or nothing like it is in the file.
func (f *file) explain(o *Outcome, set Settings) {
	b, fail := &o.Block, o.Fail
	if spots := f.now.find(b, allTiers); len(spots) == 1 {
		s := spots[0]
		fail.Near = &Place{s.at + 1, s.at + s.n}
		if s.tier == Trailing || s.tier == Indentation {
			fail.Blanks = blanksOf(b.Old, f.now.lines[s.at:s.at+s.n])
			o.Reason = Whitespace
			return
		}
	}
	fail.Part = f.missingPart(b)
	fail.Missing = f.missing(b.Old)
	if fail.Near != nil {
		return
	}
	near, offset := f.now.nearest(likely(b))
	if len(near) == 0 {
		return
	}
	fail.Near, fail.Candidates = &near[0], near[1:]
	if f.stale(b, offset) {
		o.Reason = StaleTarget
		fail.Part = PartOld
	}
}

// likely gives the old side as it was most likely meant: without what a model
// adds to every line.
func likely(b *Block) []string {
	all := forms(b)
	last := all[len(all)-1]
	if last.joined {
		return strings.Split(last.old[0], `\n`)
	}
	return last.old
}

// stale reports whether at a near match the block's context lines are all there
// and only lines that it would drop are others.
func (f *file) stale(b *Block, offset int) bool {
	kept, lost := 0, 0
	hay := f.now.fold(Indentation)
	for _, s := range delta(b.Old, b.New) {
		if s.kind == insert {
			continue
		}
		at := offset + s.old
		same := at >= 0 && at < len(hay) && hay[at] == foldBlanks(b.Old[s.old])
		switch {
		case s.kind == keep && !same:
			return false
		case s.kind == keep && hay[at] != "":
			kept++
		case s.kind == drop && !same:
			lost++
		}
	}
	return kept > 0 && lost > 0
}

// missingPart says which of the block's stated parts is the first that stands nowhere.
func (f *file) missingPart(b *Block) Part {
	stands := func(lines []string) bool {
		return len(lines) == 0 || len(positions(f.now.lines, lines, 1)) > 0
	}
	switch {
	case b.Anchor > 0 && !stands(b.Old[:b.Anchor]):
		return PartAnchor
	case !stands(b.Old[:len(b.Old)-b.Trail]):
		return PartOld
	case b.Trail > 0:
		return PartTrailing
	}
	return PartOld
}

// missing gives the lines of the old side that the file holds nowhere, however
// they are indented.
func (f *file) missing(old []string) []string {
	var out []string
	hay := f.now.fold(Indentation)
	for _, l := range old {
		if s := foldBlanks(l); s != "" && !slices.Contains(hay, s) && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// blanksOf names the white space that differs.
func blanksOf(old, file []string) Blanks {
	kind := BlanksTrailing
	for i := range old {
		a, b := strings.TrimRight(old[i], " \t"), strings.TrimRight(file[i], " \t")
		switch {
		case a == b:
		case strings.Contains(indentOf(a), "\t") != strings.Contains(indentOf(b), "\t"):
			return BlanksTabs
		default:
			kind = BlanksIndent
		}
	}
	return kind
}
