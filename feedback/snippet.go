package feedback

import (
	"strings"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/prompts"
)

// quoter cuts snippets out of files and keeps to the lines that are left.
type quoter struct {
	read  func(path string) (string, bool)
	left  int // lines that may still be quoted
	texts map[string][]string
}

const (
	around     = 3  // lines shown on both sides of a place
	outlineMax = 12 // lines of a file's outline
)

// failure gathers what is said about one failed block.
func (q *quoter) failure(o edits.Outcome) prompts.Failure {
	b, fail := &o.Block, o.Fail
	f := prompts.Failure{
		Path: subject(o), Reason: string(o.Reason), Part: string(fail.Part), Detail: edits.Quote(fail.Detail),
		FileOp: b.Command() != "", MovedTo: fail.MovedTo,
		Blanks: string(fail.Blanks), Count: fail.Count,
		Side:    sideOf(b.Format),
		Preview: edits.Quote(headOf(o)),
	}
	if f.Path == "" {
		f.Path = "(no path)"
	}
	for _, l := range fail.Missing[:min(len(fail.Missing), maxMissing)] {
		f.Missing = append(f.Missing, edits.Quote(clip(strings.TrimSpace(l), 100)))
	}
	if len(fail.Made) > 0 {
		f.Made = edits.Quote(strings.Join(fail.Made, "\n"))
		q.left -= len(fail.Made)
	}
	var places []edits.Place
	switch {
	case o.Reason == edits.Ambiguous:
		places = fail.Candidates[:min(len(fail.Candidates), maxPlaces)]
	case fail.Near != nil:
		places = append([]edits.Place{*fail.Near}, fail.Candidates...)
	case f.FileOp:
	case o.Reason == edits.NotFound || o.Reason == edits.FileExists:
		f.Outline = q.outline(b.Path)
	}
	for _, r := range q.ranges(b.Path, places) {
		q.add(&f, b.Path, r, b.Start > 0)
	}
	if b.Start > 0 && len(f.Snippets) > 0 {
		content, _ := q.read(b.Path)
		f.Tag = edits.Tag(content)
	}
	return f
}

// sideOf is how the format calls what a block wants to find.
func sideOf(f edits.Format) string {
	switch f {
	case edits.Anchored, edits.Anchored4:
		return "EDIT"
	case edits.EditLines:
		return "old"
	}
	return "SEARCH"
}

// headOf gives the words by which the model knows its block again: the start of
// what it wanted to find, else of what it wanted to write.
func headOf(o edits.Outcome) string {
	for _, s := range [...]string{o.OldPreview, o.AnchorPreview, o.NewPreview} {
		if s != "" {
			return s
		}
	}
	return ""
}

// span is a range of lines to quote, lines[from:to].
type span struct{ from, to int }

// ranges gives what to quote for the places: each with the lines around it, more
// of them until the piece stands only once in the file; pieces that overlap are
// one.
func (q *quoter) ranges(path string, places []edits.Place) []span {
	if len(places) == 0 {
		return nil
	}
	lines := q.lines(path)
	var out []span
	for _, p := range places {
		r := span{max(0, p.Line-1-around), min(len(lines), p.End+around)}
		if r.from >= r.to {
			continue
		}
		for grow := 0; grow < 40 && !unique(lines, r.from, r.to); grow++ {
			r.from, r.to = max(0, r.from-1), min(len(lines), r.to+1)
		}
		merged := false
		for i, o := range out {
			if r.from < o.to && o.from < r.to {
				out[i] = span{min(r.from, o.from), max(r.to, o.to)}
				merged = true
				break
			}
		}
		if !merged {
			out = append(out, r)
		}
	}
	return out
}

// add quotes a range of a file's lines, as far as lines may still be quoted. They
// are numbered for a block that knows its lines so: nothing of it is copied.
func (q *quoter) add(f *prompts.Failure, path string, r span, numbered bool) {
	lines := q.lines(path)
	to := min(r.to, r.from+q.left)
	if to <= r.from {
		return
	}
	q.left -= to - r.from
	text := edits.Quote(strings.Join(lines[r.from:to], "\n") + "\n")
	if numbered {
		text = edits.Numbered(lines, r.from, to)
	}
	f.Snippets = append(f.Snippets, prompts.Snippet{Line: r.from + 1, Text: text})
}

// outline says what is in a file that holds nothing like the block: its
// declarations, or its head.
func (q *quoter) outline(path string) string {
	content := strings.Join(q.lines(path), "\n")
	out := edits.Outline(content, outlineMax)
	if len(out) == 0 {
		out = q.lines(path)
		out = out[:min(len(out), outlineMax)]
	}
	out = out[:min(len(out), q.left)]
	q.left -= len(out)
	return edits.Quote(strings.Join(out, "\n"))
}

// lines gives a file's lines, without line endings.
func (q *quoter) lines(path string) []string {
	if l, ok := q.texts[path]; ok {
		return l
	}
	var lines []string
	if content, ok := q.read(path); ok {
		lines = edits.Lines(content)
	}
	q.texts[path] = lines
	return lines
}

// unique reports whether lines[from:to] stand nowhere else.
func unique(lines []string, from, to int) bool {
	n := to - from
	for at := 0; at+n <= len(lines); at++ {
		if at == from || lines[at] != lines[from] {
			continue
		}
		same := 1
		for same < n && lines[at+same] == lines[from+same] {
			same++
		}
		if same == n {
			return false
		}
	}
	return true
}

func clip(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
