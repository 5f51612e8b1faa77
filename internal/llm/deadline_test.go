package llm

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentloop/agentloop/loop"
)

// pipes is a network of one server: every dial starts its handler on the other
// end of a net.Pipe, with the request already read. It works in a synctest
// bubble, where the clock stands still until everybody waits.
func pipes(answers ...func(net.Conn)) *http.Transport {
	n := 0
	return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		answer := answers[min(n, len(answers)-1)]
		n++
		go func() {
			defer there.Close()
			req, err := http.ReadRequest(bufio.NewReader(there))
			if err != nil {
				return
			}
			io.Copy(io.Discard, req.Body)
			answer(there)
		}()
		return here, nil
	}}
}

// says answers with these bytes and ends.
func says(bytes string) func(net.Conn) {
	return func(c net.Conn) { io.WriteString(c, bytes) }
}

// hangs answers with these bytes and stays silent until the client leaves.
func hangs(bytes string) func(net.Conn) {
	return func(c net.Conn) {
		io.WriteString(c, bytes)
		io.Copy(io.Discard, c)
	}
}

// drips sends a comment every half minute for ever.
func drips(c net.Conn) {
	io.WriteString(c, sseHead+"\r\n")
	for {
		time.Sleep(30 * time.Second)
		if _, err := io.WriteString(c, ": ping\n\n"); err != nil {
			return
		}
	}
}

const goodAnswer = sseHead + "Connection: close\r\n\r\n"

func TestDeadlines(t *testing.T) {
	good := says(goodAnswer + delta("hello") + stop + finis)
	tests := []struct {
		name    string
		answers []func(net.Conn)
		change  func(*Client)
		took    time.Duration
		tries   int
		kind    loop.Trouble // "": "hello"
	}{
		{"silent before the header", []func(net.Conn){hangs(""), good}, nil, 300*time.Second + time.Second, 2, ""},
		{"silent after the header", []func(net.Conn){hangs(sseHead + "\r\n"), good}, nil, 120*time.Second + time.Second, 2, ""},
		{"silent within the stream", []func(net.Conn){hangs(sseHead + "\r\n" + delta("wrong")), good}, nil, 120*time.Second + time.Second, 2, ""},
		{"silent within a line", []func(net.Conn){hangs(sseHead + "\r\ndata: {\"cho"), good}, nil, 120*time.Second + time.Second, 2, ""},
		{"silent after the finish reason", []func(net.Conn){hangs(sseHead + "\r\n" + delta("hello") + stop)}, nil, 10 * time.Second, 1, ""},
		{"a pause after a finish reason that was none", []func(net.Conn){func(c net.Conn) {
			io.WriteString(c, goodAnswer+stop+delta("hel"))
			time.Sleep(time.Minute)
			io.WriteString(c, delta("lo")+stop+finis)
		}}, nil, time.Minute, 1, ""},
		{"silent after DONE", []func(net.Conn){hangs(sseHead + "\r\n" + delta("hello") + finis)}, nil, 50 * time.Millisecond, 1, ""},
		{"error, then silent", []func(net.Conn){hangs(sseHead + "\r\ndata: {\"error\":\"boom\"}\n\n"), good}, nil, time.Second, 2, ""},
		{"JSON, then silent", []func(net.Conn){hangs("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + wholly)}, nil, 50 * time.Millisecond, 1, ""},
		{"error body never comes", []func(net.Conn){hangs("HTTP/1.1 500 Oops\r\nContent-Length: 10\r\n\r\n"), good}, nil, 11 * time.Second, 2, ""},
		{"drip", []func(net.Conn){drips}, nil, 15 * time.Minute, 1, loop.TroubleUnavailable},
		{"drip against the try's deadline", []func(net.Conn){drips, good}, func(c *Client) { c.RequestTimeout = time.Minute }, time.Minute + time.Second, 2, ""},
		{"silent to the end", []func(net.Conn){hangs("")}, func(c *Client) { c.Backoff = func(int) time.Duration { return 0 } }, 15 * time.Minute, 3, loop.TroubleUnavailable},
		{"own idle deadline", []func(net.Conn){hangs(sseHead + "\r\n"), good}, func(c *Client) { c.IdleTimeout = 7 * time.Second }, 8 * time.Second, 2, ""},
		{"Retry-After, seconds", []func(net.Conn){says("HTTP/1.1 429 x\r\nRetry-After: 61\r\nContent-Length: 0\r\n\r\n"), good}, nil, 61 * time.Second, 2, ""},
		{"Retry-After, just allowed", []func(net.Conn){says("HTTP/1.1 429 x\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n"), good}, nil, 600 * time.Second, 2, ""},
		{"Retry-After, too long", []func(net.Conn){says("HTTP/1.1 429 x\r\nRetry-After: 601\r\nContent-Length: 0\r\n\r\n"), good}, nil, 0, 1, loop.TroubleRateLimit},
		{"Retry-After, past the whole deadline", []func(net.Conn){says("HTTP/1.1 429 x\r\nRetry-After: 500\r\nContent-Length: 0\r\n\r\n")}, nil, 500 * time.Second, 2, loop.TroubleRateLimit},
		{"no wait past the whole deadline", []func(net.Conn){says("HTTP/1.1 503 x\r\nContent-Length: 0\r\n\r\n")}, func(c *Client) { c.Backoff = func(int) time.Duration { return 8 * time.Minute } }, 8 * time.Minute, 2, loop.TroubleUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				transport := pipes(tt.answers...)
				c := &Client{
					BaseURL: "http://localhost/v1", Model: "m", Transport: transport,
					Backoff: func(int) time.Duration { return time.Second },
				}
				if tt.change != nil {
					tt.change(c)
				}
				start := time.Now()
				reply, err := c.Complete(t.Context(), loop.Request{User: "hi"})
				took := time.Since(start)
				transport.CloseIdleConnections()
				time.Sleep(time.Minute) // the dripping server notices at its next drop
				if tt.kind == "" && (err != nil || reply.Text != "hello") {
					t.Errorf("reply %q, error %v", reply.Text, err)
				}
				if m := modelError(err); tt.kind != "" && (m == nil || m.Kind != tt.kind) {
					t.Errorf("error %v, want %s", err, tt.kind)
				}
				if took != tt.took || reply.Usage.Requests != tt.tries {
					t.Errorf("took %v and %d tries, want %v and %d", took, reply.Usage.Requests, tt.took, tt.tries)
				}
			})
		})
	}
}

// TestCancel: the caller's end comes through as it is, from every kind of wait,
// at once, with what the tries have cost.
func TestCancel(t *testing.T) {
	later := func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(10*time.Second, cancel)
		return ctx, cancel
	}
	deadline := func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, 10*time.Second)
	}
	rate := says("HTTP/1.1 429 x\r\nRetry-After: 300\r\nContent-Length: 0\r\n\r\n")
	tests := []struct {
		name   string
		answer func(net.Conn)
		end    func(context.Context) (context.Context, context.CancelFunc)
		want   error
		prompt int
	}{
		{"cancelled before the header", hangs(""), later, context.Canceled, 1},
		{"cancelled within the body", hangs(sseHead + "\r\n" + delta("x")), later, context.Canceled, 1},
		{"cancelled in retryablehttp's wait", rate, later, context.Canceled, 0},
		{"cancelled in our wait", says(goodAnswer + delta("x")), later, context.Canceled, 1},
		{"deadline before the header", hangs(""), deadline, context.DeadlineExceeded, 1},
		{"deadline within the body", hangs(sseHead + "\r\n" + delta("x")), deadline, context.DeadlineExceeded, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				transport := pipes(tt.answer)
				defer transport.CloseIdleConnections()
				c := &Client{BaseURL: "http://localhost/v1", Model: "m", Transport: transport, Backoff: func(int) time.Duration { return time.Minute }}
				ctx, cancel := tt.end(t.Context())
				defer cancel()
				start := time.Now()
				reply, err := c.Complete(ctx, loop.Request{User: "hi"})
				if err != tt.want || modelError(err) != nil {
					t.Errorf("error %v, want %v", err, tt.want)
				}
				if took := time.Since(start); took != 10*time.Second {
					t.Errorf("took %v", took)
				}
				if reply.Usage.Requests != 1 || reply.Usage.Prompt != tt.prompt {
					t.Errorf("usage %+v", reply.Usage)
				}
			})
		})
	}
}
