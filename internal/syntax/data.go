package syntax

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"go.yaml.in/yaml/v3"
)

func parseJSON(text string) *Problem {
	var raw json.RawMessage
	err := json.Unmarshal([]byte(text), &raw)
	if err == nil {
		return nil
	}
	var at *json.SyntaxError
	if !errors.As(err, &at) {
		return &Problem{Message: err.Error()}
	}
	end := min(max(int(at.Offset)-1, 0), len(text)) // the byte that was read last
	return &Problem{
		Line:    strings.Count(text[:end], "\n") + 1,
		Column:  end - strings.LastIndexByte(text[:end], '\n'),
		Message: err.Error(),
	}
}

// parseYAML reads all documents of a file as they stand: aliases are not
// followed. A template (Helm, Jinja) that is no YAML is not judged. The line is
// the parser's, which may be that where the broken structure begins.
func parseYAML(text string) *Problem {
	for d := yaml.NewDecoder(strings.NewReader(text)); ; {
		var n yaml.Node
		err := d.Decode(&n)
		switch {
		case err == nil:
			continue
		case errors.Is(err, io.EOF), strings.Contains(text, "{%"), strings.Contains(strings.ReplaceAll(text, "${{", ""), "{{"):
			return nil
		}
		message := strings.TrimPrefix(err.Error(), "yaml: ")
		if rest, ok := strings.CutPrefix(message, "line "); ok {
			if number, why, ok := strings.Cut(rest, ": "); ok {
				if line, err := strconv.Atoi(number); err == nil {
					return &Problem{Line: line, Message: why}
				}
			}
		}
		return &Problem{Line: 1, Message: message} // it names no line where that is the first
	}
}

func parseTOML(text string) *Problem {
	var into map[string]any
	_, err := toml.Decode(text, &into)
	if err == nil {
		return nil
	}
	var at toml.ParseError
	if !errors.As(err, &at) {
		return &Problem{Message: err.Error()}
	}
	return &Problem{Line: at.Position.Line, Column: at.Position.Col, Message: at.Message}
}

// parseXML checks that elements are closed in order. Entities that the document
// declares, other versions and encodings are not judged.
func parseXML(text string) *Problem {
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		_, err := d.Token()
		switch {
		case err == nil:
			continue
		case errors.Is(err, io.EOF):
			return nil
		case strings.Contains(err.Error(), "unsupported version"),
			strings.Contains(err.Error(), "character entity") && strings.Contains(text, "<!DOCTYPE"):
			return nil
		}
		line, column := d.InputPos()
		message := err.Error()
		var at *xml.SyntaxError
		if errors.As(err, &at) {
			message = at.Msg
		}
		return &Problem{Line: line, Column: column, Message: message}
	}
}
