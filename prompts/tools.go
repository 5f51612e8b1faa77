package prompts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Tool is a tool that a model may call, as it is offered.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // JSON Schema of an object
}

// FormatTools is the format whose edits are calls of tools.
const FormatTools = "tools"

// ToolNames lists the tools that there are, in the order in which they are offered.
func ToolNames() []string {
	return []string{"read_file", "list_files", "search", "edit_lines", "edit", "undo"}
}

// Tools gives the tools of these names, as tool/NAME.json has them.
func (s Set) Tools(names []string) ([]Tool, error) {
	var tools []Tool
	for _, name := range names {
		if !slices.Contains(ToolNames(), name) {
			return nil, fmt.Errorf("there is no tool %q: there are %s", name, strings.Join(ToolNames(), ", "))
		}
		text, err := s.read("tool/" + name + ".json")
		if err != nil {
			return nil, err
		}
		var t Tool
		if err := json.Unmarshal([]byte(text), &t); err != nil {
			return nil, fmt.Errorf("template tool/%s.json: %w", name, err)
		}
		if t.Name != name || len(t.Parameters) == 0 {
			return nil, fmt.Errorf("template tool/%s.json: must have name %q and parameters", name, name)
		}
		var flat bytes.Buffer
		if err := json.Compact(&flat, t.Parameters); err != nil {
			return nil, fmt.Errorf("template tool/%s.json: %w", name, err)
		}
		t.Parameters = flat.Bytes()
		tools = append(tools, t)
	}
	return tools, nil
}
