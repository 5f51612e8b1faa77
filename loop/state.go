package loop

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
	"github.com/agentloop/agentloop/prompts"
)

// state is a run under way.
type state struct {
	*Runner
	task     Task
	run      Run
	ledger   *ledger
	progress *progress
	created  map[string]bool
	gone     map[string]string // files that the run deleted (""), or renamed to another path
	shown    map[string]string // what the round's prompt holds of each file
	based    bool              // the snapshot before the first round is taken
	over     bool              // no further round
	shelf    *shelf
	window   int    // tokens that the model takes, as far as is known; 0: it is not
	front    string // the last prompt
	looks    int    // taken so far
	found    string // what the last look found
	late     error  // that a round met when it had edits already
}

func newState(r *Runner, t Task) *state {
	return &state{Runner: r, task: t, run: Run{Task: t}, ledger: newLedger(t.Budget), progress: newProgress(), created: map[string]bool{}, gone: map[string]string{}, window: t.Budget.Window}
}

func (s *state) settings() edits.Settings {
	set := s.task.Edits
	set.DryRun, set.Tracked, set.Gone = s.task.DryRun, s.tracked, s.gone
	return set
}

// prompt renders the round's prompt from the files as they are now.
func (s *state) prompt() (prompts.Prompt, error) {
	in := prompts.Input{
		Format: s.task.Format, Tools: s.task.Tools, Extra: s.task.Extra, Guide: s.task.Guide,
		Task: s.task.Text, Checks: s.task.Checks, Looks: s.task.Looks > 0, Found: s.found,
	}
	if n := len(s.run.Rounds); n > 0 {
		in.Feedback = s.run.Rounds[n-1].Feedback
	} else {
		in.First = true
		text, err := feedback.Message(feedback.Round{First: true, Checks: s.run.Baseline}, s.Prompts)
		if err != nil {
			return prompts.Prompt{}, err
		}
		in.Feedback = text
	}
	for {
		if err := s.files(&in); err != nil {
			return prompts.Prompt{}, err
		}
		p, err := s.Prompts.Render(in)
		if err != nil || s.fits(p) || !s.drop() {
			return p, err
		}
	}
}

// ask sends the prompt, and what was said since, and parses the reply while it comes.
func (s *state) ask(ctx context.Context, n int, p prompts.Prompt, steps []Step) (Reply, said, error) {
	tools, err := s.Prompts.Tools(s.task.Tools)
	if err != nil {
		return Reply{}, said{}, err
	}
	bytes := len(p.System) + len(p.User) + sizeOf(steps, tools)
	tokens := s.ledger.estimate(bytes)
	out, err := s.ledger.output(tokens)
	if err != nil {
		return Reply{}, said{}, err
	}
	if len(steps) == 0 {
		s.emit(s.sent(n, p, tokens))
	}
	var asks asked
	parser, came := s.parser(asks.line), 0
	reply, err := s.Model.Complete(ctx, Request{
		System: p.System, User: p.User, Steps: steps, Tools: tools, MaxOutput: out,
		Reserve: func() error { return s.ledger.reserve(tokens) },
		Chunk: func(text string) {
			came += len(text)
			s.emit(ReplyDelta{n, text})
			for _, b := range parser.Feed(text) {
				s.emit(BlockClosed{n, b.Path, b.Format, b.Line})
			}
		},
		Retry: func(again Retry) {
			s.ledger.lost(came)
			asks = asked{}
			parser, came = s.parser(asks.line), 0
			s.emit(Retried{n, again.Attempt, again.Wait.Milliseconds(), again.Why})
		},
	})
	s.ledger.settle(reply.Usage, bytes) // what failed tries cost, too
	if err != nil {
		return Reply{}, said{}, err
	}
	s.emit(ReplyReceived{n, reply})
	blocks := parser.Close()
	return reply, said{blocks, parser.Calls(), asks}, nil
}

// sent tells of a prompt, and what of the one before it repeats.
func (s *state) sent(n int, p prompts.Prompt, tokens int) PromptSent {
	now, was := p.System+p.User[:p.Stable], s.front
	s.front = p.System + p.User
	same := 0
	for same < min(len(now), len(was)) && now[same] == was[same] {
		same++
	}
	e := PromptSent{Round: n, System: p.System, User: p.User, Tokens: tokens, Stable: len(now), Same: same}
	if was != "" && same < len(now) {
		from := strings.LastIndexByte(now[:same], '\n') + 1
		line, _, _ := strings.Cut(now[from:], "\n")
		e.Broke = clip(line, 100)
	}
	return e
}

// sizeOf is what steps and tools add to a request, in bytes.
func sizeOf(steps []Step, tools []prompts.Tool) int {
	n := 0
	for _, t := range tools {
		n += len(t.Name) + len(t.Description) + len(t.Parameters)
	}
	for _, s := range steps {
		n += len(s.Reply.Text) + len(s.Reply.Reasoning)
		for _, c := range s.Reply.Calls {
			n += len(c.Name) + len(c.Arguments)
		}
		for _, a := range s.Answers {
			n += len(a)
		}
	}
	return n
}

// baseline runs the checks before the first round: nothing is sent if one of
// them cannot be started.
func (s *state) baseline(ctx context.Context) (err error) {
	if len(s.task.Checks) == 0 || s.task.DryRun {
		return nil
	}
	if err := s.base(ctx); err != nil {
		return err
	}
	s.run.Baseline, err = s.checks(ctx, 0)
	if err != nil {
		return err
	}
	for _, c := range s.run.Baseline {
		if c.Unstartable() {
			return &unstartable{c}
		}
	}
	return nil
}

// unstartable ends a run whose check command does not exist.
type unstartable struct{ run feedback.CheckRun }

func (u *unstartable) Error() string {
	return fmt.Sprintf("the check %q cannot be started (exit status %d)", u.run.Command, u.run.Exit)
}

// checks runs all checks, in order, to the end.
func (s *state) checks(ctx context.Context, n int) ([]feedback.CheckRun, error) {
	var out []feedback.CheckRun
	for _, command := range s.task.Checks {
		s.emit(CheckStarted{n, command})
		c, err := s.Shell.Run(ctx, command)
		if err != nil {
			return out, fmt.Errorf("running the check %q: %w", command, err)
		}
		s.emit(CheckCompleted{n, c.Passed(), c})
		out = append(out, c)
	}
	return out, nil
}

// told tells of each block's outcome.
func (s *state) told(n int, outcomes []edits.Outcome) {
	for _, o := range outcomes {
		e := EditOutcome{
			Round: n, Path: o.Block.Path, Format: o.Block.Format, Status: o.Status, Tier: o.Tier, Reason: o.Reason,
			To: o.Block.MoveTo, Delete: o.Block.Delete, Line: o.Line, Anchor: o.AnchorPreview, Old: o.OldPreview, New: o.NewPreview,
		}
		if o.Fail != nil {
			e.Detail = o.Fail.Detail
		}
		s.emit(e)
	}
}

// word makes the feedback of a round. Checks that did not run, because edits are
// missing, speak by what they said last: the next prompt has no other memory.
func (s *state) word(round *Round) (err error) {
	checks, earlier := round.Checks, false
	if len(checks) == 0 {
		checks, earlier = s.lastChecks(), true
	}
	round.Feedback, err = feedback.Message(feedback.Round{
		Outcomes: round.Outcomes, Cut: round.Reply.Finish == FinishLength, Full: round.Full,
		Checks: checks, Earlier: earlier, Baseline: s.run.Baseline,
		Read: func(path string) (string, bool) {
			content, err := s.Tree.Read(path)
			return content, err == nil
		},
	}, s.Prompts)
	return err
}

// lastChecks gives the checks that ran last.
func (s *state) lastChecks() []feedback.CheckRun {
	for i := len(s.run.Rounds) - 1; i >= 0; i-- {
		if c := s.run.Rounds[i].Checks; len(c) > 0 {
			return c
		}
	}
	return s.run.Baseline
}

func (s *state) costOrNil() *float64 {
	if c, known := s.ledger.cost(); known {
		return &c
	}
	return nil
}
