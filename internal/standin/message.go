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
