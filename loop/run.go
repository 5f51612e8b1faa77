package loop

import (
	"time"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
)

// Run is a whole run, written down: a failed one too.
type Run struct {
	Task     Task
	Baseline []feedback.CheckRun
	Rounds   []Round
	Changed  []string // files that differ from before the run, in the order of first change
	Suggest  []string // shell commands that the model wished for, and that were not performed
	Usage    Usage
	Cost     float64
	Priced   bool // Cost is known
	Elapsed  time.Duration
	Verdict  Verdict
}

// Round is one prompt, one reply, and all that came of it.
type Round struct {
	N        int
	Steps    []Step // in tool mode: the replies before the last, or up to it, with the answers to their calls
	Full     bool   // no more calls were answered
	Reply    Reply  // the last one
	Outcomes []edits.Outcome
	Changes  []edits.Change
	Rev      string              // snapshot after it; "" if nothing changed
	Checks   []feedback.CheckRun // empty if edits failed: then they do not run
	Feedback string              // what the next prompt opens with; "" if there is nothing to tell
}

// texts gives what the model said, reply by reply.
func (r *Round) texts() []string {
	var all []string
	for _, s := range r.Steps {
		all = append(all, s.Reply.Text)
	}
	if n := len(r.Steps); n == 0 || r.Steps[n-1].Reply.Text != r.Reply.Text {
		all = append(all, r.Reply.Text)
	}
	return all
}

// edited reports whether the reply held a block.
func (r *Round) edited() bool { return len(r.Outcomes) > 0 }

// allIn reports whether the reply held a block and none failed or was skipped.
func (r *Round) allIn() bool { return edits.Result{Outcomes: r.Outcomes}.OK() }

// green reports whether checks ran and all passed.
func (r *Round) green() bool {
	for _, c := range r.Checks {
		if !c.Passed() {
			return false
		}
	}
	return len(r.Checks) > 0
}
