package sandbox

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOutputKeepsBothEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		keep := 1 + random.IntN(20)
		all := make([]byte, random.IntN(100))
		for i := range all {
			all[i] = 'a' + byte(random.IntN(26))
		}
		o := newOutput(keep, 1<<30)
		for rest := all; len(rest) > 0; {
			n := 1 + random.IntN(len(rest))
			if _, err := o.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		wantHead, wantTail, wantOmitted := string(all), "", 0
		if len(all) > 2*keep {
			wantHead, wantTail, wantOmitted = string(all[:keep]), string(all[len(all)-keep:]), len(all)-2*keep
		}
		if head, tail, omitted := o.parts(); head != wantHead || tail != wantTail || omitted != int64(wantOmitted) {
			t.Fatalf("keep %d of %q: got %q, %q, %d", keep, all, head, tail, omitted)
		}
	}
}

func TestOutputSplitsNoCharacter(t *testing.T) {
	text := strings.Repeat("aä€𝄞", 200)
	for keep := 4; keep < 40; keep++ {
		o := newOutput(keep, 1<<30)
		_, _ = o.Write([]byte(text))
		head, tail, omitted := o.parts()
		if !utf8.ValidString(head) || !utf8.ValidString(tail) || int64(len(head)+len(tail))+omitted != int64(len(text)) {
			t.Errorf("keep %d: %q, %q, %d", keep, head, tail, omitted)
		}
		if !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) || keep-len(head) > 3 || keep-len(tail) > 3 {
			t.Errorf("keep %d: %q, %q", keep, head, tail)
		}
	}
	binary := newOutput(8, 1<<30)
	_, _ = binary.Write(bytes.Repeat([]byte{0x80}, 100))
	if head, tail, omitted := binary.parts(); int64(len(head)+len(tail))+omitted != 100 || len(tail) < 5 {
		t.Errorf("binary output: %q, %q, %d", head, tail, omitted)
	}
}

func TestFloodIsToldOnce(t *testing.T) {
	o := newOutput(4, 10)
	for range 5 {
		_, _ = o.Write([]byte("12345"))
		select {
		case <-o.flooded:
			if o.total <= 10 {
				t.Errorf("flooded at %d", o.total)
			}
		default:
			if o.total > 10 {
				t.Errorf("not flooded at %d", o.total)
			}
		}
	}
}
