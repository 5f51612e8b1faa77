package llm

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"pgregory.net/rapid"
)

// frames lists the events of a stream as "name|data".
func frames(r io.Reader) (all []string, err error) {
	s := sse{r: bufio.NewReaderSize(r, 16)}
	for {
		e, err := s.next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, e.name+"|"+string(e.data))
	}
}

// TestSSE follows the examples of WHATWG HTML 9.2.6, then our leniencies.
func TestSSE(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"two lines", "data: YHOO\ndata: +2\ndata: 10\n\n", "|YHOO\n+2\n10"},
		{"comment, id, no space", ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event", "|first event§|second event§| third event"},
		{"empty data counts for nothing", "data\n\ndata\ndata\n\ndata:", ""},
		{"one space only is taken", "data:test\n\ndata: test\n\n", "|test§|test"},
		{"names", "event: add\ndata: 1\n\nevent: remove\ndata: 2\n\ndata: 3\n\n", "add|1§remove|2§|3"},
		{"a name without data is forgotten", "event: x\n\ndata: 1\n\n", "|1"},
		{"CR", "data: 1\r\rdata: 2\r\r", "|1§|2"},
		{"CRLF", "data: 1\r\ndata: 2\r\n\r\n", "|1\n2"},
		{"mixed", "data: 1\r\n\rdata: 2\n\r\n", "|1§|2"},
		{"unknown fields", "foo: bar\nnonsense\ndata: 1\n\n", "|1"},
		{"end without newline", "data: 1", "|1"},
		{"end after CR", "data: 1\r", "|1"},
		{"objects need no blank line", "data: {\"a\":1}\ndata: {\"a\":2}\ndata: [DONE]\n", "|{\"a\":1}§|{\"a\":2}§|[DONE]"},
		{"an object over several lines", "data: {\ndata: \"a\":1}\n\n", "|{\n\"a\":1}"},
		{"a bare object", "data: {\"a\":1}\n\n{\"error\":1}\n", "|{\"a\":1}§|{\"error\":1}"},
		{"line longer than the buffer", "data: " + strings.Repeat("x", 100) + "\n\n", "|" + strings.Repeat("x", 100)},
		{"colon in the value", "data: a:b\n\n", "|a:b"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{"whole": strings.NewReader(tt.in), "by byte": iotest.OneByteReader(strings.NewReader(tt.in))} {
				got, err := frames(r)
				if err != nil || strings.Join(got, "§") != tt.want {
					t.Errorf("%s: %q, error %v; want %q", name, got, err, tt.want)
				}
			}
		})
	}
}

// reframed is everything that go-openai would see of a body.
func reframed(r io.Reader) string {
	b := newReplyBody(io.NopCloser(r), "text/event-stream", func(time.Duration) {}, &heard{limit: 1 << 20})
	out, err := io.ReadAll(b)
	b.Close()
	return fmt.Sprintf("%s\n%v", out, err)
}

// cutting reads in steps of the given sizes, over and over.
type cutting struct {
	r     io.Reader
	steps []byte
	n     int
}

func (c *cutting) Read(p []byte) (int, error) {
	step := 1
	if len(c.steps) > 0 {
		step += int(c.steps[c.n%len(c.steps)])
	}
	c.n++
	return c.r.Read(p[:min(len(p), step)])
}

// FuzzReframe: whatever comes, nothing panics and the result does not depend on
// where the bytes were cut.
func FuzzReframe(f *testing.F) {
	for _, seed := range []string{
		delta("hel") + delta("lo") + stop + costs + finis, wholly, "\ufeff" + delta("é") + finis,
		"event: error\ndata: boom\n\n", ": ping\r\r" + delta("x"), "data: {\ndata: }\n\n", "<html>", "[{\"error\":{}}]", "{\"choices\":[{}]} x",
	} {
		f.Add([]byte(seed), []byte{0, 3})
	}
	f.Fuzz(func(t *testing.T, body, steps []byte) {
		want := reframed(bytes.NewReader(body))
		if got := reframed(&cutting{r: bytes.NewReader(body), steps: steps}); got != want {
			t.Errorf("cut by %v: %q, whole: %q", steps, got, want)
		}
		if got := reframed(iotest.DataErrReader(bytes.NewReader(body))); got != want {
			t.Errorf("with the end: %q, whole: %q", got, want)
		}
	})
}

// TestCutEverywhere: a stream cut at any byte before its finish reason is no
// reply.
func TestCutEverywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for _, text := range rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "texts") {
			b.WriteString(rapid.SampledFrom([]string{"", ": ping\n\n", "event: message\n"}).Draw(t, "before"))
			b.WriteString(delta(text))
		}
		ends := rapid.SampledFrom([]string{stop, finis, stop + costs + finis}).Draw(t, "end")
		body := b.String() + ends
		if rapid.Bool().Draw(t, "crlf") {
			body = strings.ReplaceAll(body, "\n", "\r\n")
		}
		if got := reframed(strings.NewReader(body)); !strings.HasSuffix(got, "[DONE]\n\n<nil>") {
			t.Fatalf("whole: %q", got)
		}
		first, _, _ := strings.Cut(ends, "\n")
		for cut := range strings.LastIndex(body, first) + len(first) {
			if got := reframed(strings.NewReader(body[:cut])); strings.HasSuffix(got, "<nil>") {
				t.Fatalf("cut at %d passes for whole: %q", cut, got)
			}
		}
	})
}
