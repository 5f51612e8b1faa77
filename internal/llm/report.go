package llm

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// report is what a server's JSON says about an error, whatever its shape:
//
//	{"error": {"message", "type", "code", "param", "status", "metadata": {"raw"}}}
//	{"error": "text"}   {"message", "code"}   {"detail": "text"}
//	{"detail": [{"loc", "msg"}]}   {"errors": […]}   [{"error": …}]
//	{"type": "error", "error": {…}}   {"object": "error", "message": …}
type report struct {
	text   string
	codes  string        // code, type and status, joined by blanks
	status int           // an HTTP status among them, else 0
	after  time.Duration // Google's retryDelay
}

// readReport looks for an error; ok is false where none is meant.
func readReport(data []byte) (r report, ok bool) {
	var top any
	if json.Unmarshal(data, &top) != nil {
		return r, false
	}
	outer := object(top)
	if outer == nil {
		return r, false
	}
	inner := outer
	for _, name := range []string{"error", "errors"} {
		switch e := outer[name].(type) {
		case string:
			r.text = e
		case map[string]any, []any:
			if o := object(e); o != nil {
				inner = o
			} else {
				r.text = plain(e)
			}
		default:
			continue
		}
		ok = true
		break
	}
	for _, name := range []string{"message", "msg", "detail", "error", "error_description", "title"} {
		if text := plain(inner[name]); r.text == "" && text != "" {
			r.text, ok = text, true
		}
	}
	for _, o := range []map[string]any{inner, outer} {
		r.read(o)
	}
	if !ok {
		return r, outer["type"] == "error" || outer["object"] == "error"
	}
	return r, true
}

// read collects codes, the provider's own words and the wait from an object.
func (r *report) read(o map[string]any) {
	for _, name := range []string{"code", "type", "status", "status_code", "error_type"} {
		code := plain(o[name])
		if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 && r.status == 0 {
			r.status = n
		}
		r.codes = strings.TrimSpace(r.codes + " " + code)
	}
	if meta := object(o["metadata"]); meta != nil { // OpenRouter
		if raw := plain(meta["raw"]); raw != "" && !strings.Contains(r.text, raw) {
			r.text += ": " + raw
		}
	}
	details, _ := o["details"].([]any) // Google
	for _, d := range details {
		if wait, err := time.ParseDuration(plain(object(d)["retryDelay"])); err == nil && wait > 0 {
			r.after = wait
		}
	}
}

// object returns a JSON object, or the first one of a list.
func object(v any) map[string]any {
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	o, _ := v.(map[string]any)
	return o
}

// plain gives a JSON value as text: lists joined, objects by their message.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		var parts []string
		for _, part := range v {
			if s := plain(part); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		for _, name := range []string{"message", "msg", "detail", "error"} {
			if s := plain(v[name]); s != "" {
				if loc := plain(v["loc"]); loc != "" {
					s = loc + ": " + s
				}
				return s
			}
		}
		if len(v) > 0 {
			text, _ := json.Marshal(v)
			return string(text)
		}
	}
	return ""
}
