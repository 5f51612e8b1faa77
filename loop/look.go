package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/edits"
)

const (
	pageLines = 800      // lines of a page of read_file
	pageBytes = 48 << 10 // and bytes
	listMost  = 500      // paths that list_files gives
)

// looking are the arguments of the tools that make no block.
type looking struct {
	Path    string    `json:"path"`
	Start   edits.Int `json:"start_line"`
	End     edits.Int `json:"end_line"`
	Glob    string    `json:"glob"`
	Pattern string    `json:"pattern"`
}

// offers reports whether the task's tools hold this one.
func (t *talk) offers(tool string) bool { return slices.Contains(t.task.Tools, tool) }

// look answers a call that makes no block. What is wrong with it is the answer.
func (t *talk) look(ctx context.Context, c Call) string {
	if !t.offers(c.Name) {
		return fmt.Sprintf("there is no tool %q: there are %s", clip(c.Name, 60), strings.Join(t.task.Tools, ", "))
	}
	a, err := argumentsOf(c)
	if err != nil {
		return "failed: " + edits.BadArguments(err)
	}
	switch c.Name {
	case edits.ToolRead:
		return t.page(a)
	case edits.ToolUndo:
		return t.takeBack(a.Path)
	case edits.ToolSearch:
		return t.search(ctx, a)
	}
	return t.list(ctx, a.Glob)
}

// argumentsOf reads a call's arguments; none at all are good, too.
func argumentsOf(c Call) (a looking, err error) {
	if strings.TrimSpace(c.Arguments) != "" {
		err = json.Unmarshal([]byte(c.Arguments), &a)
	}
	a.Path = edits.CallPath(a.Path)
	return a, err
}

// page gives a file's lines with their numbers, and the tag of this version.
func (t *talk) page(a looking) string {
	if a.Path == "" {
		return "failed: path is missing"
	}
	content, err := t.see(a.Path, t.desk.Read)
	if err != nil {
		return "failed: " + a.Path + ": " + unreadable(err)
	}
	if strings.IndexByte(content[:min(len(content), 8<<10)], 0) >= 0 {
		return "failed: " + a.Path + " is a binary file"
	}
	lines := edits.Lines(content)
	from, to := max(a.Start.N, 1)-1, len(lines)
	if a.End.Given {
		to = min(a.End.N, len(lines))
	}
	if len(lines) == 0 {
		return fmt.Sprintf("%s is empty, tag %s", a.Path, edits.Tag(content))
	}
	if from >= len(lines) || to <= from {
		return fmt.Sprintf("failed: there are no lines %d to %d: %s has %d", from+1, to, a.Path, len(lines))
	}
	if to = pageEnd(lines, from, to); from == 0 && to == len(lines) {
		t.read[a.Path] = content
		delete(t.moved, a.Path) // all of it was seen as it is
	}
	head := fmt.Sprintf("%s, lines %d-%d of %d, tag %s\n", a.Path, from+1, to, len(lines), edits.Tag(content))
	text := head + edits.Numbered(lines, from, to)
	if to < len(lines) && !(a.End.Given && to == a.End.N) {
		text += fmt.Sprintf("[%s more: read_file with start_line %d]\n", count(len(lines)-to, "line"), to+1)
	}
	return text
}

// pageEnd is where a page that begins at from ends, to at the latest.
func pageEnd(lines []string, from, to int) int {
	size := 0
	for i := from; i < min(to, from+pageLines); i++ {
		if size += min(len(lines[i]), edits.LineMost) + 8; size > pageBytes && i > from {
			return i
		}
	}
	return min(to, from+pageLines)
}

// see gives a file as the round has left it; more files may be seen than edited.
func (t *talk) see(path string, read func(string) (string, error)) (string, error) {
	content, err := read(path)
	var no *edits.Refusal
	if t.Show != nil && errors.As(err, &no) {
		return t.Show(path)
	}
	return content, err
}

func unreadable(err error) string {
	var no *edits.Refusal
	switch {
	case errors.As(err, &no):
		return no.Why
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	}
	return "it cannot be read"
}

func (t *talk) takeBack(path string) string {
	if path == "" {
		return "failed: path is missing"
	}
	if !t.undo(path) {
		return "nothing to take back: this round has not changed " + path
	}
	content, err := t.desk.Read(path)
	if err != nil {
		return path + " is gone again"
	}
	return fmt.Sprintf("%s is as before this round, %s, tag %s", path, count(len(edits.Lines(content)), "line"), edits.Tag(content))
}

// list gives the paths that a glob fits.
func (t *talk) list(ctx context.Context, glob string) string {
	paths, err := t.find(ctx, glob)
	switch {
	case err != nil:
		return "failed: " + err.Error()
	case len(paths) == 0:
		return "no file"
	case len(paths) > listMost:
		return strings.Join(paths[:listMost], "\n") + fmt.Sprintf("\n[%s more: give a glob]", count(len(paths)-listMost, "file"))
	}
	return strings.Join(paths, "\n")
}

func clip(s string, most int) string {
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
