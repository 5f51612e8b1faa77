package loop

import (
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// TestNeverOverBudget plays random runs against random budgets. As long as a
// prompt has no more tokens than were estimated, and a reply no more than was
// allowed, nothing that is spent passes the budget.
func TestNeverOverBudget(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		b := Budget{
			Tokens:   rapid.IntRange(1, 300_000).Draw(r, "tokens"),
			Requests: rapid.IntRange(0, 8).Draw(r, "requests"),
			Output:   rapid.SampledFrom([]int{0, 100, 4000, 100_000}).Draw(r, "output"),
		}
		if rapid.Bool().Draw(r, "priced") {
			b.Cost = rapid.Float64Range(0.0001, 2).Draw(r, "cost")
			b.Prices = &Prices{
				Prompt: rapid.Float64Range(0, 20).Draw(r, "prompt price"), Completion: rapid.Float64Range(0, 60).Draw(r, "completion price"),
			}
			b.Prices.Cached = b.Prices.Prompt
		}
		l := newLedger(b)
		for n := range 12 {
			size := rapid.IntRange(1, 200_000).Draw(r, "bytes")
			tokens := l.estimate(size)
			out, err := l.output(tokens)
			if err == nil {
				err = l.reserve(tokens)
			}
			var over *exhausted
			if errors.As(err, &over) {
				return
			}
			if err != nil {
				r.Fatal(err)
			}
			if out == 0 {
				out = openOutput // unlimited: what models answer unasked is less
			}
			l.settle(Usage{Requests: 1, Prompt: rapid.IntRange(0, tokens).Draw(r, "prompt"), Completion: rapid.IntRange(0, out).Draw(r, "completion")}, size)
			if l.used.Total() > b.Tokens {
				r.Fatalf("request %d: %d of %d tokens are used", n+1, l.used.Total(), b.Tokens)
			}
			if cost, known := l.cost(); known && cost > b.Cost*(1+1e-9) {
				r.Fatalf("request %d: $%f of $%f are spent", n+1, cost, b.Cost)
			}
			if b.Requests > 0 && l.requests > b.Requests {
				r.Fatalf("%d of %d requests are sent", l.requests, b.Requests)
			}
		}
	})
}

// TestReservation holds what is asked for, and what is refused.
func TestReservation(t *testing.T) {
	prices := &Prices{Prompt: 10, Cached: 1, Completion: 20}
	for _, c := range []struct {
		name   string
		budget Budget
		used   Usage
		prompt int
		out    int // -1: refused
	}{
		{"no limit", Budget{}, Usage{}, 1000, 0},
		{"a limit of one's own", Budget{Output: 500}, Usage{}, 1000, 500},
		{"a small limit of one's own", Budget{Output: 10, Tokens: 100_000}, Usage{}, 1000, 10},
		{"what is left", Budget{Tokens: 10_000}, Usage{}, 4000, 6000},
		{"what is left after use", Budget{Tokens: 10_000}, Usage{Prompt: 2000, Completion: 1000}, 4000, 3000},
		{"too little is left", Budget{Tokens: 10_000}, Usage{Prompt: 5900}, 4000, -1},
		{"nothing is left", Budget{Tokens: 10_000}, Usage{Prompt: 9999}, 1, -1},
		{"money", Budget{Cost: 0.1, Prices: prices}, Usage{}, 1000, 4500},
		{"too little money", Budget{Cost: 0.012, Prices: prices}, Usage{}, 1000, -1},
		{"cached tokens are cheaper", Budget{Cost: 0.1, Prices: prices}, Usage{Prompt: 5000, Cached: 5000}, 1000, 4250},
		{"free of charge", Budget{Cost: 0.1, Prices: &Prices{}}, Usage{}, 1000, 0},
	} {
		l := newLedger(c.budget)
		l.used = c.used
		out, err := l.output(c.prompt)
		if (err != nil) != (c.out < 0) || err == nil && out != c.out {
			t.Errorf("%s: %d, %v; want %d", c.name, out, err, c.out)
		}
	}
	l := newLedger(Budget{Requests: 2})
	for n, want := range []bool{true, true, false} {
		if got := l.reserve(1) == nil; got != want {
			t.Errorf("request %d is allowed: %v", n+1, got)
		}
	}
}

// TestEstimateLearns holds that reported usage, and only that, mends the guess.
func TestEstimateLearns(t *testing.T) {
	l := newLedger(Budget{})
	if got := l.estimate(3500); got != 1000 {
		t.Errorf("the first guess for 3500 bytes is %d", got)
	}
	l.settle(Usage{Requests: 1, Prompt: 9999, Estimated: true}, 3500)
	l.settle(Usage{Requests: 2, Prompt: 9999}, 3500)
	if got := l.estimate(3500); got != 1000 {
		t.Errorf("learnt from what was not measured: %d", got)
	}
	l.settle(Usage{Requests: 1, Prompt: 2000}, 1000)
	if got := l.estimate(3500); got != 7000 {
		t.Errorf("after 2 tokens a byte, 3500 bytes are %d", got)
	}
}
