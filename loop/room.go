package loop

import (
	"errors"
	"slices"

	"github.com/agentloop/agentloop/prompts"
)

// windowShare is the part of a model's window that a prompt may fill where the
// length of the answer is not bounded.
const windowShare = 0.75

// fits reports whether a prompt leaves room for an answer in the model's window.
func (s *state) fits(p prompts.Prompt) bool { return s.holds(len(p.System) + len(p.User)) }

func (s *state) holds(bytes int) bool {
	if s.window <= 0 {
		return true
	}
	room := int(float64(s.window) * windowShare)
	if out := s.task.Budget.Output; out > 0 {
		room = max(room, s.window-out)
	}
	return s.ledger.estimate(bytes) <= room
}

// drop leaves out the least of the shelf's picks that are still shown, but never
// the last one; where that is done, it cuts a file that the run changed to the
// places that it changed, which is no use for one that it made anew.
func (s *state) drop() bool {
	var worst *pick
	left := 0
	for _, p := range s.shelf.picks {
		if p.dropped {
			continue
		}
		left++
		if !slices.Contains(s.run.Changed, p.Path) && (worst == nil || p.rank > worst.rank) {
			worst = p
		}
	}
	if worst != nil && left > 1 {
		worst.dropped = true
		return true
	}
	for _, path := range s.run.Changed {
		if !s.shelf.cut[path] && s.shelf.seen[path] != "" {
			s.shelf.cut[path] = true
			return true
		}
	}
	return false
}

// tooLong takes in that a model refused a request for its length, and reports
// whether there is a shorter one to send: without what was said since the prompt,
// or with a shorter prompt.
func (t *talk) tooLong(err error, p prompts.Prompt) bool {
	var trouble *ModelError
	if !errors.As(err, &trouble) || trouble.Kind != TroubleContext {
		return false
	}
	sent := t.ledger.estimate(len(p.System) + len(p.User) + sizeOf(t.steps, nil))
	if t.window == 0 || sent < t.window {
		t.window = sent
	}
	return len(t.steps) > 0 || t.drop()
}

// roomFor reports whether a prompt with what was said since leaves room for an
// answer.
func (t *talk) roomFor(p prompts.Prompt) bool {
	return t.holds(len(p.System) + len(p.User) + sizeOf(t.steps, nil))
}
