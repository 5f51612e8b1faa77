package standin

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func serve(t *testing.T, p Player, wires ...Wire) *Server {
	t.Helper()
	s, err := Serve(p, InOrder(wires...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(); http.DefaultClient.CloseIdleConnections() })
	return s
}

// ask sends one chat and returns the answer as it came, and the error of
// reading it.
func ask(t *testing.T, s *Server, stream bool, user string) (*http.Response, string, error) {
	t.Helper()
	body := fmt.Sprintf(`{"model":"m","stream":%v,"stream_options":{"include_usage":true},"messages":[
		{"role":"system","content":"be brief"},{"role":"user","content":[{"type":"text","text":%q}]}]}`, stream, user)
	req, err := http.NewRequest("POST", s.URL()+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer not-a-key")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp, string(b), err
}

// read joins a stream's text and tells what else it held.
func read(t *testing.T, raw string) (text string, pieces int, finish string, usage, done bool) {
	t.Helper()
	sc := bufio.NewScanner(strings.NewReader(raw))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			done = true
			continue
		}
		var v struct {
			Choices []struct {
				Delta        struct{ Content string }
				FinishReason string `json:"finish_reason"`
			}
			Usage *struct {
				Prompt int `json:"prompt_tokens"`
			}
		}
		if err := json.Unmarshal([]byte(data), &v); err != nil {
			t.Fatalf("event %q: %v", data, err)
		}
		usage = usage || v.Usage != nil && v.Usage.Prompt > 0
		for _, c := range v.Choices {
			if c.Delta.Content != "" {
				pieces++
			}
			text += c.Delta.Content
			finish += c.FinishReason
		}
	}
	return text, pieces, finish, usage, done
}

func TestScriptStreamed(t *testing.T) {
	want := "päth/ü.go\n" + strings.Repeat("«line» of text\n", 40)
	s := serve(t, NewScript(want, "second"), Wire{Chunk: 5})
	_, raw, err := ask(t, s, true, "do it")
	if err != nil {
		t.Fatal(err)
	}
	text, pieces, finish, usage, done := read(t, raw)
	if text != want || pieces < len(want)/8 || finish != "stop" || !usage || !done {
		t.Errorf("got %d bytes of %d in %d pieces, finish %q, usage %v, done %v", len(text), len(want), pieces, finish, usage, done)
	}
	for _, want := range []string{"second", Nothing, Nothing} {
		_, raw, _ := ask(t, s, true, "again")
		if text, _, _, _, _ := read(t, raw); text != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
	s.Close()
	log := s.Requests()
	if len(log) != 4 {
		t.Fatalf("%d requests logged", len(log))
	}
	r := log[0]
	if r.Chat.LastUser() != "do it" || r.Chat.System() != "be brief" || !r.Authorized || r.PromptTokens != 3+2 || r.Size == 0 || r.Sent == 0 {
		t.Errorf("logged %+v", r)
	}
	if r.Arrived.IsZero() || r.First.Before(r.Arrived) || r.Done.Before(r.First) {
		t.Errorf("times %v %v %v", r.Arrived, r.First, r.Done)
	}
	if strings.Contains(fmt.Sprintf("%+v", log), "not-a-key") {
		t.Error("the log holds the key")
	}
}

func TestPlainAnswer(t *testing.T) {
	s := serve(t, Echo{})
	resp, raw, err := ask(t, s, false, "hello")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Choices []struct{ Message struct{ Content string } }
		Usage   struct {
			Total int `json:"total_tokens"`
		}
	}
	if err := json.Unmarshal([]byte(raw), &v); err != nil || len(v.Choices) != 1 || v.Choices[0].Message.Content != "hello" || v.Usage.Total == 0 {
		t.Errorf("%v: %s", err, raw)
	}
	if got := resp.Header.Get("Content-Type"); got != "application/json" {
		t.Error(got)
	}
}

func TestWires(t *testing.T) {
	const text = "one two three four five six"
	tests := []struct {
		name  string
		wire  Wire
		check func(t *testing.T, resp *http.Response, raw string, err error)
	}{
		{"429", Wire{Status: 429, RetryAfter: "3"}, func(t *testing.T, resp *http.Response, raw string, err error) {
			if err != nil || resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "3" || !strings.Contains(raw, `"error"`) {
				t.Errorf("%v %v %s", err, resp, raw)
			}
		}},
		{"500", Wire{Status: 500, Body: "ouch"}, func(t *testing.T, resp *http.Response, raw string, err error) {
			if err != nil || resp.StatusCode != 500 || !strings.Contains(raw, "ouch") {
				t.Errorf("%v %v %s", err, resp, raw)
			}
		}},
		{"html", HTMLPage(), func(t *testing.T, resp *http.Response, raw string, err error) {
			if err != nil || resp.StatusCode != 200 || !strings.Contains(raw, "<html>") || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
				t.Errorf("%v %v %s", err, resp, raw)
			}
		}},
		{"cut", Wire{Cut: 10}, func(t *testing.T, _ *http.Response, raw string, err error) {
			if got, _, finish, _, done := read(t, raw); err == nil || got != text[:10] || finish != "" || done {
				t.Errorf("%v, %q", err, got)
			}
		}},
		{"reset", Wire{Cut: 10, Reset: true, Drip: time.Millisecond}, func(t *testing.T, _ *http.Response, raw string, err error) {
			if err == nil {
				t.Errorf("no error: %q", raw)
			}
		}},
		{"rejected", Wire{Reject: true}, func(t *testing.T, _ *http.Response, _ string, err error) {
			if err == nil {
				t.Error("no error")
			}
		}},
		{"no done", Wire{NoDone: true, NoUsage: true}, func(t *testing.T, _ *http.Response, raw string, err error) {
			if got, _, finish, usage, done := read(t, raw); err != nil || got != text || finish != "stop" || usage || done {
				t.Errorf("%v, %q %q %v %v", err, got, finish, usage, done)
			}
		}},
		{"no finish", Wire{NoFinish: true}, func(t *testing.T, _ *http.Response, raw string, err error) {
			if got, _, finish, _, done := read(t, raw); err != nil || got != text || finish != "" || done {
				t.Errorf("%v, %q %q %v", err, got, finish, done)
			}
		}},
		{"drip", Wire{Chunk: 1, Drip: time.Microsecond}, func(t *testing.T, _ *http.Response, raw string, err error) {
			if got, pieces, _, _, done := read(t, raw); err != nil || got != text || pieces != len(text) || !done {
				t.Errorf("%v, %q in %d", err, got, pieces)
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, NewScript(text), test.wire)
			resp, raw, err := ask(t, s, true, "go")
			test.check(t, resp, raw, err)
		})
	}
}

// A stalled answer holds its client until the server is closed; Close does not
// wait for the stall's end.
func TestStallEndsWithTheServer(t *testing.T) {
	s := serve(t, Fixed("0123456789"), Wire{StallAt: 4, Stall: time.Hour})
	got := make(chan string)
	go func() {
		_, raw, _ := ask(t, s, true, "go")
		got <- raw
	}()
	for len(s.Requests()) == 0 {
		time.Sleep(time.Millisecond)
	}
	select {
	case raw := <-got:
		t.Fatalf("no stall: %q", raw)
	case <-time.After(50 * time.Millisecond):
	}
	begun := time.Now()
	s.Close()
	if text, _, _, _, done := read(t, <-got); text != "0123" || done {
		t.Errorf("got %q, done %v", text, done)
	}
	if d := time.Since(begun); d > 5*time.Second {
		t.Errorf("Close took %v", d)
	}
}

// A client that tries again after a broken answer gets the same answer; a
// refused request uses none up.
func TestRepeatedRequest(t *testing.T) {
	s := serve(t, NewScript("first", "second"), Wire{Status: 503}, Wire{Cut: 2}, HTMLPage(), Wire{}, Wire{})
	var texts []string
	for range 5 {
		_, raw, _ := ask(t, s, true, "the same prompt")
		text, _, _, _, _ := read(t, raw)
		texts = append(texts, text)
	}
	if got, want := strings.Join(texts, "|"), "|fi||first|second"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestBadRequests(t *testing.T) {
	s := serve(t, Fixed("x"))
	for _, test := range []struct {
		method, path, body string
		want               int
	}{
		{"POST", "/chat/completions", "not json", 400},
		{"POST", "/chat/completions", `{"messages":[{"role":"user","content":3}]}`, 400},
		{"POST", "/elsewhere", "{}", 404},
		{"GET", "/chat/completions", "", 405},
		{"GET", "/models", "", 200},
	} {
		req, _ := http.NewRequest(test.method, s.URL()+test.path, strings.NewReader(test.body))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != test.want {
			t.Errorf("%s %s: %d, want %d", test.method, test.path, resp.StatusCode, test.want)
		}
	}
}

func TestAtRandom(t *testing.T) {
	a, b := AtRandom(3, .5, Wire{Status: 500}), AtRandom(3, .5, Wire{Status: 500})
	n := 0
	for i := range 1000 {
		if a(i) != b(i) {
			t.Fatal("not reproducible")
		}
		if a(i).Status == 500 {
			n++
		}
	}
	if n < 430 || n > 570 {
		t.Errorf("%d of 1000 at a rate of one half", n)
	}
}
