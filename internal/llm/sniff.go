package llm

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/agentloop/agentloop/loop"
)

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
			return &fault{kind: loop.TroubleNotAModel, detail: "JSON that is no chat completion", quoted: quote(data)}
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

// notAModel is the fault of a body that no chat API sends.
func (b *replyBody) notAModel(what string) *fault {
	some, _ := b.events.r.Peek(200)
	return &fault{kind: loop.TroubleNotAModel, detail: what, quoted: quote(some)}
}
