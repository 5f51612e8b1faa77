package loop

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/prompts"
)

// aroundEdit is how many lines are shown on both sides of what the run changed in
// a file that is shown in parts.
const aroundEdit = 20

// files adds what the shelf holds, as it is now: first what the run has not
// changed, then what it has.
func (s *state) files(in *prompts.Input) error {
	in.Files, in.Changed, in.Omitted = nil, nil, slices.Clone(s.shelf.left)
	in.Map = s.shelf.plan
	s.shown = map[string]string{}
	dropped := 0
	for _, p := range s.shelf.picks {
		if p.dropped {
			dropped++
		} else if !slices.Contains(s.run.Changed, p.Path) {
			if err := s.show(p, &in.Files); err != nil {
				return err
			}
		}
	}
	if dropped > 0 {
		in.Omitted = append(in.Omitted, count(dropped, "more file")+" for which there is no room")
	}
	for _, path := range s.run.Changed {
		if err := s.showChanged(path, &in.Changed); err != nil {
			return err
		}
	}
	return nil
}

// showChanged adds a file that the run has changed: all of it, unless only parts
// of it were shown before.
func (s *state) showChanged(path string, to *[]prompts.File) error {
	whole := &pick{Pick: Pick{Path: path}}
	for _, p := range s.shelf.picks {
		if p.Path == path && p.Spans != nil {
			whole.Spans, whole.base = append(whole.Spans, p.Spans...), p.base
		}
	}
	slices.SortFunc(whole.Spans, func(a, b Span) int { return a.From - b.From })
	return s.show(whole, to)
}

// show adds a file as it is now; one that is gone is left out.
func (s *state) show(p *pick, to *[]prompts.File) error {
	read := s.Show
	if read == nil {
		read = s.Tree.Read
	}
	content, err := read(p.Path)
	var no *edits.Refusal
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.As(err, &no):
		return nil
	case err != nil:
		return fmt.Errorf("reading %s for the prompt: %w", p.Path, err)
	}
	s.shown[p.Path] = content
	f := prompts.File{Path: p.Path, New: s.created[p.Path], ReadOnly: p.ReadOnly}
	if p.Spans == nil {
		f.Text = edits.Quote(content)
		*to = append(*to, f)
		return nil
	}
	if p.base == "" {
		p.base = content
	}
	lines := linesOf(content)
	for _, span := range merged(moved(p.Spans, linesOf(p.base), lines), len(lines)) {
		f.Text = edits.Quote(strings.Join(lines[span.From-1:span.To], "\n") + "\n")
		f.Part = fmt.Sprintf("lines %d-%d of %d", span.From, span.To, len(lines))
		*to = append(*to, f)
	}
	return nil
}

// moved carries spans of one version of a file over to another: those above what
// changed stay, those below it move with their lines, and what changed is shown.
func moved(spans []Span, was, now []string) []Span {
	same, tail := unchanged(was, now)
	if same == len(was) && len(was) == len(now) {
		return spans
	}
	by := len(now) - len(was)
	out := []Span{{same + 1 - aroundEdit, len(now) - tail + aroundEdit}}
	for _, s := range spans {
		if s.From > same {
			s.From = max(same+1, s.From+by)
		}
		if s.To > same {
			s.To = max(s.From, s.To+by)
		}
		out = append(out, s)
	}
	return out
}

// merged puts spans in order, within 1 to n, and makes one of those that touch.
func merged(spans []Span, n int) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return a.From - b.From })
	var out []Span
	for _, s := range spans {
		s.From, s.To = max(s.From, 1), min(s.To, n)
		switch {
		case s.From > s.To:
		case len(out) > 0 && s.From <= out[len(out)-1].To+1:
			out[len(out)-1].To = max(out[len(out)-1].To, s.To)
		default:
			out = append(out, s)
		}
	}
	return out
}
