package llm

import (
	"testing"

	"github.com/agentloop/agentloop/loop"
)

// BenchmarkFirstRequest is the way from nothing to a whole reply.
func BenchmarkFirstRequest(b *testing.B) {
	s := newServer(good())
	defer s.Close()
	for b.Loop() {
		c := &Client{BaseURL: s.URL, Model: "m", Key: testKey}
		if _, err := c.Complete(b.Context(), loop.Request{User: "u"}); err != nil {
			b.Fatal(err)
		}
		c.Close()
	}
}

// BenchmarkStream reads a reply of 10,000 chunks.
func BenchmarkStream(b *testing.B) {
	var body []string
	for range 10_000 {
		body = append(body, delta("four"))
	}
	s := newServer(stream(append(body, stop, costs, finis)...))
	defer s.Close()
	c := &Client{BaseURL: s.URL, Model: "m"}
	defer c.Close()
	for b.Loop() {
		if _, err := c.Complete(b.Context(), loop.Request{User: "u"}); err != nil {
			b.Fatal(err)
		}
	}
}
