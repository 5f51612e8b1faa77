package loop

import (
	"context"
	"fmt"
	"slices"

	"github.com/agentloop/agentloop/edits"
)

// confirmed applies the blocks that the user agrees to, one after the other; the
// others fail as declined. A block that cannot be applied is not asked about.
func (t *talk) confirmed(ctx context.Context, blocks []edits.Block, set edits.Settings) (edits.Result, error) {
	var kept []edits.Block
	var before edits.Result
	declined := map[int]bool{}
	for i, b := range blocks {
		more := append(slices.Clip(kept), b)
		res, err := edits.Apply(more, t.current(more), set)
		if err != nil {
			return res, err
		}
		last := res.Outcomes[len(kept)]
		if last.Status == edits.Applied && last.Reason == "" {
			yes, err := t.Confirm(ctx, last, between(before, res))
			if err != nil {
				return res, fmt.Errorf("asking before an edit: %w", err)
			}
			if declined[i] = !yes; !yes {
				continue
			}
		}
		kept, before = more, res
	}
	res, err := edits.Apply(kept, t.current(kept), set)
	for i, b := range blocks {
		if declined[i] {
			res.Outcomes = slices.Insert(res.Outcomes, i, edits.Decline(b))
		}
	}
	return res, err
}

// between gives the changes that one more block made.
func between(before, after edits.Result) []edits.Change {
	var out []edits.Change
	for _, c := range after.Changes {
		i := slices.IndexFunc(before.Changes, func(o edits.Change) bool { return o.Path == c.Path })
		if i >= 0 && before.Changes[i] == c {
			continue
		}
		if i >= 0 {
			c.Before, c.Existed = before.Changes[i].After, !before.Changes[i].Delete
		}
		out = append(out, c)
	}
	return out
}
