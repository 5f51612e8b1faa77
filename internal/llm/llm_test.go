package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentloop/agentloop/loop"
)

func TestReply(t *testing.T) {
	think := func(field string) string {
		return fmt.Sprintf("data: {\"choices\":[{\"delta\":{%q:\"hm\",\"content\":\"\"}}]}\n\n", field)
	}
	want := loop.Usage{Requests: 1, Prompt: 7, Cached: 4, Completion: 3, Reasoning: 2}
	guess := loop.Usage{Requests: 1, Prompt: 5, Completion: 2, Estimated: true} // 17 and 5 bytes
	tests := []struct {
		name   string
		answer http.HandlerFunc
		want   loop.Reply
	}{
		{"usage", good(), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: want}},
		{"length", stream(delta("hello"), strings.Replace(stop, "stop", "length", 1), finis), loop.Reply{Text: "hello", Finish: "length", Model: "m-1", Usage: guess}},
		{"length by another name", stream(delta("hello"), strings.Replace(stop, "stop", "max_tokens", 1)), loop.Reply{Text: "hello", Finish: "length", Model: "m-1", Usage: guess}},
		{"filter", stream(delta("hello"), strings.Replace(stop, "stop", "content_filter", 1)), loop.Reply{Text: "hello", Finish: "content_filter", Model: "m-1", Usage: guess}},
		{"unknown finish", stream(delta("hello"), strings.Replace(stop, "stop", "eventually", 1)), loop.Reply{Text: "hello", Finish: "eventually", Model: "m-1", Usage: guess}},
		{"reasoning_content", stream(think("reasoning_content"), delta("hello"), stop, costs), loop.Reply{Text: "hello", Reasoning: "hm", Finish: "stop", Model: "m-1", Usage: want}},
		{"reasoning", stream(think("reasoning"), delta("hello"), stop, costs), loop.Reply{Text: "hello", Reasoning: "hm", Finish: "stop", Model: "m-1", Usage: want}},
		{"only reasoning", stream(think("reasoning"), stop, costs), loop.Reply{Reasoning: "hm", Finish: "stop", Usage: want}},
		{"thinking part", stream(`data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"hello"}]}}]}`+"\n\n", stop, costs), loop.Reply{Text: "hello", Reasoning: "hm", Finish: "stop", Usage: want}},
		{"refusal", stream(`data: {"choices":[{"delta":{"refusal":"I will not"}}]}`+"\n\n", stop, costs), loop.Reply{Text: "I will not", Finish: "stop", Usage: want}},
		{"empty", stream(stop, costs), loop.Reply{Finish: "stop", Usage: want}},
		{"usage missing", stream(delta("hello"), stop), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: guess}},
		{"usage zero", usageIs(`{"prompt_tokens":0,"completion_tokens":0}`), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: guess}},
		{"usage absurd", usageIs(`{"prompt_tokens":1e12,"completion_tokens":-4}`), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: guess}},
		{"usage of another type", usageIs(`{"prompt_tokens":"many","completion_tokens":[]}`), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: guess}},
		{"usage half", usageIs(`{"prompt_tokens":9}`), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: loop.Usage{Requests: 1, Prompt: 9, Completion: 2, Estimated: true}}},
		{"usage as fractions", usageIs(`{"prompt_tokens":9.0,"completion_tokens":2.5}`), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: loop.Usage{Requests: 1, Prompt: 9, Completion: 2}}},
		{"usage counted up", stream(delta("hel"), usageChunk(`{"prompt_tokens":9,"completion_tokens":1}`), delta("lo"), stop, usageChunk(`{"prompt_tokens":9,"completion_tokens":2}`), usageChunk(`{"prompt_tokens":9,"completion_tokens":2}`), finis), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: loop.Usage{Requests: 1, Prompt: 9, Completion: 2}}},
		{"reasoning only in the total", usageIs(`{"prompt_tokens":9,"completion_tokens":2,"total_tokens":31,"completion_tokens_details":{"reasoning_tokens":20}}`), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: loop.Usage{Requests: 1, Prompt: 9, Completion: 22, Reasoning: 20}}},
		{"DeepSeek's cache", usageIs(`{"prompt_tokens":9,"completion_tokens":2,"prompt_cache_hit_tokens":8}`), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: loop.Usage{Requests: 1, Prompt: 9, Cached: 8, Completion: 2}}},
		{"Groq's place", stream(delta("hello"), stop, `data: {"choices":[],"x_groq":{"usage":{"prompt_tokens":9,"completion_tokens":2}}}`+"\n\n"), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: loop.Usage{Requests: 1, Prompt: 9, Completion: 2}}},
		{"Moonshot's place", stream(delta("hello"), `data: {"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":9,"completion_tokens":2}}]}`+"\n\n"), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: loop.Usage{Requests: 1, Prompt: 9, Completion: 2}}},
		{"whole completion", sends("application/json", wholly), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: loop.Usage{Requests: 1, Prompt: 7, Completion: 3}}},
		{"whole completion without finish", sends("application/json", strings.Replace(wholly, `"stop"`, "null", 1)), loop.Reply{Text: "hello", Finish: "stop", Model: "m-1", Usage: loop.Usage{Requests: 1, Prompt: 7, Completion: 3}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reply, tr, err := ask(t, serve(t, tt.answer).client(t))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, reply); d != "" {
				t.Error(d)
			}
			if tr.text != reply.Text {
				t.Errorf("chunks %q, text %q", tr.text, reply.Text)
			}
		})
	}
}

func usageChunk(usage string) string {
	return "data: {\"choices\":[],\"usage\":" + usage + "}\n\n"
}

func usageIs(usage string) http.HandlerFunc {
	return stream(delta("hello"), stop, usageChunk(usage), finis)
}

// TestFailedTriesCost: a try that was cut is charged by estimate, one that was
// refused is not.
func TestFailedTriesCost(t *testing.T) {
	s := serve(t, stream(delta("hello")), status(503, ""), good())
	reply, _, err := ask(t, s.client(t))
	want := loop.Usage{Requests: 3, Prompt: 5 + 7, Cached: 4, Completion: 2 + 3, Reasoning: 2, Estimated: true}
	if err != nil || reply.Usage != want {
		t.Errorf("usage %+v, error %v; want %+v", reply.Usage, err, want)
	}
	_, _, err = ask(t, serve(t, stream(delta("hello"))).client(t))
	want = loop.Usage{Requests: 6, Prompt: 30, Completion: 12, Estimated: true}
	if m := modelError(err); m == nil || m.Usage != want {
		t.Errorf("error %+v, want usage %+v", err, want)
	}
}

// TestUnlikelyUsage: a prompt of 7,000 bytes is not 7 tokens.
func TestUnlikelyUsage(t *testing.T) {
	reply, err := serve(t, good()).client(t).Complete(t.Context(), loop.Request{User: strings.Repeat("x", 7000)})
	if err != nil || reply.Usage.Prompt != 2000 || !reply.Usage.Estimated {
		t.Errorf("usage %+v, error %v", reply.Usage, err)
	}
}

// TestOverBefore: nothing is reserved, asked or promised once the time is up.
func TestOverBefore(t *testing.T) {
	s := serve(t, good())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.client(t).Complete(ctx, loop.Request{User: "u", Reserve: func() error {
		t.Error("reserved")
		return nil
	}})
	if err != context.Canceled || s.requests() != 0 {
		t.Errorf("error %v after %d requests", err, s.requests())
	}
	ctx, cancel = context.WithTimeout(t.Context(), -time.Second)
	defer cancel()
	k := &call{client: &Client{}, ctx: ctx, limits: (&Client{}).limits()}
	f := &fault{kind: loop.TroubleUnavailable, again: true, after: time.Second}
	if wait, err := k.next(f); err != f || wait != 0 {
		t.Errorf("wait %v, error %v", wait, err)
	}
}

func TestRequest(t *testing.T) {
	zero, seed := 0.0, 5
	s := serve(t, good())
	c := s.client(t)
	c.Temperature, c.Seed, c.ReasoningEffort = &zero, &seed, "low"
	c.Headers = map[string]string{"X-Title": "tests", "User-Agent": "mine"}
	c.Fields = map[string]any{"chat_template_kwargs": map[string]any{"enable_thinking": false}, "seed": 6}
	if _, err := c.Complete(t.Context(), loop.Request{System: "s <&>", User: "u\u2028", MaxOutput: 99}); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"model": "m", "stream": true, "stream_options": map[string]any{"include_usage": true},
		"messages":    []any{map[string]any{"role": "system", "content": "s <&>"}, map[string]any{"role": "user", "content": "u\u2028"}},
		"temperature": 0.0, "seed": 6.0, "reasoning_effort": "low", "max_tokens": 99.0,
		"chat_template_kwargs": map[string]any{"enable_thinking": false},
	}
	if d := cmp.Diff(want, s.bodies[0]); d != "" {
		t.Error(d)
	}
	h := s.header[0]
	for name, want := range map[string]string{"Authorization": "Bearer " + testKey, "X-Title": "tests", "User-Agent": "mine", "Accept": "text/event-stream", "Content-Type": "application/json"} {
		if h.Get(name) != want {
			t.Errorf("header %s: %q, want %q", name, h.Get(name), want)
		}
	}
	c = s.client(t)
	c.Key = ""
	c.BaseURL += "/chat/completions/?api-version=7"
	ask(t, c)
	if a, ok := s.header[1]["Authorization"]; ok {
		t.Errorf("Authorization without a key: %q", a)
	}
	if want := "/v1/chat/completions?api-version=7"; s.uris[1] != want {
		t.Errorf("asked %s, want %s", s.uris[1], want)
	}
	if _, there := s.bodies[1]["temperature"]; there {
		t.Error("a temperature that nobody set")
	}
}

// TestReasoningModelNames: go-openai refuses some fields by the model's name;
// whether a server takes them is the server's to say.
func TestReasoningModelNames(t *testing.T) {
	half := 0.5
	for _, model := range []string{"o3-mini", "gpt-5"} {
		s := serve(t, good())
		c := s.client(t)
		c.Model, c.Temperature = model, &half
		if _, err := c.Complete(t.Context(), loop.Request{User: "u", MaxOutput: 9}); err != nil {
			t.Error(err)
		}
	}
}

func TestRefusedOption(t *testing.T) {
	tests := []struct {
		name     string
		body     string
		status   int
		gone     string
		instead  string
		requests int
	}{
		{"stream_options", `{"error":{"message":"Unrecognized request argument supplied: stream_options"}}`, 400, "stream_options", "", 2},
		{"temperature", `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model.","param":"temperature","code":"unsupported_value"}}`, 400, "temperature", "", 2},
		{"seed", `{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]}`, 422, "seed", "", 2},
		{"reasoning_effort", `{"error":"unknown field \"reasoning_effort\""}`, 400, "reasoning_effort", "", 2},
		{"max_tokens", `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens"}}`, 400, "max_tokens", "max_completion_tokens", 2},
		{"max_tokens by value", `{"error":{"message":"max_tokens is too large: 99. This model supports at most 9."}}`, 400, "", "", 1},
		{"a word that only holds one", `{"error":{"message":"unsupported: seeded, temperature_scale"}}`, 400, "", "", 1},
		{"not ours", `{"error":{"message":"unknown field top_k"}}`, 400, "", "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, status(tt.status, tt.body), good())
			c := s.client(t)
			zero, seed := 0.0, 1
			c.Temperature, c.Seed, c.ReasoningEffort = &zero, &seed, "low"
			var why []string
			req := loop.Request{User: "u", MaxOutput: 99, Retry: func(r loop.Retry) { why = append(why, r.Why) }}
			_, err := c.Complete(t.Context(), req)
			if tt.requests == 1 {
				if m := modelError(err); m == nil || m.Kind != loop.TroubleBadRequest || s.requests() != 1 {
					t.Errorf("error %v after %d requests", err, s.requests())
				}
				return
			}
			if err != nil || s.requests() != 2 || len(why) != 1 || !strings.Contains(why[0], tt.gone) {
				t.Fatalf("error %v after %d requests, told %q", err, s.requests(), why)
			}
			if _, err := c.Complete(t.Context(), req); err != nil || s.requests() != 3 {
				t.Errorf("the next round asked again: %d requests, %v", s.requests(), err)
			}
			for _, body := range s.bodies[1:] {
				if _, there := body[tt.gone]; there {
					t.Errorf("%s sent again", tt.gone)
				}
				if _, there := body[tt.instead]; tt.instead != "" && !there {
					t.Errorf("%s not sent", tt.instead)
				}
				if len(body) != len(s.bodies[0])-1 && tt.instead == "" {
					t.Errorf("sent %v", body)
				}
			}
		})
	}
	t.Run("to the end", func(t *testing.T) {
		s := serve(t, status(400, `{"error":{"message":"unsupported: max_tokens, max_completion_tokens, stream_options"}}`))
		_, err := s.client(t).Complete(t.Context(), loop.Request{User: "u", MaxOutput: 9})
		if m := modelError(err); m == nil || m.Kind != loop.TroubleBadRequest || s.requests() > 4 {
			t.Errorf("error %v after %d requests", err, s.requests())
		}
	})
}

// TestReserve: no request leaves that was not reserved, and the hook's error
// comes through as it is.
func TestReserve(t *testing.T) {
	spent := errors.New("spent")
	for _, answer := range []http.HandlerFunc{status(503, ""), stream(delta("x"))} {
		for allowed := range 3 {
			s := serve(t, answer)
			reserved := 0
			reply, err := s.client(t).Complete(t.Context(), loop.Request{User: "u", Reserve: func() error {
				if reserved++; reserved > allowed {
					return spent
				}
				return nil
			}})
			if err != spent || s.requests() != allowed || reply.Usage.Requests != allowed {
				t.Errorf("error %v, %d requests, usage %+v; allowed %d", err, s.requests(), reply.Usage, allowed)
			}
		}
	}
}

func TestRedirects(t *testing.T) {
	other := serve(t, good())
	for code := 300; code <= 308; code++ {
		s := serve(t, status(code, "", "Location", other.URL+"/steal"))
		c := s.client(t)
		c.Headers = map[string]string{"Api-Key": "another-secret-value"}
		_, _, err := ask(t, c)
		if m := modelError(err); m == nil || m.Kind != loop.TroubleBadAddress || s.requests() != 1 {
			t.Errorf("%d: %v after %d requests", code, err, s.requests())
		}
	}
	if n := other.requests(); n != 0 {
		t.Errorf("%d requests followed a redirect", n)
	}
}

// TestCanary: the key is in no text that leaves the package, wherever the server
// puts it.
func TestCanary(t *testing.T) {
	header := "canary-header-5678"
	echo := "your key " + testKey + " and " + header + ", again " + testKey[:8] + "\x00\u200b" + testKey[8:] + "\x1b[31m bad"
	asJSON := func(v any) string { text, _ := json.Marshal(v); return string(text) }
	bodies := []string{
		asJSON(map[string]any{"error": map[string]any{"message": echo}}),
		asJSON(map[string]any{"detail": echo}),
		asJSON(map[string]any{"error": map[string]any{"message": strings.Repeat("x", 5000) + echo}}),
		echo,
		"<html>" + echo,
		strings.Repeat("\x00", maxErrorBody-len("k "+testKey)/2) + testKey, // cut within the key
	}
	for pad := 170; pad < 205; pad += 3 { // cut where a quotation ends
		bodies = append(bodies, strings.Repeat("x", pad)+testKey)
	}
	bodies = append(bodies, strings.Repeat("x", 4096-12)+testKey)
	for _, body := range bodies {
		for _, answer := range []http.HandlerFunc{
			status(401, body), status(503, body), status(200, body),
			stream("event: error\ndata: " + body + "\n\n"), stream("data: " + body + "\n\n"),
			stream(`data: {"model":` + asJSON(echo) + `,"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}` + "\n\n"),
		} {
			c := serve(t, answer).client(t)
			c.Headers = map[string]string{"X-Auth": "Token " + header}
			reply, tr, err := ask(t, c)
			all := fmt.Sprintf("%v %+v %#v %s %v", err, err, modelError(err), reply.Model, tr.retries)
			if strings.Contains(all, "canar") || strings.Contains(all, testKey[8:]) || strings.Contains(all, "\x1b[31m") {
				t.Errorf("body %.60q: %s", body, all)
			}
			if m := modelError(err); m != nil && len(m.Detail) > 2<<10 {
				t.Errorf("detail of %d bytes", len(m.Detail))
			}
		}
	}
}

func TestSecretNeverPrints(t *testing.T) {
	c := &Client{Key: testKey, Model: "m"}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", c.Key, "struct", struct{ K Secret }{c.Key})
	text, err := json.Marshal([]any{c.Key, &c.Key, map[string]any{"k": c.Key}})
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%v %+v %#v %s %q %x %d %t", c.Key, c.Key, c.Key, c.Key, c.Key, c.Key, c.Key, c.Key) +
		fmt.Sprintf("%v %+v %#v", struct{ K Secret }{c.Key}, []Secret{c.Key}, map[string]Secret{"k": c.Key}) + log.String() + string(text)
	if strings.Contains(all, "canar") || strings.Contains(all, fmt.Sprintf("%x", testKey)) {
		t.Error(all)
	}
}

func TestValidate(t *testing.T) {
	tests := []struct {
		client *Client
		want   string // "": valid
	}{
		{&Client{}, ""},
		{&Client{BaseURL: "https://example.org/v1/"}, ""},
		{&Client{BaseURL: "http://localhost:11434/v1"}, ""},
		{&Client{BaseURL: "http://127.9.9.9/v1"}, ""},
		{&Client{BaseURL: "http://[::1]:80/v1"}, ""},
		{&Client{BaseURL: "http://10.0.0.1/v1"}, "unencrypted"},
		{&Client{BaseURL: "http://localhost.example.org/v1"}, "unencrypted"},
		{&Client{BaseURL: "http://169.254.169.254/v1"}, "unencrypted"},
		{&Client{BaseURL: "http://10.0.0.1/v1", AllowPlainHTTP: true}, ""},
		{&Client{BaseURL: "https://me:" + testKey + "@example.org"}, "user or password"},
		{&Client{BaseURL: "ftp://example.org"}, "must begin with"},
		{&Client{BaseURL: "example.org/v1"}, "must begin with"},
		{&Client{BaseURL: "https:///v1"}, "name a host"},
		{&Client{BaseURL: "https://exa mple.org/" + testKey}, "cannot be read"},
		{&Client{Key: testKey + "\n"}, "line break"},
		{&Client{Headers: map[string]string{"X": "a\r\nHost: b"}}, "header"},
		{&Client{Headers: map[string]string{"X: y": "a"}}, "header"},
		{&Client{Fields: map[string]any{"stream": false}}, "stream"},
	}
	for _, tt := range tests {
		tt.client.Model = "m"
		err := tt.client.Validate()
		if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "canary")) {
			t.Errorf("%s: %v, want %q", tt.client.BaseURL, err, tt.want)
		}
	}
	if err := (&Client{}).Validate(); err == nil {
		t.Error("no model is valid")
	}
	_, err := (&Client{BaseURL: "ftp://x", Model: "m"}).Complete(t.Context(), loop.Request{})
	if m := modelError(err); m == nil || m.Kind != loop.TroubleBadAddress {
		t.Error(err)
	}
}

// TestConnections: rounds share a connection, and calls may run side by side.
func TestConnections(t *testing.T) {
	var mu sync.Mutex
	conns := map[string]bool{}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		conns[r.RemoteAddr] = true
		mu.Unlock()
		good()(w, r)
	})
	c := s.client(t)
	for range 5 {
		if _, _, err := ask(t, c); err != nil {
			t.Fatal(err)
		}
	}
	if len(conns) != 1 {
		t.Errorf("%d connections for 5 rounds", len(conns))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if reply, err := c.Complete(t.Context(), loop.Request{User: "u"}); err != nil || reply.Text != "hello" {
				t.Error(reply, err)
			}
		})
	}
	wg.Wait()
}

// TestStreams: text reaches the Chunk hook while the server still holds the
// stream open.
func TestStreams(t *testing.T) {
	seen := make(chan bool)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, strings.TrimSpace(delta("hello"))+"\n") // not even the blank line
		w.(http.Flusher).Flush()
		select {
		case <-seen:
		case <-r.Context().Done():
		}
		fmt.Fprint(w, "\n"+stop+finis)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	_, err := s.client(t).Complete(ctx, loop.Request{User: "u", Chunk: func(string) { close(seen) }})
	if err != nil {
		t.Error(err)
	}
}
