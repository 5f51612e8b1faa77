package llm

import (
	"slices"
	"strings"

	"github.com/agentloop/agentloop/loop"
)

// refusal returns the option that a response of error refuses, or "". Tools are
// refused with other statuses, too.
func refusal(kind loop.Trouble, body []byte, options []string) string {
	text := strings.ToLower(string(body))
	option := ""
	switch kind {
	case loop.TroubleBadRequest:
		option = refusedOption(text, options)
	case loop.TroubleNotFound, loop.TroubleUnavailable:
	default:
		return ""
	}
	if option == "" && slices.Contains(options, tools) && refusesTools(text) {
		return tools
	}
	return option
}

// refusesTools recognises a server or a model that cannot call tools by the
// words of Ollama, Groq, OpenRouter (404), vLLM and llama.cpp (500).
func refusesTools(text string) bool {
	return has(text, "tools", "tool use", "tool_use", "tool call", "tool_call", "tool choice", "tool_choice", "function call", "function_call") &&
		has(text, "not support", "unsupported", "not enabled", "no endpoints found that support", "requires --", "only supported")
}

// refusedOption returns the option that an error text names as unknown, or "".
func refusedOption(text string, options []string) string {
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
