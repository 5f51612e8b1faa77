package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/agentloop/agentloop/loop"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server answers the nth request with the nth handler, later ones with the last.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []map[string]any
	header []http.Header
	uris   []string
}

func serve(t *testing.T, answers ...http.HandlerFunc) *server {
	s := newServer(answers...)
	t.Cleanup(s.Close)
	return s
}

func newServer(answers ...http.HandlerFunc) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		var body map[string]any
		json.Unmarshal(raw, &body)
		s.mu.Lock()
		n := len(s.bodies)
		s.bodies = append(s.bodies, body)
		s.header = append(s.header, r.Header.Clone())
		s.uris = append(s.uris, r.RequestURI)
		s.mu.Unlock()
		answers[min(n, len(answers)-1)](w, r)
	}))
	return s
}

func (s *server) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.bodies)
}

// client asks s, with waits of a millisecond.
func (s *server) client(t *testing.T) *Client {
	c := &Client{
		BaseURL: s.URL + "/v1", Key: testKey, Model: "m",
		Backoff: func(int) time.Duration { return time.Millisecond },
	}
	t.Cleanup(c.Close)
	return c
}

const testKey = "sk-canary-0123456789abcdef"

// trace is what the hooks saw.
type trace struct {
	reserved int
	retries  []loop.Retry
	text     string // what Chunk gave since the last retry
}

// ask runs Complete with all hooks and a deadline that no test should reach.
func ask(t *testing.T, c *Client) (loop.Reply, *trace, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tr := &trace{}
	reply, err := c.Complete(ctx, loop.Request{
		System: "be brief", User: "say hello",
		Reserve: func() error { tr.reserved++; return nil },
		Chunk:   func(s string) { tr.text += s },
		Retry:   func(r loop.Retry) { tr.retries = append(tr.retries, r); tr.text = "" },
	})
	return reply, tr, err
}

// status answers with an error.
func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// sends answers 200 with a body.
func sends(contentType, body string) http.HandlerFunc {
	return status(200, body, "Content-Type", contentType)
}

// stream answers 200 with an event stream of exactly these bytes.
func stream(body ...string) http.HandlerFunc {
	return sends("text/event-stream", strings.Join(body, ""))
}

// raw answers with these bytes in place of HTTP, then closes; with reset, hard.
func raw(bytes string, reset bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := w.(http.Hijacker).Hijack()
		io.WriteString(conn, bytes)
		if reset {
			time.Sleep(5 * time.Millisecond) // let the client read what came
			conn.(*net.TCPConn).SetLinger(0)
		}
		conn.Close()
	}
}

const sseHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

// delta is an event with a piece of text.
func delta(text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf("data: {\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", quoted)
}

const (
	stop   = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
	costs  = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3,\"total_tokens\":10,\"prompt_tokens_details\":{\"cached_tokens\":4},\"completion_tokens_details\":{\"reasoning_tokens\":2}}}\n\n"
	finis  = "data: [DONE]\n\n"
	wholly = `{"id":"x","object":"chat.completion","model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`
)

// good is a whole reply: "hello".
func good() http.HandlerFunc { return stream(delta("hel"), delta("lo"), stop, costs, finis) }

// modelError returns the error as one, or nil.
func modelError(err error) *loop.ModelError {
	var m *loop.ModelError
	errors.As(err, &m)
	return m
}
