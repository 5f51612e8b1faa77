package standin

import (
	"fmt"
	"math/rand/v2"
	"unicode/utf8"
)

// pieces sends the text and the calls, and reports whether they were to be cut.
func (s *sender) pieces() (cut bool) {
	wire, sent := s.req.Wire, 0
	rng := rand.New(rand.NewPCG(uint64(s.req.N), 7))
	for _, one := range s.strands() {
		if one.head != nil {
			s.event(s.delta(one.head, nil))
		}
		for at := 0; at < len(one.text) && s.err == nil; {
			n := wire.piece(rng, one.text[at:], sent)
			if wire.Stall > 0 && sent >= wire.StallAt {
				s.wait(min(wire.Stall, MaxStall))
				wire.Stall = 0
			}
			if sent > 0 {
				s.wait(wire.Drip)
			}
			s.event(s.delta(one.delta(one.text[at:at+n]), nil))
			at, sent = at+n, sent+n
			if wire.Cut > 0 && sent >= wire.Cut {
				return true
			}
		}
	}
	return wire.Cut > 0
}

// piece gives the length of the next piece of rest, which begins after sent
// bytes of the answer.
func (w Wire) piece(rng *rand.Rand, rest string, sent int) int {
	n := min(4096, len(rest))
	if w.Chunk > 0 {
		n = min(1+rng.IntN(w.Chunk), len(rest))
	}
	for _, stop := range []int{w.StallAt, w.Cut} {
		if sent < stop && stop < sent+n {
			n = stop - sent
		}
	}
	for n < len(rest) && !utf8.RuneStart(rest[n]) {
		n++
	}
	return n
}

// strand is a text that is sent in pieces.
type strand struct {
	head  map[string]any // sent before it, if it is not nil
	text  string
	delta func(piece string) map[string]any
}

// strands gives the answer's text, then the arguments of each call.
func (s *sender) strands() []strand {
	all := []strand{{text: s.req.Answer.Text, delta: func(piece string) map[string]any { return map[string]any{"content": piece} }}}
	for i, c := range s.calls() {
		c["index"] = i
		arguments := s.req.Answer.Calls[i].Arguments
		c["function"] = map[string]any{"name": s.req.Answer.Calls[i].Name, "arguments": ""}
		all = append(all, strand{head: toolCalls(c), text: arguments, delta: func(piece string) map[string]any {
			return toolCalls(map[string]any{"index": i, "function": map[string]any{"arguments": piece}})
		}})
	}
	return all
}

func toolCalls(call map[string]any) map[string]any {
	return map[string]any{"tool_calls": []any{call}}
}

// calls gives the answer's calls in the API's form.
func (s *sender) calls() []map[string]any {
	var all []map[string]any
	for i, c := range s.req.Answer.Calls {
		if c.ID == "" {
			c.ID = fmt.Sprintf("call_%d_%d", s.req.N, i)
		}
		all = append(all, map[string]any{"id": c.ID, "type": "function", "function": map[string]any{"name": c.Name, "arguments": c.Arguments}})
	}
	return all
}
