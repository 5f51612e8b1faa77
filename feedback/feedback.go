// Package feedback makes the message that opens the next round out of what
// became of the last one: failures only, each with a diagnosis and with the
// current lines of the file, ready to be copied.
//
// Reasons come from package edits, wording from package prompts; this package
// chooses what is shown and how much of it. Quoted lines carry no line numbers
// and are byte for byte those of the file, but for marker lines, which get a
// backslash (edits.Quote). It reads files only through the function it is given.
package feedback

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/prompts"
)

// Round is what there is to tell about.
type Round struct {
	Outcomes []edits.Outcome
	First    bool       // there was no reply yet: only the checks are told
	Cut      bool       // the reply ran out of tokens
	Full     bool       // no more calls of tools were answered
	Checks   []CheckRun // all that ran; those that passed are not mentioned
	Earlier  bool       // the checks ran before this round's edits, not after
	Baseline []CheckRun // the same commands before the first round, or none
	// Read gives a file as it is now, and whether it is there.
	Read func(path string) (string, bool)
}

const (
	maxFailures = 40  // failed blocks told of one by one
	maxLines    = 200 // quoted lines of all snippets together (seed 3)
	maxPlaces   = 4   // candidates shown of an ambiguous block
	maxMissing  = 3   // lines named as standing nowhere
)

// Message words a round. It is "" for a round without anything to tell.
func Message(r Round, set prompts.Set) (string, error) {
	f := prompts.Feedback{
		Cut:      r.Cut,
		Full:     r.Full,
		NoBlocks: len(r.Outcomes) == 0 && !r.First,
		Earlier:  r.Earlier,
		Applied:  r.files(edits.Applied, edits.WouldApply),
		Skipped:  r.files(edits.Skipped),
	}
	q := quoter{read: r.Read, left: maxLines, texts: map[string][]string{}}
	more := tally{}
	for _, o := range r.Outcomes {
		switch {
		case o.Status != edits.Failed:
		case len(f.Failures) == maxFailures || q.left <= 0:
			more.add(subject(o))
		default:
			f.Failures = append(f.Failures, q.failure(o))
		}
	}
	f.More = more.list()
	for _, c := range r.Checks {
		if !c.Passed() {
			f.Checks = append(f.Checks, r.check(c))
		}
	}
	if len(f.Failures)+len(f.Skipped)+len(f.Checks) == 0 && !f.Cut && !f.NoBlocks {
		return "", nil
	}
	return set.Feedback(f)
}

// files lists the files that have blocks of a status, with how many where that
// is not all or more than one.
func (r Round) files(status ...edits.Status) []string {
	var t, all tally
	for _, o := range r.Outcomes {
		all.add(subject(o))
		if slices.Contains(status, o.Status) && o.Reason == "" {
			t.add(subject(o))
		}
	}
	out := t.list()
	for i, path := range t.paths {
		if t.n[path] < all.n[path] {
			out[i] = fmt.Sprintf("%s (%d of %d blocks)", path, t.n[path], all.n[path])
		}
	}
	return out
}

// subject names what a block is about: its file, or the command that deletes or
// renames it.
func subject(o edits.Outcome) string { return cmp.Or(o.Block.Command(), o.Block.Path) }

// tally counts blocks by file, in the order of first mention.
type tally struct {
	paths []string
	n     map[string]int
}

func (t *tally) add(path string) {
	if t.n == nil {
		t.n = map[string]int{}
	}
	if t.n[path] == 0 {
		t.paths = append(t.paths, path)
	}
	t.n[path]++
}

func (t *tally) list() []string {
	var out []string
	for _, p := range t.paths {
		name := p
		if p == "" {
			name = "(no path)"
		}
		if t.n[p] > 1 {
			name = fmt.Sprintf("%s (%d blocks)", name, t.n[p])
		}
		out = append(out, name)
	}
	return out
}
