package loop

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
)

// Pick is a file, or parts of one, that the prompt shows.
type Pick struct {
	Path     string
	Why      string // in a few words, for the transcript; "" for what the user named
	Spans    []Span // in order, apart from each other; nil: all of it
	ReadOnly bool   // it may not be edited
}

// Span is a range of lines, from 1, both ends included.
type Span struct{ From, To int }

// Need is what a choice of files is made from.
type Need struct {
	Task   string
	Named  []string            // by the user: then nothing else is chosen
	Checks []feedback.CheckRun // all, as they ran last; none: they have not run
	Shown  []Pick              // that the prompt has already: they stay
}

// Context is what is chosen.
type Context struct {
	Picks []Pick   // best first; of a path in Need.Shown only further parts
	Left  []string // what is left out, worded and counted
	Map   string   // of the rest of the tree; taken from the first choice only
}

// shelf holds what the prompt shows. Its order is the prompt's: what is added
// later stands behind, so that the front stays as it was.
type shelf struct {
	picks []*pick
	left  []string
	plan  string // the map of the tree

	seen map[string]string // each file as the run first saw it: in a prompt, or before it changed it
	cut  map[string]bool   // changed files of which only parts are shown, since the prompt was too long
}

// pick is a Pick on the shelf.
type pick struct {
	Pick
	rank    int    // from 0, the best
	base    string // the file's text when this pick was first shown: its spans count those lines
	dropped bool   // left out, since the prompt was too long
}

// choose fills the shelf: before the first round, and again when checks have
// spoken since.
func (s *state) choose(ctx context.Context, n int) error {
	first := s.shelf == nil
	if n := len(s.run.Rounds); !first && (n == 0 || len(s.run.Rounds[n-1].Checks) == 0) {
		return nil
	}
	if first {
		s.shelf = &shelf{seen: map[string]string{}, cut: map[string]bool{}}
		for _, path := range s.task.ReadOnly {
			s.shelf.add([]Pick{{Path: path, ReadOnly: true}}, inOrder)
		}
	}
	if s.Choose == nil {
		for _, path := range s.task.Files {
			s.shelf.add([]Pick{{Path: path}}, inOrder)
		}
		return nil
	}
	need := Need{Task: s.task.Text, Named: s.task.Files, Checks: s.lastChecks()}
	for _, p := range s.shelf.picks {
		need.Shown = append(need.Shown, p.Pick)
	}
	got, err := s.Choose(ctx, need)
	if err != nil {
		return fmt.Errorf("choosing files for the prompt: %w", err)
	}
	got.Picks = slices.DeleteFunc(got.Picks, func(p Pick) bool { return s.readOnly(p.Path) })
	if first {
		s.shelf.plan = got.Map
		s.shelf.left = append(s.shelf.left, got.Left...)
	}
	rank := inOrder
	if first && len(s.task.Files) == 0 {
		// What is most likely to change stands last: the front of the prompt stays.
		slices.Reverse(got.Picks)
		rank = func(i int) int { return len(got.Picks) - 1 - i }
	}
	for _, p := range s.shelf.add(got.Picks, rank) {
		if p.Why != "" {
			s.emit(FileChosen{n, p.Path, p.Why, p.Spans})
		}
	}
	return nil
}

func inOrder(i int) int { return i }

// add puts picks behind the others and gives those that are new; rank gives the
// rank of each.
func (sh *shelf) add(picks []Pick, rank func(i int) int) []Pick {
	var fresh []Pick
	for i, p := range picks {
		if slices.ContainsFunc(sh.picks, func(o *pick) bool { return o.Path == p.Path && (o.Spans == nil || slices.Equal(o.Spans, p.Spans)) }) {
			continue
		}
		sh.picks = append(sh.picks, &pick{Pick: p, rank: rank(i)})
		fresh = append(fresh, p)
	}
	return fresh
}

// of gives what is to be shown of a file; none: nothing is said of it.
func (sh *shelf) of(path string) (out []*pick) {
	for _, p := range sh.picks {
		if p.Path == path && !p.dropped {
			out = append(out, p)
		}
	}
	return out
}

// see keeps a file as the run first saw it.
func (sh *shelf) see(path, content string) {
	if _, known := sh.seen[path]; !known {
		sh.seen[path] = content
	}
}

// wrote takes in what the run changed: what a file held before, and which one
// goes by another name now.
func (sh *shelf) wrote(changes []edits.Change) {
	for _, c := range changes {
		if c.Existed {
			sh.see(c.Path, c.Before)
		}
	}
	to := map[string]string{}
	for _, c := range changes {
		if !c.Existed {
			sh.see(c.Path, sh.seen[c.From])
		}
		if c.From != "" {
			to[c.From] = c.Path
		}
	}
	for _, p := range sh.picks {
		p.Path = cmp.Or(to[p.Path], p.Path)
	}
}

// readOnly reports whether a path was given to read only.
func (s *state) readOnly(path string) bool { return slices.Contains(s.task.ReadOnly, path) }
