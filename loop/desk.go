package loop

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/agentloop/agentloop/edits"
)

// desk holds the files of a round while its replies edit them. A file is read
// once, so that nothing that happens to the tree meanwhile moves its lines under
// the model; the tree gets them when the round closes, and compares them then.
type desk struct {
	read    func(path string) (string, error)
	was     map[string]*string // as first read; nil: not there
	now     map[string]*string // as edited
	from    map[string]string  // of files that were renamed to a path: where they stood before the round
	changed []string           // paths of now, in the order of first change
}

func newDesk(read func(path string) (string, error)) *desk {
	return &desk{read: read, was: map[string]*string{}, now: map[string]*string{}, from: map[string]string{}}
}

// Read gives a file as the round has left it so far, with the errors of Tree.Read.
func (d *desk) Read(path string) (string, error) {
	content, known := d.now[path]
	if !known {
		content, known = d.was[path]
	}
	if !known {
		text, err := d.read(path)
		switch {
		case err == nil:
			content = &text
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		d.was[path] = content
	}
	if content == nil {
		return "", fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return *content, nil
}

// peek is Read for looking at many files: what it reads is not kept.
func (d *desk) peek(path string) (string, error) {
	_, edited := d.now[path]
	if _, known := d.was[path]; known || edited {
		return d.Read(path)
	}
	return d.read(path)
}

// keep takes in what peek has read, since the model has seen lines of it.
func (d *desk) keep(path, content string) {
	if _, known := d.was[path]; !known {
		d.was[path] = &content
	}
}

// gone reports whether the round has deleted a file.
func (d *desk) gone(path string) bool {
	now, edited := d.now[path]
	return edited && now == nil
}

// put keeps what a reply has changed.
func (d *desk) put(changes []edits.Change) {
	from := map[string]string{}
	for _, c := range changes {
		if c.From != "" {
			from[c.Path] = cmp.Or(d.from[c.From], c.From)
		}
	}
	for _, c := range changes {
		if !c.Existed || c.Delete || c.From != "" {
			delete(d.from, c.Path)
		}
		if _, again := d.now[c.Path]; !again {
			d.changed = append(d.changed, c.Path)
		}
		d.now[c.Path] = &c.After
		if c.Delete {
			d.now[c.Path] = nil
		}
	}
	maps.Copy(d.from, from)
}

// undo takes back what the round did to a file. It reports whether it did anything.
func (d *desk) undo(path string) bool {
	_, ok := d.now[path]
	delete(d.now, path)
	delete(d.from, path)
	d.changed = slices.DeleteFunc(d.changed, func(p string) bool { return p == path })
	return ok
}

// changes gives the round's work: from what was read to what is there now.
func (d *desk) changes() []edits.Change {
	var out []edits.Change
	for _, path := range d.changed {
		was, now := d.was[path], d.now[path]
		c := edits.Change{Path: path, Existed: was != nil, Delete: now == nil}
		if was != nil {
			c.Before = *was
		}
		if now != nil {
			c.After = *now
		}
		if from := d.from[path]; from != path && d.was[from] != nil {
			c.From = from
		}
		if (was == nil) == (now == nil) && c.Before == c.After {
			continue
		}
		out = append(out, c)
	}
	return out
}
