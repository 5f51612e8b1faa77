package standin

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

func (s *sender) envelope(object string, choices []any) map[string]any {
	return map[string]any{
		"id": fmt.Sprintf("chatcmpl-standin-%d", s.req.N), "object": object, "created": s.req.Arrived.Unix(),
		"model": s.req.Chat.Model, "choices": choices,
	}
}

func (s *sender) delta(d map[string]any, finish any) map[string]any {
	return s.envelope("chat.completion.chunk", []any{map[string]any{"index": 0, "delta": d, "finish_reason": finish}})
}

func (s *sender) usage() map[string]any {
	return map[string]any{
		"prompt_tokens": s.req.PromptTokens, "completion_tokens": s.req.ReplyTokens,
		"total_tokens": s.req.PromptTokens + s.req.ReplyTokens,
	}
}

func (s *sender) event(v any) { s.write("data: " + encode(v) + "\n\n") }

func (s *sender) header(contentType string, status int) {
	s.w.Header().Set("Content-Type", contentType)
	s.req.Status = status
	s.w.WriteHeader(status)
}

// write sends and flushes.
func (s *sender) write(text string) {
	if s.err != nil {
		return
	}
	n, err := io.WriteString(s.w, text)
	if err == nil {
		err = http.NewResponseController(s.w).Flush()
	}
	if s.req.First.IsZero() {
		s.req.First = time.Now()
	}
	s.req.Sent += n
	s.err = err
}

// wait pauses, or ends early with the client or the server.
func (s *sender) wait(d time.Duration) {
	if d <= 0 || s.err != nil {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-s.ctx.Done():
		s.err = s.ctx.Err()
	}
}

// drop ends the connection as it is: a reset, or a mere end in mid-sentence.
func (s *sender) drop(reset bool) {
	conn, _, err := http.NewResponseController(s.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		tcp.SetLinger(0)
	}
	conn.Close()
}
