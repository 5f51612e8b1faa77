package edits

import "strings"

// fail makes o a failed outcome.
func (o *Outcome) fail(r Reason, f *Failure) { o.Status, o.Reason, o.Fail = Failed, r, f }

// done makes o a good outcome; r says why nothing had to change, if so.
func (o *Outcome) done(r Reason, set Settings) {
	o.Status, o.Reason, o.Fail = Applied, r, nil
	if set.DryRun {
		o.Status = WouldApply
	}
}

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
