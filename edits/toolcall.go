package edits

import (
	"encoding/json"
	"strings"
)

// Format edit-lines (seed 5): tool calls written out as JSON, alone on their
// lines or in a fence, one object after another or an array of them, or each
// between <tool_call> and </tool_call> (Qwen, Hermes):
//
//	{"tool": "edit_lines", "path": P, "start_line": N, "end_line": M, "content": TEXT}
//	{"tool": "edit_lines", "command": "insert", "path": P, "insert_line": N, "new_content": TEXT}
//	{"tool": "edit", "path": P, "old": TEXT, "new": TEXT}
//	{"name": "edit_lines", "arguments": {"command": "delete", "path": P, …}}
//
// What the arguments mean stands in call.go. Calls of tools that only look are
// kept for whoever can answer them (Parser.Calls). JSON that is no such call is
// no block.
type toolCall struct {
	text   strings.Builder
	fenced bool
	tagged bool
	depth  int
	quoted bool
}

const (
	callTag    = "<tool_call>"
	callEndTag = "</tool_call>"
)

func openCall(line string, a *above) body {
	c := &toolCall{}
	switch rest, tagged := strings.CutPrefix(line, callTag); {
	case tagged:
		c.tagged = !strings.Contains(rest, callEndTag)
		line = strings.Replace(rest, callEndTag, "", 1)
	case line[0] != '{' && line[0] != '[':
		return nil
	case a.opens():
		c.fenced = true
	case !strings.HasPrefix(line, `{"tool"`) && !strings.HasPrefix(line, `{"name"`):
		return nil
	}
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
	switch rest, end := strings.CutSuffix(strings.TrimRight(line, " \t"), callEndTag); {
	case c.fenced && isFence(line):
		return closes
	case c.tagged && end:
		c.add(rest)
		return closes
	case opensSides(line):
		return restarts // no line of JSON begins like that
	case !c.fenced && !c.tagged && c.depth <= 0:
		return escapes
	}
	c.add(line)
	return inside
}

// jsonCall is the JSON of a call: its arguments stand beside the tool's name, or
// in an object (or its text) of their own.
type jsonCall struct {
	Tool       string          `json:"tool"`
	Name       string          `json:"name"`
	Arguments  json.RawMessage `json:"arguments"`
	Parameters json.RawMessage `json:"parameters"`
}

func (c *toolCall) finish(head Block, closed bool) []Block {
	if !strings.Contains(c.text.String(), `"edit`) && !looks(c.text.String()) {
		return nil
	}
	head.Format, head.implied = EditLines, ""
	var out []Block
	dec := json.NewDecoder(strings.NewReader(c.text.String()))
	for dec.More() {
		var raw json.RawMessage
		b := head
		if err := dec.Decode(&raw); err != nil {
			if !strings.Contains(c.text.String(), `"edit_lines"`) {
				return out // it may be any JSON
			}
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
			if b, ok := readCall(head, one); ok {
				out = append(out, b)
			}
		}
	}
	return out
}

// readCall makes a block of one call; not ok: it is none of a tool.
func readCall(head Block, raw json.RawMessage) (Block, bool) {
	var w jsonCall
	if err := json.Unmarshal(raw, &w); err != nil {
		return head, false
	}
	name, args := w.Tool, raw
	switch {
	case len(w.Arguments) > 0:
		args = w.Arguments
	case len(w.Parameters) > 0:
		args = w.Parameters
	case name == "":
		return head, false // {"name": …} alone is any JSON
	}
	if name == "" {
		name = w.Name
	}
	var text string
	if json.Unmarshal(args, &text) != nil {
		text = string(args)
	}
	if Looks(name) {
		head.asks = &Call{Name: name, Arguments: text}
		return head, true
	}
	b, ok := ReadCall(name, text)
	b.Raw, b.Line, b.open = head.Raw, head.Line, head.open
	return b, ok
}

// looks reports whether a text may hold a call of a tool that only looks.
func looks(text string) bool {
	for _, name := range lookTools {
		if strings.Contains(text, `"`+name+`"`) {
			return true
		}
	}
	return false
}
