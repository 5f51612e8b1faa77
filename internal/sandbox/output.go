package sandbox

import (
	"sync"
	"unicode/utf8"
)

// output keeps the first and the last bytes of a stream and counts the rest.
// It has one writer; parts may be called while that one still writes.
type output struct {
	keep    int
	most    int64         // total after which flooded is closed
	flooded chan struct{} // closed once

	mu    sync.Mutex
	head  []byte
	ring  []byte // the last bytes after head; next is where the oldest stands
	next  int
	total int64
}

func newOutput(keep int, most int64) *output {
	return &output{keep: keep, most: most, flooded: make(chan struct{})}
}

// Write never fails and copies each byte once.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(p)
	if o.total <= o.most && o.total+int64(n) > o.most {
		close(o.flooded)
	}
	o.total += int64(n)
	if room := o.keep - len(o.head); room > 0 {
		taken := min(room, len(p))
		o.head = append(o.head, p[:taken]...)
		p = p[taken:]
	}
	if len(p) > o.keep {
		p = p[len(p)-o.keep:]
	}
	if room := o.keep - len(o.ring); room > 0 {
		taken := min(room, len(p))
		o.ring = append(o.ring, p[:taken]...)
		p = p[taken:]
	}
	for len(p) > 0 {
		copied := copy(o.ring[o.next:], p)
		p = p[copied:]
		o.next = (o.next + copied) % o.keep
	}
	return n, nil
}

// parts gives what was kept and how many bytes were dropped between. Without
// any dropped all stands in head. A character that the cut would split is
// dropped whole.
func (o *output) parts() (head, tail string, omitted int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	last := append(append(make([]byte, 0, len(o.ring)), o.ring[o.next:]...), o.ring[:o.next]...)
	omitted = o.total - int64(len(o.head)+len(last))
	if omitted == 0 {
		return string(o.head) + string(last), "", 0
	}
	first := o.head[:len(o.head)-cutRune(o.head)]
	begin := 0
	for begin < len(last) && begin < utf8.UTFMax-1 && !utf8.RuneStart(last[begin]) {
		begin++
	}
	return string(first), string(last[begin:]), o.total - int64(len(first)+len(last)-begin)
}

// cutRune counts the bytes at the end that begin a character without ending it.
func cutRune(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if end := text[len(text)-n:]; utf8.RuneStart(end[0]) {
			if utf8.FullRune(end) {
				return 0
			}
			return n
		}
	}
	return 0
}
