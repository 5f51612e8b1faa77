package llm

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/agentloop/agentloop/loop"
)

// TestJudge holds words of real servers, shortened.
func TestJudge(t *testing.T) {
	const (
		context = loop.TroubleContext
		quota   = loop.TroubleQuota
		rate    = loop.TroubleRateLimit
		bad     = loop.TroubleBadRequest
		auth    = loop.TroubleAuth
		down    = loop.TroubleUnavailable
	)
	tests := []struct {
		status int
		text   string
		want   loop.Trouble
	}{
		{400, "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens. Please reduce the length of the messages.", context},
		{400, "context_length_exceeded", context},
		{400, "Your input exceeds the context window of this model. Please adjust your input and try again.", context},
		{400, "prompt is too long: 208310 tokens > 200000 maximum", context},
		{400, "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000", context},
		{400, "the request exceeds the available context size. try increasing the context size or enable context shift", context},
		{400, "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it", context},
		{400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", context},
		{400, "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens", context},
		{400, "Input is too long for requested model.", context},
		{400, "prompt too long; exceeded max context length by 44 tokens", context},
		{400, "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", context},
		{400, "This model's maximum prompt length is 131072 but the request contains 140000 tokens.", context},
		{400, "Requested token count exceeds the model's maximum context length of 32768 tokens.", context},
		{400, "inputs tokens + max_new_tokens must be <= 4096. Too many input tokens", context},
		{422, "`inputs` must have less than 1024 tokens: too many tokens", context},
		{400, "Please reduce the length of the messages or completion.", context},
		{429, "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 41000.", context},
		{413, "Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 7000", context},
		{413, "<html>413 Request Entity Too Large</html>", context},
		{500, "Context size has been exceeded.", context},
		{429, "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.", rate},
		{429, "Too many tokens, please wait before trying again.", rate},
		{429, "You exceeded your current quota, please check your plan and billing details.", quota},
		{429, "You exceeded your current quota. quotaId: GenerateRequestsPerMinutePerProjectPerModel", rate},
		{429, "Your account is not active, please check your billing details on our website.", quota},
		{400, "Your credit balance is too low to access the API.", quota},
		{402, "This request requires more credits, or fewer max_tokens.", quota},
		{403, "Key limit exceeded: insufficient credits", quota},
		{429, "Billing hard limit has been reached: billing_hard_limit_reached", quota},
		{400, "API key not valid. Please pass a valid API key.", auth},
		{401, "Incorrect API key provided: sk-abc***xyz.", auth},
		{400, "temperature exceeds the limit of 2", bad},
		{400, "max_tokens is too large: 100000.", bad},
		{405, "Method Not Allowed", bad},
		{503, "no healthy upstream", down},
		{500, "billing service is down: payment required", down},
		{404, "no route", loop.TroubleNotFound},
		{302, "", loop.TroubleBadAddress},
	}
	for _, tt := range tests {
		body, _ := json.Marshal(map[string]any{"error": map[string]any{"message": tt.text}})
		f := statusFault(&http.Response{StatusCode: tt.status, Header: http.Header{}}, body, nil)
		if f.kind != tt.want {
			t.Errorf("%d %q: %s, want %s", tt.status, tt.text, f.kind, tt.want)
		}
		if final := f.kind != rate && f.kind != down; f.again == final {
			t.Errorf("%d %q: again is %v", tt.status, tt.text, f.again)
		}
	}
}

// TestReport: the server's words are found in every shape.
func TestReport(t *testing.T) {
	for _, body := range []string{
		`{"error":{"message":"boom"}}`, `{"error":{"message":["boom"]}}`, `{"error":"boom"}`, `{"error":["boom"]}`,
		`{"error":[{"message":"boom"}]}`, `[{"error":{"message":"boom"}}]`, `{"errors":[{"message":"boom"}]}`,
		`{"errors":"boom"}`, `{"message":"boom"}`, `{"detail":"boom"}`, `{"detail":[{"msg":"boom"}]}`,
		`{"detail":{"error":"boom"}}`, `{"title":"boom","status":500}`, `{"error":"boom","error_description":"more"}`,
		`{"type":"error","error":{"message":"boom"}}`, `{"object":"error","message":"boom"}`, `{"error":{"detail":"boom"}}`,
		`{"error":{"error":{"message":"boom"}}}`, `{"error":{"message":"","metadata":{"raw":"boom"}}}`, `{"msg":"boom","code":1}`,
	} {
		r, ok := readReport([]byte(body))
		if !ok || r.text != "boom" && r.text != ": boom" {
			t.Errorf("%s: %q %v", body, r.text, ok)
		}
	}
	for _, body := range []string{``, `null`, `1`, `{}`, `[]`, `{"status":"ok"}`, `{"id":"x","choices":[]}`, `{"error":null}`} {
		if r, ok := readReport([]byte(body)); ok {
			t.Errorf("%s: %+v", body, r)
		}
	}
	r, _ := readReport([]byte(`{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x"},{"retryDelay":"34.5s"}]}}`))
	if r.status != 429 || r.after != 34500*time.Millisecond {
		t.Errorf("%+v", r)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	at := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	tests := []struct {
		header []string
		want   time.Duration // 0: none
	}{
		{[]string{"Retry-After", "1"}, time.Second},
		{[]string{"Retry-After", " 2 "}, 2 * time.Second},
		{[]string{"Retry-After", "0.5"}, 500 * time.Millisecond},
		{[]string{"Retry-After", "3600"}, time.Hour},
		{[]string{"Retry-After", "315360000"}, 315360000 * time.Second},
		{[]string{"Retry-After", "1e30"}, 1<<63 - 1},
		{[]string{"Retry-After", "0"}, 0},
		{[]string{"Retry-After", "-5"}, 0},
		{[]string{"Retry-After", "soon"}, 0},
		{[]string{"Retry-After", ""}, 0},
		{[]string{"Retry-After", "NaN"}, 0},
		{[]string{"Retry-After", "Inf"}, 0},
		{[]string{"Retry-After", "1e999"}, 0},
		{[]string{"Retry-After", at(90 * time.Second)}, 90 * time.Second},
		{[]string{"Retry-After", at(-90 * time.Second)}, 0},
		{[]string{"Retry-After", "Saturday, 21-Nov-26 10:01:00 GMT"}, time.Minute},
		{[]string{"Retry-After", "Sat Nov 21 10:01:00 2026"}, time.Minute},
		{[]string{"Retry-After", at(time.Hour + time.Minute), "Date", at(time.Hour)}, time.Minute},
		{[]string{"Retry-After-Ms", "250"}, 250 * time.Millisecond},
		{[]string{"Retry-After-Ms", "250.5", "Retry-After", "1"}, 250500 * time.Microsecond},
		{[]string{"Retry-After-Ms", "x", "Retry-After", "1"}, time.Second},
		{[]string{"X-Ratelimit-Reset-Tokens", "6m0s", "X-Ratelimit-Remaining-Tokens", "0"}, 6 * time.Minute},
		{[]string{"X-Ratelimit-Reset-Tokens", "6m0s", "X-Ratelimit-Remaining-Tokens", "500"}, 0},
		{[]string{"X-Ratelimit-Reset-Requests", "20ms", "X-Ratelimit-Remaining-Requests", "0"}, 20 * time.Millisecond},
		{[]string{"X-Ratelimit-Reset", "30", "X-Ratelimit-Remaining", "0"}, 30 * time.Second},
		{[]string{"X-Ratelimit-Reset", "1795255230", "X-Ratelimit-Remaining", "0"}, 30 * time.Second},
		{[]string{"X-Ratelimit-Reset", "1795255230500", "X-Ratelimit-Remaining", "0"}, 30500 * time.Millisecond},
		{[]string{"X-Ratelimit-Reset", "2026-11-21T10:00:30Z", "X-Ratelimit-Remaining", "0"}, 30 * time.Second},
		{[]string{"X-Ratelimit-Reset", "1e300", "X-Ratelimit-Remaining", "0"}, 0},
		{[]string{"X-Ratelimit-Reset", "yesterday", "X-Ratelimit-Remaining", "0"}, 0},
		{[]string{"X-Ratelimit-Reset", "-3s", "X-Ratelimit-Remaining", "0"}, 0},
		{nil, 0},
	}
	for _, tt := range tests {
		h := http.Header{}
		for i := 0; i < len(tt.header); i += 2 {
			h.Set(tt.header[i], tt.header[i+1])
		}
		got, ok := retryAfter(h, now)
		if !ok {
			got = 0
		}
		if got != tt.want || ok != (tt.want > 0) {
			t.Errorf("%v: %v %v, want %v", tt.header, got, ok, tt.want)
		}
	}
}

func TestBackoff(t *testing.T) {
	k := &call{client: &Client{}}
	for tries, ceiling := range []time.Duration{1: 2, 2: 4, 3: 8, 4: 16, 5: 32, 6: 60, 100: 60} {
		var most time.Duration
		for range 200 {
			if ceiling == 0 {
				break
			}
			d := k.backoff(tries)
			if d <= 0 || d > ceiling*time.Second {
				t.Errorf("after %d tries: %v", tries, d)
			}
			most = max(most, d)
		}
		if most < ceiling*time.Second/2 {
			t.Errorf("after %d tries never more than %v", tries, most)
		}
	}
}
