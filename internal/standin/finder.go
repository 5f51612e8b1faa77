package standin

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agentloop/agentloop/edits"
)

// Finder is a model that knows one wanted change and may only edit what it was
// shown. Where the prompt does not show the lines to change, but names their
// file, it asks for it, a page at a time; where it does not even name it, it
// gives up.
type Finder struct {
	Path        string // of the file to change
	Start, Gold string // its content now, and as wanted
	asked       int
}

// shownPart is a run of a file's lines in a prompt.
type shownPart struct {
	from  int // number of the first, from 1
	lines []string
}

// Answer edits, asks or gives up.
func (f *Finder) Answer(c Chat) Answer {
	was, now := newText(f.Start).lines, newText(f.Gold).lines
	head, tail := 0, 0
	for head < min(len(was), len(now)) && was[head] == now[head] {
		head++
	}
	for tail < min(len(was), len(now))-head && was[len(was)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	from, to := head, len(was)-tail // was[from:to] is to change
	prompt := c.LastUser()
	for _, part := range partsOf(prompt, f.Path) {
		lo, hi := part.from-1, part.from-1+len(part.lines)
		if lo > from || hi < to || lo == hi {
			continue
		}
		a, b := max(lo, from-2), min(hi, to+2)
		for count(was, was[a:b]) != 1 && (a > lo || b < hi) {
			a, b = max(lo, a-1), min(hi, b+1)
		}
		new := append(append(append([]string{}, was[a:from]...), now[head:len(now)-tail]...), was[to:b]...)
		return Answer{Text: render(edits.SearchReplace, f.Path, was[a:b], new)}
	}
	if !strings.Contains(prompt, f.Path) && !strings.Contains(prompt, f.Path[strings.LastIndexByte(f.Path, '/')+1:]) {
		return Answer{Text: Nothing}
	}
	f.asked++
	if f.asked == 1 {
		return Answer{Text: "SHOW " + f.Path + "\n"}
	}
	const page = 800
	return Answer{Text: fmt.Sprintf("SHOW %s:%d-%d\n", f.Path, (f.asked-1)*page+1, f.asked*page)}
}

// partsOf finds what a prompt shows of a file.
func partsOf(prompt, path string) (parts []shownPart) {
	var cur *shownPart
	open := ""
	for _, line := range strings.Split(prompt, "\n") {
		fence := fenceOf(line)
		switch {
		case open != "" && fence != "" && strings.HasPrefix(fence, open) && fence == strings.TrimSpace(line):
			if cur != nil {
				parts = append(parts, *cur)
			}
			open, cur = "", nil
		case open != "":
			if cur != nil {
				cur.lines = append(cur.lines, bare(line))
			}
		case fence != "":
			open = fence
		case strings.HasPrefix(line, fileHeading):
			cur = nil
			name := strings.TrimSpace(line[len(fileHeading):])
			if name == path {
				cur = &shownPart{from: 1}
			} else if rest, ok := strings.CutPrefix(name, path+", lines "); ok {
				first, _, _ := strings.Cut(rest, "-")
				if n, err := strconv.Atoi(first); err == nil {
					cur = &shownPart{from: n}
				}
			}
		}
	}
	return parts
}

// Dawdler is a model that gets nowhere: each time it puts a comment into the
// middle of what it is shown of a file, or of the last file where that one is not
// shown.
type Dawdler struct {
	Path string
	n    int
}

// Answer adds one comment.
func (d *Dawdler) Answer(c Chat) Answer {
	prompt, path := c.LastUser(), d.Path
	parts := partsOf(prompt, path)
	if len(parts) == 0 && strings.Contains(prompt, fileHeading) {
		heading, _, _ := strings.Cut(prompt[strings.LastIndex(prompt, fileHeading)+len(fileHeading):], "\n")
		path, _, _ = strings.Cut(strings.TrimSpace(heading), ", lines ")
		parts = partsOf(prompt, path)
	}
	if len(parts) == 0 || len(parts[0].lines) == 0 {
		return Answer{Text: Nothing}
	}
	d.n++
	mark := "//"
	if strings.HasSuffix(path, ".py") {
		mark = "#"
	}
	at := len(parts[0].lines) / 2
	old := parts[0].lines[at:min(at+6, len(parts[0].lines))]
	return Answer{Text: render(edits.SearchReplace, path, old, append([]string{fmt.Sprintf("%s note %d", mark, d.n)}, old...))}
}
