package loop

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// What alike pairs is alike, in order, and what it leaves out is a changed place;
// a span whose lines all stay keeps them.
func TestAlike(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		was := lines(rnd, rnd.IntN(40))
		now := slices.Clone(was)
		for range rnd.IntN(4) {
			at := rnd.IntN(len(now) + 1)
			now = slices.Replace(now, at, min(len(now), at+rnd.IntN(3)), lines(rnd, rnd.IntN(3))...)
		}
		runs := alike(was, now)
		for i, r := range runs {
			if !slices.Equal(was[r.was:r.was+r.n], now[r.now:r.now+r.n]) {
				t.Fatalf("%q, %q: %v", was, now, r)
			}
			if i > 0 && (r.was < runs[i-1].was+runs[i-1].n || r.now < runs[i-1].now+runs[i-1].n) {
				t.Fatalf("%q, %q: out of order: %v", was, now, runs)
			}
			for from := range r.n {
				s := Span{r.was + from + 1, r.was + r.n}
				if got := moved([]Span{s}, runs)[0]; !slices.Equal(was[s.From-1:s.To], now[got.From-1:got.To]) {
					t.Fatalf("%q, %q: %v is moved to %v", was, now, s, got)
				}
			}
		}
		for _, s := range moved([]Span{{1, 5}, {3, 99}, {30, 31}}, runs) {
			if s.From < 1 || s.To > len(now) {
				t.Fatalf("%q, %q: %v", was, now, s)
			}
		}
		if same := slices.Equal(was, now); same != (len(changes(runs)) == 0) {
			t.Fatalf("%q, %q: %v", was, now, changes(runs))
		}
	}
}

// lines makes lines of which many are the same.
func lines(rnd *rand.Rand, n int) (out []string) {
	for range n {
		out = append(out, fmt.Sprint(rnd.IntN(12)))
	}
	return out
}

// Neither many lines nor many that are the same make it slow, or a window of all.
func TestAlikeOfLargeFile(t *testing.T) {
	for name, was := range map[string][]string{
		"the same":    strings.Split(strings.Repeat("x ", 200_000), " "),
		"two of each": strings.Fields(strings.Repeat(strings.Join(strings.Split(fmt.Sprint(rand.New(rand.NewPCG(1, 2)).Perm(100_000)), " "), " ")+" ", 2)),
	} {
		now := slices.Clone(was)
		now[10], now[len(now)-10] = "new", "newer"
		begin := time.Now()
		got := merged(changes(alike(was, now)), len(now))
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%s: %s", name, took)
		}
		if len(got) != 2 && name != "the same" {
			t.Errorf("%s: %v", name, got)
		}
	}
}
