package prompts

import "encoding/json"

// Tool is a tool that a model may call, as it is offered.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // JSON Schema of an object
}
