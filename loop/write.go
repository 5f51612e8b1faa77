package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agentloop/agentloop/edits"
)

// current gives what the blocks of a reply are matched against. A block that
// stands for the whole file was made from the file as the prompt showed it: what
// somebody wrote since would be lost without a trace, so it is refused.
func (s *state) current(blocks []edits.Block) edits.ReadFunc {
	return func(path string) (string, error) {
		content, err := s.Tree.Read(path)
		shown, known := s.shown[path]
		if err != nil || !known || content == shown {
			return content, err
		}
		for _, b := range blocks {
			if (b.Whole || b.Delete) && (b.Path == path || b.Path == "") {
				return "", &edits.Refusal{Path: path, Reason: edits.ChangedOnDisk, Why: "was changed by somebody else since the model was shown it"}
			}
		}
		return content, nil
	}
}

// write puts the changes into the tree. A file that the tree refuses, because
// somebody else changed it meanwhile, takes its blocks' outcomes with it; the
// others are written.
func (s *state) write(ctx context.Context, res edits.Result) (edits.Result, error) {
	for len(res.Changes) > 0 {
		if err := s.base(ctx); err != nil {
			return res, err
		}
		err := s.Tree.Write(ctx, res.Changes)
		var no *edits.Refusal
		if err == nil {
			break
		}
		if !errors.As(err, &no) || !res.Refuse(no) {
			return res, fmt.Errorf("writing the changes of a round: %w", err)
		}
	}
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
