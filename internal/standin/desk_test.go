package standin

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// desk answers calls on a tree in memory, as the loop is to do it.
type desk struct {
	t     *testing.T
	tree  map[string]string
	shown map[string]string
	count map[string]int // of calls by name, and of "failed"
	mute  bool           // failures show no lines
}

func (d *desk) read(path string) (string, error) {
	if text, ok := d.tree[path]; ok {
		return text, nil
	}
	return "", fs.ErrNotExist
}

// answers applies all edits of a reply against the tree as it was before it.
func (d *desk) answers(calls []Call) []string {
	d.t.Helper()
	all := make([]string, len(calls))
	var blocks []edits.Block
	var at []int
	for i, c := range calls {
		d.count[c.Name]++
		if b, ok := edits.ReadCall(c.Name, c.Arguments); ok {
			blocks, at = append(blocks, b), append(at, i)
		} else {
			all[i] = d.page(c)
		}
	}
	res, err := edits.Apply(blocks, d.read, edits.Settings{OnFailed: edits.Continue, Shown: func(path string) (string, bool) {
		text, ok := d.shown[path]
		return text, ok
	}})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, c := range res.Changes {
		d.tree[c.Path] = c.After
	}
	for i, o := range res.Outcomes {
		path, line := o.Block.Path, o.Line
		if o.Fail != nil && o.Fail.Near != nil {
			line = o.Fail.Near.Line
		}
		around := d.numbered(path, line-4, line+3)
		if d.mute && o.Fail != nil {
			around = ""
		}
		switch {
		case o.Status == edits.Applied:
			all[at[i]] = fmt.Sprintf("applied: %s, now tag %s\n%s", path, edits.Tag(d.tree[path]), around)
		default:
			d.count["failed"]++
			all[at[i]] = fmt.Sprintf("failed (%s): %s\n%s now, tag %s\n%s", o.Reason, o.Fail.Detail, path, edits.Tag(d.tree[path]), around)
			if _, there := d.tree[path]; !there {
				all[at[i]] = fmt.Sprintf("failed (%s): %s", o.Reason, o.Fail.Detail)
			}
		}
	}
	return all
}

// page answers read_file.
func (d *desk) page(c Call) string {
	var args struct {
		Path       string
		Start, End int
	}
	var lines struct {
		Start *int `json:"start_line"`
		End   *int `json:"end_line"`
	}
	if c.Name != "read_file" || json.Unmarshal([]byte(c.Arguments), &args) != nil || json.Unmarshal([]byte(c.Arguments), &lines) != nil {
		d.t.Errorf("a call that cannot be: %+v", c)
	}
	text, there := d.tree[args.Path]
	if !there {
		return "failed (file-not-found): there is no " + args.Path
	}
	from, n := 1, len(newText(text).lines)
	if lines.Start != nil {
		from = *lines.Start
	}
	to := min(n, from+pageLines-1)
	if lines.End != nil {
		to = min(to, *lines.End)
	}
	d.shown[args.Path] = text
	return fmt.Sprintf("%s, lines %d-%d of %d, tag %s\n%s", args.Path, min(from, n), to, n, edits.Tag(text), d.numbered(args.Path, from-1, to))
}

// numbered shows lines from to to, from 0.
func (d *desk) numbered(path string, from, to int) string {
	var b strings.Builder
	lines := newText(d.tree[path]).lines
	for i := max(0, from); i < min(to, len(lines)); i++ {
		fmt.Fprintf(&b, "%5d: %s\n", i+1, lines[i])
	}
	return b.String()
}
