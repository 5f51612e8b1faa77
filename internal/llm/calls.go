package llm

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/agentloop/agentloop/loop"
)

// maxCalls is the most tool calls that a reply may make.
const maxCalls = 512

// heard is what came of one reply: its size, and what go-openai's types have no
// room for.
type heard struct {
	limit int64 // bytes that the reply may have
	size  int   // bytes of words, thoughts and calls
	calls []*open
	now   int    // number of the chunk that is being taken, from 1
	field string // that the thoughts came in first, "" for none
}

// open is a call that is being put together.
type open struct {
	piece     // what was said first of it; its arguments are below
	arguments strings.Builder
	object    braces
	chunk     int // the last one that held something of it
}

// take adds what one chunk holds.
func (h *heard) take(w *words) error {
	h.now++
	said, thought := w.text()
	h.size += len(said) + len(thought)
	h.field = cmp.Or(h.field, w.thoughtsField())
	for _, p := range w.pieces() {
		h.size += len(p.ID) + len(p.Function.Name) + len(p.Function.Arguments) + len(p.Extra)
		var c *open
		if !w.whole {
			c = h.goesOn(p)
		}
		if c == nil {
			if len(h.calls) == maxCalls {
				return &fault{kind: loop.TroubleTooLarge, sent: true, detail: fmt.Sprintf("the reply makes more than %d tool calls", maxCalls)}
			}
			c = &open{}
			h.calls = append(h.calls, c)
		}
		c.add(p, h.now)
	}
	if int64(h.size) > h.limit {
		return &fault{kind: loop.TroubleTooLarge, sent: true, detail: fmt.Sprintf("the reply is longer than %d bytes", h.limit)}
	}
	return nil
}

// goesOn returns the call that a piece belongs to, nil for a new one. Servers
// leave ids and indices out, repeat them, or give all calls the index 0
// (Gemini, lmdeploy). So a piece with a name begins a call unless it can be told
// that it only repeats one; a piece without a name begins one only where its
// index is new.
func (h *heard) goesOn(p piece) *open {
	last := len(h.calls) - 1
	for i := last; i >= 0; i-- {
		if c := h.calls[i]; c.fits(p) && (p.Function.Name == "" || c.repeatedBy(p, h.now, i == last)) {
			return c
		}
	}
	if last >= 0 && p.Function.Name == "" && p.Index == "" {
		return h.calls[last]
	}
	return nil
}

// fits reports whether what a piece says of its call is true of c. Without a
// name the index counts before the id: some make up an id for each piece (vLLM,
// Poolside).
func (c *open) fits(p piece) bool {
	if p.Index != "" && c.Index != "" && p.Index != c.Index {
		return false
	}
	if p.ID != "" && c.ID != "" && p.ID != c.ID {
		return p.Function.Name == "" && p.Index != "" && p.Index == c.Index
	}
	return true
}

// repeatedBy reports whether a piece with a name, which fits, is no call of its
// own.
func (c *open) repeatedBy(p piece, now int, last bool) bool {
	named := c.Function.Name != "" // else its name comes only now
	switch {
	case named && p.Function.Name != c.Function.Name:
		return false
	case named && c.object.ended && p.Function.Arguments != "":
		return false
	case p.ID != "" && p.ID == c.ID:
		return true
	}
	return c.chunk != now && (last || p.Index != "" && p.Index == c.Index)
}

// add takes in a piece.
func (c *open) add(p piece, now int) {
	c.chunk = now
	c.Index, c.ID = cmp.Or(c.Index, p.Index), cmp.Or(c.ID, p.ID)
	c.Function.Name = cmp.Or(c.Function.Name, p.Function.Name)
	if len(p.Extra) > 0 && string(p.Extra) != "null" {
		c.Extra = p.Extra // may come by itself, after the call
	}
	c.arguments.WriteString(string(p.Function.Arguments))
	c.object.read(string(p.Function.Arguments))
}

// made gives the calls. A call that the reply may have been cut in stays as it
// is, any other without arguments has none to give. Ids that are missing, or another
// call's, are made up; earlier holds those that must not be.
func (h *heard) made(cut bool, earlier map[string]bool) []loop.Call {
	var all []loop.Call
	ids := map[string]bool{"": true}
	for i, c := range h.calls {
		// Bedrock and its like send a placeholder first: {}{"path": …
		arguments := c.arguments.String()
		if strings.HasPrefix(arguments, "{}{") {
			arguments = arguments[2:]
		}
		if strings.TrimSpace(arguments) == "" && !(cut && i == len(h.calls)-1) {
			arguments = "{}"
		}
		id := string(c.ID)
		for n := 1; ids[id]; n++ {
			if made := fmt.Sprintf("call_%d", n); !earlier[made] {
				id = made
			}
		}
		ids[id] = true
		all = append(all, loop.Call{ID: id, Name: string(c.Function.Name), Arguments: arguments, Extra: c.Extra})
	}
	return all
}
