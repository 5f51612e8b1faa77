package llm

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentloop/agentloop/loop"
)

// TestFaults plays what servers do wrong over real HTTP. Every row says how the
// call must end; none may end as a success with another text than "hello".
func TestFaults(t *testing.T) {
	const again = loop.TroubleUnavailable
	page := "<html><head><title>Welcome</title></head><body>nginx</body></html>"
	quota := `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`
	tests := []struct {
		name     string
		answers  []http.HandlerFunc
		kind     loop.Trouble // "": the reply is "hello"
		requests int
		detail   string // part of the error, or of the first retry's reason
	}{
		{"good", list(good()), "", 1, ""},

		// Statuses.
		{"429 with milliseconds, then ok", list(status(429, `{}`, "Retry-After-Ms", "15"), good()), "", 2, "HTTP 429"},
		{"429 with a fraction, then ok", list(status(429, `{}`, "Retry-After", "0.02"), good()), "", 2, ""},
		{"429 for an hour", list(status(429, `{"error":{"message":"slow down"}}`, "Retry-After", "3600")), loop.TroubleRateLimit, 1, "1h0m0s"},
		{"503 for ten years", list(status(503, ``, "Retry-After", "315360000")), loop.TroubleRateLimit, 1, "try later"},
		{"429 to the end", list(status(429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`)), loop.TroubleRateLimit, 6, "slow down (after 6 tries)"},
		{"429 without quota", list(status(429, quota)), loop.TroubleQuota, 1, "exceeded your current quota"},
		{"402", list(status(402, `{"error":{"message":"Insufficient Balance"}}`)), loop.TroubleQuota, 1, "Insufficient Balance"},
		{"500 then ok", list(status(500, `oops`), good()), "", 2, "HTTP 500: Internal Server Error: oops"},
		{"503 then ok", list(status(503, page), good()), "", 2, ""},
		{"529 and 524 then ok", list(status(529, ``), status(524, page), good()), "", 3, ""},
		{"500 to the end", list(status(500, `{"error":{"message":"boom","type":"server_error"}}`)), again, 6, "boom"},
		{"501", list(status(501, `no`)), again, 1, "no"},
		{"408, 409, 425 then ok", list(status(408, ``), status(409, ``), status(425, ``), good()), "", 4, "HTTP 408: Request Timeout"},
		{"401", list(status(401, `{"error":{"message":"bad key"}}`)), loop.TroubleAuth, 1, "bad key; check the API key"},
		{"403", list(status(403, `{"detail":"not yours"}`)), loop.TroubleAuth, 1, "not yours"},
		{"404", list(status(404, `{"error":{"message":"The model 'm' does not exist","code":"model_not_found"}}`)), loop.TroubleNotFound, 1, "does not exist"},
		{"404 page", list(status(404, page)), loop.TroubleNotFound, 1, "nginx"},
		{"413", list(status(413, `too big`)), loop.TroubleContext, 1, "too big"},
		{"422", list(status(422, `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`)), loop.TroubleBadRequest, 1, "body, messages: field required"},
		{"400 text", list(status(400, `{"error":"no such thing"}`)), loop.TroubleBadRequest, 1, "no such thing"},
		{"400 detail", list(status(400, `{"detail":"bad shape"}`)), loop.TroubleBadRequest, 1, "bad shape"},
		{"400 page", list(status(400, page)), loop.TroubleBadRequest, 1, "<html>"},
		{"400 empty", list(status(400, ``)), loop.TroubleBadRequest, 1, "Bad Request"},
		{"400 context", list(status(400, `{"error":{"message":"This model's maximum context length is 8192 tokens."}}`)), loop.TroubleContext, 1, "8192"},
		{"429 context", list(status(429, `{"error":{"message":"Request too large for gpt-x on tokens per min (TPM): Limit 30000, Requested 40000.","type":"tokens"}}`)), loop.TroubleContext, 1, ""},
		{"500 context", list(status(500, `{"error":"the request exceeds the available context size"}`)), loop.TroubleContext, 1, ""},

		// Connections.
		{"reset before the header", list(raw("", true), good()), "", 2, ""},
		{"closed before the header", list(raw("", false), good()), "", 2, "closed before the answer"},
		{"reset within the body", list(raw(sseHead+"\r\n"+delta("wrong"), true), good()), "", 2, "the stream broke: read: connection reset"},
		{"end within a chunked body", list(raw(sseHead+"Transfer-Encoding: chunked\r\n\r\n40\r\ndata: {", false), good()), "", 2, "cut"},
		{"not HTTP", list(raw("SSH-2.0-OpenSSH_9.2\r\n", false)), loop.TroubleNotAModel, 1, "malformed"},
		{"a header without end", list(raw("HTTP/1.1 200 OK\r\n"+strings.Repeat("X-Y: z\r\n", 100_000), false)), loop.TroubleTooLarge, 1, "headers exceeded"},

		// Ends of streams.
		{"clean end without finish", list(stream(delta("wrong")), good()), "", 2, "neither a finish reason nor [DONE]"},
		{"clean end without finish, to the end", list(stream(delta("wrong"))), again, 6, "neither"},
		{"cut within a JSON line", list(raw(sseHead+"\r\n"+delta("wrong")+`data: {"choices":[{"del`, false), good()), "", 2, ""},
		{"last line without newline", list(raw(sseHead+"\r\n"+delta("hel")+strings.TrimSpace(delta("lo"))+"\n"+strings.TrimSpace(stop), false)), "", 1, ""},
		{"DONE without newline", list(stream(delta("hello"), "data: [DONE]")), "", 1, ""},
		{"DONE without finish reason", list(stream(delta("hello"), finis)), "", 1, ""},
		{"finish reason without DONE", list(stream(delta("hello"), stop)), "", 1, ""},
		{"garbage after the finish reason", list(stream(delta("hello"), stop, "data: {\"usa")), "", 1, ""},
		{"words after a finish reason, then cut", list(stream(stop, delta("wrong")), good()), "", 2, ""},
		{"no event at all", list(stream(""), good()), "", 2, ""},
		{"only comments", list(stream(": ping\n\n", ": ping\n\n"), good()), "", 2, ""},

		// Not a stream.
		{"JSON error with 200", list(sends("application/json", `{"error":{"message":"boom","code":500}}`), good()), "", 2, "boom"},
		{"JSON error as a stream, no newline", list(stream(`{"error":{"message":"bad key","code":401}}`)), loop.TroubleAuth, 1, "bad key"},
		{"JSON error as a stream, newline", list(stream("{\"error\":{\"message\":\"bad key\",\"code\":401}}\n")), loop.TroubleAuth, 1, "bad key"},
		{"JSON error, list", list(sends("application/json", `[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]`)), loop.TroubleAuth, 1, "API key not valid"},
		{"JSON of something else", list(sends("application/json", `{"status":"alive"}`)), loop.TroubleNotAModel, 1, "alive"},
		{"JSON with a greeting", list(sends("application/json", `{"message":"welcome"}`)), loop.TroubleNotAModel, 1, "welcome"},
		{"JSON lines of Ollama", list(sends("application/x-ndjson", "{\"message\":{\"content\":\"a\"},\"done\":false}\n{\"done\":true}\n")), loop.TroubleNotAModel, 1, "/v1"},
		{"whole completion", list(sends("application/json", wholly)), "", 1, ""},
		{"whole completion named a stream", list(stream(wholly)), "", 1, ""},
		{"whole completion, cut", list(raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"+wholly[:60], false), good()), "", 2, "cut"},
		{"whole completion as an event", list(stream("data: "+wholly+"\n\n", finis)), "", 1, ""},
		{"stream named plain text", list(sends("text/plain", delta("hello")+stop+finis)), "", 1, ""},
		{"HTML", list(sends("text/html", page)), loop.TroubleNotAModel, 1, "most end in /v1"},
		{"HTML named a stream", list(sends("text/event-stream", "\n\n"+page)), loop.TroubleNotAModel, 1, "nginx"},
		{"plain text", list(sends("text/plain", "It works!")), loop.TroubleNotAModel, 1, "It works!"},
		{"a picture", list(sends("image/png", "\x89PNG\r\n\x1a\n\x00\x00")), loop.TroubleNotAModel, 1, ""},
		{"empty 200", list(status(200, ""), good()), "", 2, ""},
		{"empty 200 to the end", list(status(200, "")), again, 6, ""},
		{"204", list(status(204, ""), good()), "", 2, ""},

		// Odd frames.
		{"200 comments in a row", list(stream(delta("hel"), strings.Repeat(": ping\n\n", 2000), delta("lo"), stop, finis)), "", 1, ""},
		{"empty data", list(stream("data:\n\n", delta("hello"), "data: \n\n", stop, finis)), "", 1, ""},
		{"data in several lines", list(stream("data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"hello\"}}]}\n\n", stop, finis)), "", 1, ""},
		{"byte order mark", list(stream("\ufeff", delta("hello"), stop, finis)), "", 1, ""},
		{"CRLF", list(stream(strings.ReplaceAll(delta("hel")+delta("lo")+stop+finis, "\n", "\r\n"))), "", 1, ""},
		{"CR", list(stream(strings.ReplaceAll(delta("hel")+delta("lo")+stop+finis, "\n", "\r"))), "", 1, ""},
		{"no blank lines", list(stream(strings.ReplaceAll(delta("hel")+delta("lo")+stop+finis, "\n\n", "\n"))), "", 1, ""},
		{"no space", list(stream(strings.ReplaceAll(delta("hello")+stop+finis, "data: ", "data:"))), "", 1, ""},
		{"event, id and retry lines", list(stream("retry: 10\nid: 1\nevent: message\n", delta("hello"), stop, finis)), "", 1, ""},
		{"a sign of life", list(stream("data: {}\n\n", "data: {\"type\":\"ping\"}\n\n", delta("hello"), stop, finis)), "", 1, ""},
		{"not JSON", list(stream(delta("wrong"), "data: hello\n\n", stop, finis), good()), "", 2, "makes no sense"},
		{"not JSON, to the end", list(stream("data: hello\n\n", stop, finis)), loop.TroubleBadAnswer, 6, "makes no sense"},
		{"content as parts", list(stream(`data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"hel"},"lo"]}}]}`+"\n\n", stop, finis)), "", 1, ""},
		{"null content and role only", list(stream("data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null},\"finish_reason\":null}]}\n\n", delta("hello"), stop, finis)), "", 1, ""},
		{"content as a number", list(stream("data: {\"choices\":[{\"delta\":{\"content\":5}}]}\n\n", stop, finis), good()), "", 2, ""},
		{"tool call without index", list(stream(delta("hello"), "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"f\"}}]}}]}\n\n", stop, finis)), "", 1, ""},
		{"a second choice", list(stream(delta("hello"), "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"wrong\"}}]}\n\n", stop, finis)), "", 1, ""},
		{"one long line", list(stream("data: {\"pad\":\"", strings.Repeat("x", 8<<20), "\",\"choices\":[{\"delta\":{\"content\":\"hello\"}}]}\n\n", stop, finis)), "", 1, ""},
		{"one line too long", list(stream("data: {\"pad\":\"", strings.Repeat("x", 17<<20))), loop.TroubleTooLarge, 1, "16 MiB"},
		{"one comment too long", list(stream(": ", strings.Repeat("x", 17<<20), "\n\n", delta("hello"), stop)), loop.TroubleTooLarge, 1, "16 MiB"},
		{"events too long", list(stream("data: {\n", strings.Repeat("data: "+strings.Repeat("x", 1<<20)+"\n", 17))), loop.TroubleTooLarge, 1, "16 MiB"},
		{"gzip", list(zipped(delta("hello") + stop + finis)), "", 1, ""},
		{"gzip bomb, one line", list(zippedZeros(200<<20, "\x00")), loop.TroubleTooLarge, 1, ""},
		{"gzip bomb, one event", list(zippedZeros(200<<20, "data: ")), loop.TroubleTooLarge, 1, ""},
		{"gzip cut", list(status(200, "\x1f\x8b\x08\x00\x00", "Content-Encoding", "gzip", "Content-Type", "text/event-stream"), good()), "", 2, ""},

		// Errors within the stream.
		{"error event", list(stream(delta("wrong"), `data: {"error":{"message":"overloaded","type":"overloaded_error"}}`+"\n\n", finis), good()), "", 2, "overloaded"},
		{"error with a blank", list(stream(`data: { "error" : {"message":"boom"}}`+"\n\n"), good()), "", 2, "boom"},
		{"error text", list(stream(`data: {"error":"boom"}`+"\n\n"), good()), "", 2, "boom"},
		{"error after a comment", list(stream(": ping\n\n", `data: {"error":{"message":"boom"}}`+"\n\n"), good()), "", 2, "boom"},
		{"error after event: error", list(stream("event: error\n", `data: {"error":{"message":"boom"}}`+"\n\n"), good()), "", 2, "boom"},
		{"event: error with text", list(stream("event: error\n", "data: boom\n\n"), good()), "", 2, "boom"},
		{"event: error with text, to the end", list(stream("event: error\n", "data: boom\n\n")), again, 6, "boom"},
		{"OpenRouter's form", list(stream(delta("wrong"), `data: {"id":"x","provider":"p","error":{"code":502,"message":"Provider returned error","metadata":{"raw":"upstream died"}},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`+"\n\n", finis), good()), "", 2, "upstream died"},
		{"finish reason error", list(stream(delta("wrong"), `data: {"choices":[{"delta":{},"finish_reason":"error"}]}`+"\n\n", finis), good()), "", 2, "broke off"},
		{"vLLM's form", list(stream(`data: {"object":"error","message":"boom","type":"InternalServerError","code":500}`+"\n\n", finis), good()), "", 2, "boom"},
		{"Anthropic's form", list(stream(`data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`+"\n\n"), good()), "", 2, "Overloaded"},
		{"message without error", list(stream(`data: {"code":"500","message":"boom"}`+"\n\n", finis), good()), "", 2, "boom"},
		{"detail", list(stream(`data: {"detail":"boom"}`+"\n\n", finis), good()), "", 2, "boom"},
		{"a line without data:", list(stream(delta("wrong"), `{"error":{"message":"boom"}}`+"\n"), good()), "", 2, "boom"},
		{"quota within the stream", list(stream("data: "+quota+"\n\n", finis)), loop.TroubleQuota, 1, "billing"},
		{"key within the stream", list(stream(`data: {"error":{"message":"no","type":"authentication_error"}}` + "\n\n")), loop.TroubleAuth, 1, "no"},
		{"context within the stream", list(stream(`data: {"error":{"message":"prompt is too long: 250000 tokens > 200000 maximum","type":"invalid_request_error"}}` + "\n\n")), loop.TroubleContext, 1, ""},
		{"rate within the stream", list(stream(`data: {"error":{"message":"slow","code":"429"}}`+"\n\n"), good()), "", 2, "HTTP 429: slow"},
		{"bad request within the stream", list(stream(`data: {"error":{"message":"no","code":400}}` + "\n\n")), loop.TroubleBadRequest, 1, "no"},
		{"error after the finish reason", list(stream(delta("wrong"), stop, `data: {"error":{"message":"boom"}}`+"\n\n"), good()), "", 2, "boom"},
		{"null and empty errors", list(stream(`data: {"error":null,"choices":[{"delta":{"content":"hello"}}]}`+"\n\n", `data: {"error":{},"choices":[]}`+"\n\n", stop, finis)), "", 1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tt.answers...)
			start := time.Now()
			reply, tr, err := ask(t, s.client(t))
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("took %v", d)
			}
			said := ""
			if tt.kind == "" {
				if err != nil || reply.Text != "hello" || tr.text != "hello" || reply.Finish != loop.FinishStop {
					t.Fatalf("reply %q (%s), chunks %q, error %v", reply.Text, reply.Finish, tr.text, err)
				}
				if len(tr.retries) > 0 {
					said = tr.retries[0].Why
				}
			} else {
				m := modelError(err)
				if m == nil || m.Kind != tt.kind {
					t.Fatalf("error %v, want %s", err, tt.kind)
				}
				if reply.Text != "" {
					t.Errorf("reply %q beside the error", reply.Text)
				}
				said = m.Error()
			}
			if !strings.Contains(said, tt.detail) {
				t.Errorf("said %q, want %q in it", said, tt.detail)
			}
			if n := s.requests(); n != tt.requests || tr.reserved != n || len(tr.retries) != n-1 {
				t.Errorf("%d requests, %d reserved, %d retries; want %d", n, tr.reserved, len(tr.retries), tt.requests)
			}
		})
	}
}

// TestTooLarge: a stream ends at a cap, not at a deadline, also one of nothing
// but comments.
func TestTooLarge(t *testing.T) {
	for detail, answer := range map[string]http.HandlerFunc{
		"without end":         zippedZeros(100<<20, ": x\n"),
		"longer than 1048576": stream(strings.Repeat(delta(strings.Repeat("x", 1<<16)), 17), stop),
	} {
		c := serve(t, answer).client(t)
		c.MaxReplyBytes = 1 << 20
		_, tr, err := ask(t, c)
		m := modelError(err)
		if m == nil || m.Kind != loop.TroubleTooLarge || !strings.Contains(m.Detail, detail) || tr.reserved != 1 {
			t.Errorf("error %v after %d requests, want %q", err, tr.reserved, detail)
		}
	}
}

// TestEndlessError: no more than the beginning of an error is read.
func TestEndlessError(t *testing.T) {
	sent := make(chan int, 1)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(400)
		n := 0
		for block := strings.Repeat("no ", 10_000); n < 100<<20; n += len(block) {
			if _, err := io.WriteString(w, block); err != nil {
				break
			}
		}
		sent <- n
	}).client(t)
	_, _, err := ask(t, c)
	if m := modelError(err); m == nil || m.Kind != loop.TroubleBadRequest {
		t.Error(err)
	}
	if n := <-sent; n > 20<<20 {
		t.Errorf("%d bytes were taken", n)
	}
}

func list(answers ...http.HandlerFunc) []http.HandlerFunc { return answers }

func zipped(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		io.WriteString(z, body)
		z.Close()
	}
}

// zippedZeros sends so many bytes, compressed: a beginning, then more of its
// last byte or, with a newline in it, repeated.
func zippedZeros(size int, begin string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Encoding", "gzip")
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		block := strings.Repeat(begin, 1<<20/len(begin))
		if !strings.HasSuffix(begin, "\n") {
			fmt.Fprint(z, begin)
			block = strings.Repeat("x", 1<<20)
		}
		for n := 0; n < size; n += len(block) {
			if _, err := io.WriteString(z, block); err != nil {
				return
			}
		}
		z.Close()
	}
}
