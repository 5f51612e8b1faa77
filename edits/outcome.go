package edits

import (
	"slices"
	"strings"
)

// fail makes o a failed outcome.
func (o *Outcome) fail(r Reason, f *Failure) { o.Status, o.Reason, o.Fail = Failed, r, f }

// done makes o a good outcome; r says why nothing had to change, if so.
func (o *Outcome) done(r Reason, set Settings) {
	o.Status, o.Reason, o.Fail = Applied, r, nil
	if set.DryRun {
		o.Status = WouldApply
	}
}

// good reports whether the block is in, or would be.
func (o *Outcome) good() bool { return o.Status == Applied || o.Status == WouldApply }

// preview starts a block's outcome with the first line of each of its parts.
func preview(b Block) Outcome {
	o := Outcome{Block: b}
	o.AnchorPreview = firstLine(b.Old[:min(b.Anchor, len(b.Old))])
	if b.Anchor+b.Trail <= min(len(b.Old), len(b.New)) {
		o.OldPreview = firstLine(b.Old[b.Anchor : len(b.Old)-b.Trail])
		o.NewPreview = firstLine(b.New[b.Anchor : len(b.New)-b.Trail])
	}
	return o
}

func firstLine(lines []string) string {
	for _, l := range lines {
		if l = strings.TrimSpace(l); l != "" {
			r := []rune(l[:min(len(l), 400)])
			return string(r[:min(len(r), 50)])
		}
	}
	return ""
}

// strayMarker finds a marker line of the block's own format that the block would
// write into a file that has none like it.
func (f *file) strayMarker(b *Block) (string, bool) {
	marker := markerOf(b.Format)
	if marker == nil {
		return "", false
	}
	for _, l := range b.New {
		if marker(l) && !slices.Contains(b.Old, l) && !slices.Contains(f.now.lines, l) && !escaped(b, l) {
			return l, true
		}
	}
	return "", false
}

// escaped reports whether the reply wrote line l with a backslash: then it is meant.
func escaped(b *Block, l string) bool { return strings.Contains(b.Raw, `\`+l) }

func markerOf(f Format) func(string) bool {
	switch f {
	case SearchReplace:
		return srMarker
	case Anchored, Anchored4:
		return anchoredMarker
	}
	return nil
}

// Decline gives the outcome of a block that the user did not want.
func Decline(b Block) Outcome {
	o := preview(b)
	o.fail(Declined, &Failure{})
	return o
}

// Of gives the outcomes of one file's blocks.
func (r *Result) Of(path string) []Outcome {
	var out []Outcome
	for _, o := range r.Outcomes {
		if o.Block.Path == path {
			out = append(out, o)
		}
	}
	return out
}

// Refuse takes back the change of a file that could not be written, with those
// that renames tie to it, and fails the blocks that made them. It reports whether
// there was such a change.
func (r *Result) Refuse(no *Refusal) bool {
	n, tied := len(r.Changes), r.Tied(no.Path)
	r.Changes = slices.DeleteFunc(r.Changes, func(c Change) bool { return slices.Contains(tied, c.Path) })
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if !slices.Contains(tied, o.Block.Path) || o.Status != Applied {
			continue
		}
		why := no.Why
		if o.Block.Path != no.Path {
			why = no.Path + " " + why
		}
		near := Place{o.Line, o.Line + max(len(o.Block.Old), 1) - 1}
		o.fail(no.Reason, &Failure{Detail: why, Near: &near})
	}
	return len(r.Changes) < n
}
