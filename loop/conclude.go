package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
)

// note writes a round down and sets the verdict where the run is done or goes
// nowhere.
func (s *state) note(round Round, err error) {
	s.run.Rounds = append(s.run.Rounds, round)
	s.suggest(&round)
	if round.Rev != "" {
		s.run.Verdict.Rev = round.Rev
	}
	if err != nil {
		return
	}
	s.progress.note(&round)
	done := RoundCompleted{
		Round: round.N, Changed: []string{}, Rev: round.Rev, Usage: s.ledger.used, Cost: s.costOrNil(), Feedback: round.Feedback,
	}
	for _, o := range round.Outcomes {
		switch o.Status {
		case edits.Failed:
			done.Failed++
		case edits.Skipped:
			done.Skipped++
		default:
			done.Applied++
		}
	}
	for _, c := range round.Changes {
		done.Changed = append(done.Changed, c.Path)
	}
	s.emit(done)
	if why, ok := s.done(&round); ok {
		s.run.Verdict.Status, s.run.Verdict.Why = Done, why
	}
	_, stuck := s.progress.stuck()
	onlyRefused := !round.edited() && len(s.progress.refused()) > 0 && len(s.progress.unfinished()) == 0
	s.over = s.run.Verdict.Status == Done || stuck || onlyRefused || s.task.DryRun
}

// done decides by what was seen, never by the model's word: the last reply held
// a block, every block is in, no path that failed earlier is still open, and
// the checks, if any, passed on this very tree.
func (s *state) done(round *Round) (why string, ok bool) {
	switch {
	case !round.allIn() || len(s.progress.open) > 0 || s.cut(round):
		return "", false
	case s.task.DryRun:
		return "every edit would apply (dry run: nothing was written)", true
	case len(s.task.Checks) == 0:
		return "every edit is in (no check was given)", true
	case round.green():
		return "every edit is in and the check passes", true
	}
	return "", false
}

// cut reports whether the round ended before the model was done, so that blocks
// may be missing, and no check that failed before the run passes now to say that
// none are.
func (s *state) cut(round *Round) bool {
	red := slices.ContainsFunc(s.run.Baseline, func(c feedback.CheckRun) bool { return !c.Passed() })
	short := round.Reply.Finish == FinishLength || round.Reply.Finish == FinishFilter || round.Full || s.late != nil
	return short && !(red && round.green())
}

// conclude sets the verdict of a run that is not done, and sums up.
func (s *state) conclude(ctx context.Context, err error) {
	v := &s.run.Verdict
	if v.Status != Done {
		v.Status, v.Why = s.ended(ctx, err)
	}
	v.Exit, v.Rounds = v.Status.Exit(), len(s.run.Rounds)
	s.run.Usage = s.ledger.used
	s.run.Cost, s.run.Priced = s.ledger.cost()
}

// ended tells how a run ended that is not done. An interruption and a time-out
// come before the errors that they cause.
func (s *state) ended(ctx context.Context, err error) (Status, string) {
	var check *unstartable
	var trouble *ModelError
	var over *exhausted
	switch {
	case err == nil || context.Cause(ctx) != nil || errors.As(err, &over):
	case errors.As(err, &check):
		return Usable, check.Error()
	case errors.As(err, &trouble):
		if trouble.Kind.misconfigured() {
			return Usable, trouble.Error()
		}
	default:
		return Internal, err.Error()
	}
	return foremost(s.reasons(ctx, err))
}

// reasons gathers every reason to end that holds.
func (s *state) reasons(ctx context.Context, err error) map[Status]string {
	holds := map[Status]string{}
	switch cause := context.Cause(ctx); {
	case cause == nil:
	case errors.Is(cause, errTime):
		holds[TimedOut] = fmt.Sprintf("the time budget of %s is used up", s.task.Budget.Time)
	default:
		holds[Interrupted] = "a signal ended the run; what was done stays"
	}
	if paths := s.progress.refused(); len(paths) > 0 {
		holds[Policy] = "the model wants to write what may not be written: " + strings.Join(paths, ", ")
	}
	var trouble *ModelError
	if errors.As(err, &trouble) {
		holds[TryLater] = trouble.Error()
	}
	var over *exhausted
	if errors.As(err, &over) {
		holds[OverBudget] = over.Error()
	}
	if why, stuck := s.progress.stuck(); stuck {
		holds[NoProgress] = why
	}
	s.unfinishedReasons(holds)
	return holds
}

// unfinishedReasons adds what is not done after the last round.
func (s *state) unfinishedReasons(holds map[Status]string) {
	n := len(s.run.Rounds)
	if n == 0 {
		return
	}
	last := &s.run.Rounds[n-1]
	switch open := s.progress.unfinished(); {
	case len(open) > 0:
		holds[EditsOpen] = "edits are not all in: " + strings.Join(open, ", ")
	case !last.edited():
		holds[EditsOpen] = "the last reply held no edit"
	case !last.allIn():
		holds[EditsOpen] = "edits are not all in"
	case last.Full && s.cut(last):
		holds[EditsOpen] = "the calls of the last round were used up, and edits may be missing"
	case s.cut(last):
		holds[EditsOpen] = "the last reply was cut short (" + string(last.Reply.Finish) + "), and edits may be missing"
	}
	for _, c := range last.Checks {
		if !c.Passed() {
			holds[CheckFails] = "the check still fails: " + c.Command
			break
		}
	}
}
