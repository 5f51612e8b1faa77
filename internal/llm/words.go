package llm

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
)

// words is what the model says, thinks or refuses.
type words struct {
	Content          text `json:"content"`
	ReasoningContent text `json:"reasoning_content"` // DeepSeek, vLLM
	Reasoning        text `json:"reasoning"`         // OpenRouter, Ollama
	Refusal          text `json:"refusal"`

	Calls []piece   `json:"tool_calls"`
	Call  *function `json:"function_call"` // before there were tools
	whole bool      // these are all the words of the reply, not the next ones
}

// text gives what is said and thought.
func (w *words) text() (said, thought string) {
	if w == nil {
		return "", ""
	}
	said = w.Content.said + w.Refusal.said
	thought = w.Content.thought + cmp.Or(w.ReasoningContent.said, w.Reasoning.said) // some gateways send both
	return said, thought
}

// pieces gives the tool calls, or parts of them.
func (w *words) pieces() []piece {
	switch {
	case w == nil:
		return nil
	case len(w.Calls) == 0 && w.Call != nil:
		return []piece{{Function: *w.Call}}
	}
	return w.Calls
}

// thoughtsField names the field that thoughts came in, "" for none.
func (w *words) thoughtsField() string {
	switch {
	case w == nil:
	case w.ReasoningContent.said != "":
		return reasoningContent
	case w.Reasoning.said != "":
		return reasoning
	}
	return ""
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
