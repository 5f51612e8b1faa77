package llm

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/agentloop/agentloop/loop"
)

// TestNetwork: what fails before there is HTTP.
func TestNetwork(t *testing.T) {
	secure := httptest.NewUnstartedServer(good())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	plain := serve(t, good())
	trusting := secure.Client().Transport.(*http.Transport).Clone()
	trusting.TLSClientConfig.Time = func() time.Time { return time.Now().AddDate(300, 0, 0) }
	proxied := func(code int) *http.Transport {
		proxy := serve(t, status(code, "no"))
		u, _ := url.Parse(proxy.URL)
		return &http.Transport{Proxy: http.ProxyURL(u)}
	}
	failing := func(err error) *http.Transport {
		return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: err}
		}}
	}
	tests := []struct {
		name      string
		base      string
		transport *http.Transport
		kind      loop.Trouble
		requests  int
		detail    string
	}{
		{"unknown certificate", secure.URL, nil, loop.TroubleBadAddress, 1, "certificate"},
		{"certificate of another time", secure.URL, trusting, loop.TroubleBadAddress, 1, "clock is wrong"},
		{"TLS to plain HTTP", strings.Replace(plain.URL, "http:", "https:", 1), nil, loop.TroubleBadAddress, 1, "is it http://"},
		{"plain HTTP to TLS", strings.Replace(secure.URL, "https:", "http:", 1), nil, loop.TroubleBadRequest, 1, "HTTPS"},
		{"refused", "http://" + closed.Addr().String(), nil, loop.TroubleUnavailable, 6, "refused"},
		{"no such host", "https://nowhere.invalid", failing(&net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true}), loop.TroubleBadAddress, 1, "nowhere.invalid"},
		{"resolver down", "https://nowhere.invalid", failing(&net.DNSError{Err: "try again", IsTemporary: true}), loop.TroubleBadAddress, 6, "try again"},
		{"proxy wants a password", "https://nowhere.invalid", proxied(407), loop.TroubleBadAddress, 1, "proxy"},
		{"proxy is down", "https://nowhere.invalid", proxied(502), loop.TroubleUnavailable, 6, "Bad Gateway"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &Client{BaseURL: tt.base, Key: testKey, Model: "m", Backoff: func(int) time.Duration { return 0 }}
			if tt.transport != nil {
				c.Transport = tt.transport
				defer tt.transport.CloseIdleConnections()
			}
			defer c.Close()
			reply, tr, err := ask(t, c)
			m := modelError(err)
			if m == nil || m.Kind != tt.kind || !strings.Contains(m.Detail, tt.detail) {
				t.Errorf("error %v, want %s with %q", err, tt.kind, tt.detail)
			}
			// net/http does not say of a proxy's answer that nothing left; it is charged.
			charged := reply.Usage.Prompt != 0
			if tr.reserved != tt.requests || charged != (tt.name == "proxy is down") {
				t.Errorf("%d requests, usage %+v; want %d", tr.reserved, reply.Usage, tt.requests)
			}
		})
	}
}

// TestHTTP2: the same ends over HTTP/2, where a broken stream is no broken
// connection.
func TestHTTP2(t *testing.T) {
	n := 0
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Error("no HTTP/2")
		}
		n++
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, delta("hello"))
		w.(http.Flusher).Flush()
		switch n {
		case 1:
			panic(http.ErrAbortHandler) // RST_STREAM
		case 2: // clean end, nothing said
		case 3:
			<-r.Context().Done() // silent until we leave
		case 4:
			fmt.Fprint(w, stop, costs, finis)
		}
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	c := &Client{BaseURL: s.URL, Model: "m", Transport: s.Client().Transport, IdleTimeout: 50 * time.Millisecond, Backoff: func(int) time.Duration { return 0 }}
	reply, tr, err := ask(t, c)
	if err != nil || reply.Text != "hello" || tr.reserved != 4 {
		t.Errorf("reply %q after %d requests, error %v", reply.Text, tr.reserved, err)
	}
	for i, want := range []string{"broke", "cut", "silent"} {
		if i < len(tr.retries) && !strings.Contains(tr.retries[i].Why, want) {
			t.Errorf("retry %d: %q, want %q", i, tr.retries[i].Why, want)
		}
	}
}
