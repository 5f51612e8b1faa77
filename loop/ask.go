package loop

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agentloop/agentloop/edits"
)

// In text mode a model asks for more by lines of its own, outside of blocks and
// fences:
//
//	SHOW path            the whole file
//	SHOW path:100-200    these lines of it
//	FIND pattern         the lines that a regular expression fits
//
// What was asked for stands in the next prompt. A reply that only asks costs a
// look and no round.

// asked is what a reply asks for.
type asked struct {
	shows []Pick
	finds []string
	fence string // that is open
}

func (a asked) some() bool { return len(a.shows)+len(a.finds) > 0 }

// maxAsked caps what one reply may ask for.
const maxAsked = 10

// askedLine is the longest line, in bytes, of a file that can be asked for.
const askedLine = 16 << 10

// line reads one line outside of blocks. It counts at the line's start only, and
// not within a fence.
func (a *asked) line(line string) {
	if a.fence != "" {
		if strings.HasPrefix(line, a.fence) {
			a.fence = ""
		}
		return
	}
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		a.fence = line[:3]
		return
	}
	what, of, ok := strings.Cut(strings.Trim(strings.TrimRight(line, " \t\r"), "`"), " ")
	of = strings.TrimSpace(of)
	switch {
	case !ok || of == "" || len(a.shows)+len(a.finds) == maxAsked:
	case what == "SHOW":
		a.shows = append(a.shows, showOf(of))
	case what == "FIND":
		a.finds = append(a.finds, of)
	}
}

// showOf reads "path" or "path:from-to".
func showOf(text string) Pick {
	p := Pick{Path: edits.CallPath(text), Why: "asked for by the model"}
	path, lines, ok := strings.Cut(p.Path, ":")
	from, to, _ := strings.Cut(lines, "-")
	a, err := strconv.Atoi(from)
	b, err2 := strconv.Atoi(to)
	if ok && err == nil && (to == "" || err2 == nil) {
		if to == "" {
			b = a
		}
		p.Path, p.Spans = path, []Span{{max(1, a), max(1, a, b)}}
	}
	return p
}

// looked reports whether a reply only asked for more files, which then stand in
// the next prompt of the same round. What a reply with edits asks for stands in
// the next round's.
func (t *talk) looked(ctx context.Context, words said) bool {
	t.found = ""
	if len(t.task.Tools) > 0 || t.looks >= t.task.Looks {
		return false
	}
	if !words.asks.some() {
		return false
	}
	t.looks++
	t.fetch(ctx, words.asks)
	return len(words.blocks) == 0
}

// fetch puts what was asked for on the shelf, and words what was found.
func (t *talk) fetch(ctx context.Context, a asked) {
	var told []string
	for _, p := range a.shows {
		content, err := t.see(p.Path, t.desk.peek)
		switch {
		case err != nil:
			told = append(told, p.Path+": "+unreadable(err))
			continue
		case strings.IndexByte(content[:min(len(content), 8<<10)], 0) >= 0:
			told = append(told, p.Path+": a binary file")
			continue
		}
		lines := edits.Lines(content)
		if slices.ContainsFunc(lines, func(l string) bool { return len(l) > askedLine }) {
			told = append(told, p.Path+": its lines are too long to be shown; FIND shows parts of them")
			continue
		}
		if end := pageEnd(lines, 0, len(lines)); p.Spans == nil && end < len(lines) {
			p.Spans = []Span{{1, end}}
			told = append(told, fmt.Sprintf("%s has %d lines: the first %d are shown", p.Path, len(lines), end))
		}
		for i, span := range p.Spans {
			p.Spans[i].To = max(span.From, pageEnd(lines, min(span.From, len(lines))-1, min(span.To, len(lines))))
		}
		if t.shelf.again(p.Path) || len(t.shelf.add([]Pick{p}, func(int) int { return 0 })) > 0 {
			t.emit(FileChosen{t.n, p.Path, p.Why, p.Spans})
		} else {
			told = append(told, p.Path+" is shown already")
		}
	}
	for _, pattern := range a.finds {
		told = append(told, "FIND "+pattern+"\n"+edits.Quote(t.search(ctx, looking{Pattern: pattern})))
	}
	t.found = strings.Join(told, "\n")
}

// again shows a file that had been left out for want of room.
func (sh *shelf) again(path string) (was bool) {
	for _, p := range sh.picks {
		if p.Path == path && p.dropped {
			p.dropped, p.rank, was = false, 0, true
		}
	}
	return was
}
