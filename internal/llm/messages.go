package llm

import (
	"encoding/json"
	"strings"

	"github.com/agentloop/agentloop/loop"
	"github.com/agentloop/agentloop/prompts"
)

// message is one message of the request. go-openai's own type is not used: it
// leaves out an empty content, which most servers refuse, and has no room for
// what Gemini wants back with a call.
type message map[string]any

// messages is what was said so far. Where no tools are offered with it, because
// this server does not take them, earlier calls are told in words. Invariant:
// no content is empty, and each call has its answer.
func (k *call) messages(options map[string]any) []message {
	_, offered := options[tools]
	offered = offered || overridden(k.client.Fields, tools)
	k.echoed = ""
	var all []message
	if k.req.System != "" {
		all = append(all, message{"role": "system", "content": k.req.System})
	}
	all = append(all, message{"role": "user", "content": k.req.User})
	for _, s := range k.req.Steps {
		if len(s.Reply.Calls) > 0 && offered {
			all = append(all, k.called(s.Reply))
			all = append(all, answers(s)...)
		} else {
			all = append(all, inWords(s)...)
		}
	}
	return all
}

// called is a reply with tool calls. A server that sends the model's thoughts
// gets them back, because some insist (DeepSeek, Kimi), under the name by which
// they came; others never see the field.
func (k *call) called(r loop.Reply) message {
	var calls []any
	for _, c := range r.Calls {
		call := map[string]any{
			"id": c.ID, "type": "function",
			"function": map[string]any{"name": toolName(c.Name), "arguments": arguments(c.Arguments)},
		}
		if len(c.Extra) > 0 {
			call["extra_content"] = c.Extra
		}
		calls = append(calls, call)
	}
	m := message{"role": "assistant", "content": nil, "tool_calls": calls}
	if strings.TrimSpace(r.Text) != "" {
		m["content"] = r.Text
	}
	if k.echoed = k.client.learned.echo(); k.echoed != "" {
		m[k.echoed] = r.Reasoning // also an empty one: that it is missing is what they complain of
	}
	return m
}

// answers gives a message for each call.
func answers(s loop.Step) []message {
	var all []message
	for i, c := range s.Reply.Calls {
		all = append(all, message{"role": "tool", "tool_call_id": c.ID, "content": answer(s, i)})
	}
	return all
}

// inWords is a step without calls, or with calls that cannot go as such.
func inWords(s loop.Step) []message {
	said, told := []string{}, []string{}
	if strings.TrimSpace(s.Reply.Text) != "" {
		said = append(said, s.Reply.Text)
	}
	for i, c := range s.Reply.Calls {
		said = append(said, "Call of "+c.Name+": "+c.Arguments)
		told = append(told, "Answer to "+c.Name+": "+answer(s, i))
	}
	if len(s.Reply.Calls) == 0 {
		told = append(told, answer(s, 0))
	}
	return []message{
		{"role": "assistant", "content": some(strings.Join(said, "\n\n"))},
		{"role": "user", "content": strings.Join(told, "\n\n")},
	}
}

func answer(s loop.Step, i int) string {
	if i >= len(s.Answers) {
		return some("")
	}
	return some(s.Answers[i])
}

// some keeps a content from being empty.
func some(text string) string {
	if strings.TrimSpace(text) == "" {
		return "(nothing)"
	}
	return text
}

// arguments gives a call's arguments as servers read them again for their
// templates: what is no object is {}, and the answer to the call says why.
func arguments(text string) string {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil || object == nil {
		return "{}"
	}
	return text
}

// toolName is a name in the letters that the API allows; the model may have made
// it up.
func toolName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, name[:min(len(name), 64)])
	if name == "" {
		return "_"
	}
	return name
}

// offer is what the model may call.
func offer(tools []prompts.Tool) []any {
	var all []any
	for _, t := range tools {
		if len(t.Parameters) == 0 {
			t.Parameters = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		all = append(all, map[string]any{"type": "function", "function": t})
	}
	return all
}

// callIDs holds the ids of all earlier calls.
func (k *call) callIDs() map[string]bool {
	ids := map[string]bool{}
	for _, s := range k.req.Steps {
		for _, c := range s.Reply.Calls {
			ids[c.ID] = true
		}
	}
	return ids
}
