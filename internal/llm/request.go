package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// The two names of the request field that bounds the answer.
const (
	maxTokens           = "max_tokens"
	maxCompletionTokens = "max_completion_tokens"
)

// learned is what a server has taught us: which optional fields it does not
// take. It holds for the client's lifetime, so that not every round asks twice.
type learned struct {
	mu      sync.Mutex
	dropped map[string]bool
	maxName string // "" until one was refused
}

// options are the request's fields beside model and messages that a server may
// refuse.
func (k *call) options() map[string]any {
	c := k.client
	all := map[string]any{"stream_options": map[string]any{"include_usage": true}}
	if c.Temperature != nil {
		all["temperature"] = *c.Temperature
	}
	if c.Seed != nil {
		all["seed"] = *c.Seed
	}
	if c.ReasoningEffort != "" {
		all["reasoning_effort"] = c.ReasoningEffort
	}
	c.learned.mu.Lock()
	defer c.learned.mu.Unlock()
	if k.req.MaxOutput > 0 {
		all[c.maxName()] = k.req.MaxOutput
	}
	maps.DeleteFunc(all, func(name string, _ any) bool { return c.learned.dropped[name] || overridden(c.Fields, name) })
	return all
}

func overridden(fields map[string]any, name string) bool { _, ok := fields[name]; return ok }

// maxName is how this server calls the bound of the answer. OpenAI's own takes
// the new name for all models; most others know only the old one.
func (c *Client) maxName() string {
	switch {
	case c.learned.maxName != "":
		return c.learned.maxName
	case strings.Contains(c.baseURL(), "//api.openai.com/"):
		return maxCompletionTokens
	}
	return maxTokens
}

// patch adds what go-openai cannot say: a temperature of 0, fields it does not
// know, and limits that it would refuse by the model's name.
func patch(body []byte, options, fields map[string]any) ([]byte, error) {
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, fmt.Errorf("reading go-openai's request: %w", err)
	}
	for _, more := range []map[string]any{options, fields} {
		for name, value := range more {
			text, err := json.Marshal(value)
			if err != nil {
				return nil, fmt.Errorf("request field %s: %w", name, err)
			}
			all[name] = text
		}
	}
	return json.Marshal(all)
}

// refusedOption returns the option that an error text names as unknown, or "".
func refusedOption(body []byte, options []string) string {
	text := strings.ToLower(string(body))
	if !has(text, "unsupported", "not support", "unknown", "unrecognized", "unrecognised", "unexpected",
		"not permitted", "not allowed", "extra input", "extra field", "extra_forbidden", "deprecated", "no longer supported") {
		return ""
	}
	slices.SortFunc(options, func(a, b string) int { return len(b) - len(a) })
	for _, name := range options {
		if named(text, name) {
			return name
		}
	}
	return ""
}

// named reports whether a text holds a name as a word of its own.
func named(text, name string) bool {
	for rest := text; ; {
		before, after, found := strings.Cut(rest, name)
		if !found {
			return false
		}
		if !endsWord(before) && !startsWord(after) {
			return true
		}
		rest = after
	}
}

func endsWord(s string) bool   { return s != "" && wordByte(s[len(s)-1]) }
func startsWord(s string) bool { return s != "" && wordByte(s[0]) }
func wordByte(b byte) bool     { return b == '_' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }

// without makes the next requests go without an option, or with the other name
// of the answer's bound. It reports false where both names were refused.
func (k *call) without(option string) bool {
	l := &k.client.learned
	l.mu.Lock()
	defer l.mu.Unlock()
	if option != maxTokens && option != maxCompletionTokens {
		if l.dropped == nil {
			l.dropped = map[string]bool{}
		}
		l.dropped[option] = true
		return true
	}
	l.maxName = maxCompletionTokens
	if option == maxCompletionTokens {
		l.maxName = maxTokens
	}
	first := !k.renamed
	k.renamed = true
	return first
}
