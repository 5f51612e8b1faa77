package standin

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Message is one message of a chat.
type Message struct {
	Role    string `json:"role"`
	Content Text   `json:"content"`
	Calls   []Call `json:"tool_calls"`   // of an assistant
	CallID  string `json:"tool_call_id"` // of a tool: the call that it answers
}

// Call is one call of a tool, in an answer or an earlier message.
type Call struct {
	ID        string // "" in an answer: the server makes one up
	Name      string
	Arguments string // JSON, or what a careless model takes for it
}

// UnmarshalJSON reads a call in the API's form.
func (c *Call) UnmarshalJSON(b []byte) error {
	var api struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	}
	err := json.Unmarshal(b, &api)
	*c = Call{api.ID, api.Function.Name, api.Function.Arguments}
	return err
}

// Text is a message's content: the API allows a string, a list of parts or null.
type Text string

// UnmarshalJSON reads all three forms; of parts, those that hold text.
func (t *Text) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		*t = ""
		return nil
	case len(b) > 0 && b[0] == '"':
		return json.Unmarshal(b, (*string)(t))
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(b, &parts); err != nil {
		return fmt.Errorf("content is neither text nor a list of parts: %w", err)
	}
	var sb strings.Builder
	for _, p := range parts {
		if p.Type == "text" {
			sb.WriteString(p.Text)
		}
	}
	*t = Text(sb.String())
	return nil
}
