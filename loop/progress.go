package loop

import (
	"slices"

	"github.com/agentloop/agentloop/edits"
)

// progress keeps what is still open, and notices when a run goes in circles.
type progress struct {
	open   map[string]edits.Reason // paths with a failed block that no later block made good
	silent int                     // replies in a row without any edit
	same   int                     // rounds in a row without a change and with feedback seen before
	seen   []string                // feedback of earlier rounds
}

// maxSilent and maxSame are how many such rounds in a row end a run.
const (
	maxSilent = 2
	maxSame   = 2
)

func newProgress() *progress { return &progress{open: map[string]edits.Reason{}} }

// note takes a round into account.
func (p *progress) note(r *Round) {
	p.silent++
	if r.edited() {
		p.silent = 0
	}
	if len(r.Changes) == 0 && slices.Contains(p.seen, r.Feedback) {
		p.same++
	} else {
		p.same = 0
	}
	p.seen = append(p.seen, r.Feedback)

	for _, o := range r.Outcomes {
		if good(o) {
			delete(p.open, o.Block.Path)
		}
	}
	if r.allIn() {
		// A path that does not exist cannot have a block applied: a round whose
		// blocks are all in settles it. So does a green check for a refused one.
		for path, why := range p.open {
			if why == edits.FileNotFound || why == edits.PathRefused && r.green() {
				delete(p.open, path)
			}
		}
	}
	for _, o := range r.Outcomes {
		if !good(o) && o.Block.Path != "" {
			p.open[o.Block.Path] = o.Reason
		}
	}
}

func good(o edits.Outcome) bool { return o.Status == edits.Applied || o.Status == edits.WouldApply }

// stuck reports whether the run goes nowhere, and why.
func (p *progress) stuck() (string, bool) {
	switch {
	case p.silent >= maxSilent:
		return "two replies in a row held no edit", true
	case p.same >= maxSame:
		return "the same failures again, and no change, in two rounds in a row", true
	}
	return "", false
}

// refused lists the open paths that may not be written.
func (p *progress) refused() []string { return p.paths(true) }

// unfinished lists the other open paths.
func (p *progress) unfinished() []string { return p.paths(false) }

func (p *progress) paths(refused bool) []string {
	var out []string
	for path, why := range p.open {
		if (why == edits.PathRefused) == refused {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}
