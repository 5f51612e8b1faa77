package llm

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// chunk is a piece of a reply, or a whole one, as servers send it. Its types
// take every shape that was seen and normal gives the one that go-openai reads.
type chunk struct {
	Object  string          `json:"object"`
	Type    string          `json:"type"`
	Model   string          `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Groq    *groq           `json:"x_groq"`
	Error   json.RawMessage `json:"error"`
}

// choice holds a delta in a stream and a message in a whole reply.
type choice struct {
	Index   int    `json:"index"`
	Delta   *words `json:"delta"`
	Message *words `json:"message"`
	Finish  text   `json:"finish_reason"`
	Usage   *usage `json:"usage"` // Moonshot
}

type groq struct {
	Usage *usage `json:"usage"`
}

// cost returns the chunk's usage, wherever it stands.
func (c *chunk) cost() *usage {
	if c.Usage == nil && c.Groq != nil {
		return c.Groq.Usage
	}
	for i := 0; c.Usage == nil && i < len(c.Choices); i++ {
		c.Usage = c.Choices[i].Usage
	}
	return c.Usage
}

// first returns the words and the finish reason of the first choice; only one
// was asked for, so others are not ours. Without any the words are nil.
func (c *chunk) first() (w *words, finish string) {
	i := slices.IndexFunc(c.Choices, func(ch choice) bool { return ch.Index == 0 })
	if i < 0 {
		return nil, ""
	}
	ch := c.Choices[i]
	if w = ch.Delta; w == nil && ch.Message != nil {
		w = ch.Message
		w.whole = true
	}
	if finish = ch.Finish.said; finish == "null" {
		finish = ""
	}
	return w, finish
}

// failed reports whether the chunk carries an error instead of words. Empty
// error fields stand in every chunk of some servers.
func (c *chunk) failed() bool {
	switch e := strings.TrimSpace(string(c.Error)); e {
	case "", "null", `""`, "false", "{}", "[]":
		return c.Object == "error" || c.Type == "error"
	}
	return true
}

// normal is the chunk as go-openai reads it: one choice at most, one line, plain
// types. Tool calls are not in it: heard has them.
func (c *chunk) normal() []byte {
	w, finish := c.first()
	said, thought := w.text()
	out := map[string]any{"model": c.Model, "choices": []any{}}
	if said != "" || thought != "" || finish != "" {
		delta := map[string]string{"content": said, "reasoning_content": thought}
		out["choices"] = []any{map[string]any{"delta": delta, "finish_reason": finish}}
	}
	if u := c.cost(); u != nil {
		out["usage"] = u.normal()
	}
	line, _ := json.Marshal(out) // strings and numbers: cannot fail
	return bytes.Join([][]byte{[]byte("data: "), line, []byte("\n")}, nil)
}
