package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// headers checks names and values as HTTP does, and leaves the ones that belong
// to the connection or carry the key alone.
func headers(field *map[string]string) func() string {
	own := []string{"authorization", "proxy-authorization", "cookie", "host", "content-length", "content-type", "transfer-encoding", "connection"}
	return func() string {
		for name, value := range *field {
			if name == "" || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~") != "" {
				return fmt.Sprintf("holds %q, which is no header's name", short(name))
			}
			if strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
				return fmt.Sprintf("holds a value with control characters in %s", name)
			}
			if slices.Contains(own, strings.ToLower(name)) {
				return fmt.Sprintf("may not hold %s: agentloop sends its own, with the key from key_env", name)
			}
		}
		return ""
	}
}

// sendable refuses request fields that agentloop sends itself and values that
// JSON cannot hold.
func sendable(fields map[string]any) string {
	for _, name := range []string{"model", "messages", "stream", "stream_options", "n"} {
		if _, ok := fields[name]; ok {
			return "may not hold " + name + ": agentloop sends its own"
		}
	}
	return finite(fields)
}

func finite(value any) string {
	switch v := value.(type) {
	case float64:
		_, ok := number(v)
		return unless(ok, "made of values that JSON can hold", v)
	case []any:
		for _, item := range v {
			if wrong := finite(item); wrong != "" {
				return wrong
			}
		}
	case []map[string]any:
		for _, item := range v {
			if wrong := finite(item); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		for _, item := range v {
			if wrong := finite(item); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}
