package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
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

// words is what the model says, thinks or refuses.
type words struct {
	Content          text `json:"content"`
	ReasoningContent text `json:"reasoning_content"` // DeepSeek, vLLM
	Reasoning        text `json:"reasoning"`         // OpenRouter, Ollama
	Refusal          text `json:"refusal"`
}

// text is a string, null, or a list of parts; thinking parts (Mistral) are kept
// apart.
type text struct{ said, thought string }

func (t *text) UnmarshalJSON(data []byte) error {
	*t = text{}
	switch data[0] {
	case 'n':
		return nil
	case '"':
		return json.Unmarshal(data, &t.said)
	case '{':
		return t.join(data)
	case '[':
		var parts []json.RawMessage
		if err := json.Unmarshal(data, &parts); err != nil {
			return err
		}
		return t.join(parts...)
	}
	return errors.New("text expected")
}

// join puts parts together: strings, or objects with a text. Parts do not nest,
// so that decoding stays linear.
func (t *text) join(parts ...json.RawMessage) error {
	var said, thought strings.Builder
	for _, data := range parts {
		var p struct {
			Type     string          `json:"type"`
			Text     string          `json:"text"`
			Thinking json.RawMessage `json:"thinking"`
		}
		var err error
		if data[0] == '"' {
			err = json.Unmarshal(data, &p.Text)
		} else {
			err = json.Unmarshal(data, &p)
		}
		switch {
		case err != nil:
			return err
		case p.Type == "thinking" || p.Type == "reasoning":
			thought.WriteString(p.Text + thinking(p.Thinking))
		default:
			said.WriteString(p.Text)
		}
	}
	t.said, t.thought = said.String(), thought.String()
	return nil
}

// thinking reads what stands in a thinking part: a string or a list of texts.
func thinking(data []byte) string {
	var all string
	if json.Unmarshal(data, &all) == nil {
		return all
	}
	var parts []struct {
		Text string `json:"text"`
	}
	json.Unmarshal(data, &parts) // thoughts are not worth an error
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
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
// was asked for, so others are not ours.
func (c *chunk) first() (said, thought, finish string) {
	i := slices.IndexFunc(c.Choices, func(ch choice) bool { return ch.Index == 0 })
	if i < 0 {
		return "", "", ""
	}
	ch := c.Choices[i]
	w := ch.Delta
	if w == nil {
		w = ch.Message
	}
	if w != nil {
		said = w.Content.said + w.Refusal.said
		thought = w.Content.thought + cmp.Or(w.ReasoningContent.said, w.Reasoning.said) // some gateways send both
	}
	if finish = ch.Finish.said; finish == "null" {
		finish = ""
	}
	return said, thought, finish
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
// types.
func (c *chunk) normal() []byte {
	said, thought, finish := c.first()
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
