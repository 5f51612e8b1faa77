package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"
	"time"

	"github.com/agentloop/agentloop/loop"
)

// replyBody re-frames the body of a successful response: whatever the server
// sent, go-openai reads one "data:" line for each chunk, then "[DONE]". It ends
// with io.EOF exactly when the reply was whole; otherwise Read gives a *fault,
// which go-openai hands out unchanged.
//
// A reply is whole when a finish reason came, or [DONE]. What comes later is
// only waited for as long as tailTime, and its lack changes nothing.
type replyBody struct {
	wire    io.ReadCloser
	patient func(time.Duration) // sets how long a read may take; 0: as long as usual
	kind    string              // media type
	events  sse
	started bool
	whole   bool
	out     []byte
	err     error
}

const (
	tailTime  = 10 * time.Second      // for usage and [DONE] after a finish reason
	drainTime = 50 * time.Millisecond // for the body's end after [DONE]
)

func newReplyBody(wire io.ReadCloser, contentType string, patient func(time.Duration)) *replyBody {
	kind, _, _ := mime.ParseMediaType(contentType)
	return &replyBody{wire: wire, patient: patient, kind: kind, events: sse{r: bufio.NewReaderSize(wire, 32<<10)}}
}

func (b *replyBody) Read(p []byte) (int, error) {
	for len(b.out) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.err = b.fill()
	}
	n := copy(p, b.out)
	b.out = b.out[n:]
	return n, nil
}

// Close reads the few bytes that may follow a whole reply, so that its
// connection can be used again.
func (b *replyBody) Close() error {
	if b.err == io.EOF {
		io.Copy(io.Discard, io.LimitReader(b.events.r, 4096))
	}
	return b.wire.Close()
}

// fill reads on until there is something to hand out, or the end.
func (b *replyBody) fill() error {
	if !b.started {
		b.started = true
		return b.start()
	}
	e, err := b.events.next()
	switch {
	case err == nil && string(bytes.TrimSpace(e.data)) == done:
		return b.end()
	case err == nil:
		return b.take(e)
	case b.whole: // a server that stops right after the finish reason has said all
		return b.end()
	}
	return readFault(err)
}

// end hands out the last line.
func (b *replyBody) end() error {
	b.patient(drainTime)
	b.out = append(b.out, "data: "+done+"\n"...)
	return io.EOF
}

// start looks at the first byte to see what kind of thing comes. Servers are
// often wrong about the media type, so it only decides what is left over.
func (b *replyBody) start() error {
	r := b.events.r
	if bom, err := r.Peek(3); err == nil && string(bom) == "\ufeff" {
		r.Discard(3)
	}
	first, err := skipBlank(r)
	switch {
	case err != nil:
		return readFault(err)
	case first == '{' || first == '[':
		return b.readWhole()
	case first == '<':
		return b.notAModel("a page of HTML or XML")
	case b.kind == "text/event-stream" || looksLikeStream(r):
	default:
		return b.notAModel("neither an event stream nor JSON")
	}
	return nil
}

// skipBlank returns the first byte that is no white space, without taking it.
func skipBlank(r *bufio.Reader) (byte, error) {
	for {
		some, err := r.Peek(1)
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(some[0])) {
			return some[0], nil
		}
		r.Discard(1)
	}
}

// looksLikeStream reports whether a body of another media type begins like an
// event stream.
func looksLikeStream(r *bufio.Reader) bool {
	for _, prefix := range []string{":", "data:", "event:", "id:", "retry:"} {
		if some, _ := r.Peek(len(prefix)); string(some) == prefix {
			return true
		}
	}
	return false
}

// readWhole takes a body that is one JSON value: a server that ignores
// "stream": true, or an error with a status of 200. It does not wait for the
// body's end.
func (b *replyBody) readWhole() error {
	limited := &io.LimitedReader{R: b.events.r, N: maxEvent}
	var data json.RawMessage
	var c chunk
	err := json.NewDecoder(limited).Decode(&data)
	var syntax *json.SyntaxError
	switch {
	case limited.N <= 0:
		return readFault(errTooLong)
	case errors.As(err, &syntax):
		return &fault{kind: loop.TroubleNotAModel, detail: "no JSON after all: " + syntax.Error()}
	case err != nil:
		return readFault(err)
	}
	if data[0] == '{' {
		err = json.Unmarshal(data, &c)
	}
	switch {
	case c.failed() || len(c.Choices) == 0 || c.Choices[0].Message == nil:
		f := errorFault(data, 0)
		if f == nil || f.detail == "" {
			return &fault{kind: loop.TroubleNotAModel, detail: "JSON that is no chat completion: " + quote(data)}
		}
		if f.kind == loop.TroubleUnavailable && data[0] == '{' && !c.failed() { // words, but hardly of an error
			return &fault{kind: loop.TroubleNotAModel, detail: "JSON that is no chat completion: " + f.detail}
		}
		return f
	case err != nil:
		return garbled(data, err)
	}
	if err := b.take(event{data: data}); err != nil {
		return err
	}
	return b.end()
}

// take hands out one chunk.
func (b *replyBody) take(e event) error {
	var c chunk
	err := json.Unmarshal(e.data, &c)
	switch {
	case e.name == "error" || err == nil && c.failed():
		return asError(e.data)
	case err != nil && b.whole:
		return b.end()
	case err != nil:
		return garbled(e.data, err)
	case len(c.Choices) == 0 && c.cost() == nil:
		if f := errorFault(e.data, 0); f != nil && f.detail != "" {
			return f
		}
		return nil // a sign of life
	}
	said, _, finish := c.first()
	if f := brokenOff(finish); f != nil {
		return f
	}
	// Words after a finish reason mean that it was none.
	if finish != "" {
		b.whole = true
		b.patient(tailTime)
	} else if said != "" {
		b.whole = false
		b.patient(0)
	}
	b.out = append(b.out, c.normal()...)
	return nil
}

// brokenOff is the fault of a finish reason that means that the server gave up.
func brokenOff(finish string) *fault {
	switch strings.ToLower(finish) {
	case "error", "abort", "network_error", "server_error", "insufficient_system_resource":
		return &fault{kind: loop.TroubleUnavailable, again: true, sent: true, detail: "the server broke off its reply: finish_reason " + finish}
	}
	return nil
}

// asError is the fault of an event that is an error for sure.
func asError(data []byte) *fault {
	if f := errorFault(data, 0); f != nil {
		return f
	}
	return &fault{kind: loop.TroubleUnavailable, again: true, sent: true, detail: "error within the stream: " + quote(data)}
}

func garbled(data []byte, err error) *fault {
	return &fault{kind: loop.TroubleBadAnswer, again: true, sent: true, detail: fmt.Sprintf("an event of the stream makes no sense (%v): %s", err, quote(data))}
}

// notAModel is the fault of a body that no chat API sends.
func (b *replyBody) notAModel(what string) *fault {
	some, _ := b.events.r.Peek(200)
	return &fault{kind: loop.TroubleNotAModel, detail: what + ": " + quote(some)}
}

// quote shows the beginning of a body.
func quote(data []byte) string { return shorten(string(data), 200) }
