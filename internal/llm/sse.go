package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxEvent is the longest line, event or whole reply that is read, in bytes.
const maxEvent = 16 << 20

// errTooLong tells of a line or an event longer than maxEvent.
var errTooLong = errors.New("an event of the stream is longer than 16 MiB")

// sse reads server-sent events (WHATWG HTML 9.2.6), and what real servers send
// in their stead. The result does not depend on where the reads were cut.
//
// Beyond the standard:
//   - a line that is a JSON object by itself is an event, without waiting for
//     the blank line that several servers leave out;
//   - a line that begins with "{" needs no "data:" (gateways append their error
//     so);
//   - what stands before the end of the stream is an event even without its
//     last newline.
type sse struct {
	r      *bufio.Reader
	buf    []byte // the line being read
	skipLF bool   // a CR ended the last line: an LF right after it belongs to it
	ended  bool
}

// event is one message. Its data is never empty.
type event struct {
	name string
	data []byte // valid until the next call of next
}

// next returns the next event, io.EOF at the stream's end, errTooLong, or the
// reader's own error.
func (s *sse) next() (event, error) {
	var e event
	for !s.ended {
		line, err := s.line()
		if err != nil && err != io.EOF {
			return event{}, err
		}
		s.ended = err == io.EOF
		name, value := field(line)
		switch name {
		case "data":
			if len(e.data)+len(value) > maxEvent {
				return event{}, errTooLong
			}
			if len(e.data) == 0 && standsAlone(value) {
				e.data = value
				return e, nil
			}
			if len(e.data) > 0 {
				e.data = append(e.data, '\n')
			}
			e.data = append(e.data, value...) // a copy: the line's buffer is used again
		case "event":
			e.name = string(value)
		}
		if len(line) == 0 || s.ended {
			if len(bytes.TrimSpace(e.data)) > 0 {
				return e, nil
			}
			e = event{}
		}
	}
	return event{}, io.EOF
}

// line returns the next line without its end (CR, LF or both), valid until the
// next call. With io.EOF comes what stood after the last line's end.
func (s *sse) line() ([]byte, error) {
	s.buf = s.buf[:0]
	for {
		if _, err := s.r.Peek(1); err != nil {
			return s.buf, err
		}
		some, _ := s.r.Peek(s.r.Buffered())
		if s.skipLF {
			s.skipLF = false
			if some[0] == '\n' {
				s.r.Discard(1)
				continue
			}
		}
		end := bytes.IndexAny(some, "\r\n")
		if end < 0 {
			end = len(some)
		}
		if len(s.buf)+end > maxEvent+len("data: ") {
			return nil, errTooLong
		}
		s.buf = append(s.buf, some[:end]...)
		if end < len(some) {
			s.skipLF = some[end] == '\r'
			s.r.Discard(end + 1)
			return s.buf, nil
		}
		s.r.Discard(end)
	}
}

// field splits a line into the field's name and its value; a comment has none.
func field(line []byte) (name string, value []byte) {
	if len(line) > 0 && line[0] == '{' {
		return "data", line
	}
	before, after, _ := bytes.Cut(line, []byte(":"))
	return string(before), bytes.TrimPrefix(after, []byte(" "))
}

// done is the payload that ends a stream.
const done = "[DONE]"

// standsAlone reports whether a data line is a whole message.
func standsAlone(data []byte) bool {
	data = bytes.TrimSpace(data)
	return string(data) == done || len(data) > 0 && data[0] == '{' && json.Valid(data)
}
