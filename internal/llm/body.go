package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
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
// What go-openai has no types for goes to heard beside.
//
// A reply is whole when a finish reason came, or [DONE]. What comes later is
// only waited for as long as tailTime, and its lack changes nothing.
type replyBody struct {
	wire    io.ReadCloser
	patient func(time.Duration) // sets how long a read may take; 0: as long as usual
	kind    string              // media type
	events  sse
	heard   *heard
	started bool
	whole   bool
	out     []byte
	err     error
}

const (
	tailTime  = 10 * time.Second      // for usage and [DONE] after a finish reason
	drainTime = 50 * time.Millisecond // for the body's end after [DONE]
)

func newReplyBody(wire io.ReadCloser, contentType string, patient func(time.Duration), h *heard) *replyBody {
	kind, _, _ := mime.ParseMediaType(contentType)
	return &replyBody{wire: wire, patient: patient, kind: kind, heard: h, events: sse{r: bufio.NewReaderSize(wire, 32<<10)}}
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
	w, finish := c.first()
	if f := brokenOff(finish); f != nil {
		return f
	}
	if err := b.heard.take(w); err != nil {
		return err
	}
	// Words and calls after a finish reason mean that it was none.
	if said, _ := w.text(); finish != "" {
		b.whole = true
		b.patient(tailTime)
	} else if said != "" || len(w.pieces()) > 0 {
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
	return &fault{kind: loop.TroubleUnavailable, again: true, sent: true, detail: "error within the stream", quoted: quote(data)}
}

func garbled(data []byte, err error) *fault {
	return &fault{kind: loop.TroubleBadAnswer, again: true, sent: true, detail: fmt.Sprintf("an event of the stream makes no sense (%v)", err), quoted: quote(data)}
}
