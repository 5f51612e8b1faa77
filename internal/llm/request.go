package llm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
)

// Request fields that are spoken of by name.
const (
	maxTokens           = "max_tokens" // bounds the answer, under one of two names
	maxCompletionTokens = "max_completion_tokens"
	tools               = "tools"
	reasoningContent    = "reasoning_content" // the model's thoughts, under one of two names
	reasoning           = "reasoning"
)

// learned is what a server has taught us: which optional fields it does not
// take. It holds for the client's lifetime, so that not every round asks twice.
type learned struct {
	mu       sync.Mutex
	dropped  map[string]bool
	maxName  string // "" until one was refused
	thoughts string // the field in which it sends the model's thoughts, "" until it did
}

// thoughtsCameIn notes the field of a reply's thoughts, "" for none.
func (l *learned) thoughtsCameIn(field string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.thoughts = cmp.Or(field, l.thoughts)
}

// echo is the field in which the server gets the model's thoughts back, "" for
// none: it never sent any, or does not take them.
func (l *learned) echo() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dropped[l.thoughts] {
		return ""
	}
	return l.thoughts
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
	if len(k.req.Tools) > 0 {
		all[tools] = offer(k.req.Tools)
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
// know, limits that it would refuse by the model's name, and messages with empty
// contents. Later parts win.
func patch(body []byte, parts ...map[string]any) ([]byte, error) {
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, fmt.Errorf("reading go-openai's request: %w", err)
	}
	for _, more := range parts {
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
