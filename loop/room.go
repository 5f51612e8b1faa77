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
func (s *state) fits(p prompts.Prompt) bool {
	if s.window <= 0 {
		return true
	}
	room := int(float64(s.window) * windowShare)
	if out := s.task.Budget.Output; out > 0 {
		room = max(room, s.window-out)
	}
	return s.ledger.estimate(len(p.System)+len(p.User)) <= room
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

// shrink takes in that a model refused a prompt for its length, and reports
// whether there is a shorter one to send.
func (s *state) shrink(err error, p prompts.Prompt) bool {
	var trouble *ModelError
	if !errors.As(err, &trouble) || trouble.Kind != TroubleContext {
		return false
	}
	sent := s.ledger.estimate(len(p.System) + len(p.User))
	if s.window == 0 || sent < s.window {
		s.window = sent
	}
	return s.drop()
}
