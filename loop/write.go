package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agentloop/agentloop/edits"
)

// write puts the changes into the tree. A file that the tree refuses, because
// somebody else changed it meanwhile, takes its blocks' outcomes with it; the
// others are written.
func (s *state) write(ctx context.Context, n int, res edits.Result) (edits.Result, error) {
	for len(res.Changes) > 0 {
		if err := s.base(ctx); err != nil {
			return res, err
		}
		err := s.Tree.Write(ctx, res.Changes)
		var no *edits.Refusal
		if err == nil {
			break
		}
		var tied []string
		if errors.As(err, &no) {
			tied = res.Tied(no.Path)
		}
		if no == nil || !res.Refuse(no) {
			return res, fmt.Errorf("writing the changes of a round: %w", err)
		}
		for _, path := range tied {
			if len(s.task.Tools) > 0 {
				s.told(n, res.Of(path)) // it was told that they are in
			}
		}
	}
	s.shelf.wrote(res.Changes)
	for _, c := range res.Changes {
		if !c.Existed {
			s.created[c.Path] = true
		}
		if !slices.Contains(s.run.Changed, c.Path) {
			s.run.Changed = append(s.run.Changed, c.Path)
		}
	}
	return res, nil
}

// base takes the snapshot before the first round, once.
func (s *state) base(ctx context.Context) error {
	if s.based {
		return nil
	}
	rev, err := s.Tree.Snapshot(ctx, 0)
	if err != nil {
		return fmt.Errorf("taking the snapshot before the first round: %w", err)
	}
	s.based, s.run.Verdict.Base = true, rev
	return nil
}
