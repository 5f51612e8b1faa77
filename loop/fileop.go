package loop

import "github.com/agentloop/agentloop/edits"

// Tracker is a Tree that knows which of its files git tracks. Others could not
// be got back from git: they are neither deleted nor renamed. In a Tree that is
// none every file may be.
type Tracker interface {
	Tracked(path string) (bool, error)
}

// tracked says whether a file that is there may be deleted or renamed: what the
// run itself created may.
func (s *state) tracked(path string) (bool, error) {
	tree, ok := s.Tree.(Tracker)
	if !ok || s.created[path] {
		return true, nil
	}
	return tree.Tracked(path)
}

// tracked says so of a file as the round has left it: a path that was free before
// the round holds nothing of the user's.
func (t *talk) tracked(path string) (bool, error) {
	if was, known := t.desk.was[path]; known && was == nil {
		return true, nil
	}
	return t.state.tracked(path)
}

// parser makes what reads a reply.
func (s *state) parser(outside func(line string)) *edits.Parser {
	return &edits.Parser{Commands: s.task.Edits.FileOps == edits.OpsApply, Outside: outside}
}

// noteGone keeps which files went away. One that comes back, since the round
// could not be written, is there, and so what is kept of it does not count.
func (s *state) noteGone(outcomes []edits.Outcome) {
	for _, o := range outcomes {
		if good(o) && o.Reason == "" && (o.Block.Delete || o.Block.MoveTo != "") {
			s.gone[o.Block.Path] = o.Block.MoveTo
		}
	}
}

// suggest keeps what is left to suggest after a round.
func (s *state) suggest(r *Round) {
	for _, text := range r.texts() {
		s.run.Suggest = append(s.run.Suggest, edits.Suggestions(text)...)
	}
	s.run.Suggest = edits.Pending(s.run.Suggest, r.Outcomes)
}
