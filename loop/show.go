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

// files adds what the shelf holds, as it is now: first what the run has not
// changed, then what it has.
func (s *state) files(in *prompts.Input) error {
	in.Files, in.Changed, in.Omitted = nil, nil, slices.Clone(s.shelf.left)
	in.Map = s.shelf.plan
	s.shown = map[string]string{}
	dropped := 0
	for _, p := range s.shelf.picks {
		switch {
		case slices.Contains(s.run.Changed, p.Path): // below
		case p.dropped:
			dropped++
		default:
			if err := s.show(p.Path, []*pick{p}, in, &in.Files); err != nil {
				return err
			}
		}
	}
	if dropped > 0 {
		in.Omitted = append(in.Omitted, count(dropped, "more file")+" for which there is no room")
	}
	for _, path := range s.run.Changed {
		if err := s.show(path, s.shelf.of(path), in, &in.Changed); err != nil {
			return err
		}
	}
	return nil
}

// show adds a file as it is now, with what these picks hold of it; one that is
// gone is left out.
func (s *state) show(path string, picks []*pick, in *prompts.Input, to *[]prompts.File) error {
	read := s.Show
	if read == nil {
		read = s.Tree.Read
	}
	content, err := read(path)
	var no *edits.Refusal
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.As(err, &no):
		return nil
	case err != nil:
		return fmt.Errorf("reading %s for the prompt: %w", path, err)
	}
	s.shown[path] = content
	s.shelf.see(path, content)
	readOnly := slices.ContainsFunc(picks, func(p *pick) bool { return p.ReadOnly })
	f := prompts.File{Path: path, New: s.created[path], ReadOnly: readOnly}
	lines := edits.Lines(content)
	spans, left := s.shelf.parts(path, content, lines, picks)
	if left > 0 {
		in.Omitted = append(in.Omitted, count(left, "more changed place")+" in "+path)
	}
	if spans == nil {
		f.Text = edits.Quote(content)
		*to = append(*to, f)
	}
	for _, span := range spans {
		f.Text = edits.Quote(strings.Join(lines[span.From-1:span.To], "\n") + "\n")
		f.Part = fmt.Sprintf("lines %d-%d of %d", span.From, span.To, len(lines))
		*to = append(*to, f)
	}
	return nil
}

// parts gives which lines of a file are shown, nil for all, and how many changed
// places are left out: what the picks hold, each moved from the version that it
// was first shown in, and what changed since the run first saw the file.
func (sh *shelf) parts(path, content string, lines []string, picks []*pick) (spans []Span, left int) {
	for _, p := range picks {
		if p.base == "" {
			p.base = content
		}
		if p.Spans != nil {
			spans = append(spans, moved(p.Spans, alike(edits.Lines(p.base), lines))...)
		}
	}
	if sh.whole(path, content, lines, picks) {
		return nil, 0
	}
	places := merged(changes(alike(edits.Lines(sh.seen[path]), lines)), len(lines))
	if left = max(0, len(places)-mostPlaces); left > 0 {
		places = places[:mostPlaces]
	}
	spans = merged(append(spans, places...), len(lines))
	if spans == nil {
		spans = []Span{{1, min(aroundEdit, len(lines))}} // so that it is not taken for gone
	}
	return spans, left
}

// whole reports whether all of a file is shown: because a pick says so, or, where
// none speaks of it, because it is not large.
func (sh *shelf) whole(path, content string, lines []string, picks []*pick) bool {
	switch {
	case len(lines) == 0:
		return true
	case sh.cut[path]:
		return false
	case len(picks) > 0:
		return slices.ContainsFunc(picks, func(p *pick) bool { return p.Spans == nil })
	}
	return len(lines) <= pageLines && len(content) <= pageBytes
}
