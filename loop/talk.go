package loop

import (
	"context"
	"slices"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/prompts"
)

// talk is what happens between a round's prompt and its close: one reply, or, in
// tool mode, several, with their calls and the answers to them. Nothing is
// written before it ends.
type talk struct {
	*state
	n     int
	desk  *desk
	steps []Step
	calls int               // made so far
	full  bool              // no more calls are answered
	late  error             // ends the run once this round is closed
	read  map[string]string // files as the model last read them, by read_file
	moved map[string]bool   // files that are not as the prompt shows them
	done  []settled
}

// settled is the outcome of a block, and in which reply it stood.
type settled struct {
	edits.Outcome
	step int
}

func (s *state) newTalk(n int) *talk {
	t := &talk{state: s, n: n, read: map[string]string{}, moved: map[string]bool{}}
	t.desk = newDesk(func(path string) (string, error) {
		content, err := s.Tree.Read(path)
		if shown, known := s.shown[path]; err == nil && known && content != shown {
			t.moved[path] = true
		}
		return content, err
	})
	return t
}

// hold carries the talk to its end. An error of the model's, or of the budget,
// that comes after edits is kept for when these are in.
func (t *talk) hold(ctx context.Context, p prompts.Prompt) (Reply, error) {
	for {
		if len(t.steps) > 0 && !t.roomFor(p) {
			t.full = true
			return t.last(), nil
		}
		reply, said, err := t.ask(ctx, t.n, p, t.steps)
		if err != nil && t.tooLong(err, p) {
			if len(t.steps) > 0 {
				t.full = true
				return t.last(), nil
			}
			if p, err = t.prompt(); err != nil {
				return Reply{}, err
			}
			continue
		}
		if err != nil {
			if len(t.desk.changes()) == 0 || ctx.Err() != nil {
				return Reply{}, err
			}
			t.late = err
			return t.last(), nil
		}
		answers, err := t.answer(ctx, reply, said)
		if err != nil {
			return reply, err
		}
		if len(answers) == 0 {
			if !t.looked(ctx, said) {
				return reply, nil
			}
			if p, err = t.prompt(); err != nil {
				return reply, err
			}
			continue
		}
		t.steps = append(t.steps, Step{reply, answers})
		if t.calls >= t.task.maxCalls() {
			t.full = true
			return reply, nil
		}
	}
}

func (t *talk) last() Reply {
	if len(t.steps) == 0 {
		return Reply{}
	}
	return t.steps[len(t.steps)-1].Reply
}

// apply puts the blocks of one reply onto the desk, as if made at once.
func (t *talk) apply(ctx context.Context, blocks []edits.Block) (edits.Result, error) {
	set := t.settings()
	apply := func() (edits.Result, error) { return edits.Apply(blocks, t.current(blocks), set) }
	if t.Confirm != nil && !t.task.DryRun {
		apply = func() (edits.Result, error) { return t.confirmed(ctx, blocks, set) }
	}
	res, err := apply()
	if err != nil {
		return res, err
	}
	t.validate(ctx, t.n, &res)
	t.noteGone(res.Outcomes)
	t.desk.put(res.Changes)
	for _, c := range res.Changes {
		if c.From != "" && t.moved[c.From] {
			t.moved[c.Path] = true
		}
	}
	for _, o := range res.Outcomes {
		t.done = append(t.done, settled{o, len(t.steps)})
	}
	if len(t.task.Tools) > 0 {
		t.told(t.n, res.Outcomes) // else the round tells, when it has written
	}
	return res, nil
}

// current gives what the blocks of a reply are matched against. A block that
// stands for the whole file, or names lines by nothing but their numbers, was
// made from the file as the prompt shows it: what somebody wrote since would be
// lost without a trace, so it is refused.
func (t *talk) current(blocks []edits.Block) edits.ReadFunc {
	return func(path string) (string, error) {
		if t.readOnly(path) {
			return "", &edits.Refusal{Path: path, Reason: edits.PathRefused, Why: "it is given for reading only"}
		}
		content, err := t.desk.Read(path)
		if err != nil || !t.moved[path] {
			return content, err
		}
		for _, b := range blocks {
			blind := b.Whole || b.Delete || b.Start > 0 && len(b.Guard) == 0
			if blind && (b.Path == path || b.Path == "") {
				return "", &edits.Refusal{Path: path, Reason: edits.ChangedOnDisk, Why: "was changed by somebody else since the model was shown it"}
			}
		}
		return content, nil
	}
}

// settings says how blocks are applied in the middle of a round.
func (t *talk) settings() edits.Settings {
	set := t.state.settings()
	set.Shown, set.Tracked, set.Moved = t.shownNow, t.tracked, t.isMoved
	return set
}

func (t *talk) isMoved(path string) bool { return t.moved[path] }

// shownNow gives a file as the model was shown it last.
func (t *talk) shownNow(path string) (string, bool) {
	if content, ok := t.read[path]; ok {
		return content, true
	}
	content, ok := t.shown[path]
	return content, ok
}

// outcomes gives what became of the round's blocks. A failure is left out where
// a later reply got an edit of the same file in.
func (t *talk) outcomes() []edits.Outcome {
	var out []edits.Outcome
	for _, o := range t.done {
		good := o.Status != edits.Failed && o.Status != edits.Skipped
		if o.Block.Preview || !good && t.mended(o) {
			continue
		}
		out = append(out, o.Outcome)
	}
	return out
}

func (t *talk) mended(o settled) bool {
	return slices.ContainsFunc(t.done, func(later settled) bool {
		return later.step > o.step && good(later.Outcome) && later.Reason != edits.NoChange && !later.Block.Preview && (o.Block.Path == "" || o.Block.Path == later.Block.Path)
	})
}

// undo forgets what the round did to a file, and to those that renames tie to it.
// What failed there stays a failure.
func (t *talk) undo(path string) (any bool) {
	var res edits.Result
	for _, o := range t.done {
		res.Outcomes = append(res.Outcomes, o.Outcome)
	}
	for _, path := range res.Tied(path) {
		if t.desk.undo(path) {
			t.done = slices.DeleteFunc(t.done, func(o settled) bool { return o.Block.Path == path && good(o.Outcome) })
			any = true
		}
	}
	return any
}
