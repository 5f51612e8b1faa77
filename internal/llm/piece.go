package llm

import "encoding/json"

// piece is a tool call, or in a stream a part of one.
type piece struct {
	Index    loose           `json:"index"`
	ID       loose           `json:"id"`
	Function function        `json:"function"`
	Extra    json.RawMessage `json:"extra_content"` // Gemini: its thoughts' signature
}

type function struct {
	Name      loose `json:"name"`
	Arguments loose `json:"arguments"` // MiniMax: an object
}

// loose is a string; any other value stands as its JSON, and null is "".
type loose string

func (l *loose) UnmarshalJSON(data []byte) error {
	switch {
	case string(data) == "null":
		*l = ""
		return nil
	case data[0] == '"':
		return json.Unmarshal(data, (*string)(l))
	}
	*l = loose(data)
	return nil
}

// braces follows a JSON object through pieces of its text, to its end.
type braces struct {
	depth           int
	quoted, escaped bool
	ended           bool // {} alone is a placeholder, and does not count
	long            bool
}

func (b *braces) read(text string) {
	for i := range len(text) {
		switch ch := text[i]; {
		case b.escaped:
			b.escaped = false
		case b.quoted:
			b.escaped, b.quoted = ch == '\\', ch != '"'
		case ch == '"':
			b.quoted, b.long = true, true
		case ch == '{' || ch == '[':
			b.depth++
		case ch == '}' || ch == ']':
			b.depth--
			b.ended = b.depth <= 0 && b.long
		}
	}
}
