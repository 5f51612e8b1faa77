package standin

import (
	"context"
	"encoding/json"
	"net/http"
)

// sender writes one answer and keeps its times and sizes.
type sender struct {
	ctx context.Context
	w   http.ResponseWriter
	req *Request
	err error // of the first write that failed; nothing is written after it
}

// send lets the answer travel as its wire says.
func send(ctx context.Context, w http.ResponseWriter, req *Request) {
	s := &sender{ctx: ctx, w: w, req: req}
	wire := req.Wire
	s.wait(min(wire.Delay, MaxStall))
	switch {
	case wire.Reject:
		s.drop(wire.Reset)
	case wire.refuses():
		s.refuse()
	case wire.Body != "":
		if wire.Type == "" {
			wire.Type = "text/html; charset=utf-8"
		}
		s.header(wire.Type, http.StatusOK)
		s.write(wire.Body)
	case req.Chat.Stream:
		s.stream()
	default:
		s.plain()
	}
}

// refuse answers with an error in the API's form.
func (s *sender) refuse() {
	wire := s.req.Wire
	if wire.RetryAfter != "" {
		s.w.Header().Set("Retry-After", wire.RetryAfter)
	}
	if wire.Body == "" {
		wire.Body = http.StatusText(wire.Status)
	}
	s.header("application/json", wire.Status)
	s.write(encode(map[string]any{"error": map[string]any{"message": wire.Body, "type": "standin", "code": wire.Status}}))
}

// plain answers a request that did not ask for a stream.
func (s *sender) plain() {
	a := s.req.Answer
	message := map[string]any{"role": "assistant", "content": a.Text}
	if a.Reasoning != "" {
		message["reasoning_content"] = a.Reasoning
	}
	if len(a.Calls) > 0 {
		message["tool_calls"] = s.calls()
		if a.Text == "" {
			message["content"] = nil
		}
	}
	body := s.envelope("chat.completion", []any{map[string]any{
		"index": 0, "message": message, "finish_reason": finish(a),
	}})
	if !s.req.Wire.NoUsage {
		body["usage"] = s.usage()
	}
	s.wait(min(s.req.Wire.Stall, MaxStall))
	s.header("application/json", http.StatusOK)
	s.write(encode(body))
}

// stream answers as server-sent events.
func (s *sender) stream() {
	wire, a := s.req.Wire, s.req.Answer
	s.header("text/event-stream", http.StatusOK)
	s.event(s.delta(map[string]any{"role": "assistant", "content": ""}, nil))
	if a.Reasoning != "" {
		s.event(s.delta(map[string]any{"reasoning_content": a.Reasoning}, nil))
	}
	if cut := s.pieces(); cut {
		s.drop(wire.Reset)
		return
	}
	if !wire.NoFinish {
		s.event(s.delta(map[string]any{}, finish(a)))
	}
	if s.req.Chat.StreamOptions.IncludeUsage && !wire.NoUsage {
		last := s.envelope("chat.completion.chunk", []any{})
		last["usage"] = s.usage()
		s.event(last)
	}
	if !wire.NoDone && !wire.NoFinish {
		s.write("data: [DONE]\n\n")
	}
}

func finish(a Answer) string {
	switch {
	case a.Finish != "":
		return a.Finish
	case len(a.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

// encode never fails: what it is given is made of strings and numbers.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
