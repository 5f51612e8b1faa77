package loop_test

import (
	"context"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/loop"
)

// A call that is tried again and again is stopped by what its tries may have
// cost, before any of it is booked.
func TestTriesCountAgainstTheBudget(t *testing.T) {
	tries := 0
	model := modelFunc(func(_ context.Context, req loop.Request) (loop.Reply, error) {
		for {
			if err := req.Reserve(); err != nil {
				return loop.Reply{}, err
			}
			tries++
			req.Chunk(strings.Repeat("words ", 100))
			req.Retry(loop.Retry{Attempt: tries, Why: "cut"})
			if tries > 1000 {
				t.Fatal("the budget stops nothing")
			}
		}
	})
	r := loop.Runner{Model: model, Tree: &loop.Overlay{}}
	run, err := r.Run(context.Background(), loop.Task{Text: "x", Format: "search-replace", Budget: loop.Budget{Rounds: 3, Tokens: 20_000}})
	if err != nil || run.Verdict.Status != loop.OverBudget {
		t.Fatalf("%+v, %v", run.Verdict, err)
	}
	// A prompt of about 480 tokens and an answer of about 170: 20,000 allow about 30.
	if tries < 10 || tries > 42 {
		t.Errorf("%d tries within the budget", tries)
	}
}

type modelFunc func(context.Context, loop.Request) (loop.Reply, error)

func (f modelFunc) Complete(ctx context.Context, req loop.Request) (loop.Reply, error) {
	return f(ctx, req)
}
