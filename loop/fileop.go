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

// parser makes what reads a reply.
func (s *state) parser() *edits.Parser {
	return &edits.Parser{Commands: s.task.Edits.FileOps == edits.OpsApply}
}

// noteFileOps keeps which files are gone, and what is left to suggest.
func (s *state) noteFileOps(r *Round) {
	for _, o := range r.Outcomes {
		if o.Status == edits.Applied && o.Reason == "" && (o.Block.Delete || o.Block.MoveTo != "") {
			s.gone[o.Block.Path] = o.Block.MoveTo
		}
	}
	for _, text := range r.texts() {
		s.run.Suggest = append(s.run.Suggest, edits.Suggestions(text)...)
	}
	s.run.Suggest = edits.Pending(s.run.Suggest, r.Outcomes)
}
