package edits

import (
	"encoding/json"
	"strings"
)

// Format edit-lines (seed 5): tool calls written out as JSON, alone on their
// lines or in a fence, one object after another or an array of them:
//
//	{"tool": "edit_lines", "path": P, "start_line": N, "end_line": M, "content": TEXT}
//	{"tool": "edit_lines", "command": "insert", "path": P, "insert_line": N, "new_content": TEXT}
//	{"tool": "edit_lines", "command": "delete", "path": P, "start_line": N, "end_line": M}
//
// Lines count from 1, both ends included, in the file as it was before the
// reply, whatever order the calls stand in. Without a command it is a
// replacement; empty content deletes. insert_line 0 is the file's beginning.
// Content is written as it stands; a newline at its end is the last line's own.
// JSON that is no such call is no block.
type toolCall struct {
	text   strings.Builder
	fenced bool
	depth  int
	quoted bool
}

func openCall(line string, a *above) body {
	if line[0] != '{' && line[0] != '[' {
		return nil
	}
	if !a.opens() && !strings.HasPrefix(line, `{"tool"`) {
		return nil
	}
	c := &toolCall{fenced: a.opens()}
	c.add(line)
	return c
}

// add keeps a line and counts braces, so that a call without a fence ends where
// its object does.
func (c *toolCall) add(line string) {
	c.text.WriteString(line)
	c.text.WriteByte('\n')
	for i := 0; i < len(line); i++ {
		switch ch := line[i]; {
		case c.quoted && ch == '\\':
			i++
		case ch == '"':
			c.quoted = !c.quoted
		case c.quoted:
		case ch == '{' || ch == '[':
			c.depth++
		case ch == '}' || ch == ']':
			c.depth--
		}
	}
}

func (c *toolCall) take(line string) step {
	switch {
	case c.fenced && isFence(line):
		return closes
	case opensSides(line):
		return restarts // no line of JSON begins like that
	case !c.fenced && c.depth <= 0:
		return escapes
	}
	c.add(line)
	return inside
}

// call is the JSON of one call. Unknown keys are ignored: models add some.
type call struct {
	Tool       string  `json:"tool"`
	Command    string  `json:"command"`
	Path       string  `json:"path"`
	Start      int     `json:"start_line"`
	End        int     `json:"end_line"`
	InsertLine *int    `json:"insert_line"`
	Content    *string `json:"content"`
	NewContent *string `json:"new_content"`
}

func (c *toolCall) finish(head Block, closed bool) []Block {
	if !strings.Contains(c.text.String(), `"edit_lines"`) {
		return nil
	}
	head.Format, head.implied = EditLines, ""
	var out []Block
	dec := json.NewDecoder(strings.NewReader(c.text.String()))
	for dec.More() {
		var raw json.RawMessage
		b := head
		if err := dec.Decode(&raw); err != nil {
			b.Path, b.Fault = "", "not valid JSON: "+err.Error()
			return append(out, b)
		}
		calls := []json.RawMessage{raw}
		if raw[0] == '[' {
			if err := json.Unmarshal(raw, &calls); err != nil {
				calls = nil
			}
		}
		for _, one := range calls {
			b := head
			if b.read(one) {
				out = append(out, b)
			}
		}
	}
	return out
}

// read fills in a block from one call; false: it is a call of something else.
func (b *Block) read(raw json.RawMessage) bool {
	var c call
	err := json.Unmarshal(raw, &c)
	b.Path = cleanPath(c.Path)
	if err != nil {
		b.Fault = "an argument has the wrong type: " + err.Error()
		return strings.Contains(string(raw), `"edit_lines"`)
	}
	if c.Tool != "edit_lines" {
		return false
	}
	text := c.NewContent
	if text == nil {
		text = c.Content
	}
	b.Start, b.End = c.Start, c.End
	switch c.Command {
	case "", "replace":
		if text == nil {
			b.Fault = "content is missing; an empty one deletes the lines"
		}
	case "insert":
		if c.InsertLine == nil || text == nil {
			b.Fault = "insert needs insert_line and new_content"
			break
		}
		b.Start, b.End = *c.InsertLine+1, *c.InsertLine
	case "delete":
		text = nil
	default:
		b.Fault = "there is no command " + c.Command + ": replace, insert or delete"
	}
	if text != nil && *text != "" {
		b.New = strings.Split(strings.TrimSuffix(strings.ReplaceAll(*text, "\r\n", "\n"), "\n"), "\n")
	}
	if b.Fault == "" && (b.Start < 1 || b.End < b.Start-1 || b.End < b.Start && c.Command != "insert") {
		b.Fault = "start_line must be at least 1, and end_line not less than it"
	}
	return true
}
