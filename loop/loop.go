// Package loop carries a task through rounds: it prompts a model, applies the
// edit blocks that come back, runs the checks, words what failed, and goes on
// until every edit is in and the checks pass, or the budget is used up.
//
//	Task ─► prompts.Render ─► Model.Complete ─► edits.Parse ─► edits.Apply ─► Validate ─► Tree.Write ─► Snapshot ─► checks ─┐
//	             ▲               reply            blocks        outcomes,      still                     rev         │
//	             │                                              changes        parses                                │
//	             └────────────── feedback.Message(outcomes, checks) ◄──────────────── not done ──────────────────────┘
//
// Nothing here touches the world: model, tree and shell are given. A model's
// mistakes never are errors; an error of Run is trouble of our own, and the Run
// that comes with it is written down all the same.
package loop

import (
	"context"
	"errors"
	"time"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
	"github.com/agentloop/agentloop/prompts"
)

// Runner has what a run needs of the world.
type Runner struct {
	Model Model
	Tree  Tree
	Shell feedback.Shell
	Valid Validator // nil: no file is judged
	// Confirm is asked before each edit, with what it would change; nil: all are
	// welcome. An error ends the run.
	Confirm func(ctx context.Context, o edits.Outcome, would []edits.Change) (bool, error)
	Prompts prompts.Set
	// Find lists the files that a glob fits ("" fits all), those of also among them
	// that it fits; for tools. nil: the tree cannot be listed.
	Find func(ctx context.Context, glob string, also []string) ([]string, error)
	// Choose picks the files that the prompt shows; nil: those that the task names.
	Choose func(ctx context.Context, need Need) (Context, error)
	Show   func(path string) (string, error) // reads a file for a prompt, as Tree.Read does; nil: Tree.Read
	Emit   func(Event)                       // told of everything, in order, from one goroutine; may be nil
}

// errTime is the cause of a run's context when its time is used up.
var errTime = errors.New("the time budget is used up")

// Run does a task. The verdict stands in the Run; the error is nil unless
// something of our own failed, and then the verdict says so too.
func (r *Runner) Run(ctx context.Context, t Task) (Run, error) {
	start := time.Now()
	if t.Budget.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, t.Budget.Time, errTime)
		defer cancel()
	}
	s := newState(r, t)
	r.emit(RunStarted{t.Text, t.Format, orNone(t.Files), orNone(t.Checks), t.Budget.Rounds, t.DryRun})
	err := s.baseline(ctx)
	for n := 1; err == nil && n <= t.Budget.Rounds && !s.over; n++ {
		var round Round
		round, err = s.round(ctx, n)
		s.note(round, err)
		if err == nil {
			err = s.late
		}
	}
	s.conclude(ctx, err)
	s.run.Elapsed = time.Since(start)
	r.emit(RunCompleted{s.run.Verdict, orNone(s.run.Changed), s.run.Suggest, s.run.Usage, s.costOrNil(), s.run.Elapsed})
	if s.run.Verdict.Status != Internal {
		err = nil
	}
	return s.run, err
}

// FirstPrompt gives what the first round of a task would send, and what it shows.
// The checks run only if that is wished; else nothing is known of what they say.
func (r *Runner) FirstPrompt(ctx context.Context, t Task, checks bool) (prompts.Prompt, []Pick, error) {
	s := newState(r, t)
	if checks {
		var err error
		if s.run.Baseline, err = s.checks(ctx, 0); err != nil {
			return prompts.Prompt{}, nil, err
		}
	}
	if err := s.choose(ctx, 1); err != nil {
		return prompts.Prompt{}, nil, err
	}
	p, err := s.prompt()
	var picks []Pick
	for _, pick := range s.shelf.picks {
		if !pick.dropped {
			picks = append(picks, pick.Pick)
		}
	}
	return p, picks, err
}

// round is one prompt, one reply, and all that comes of it.
func (s *state) round(ctx context.Context, n int) (round Round, err error) {
	round.N = n
	s.emit(RoundStarted{n})
	if err := s.choose(ctx, n); err != nil {
		return round, err
	}
	prompt, err := s.prompt()
	if err != nil {
		return round, err
	}
	talk := s.newTalk(n)
	round.Reply, err = talk.hold(ctx, prompt)
	round.Steps, round.Full, s.late = talk.steps, talk.full, talk.late
	if err != nil {
		return round, err
	}
	result := edits.Result{Outcomes: talk.outcomes(), Changes: talk.desk.changes()}
	if !s.task.DryRun {
		if result, err = s.write(ctx, n, result); err != nil {
			return round, err
		}
	}
	round.Outcomes, round.Changes = result.Outcomes, result.Changes
	if len(s.task.Tools) == 0 {
		s.told(n, round.Outcomes)
	}
	if s.task.DryRun {
		return round, s.word(&round)
	}
	if len(round.Changes) > 0 {
		if round.Rev, err = s.Tree.Snapshot(ctx, n); err != nil {
			return round, err
		}
	}
	if round.allIn() {
		if round.Checks, err = s.checks(ctx, n); err != nil {
			return round, err
		}
	}
	return round, s.word(&round)
}

// orNone makes an empty list of none, for readers of JSON.
func orNone(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func (r *Runner) emit(e Event) {
	if r.Emit != nil {
		r.Emit(e)
	}
}
