package loop_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
	"github.com/agentloop/agentloop/loop"
)

// played is a model whose answers are functions, one a request.
type played []func(ctx context.Context, req loop.Request) (loop.Reply, error)

func (p *played) Complete(ctx context.Context, req loop.Request) (loop.Reply, error) {
	if err := req.Reserve(); err != nil {
		return loop.Reply{}, err
	}
	if len(*p) == 0 {
		return loop.Reply{}, errors.New("the model is asked once too often")
	}
	answer := (*p)[0]
	*p = (*p)[1:]
	return answer(ctx, req)
}

// says answers with a text.
func says(text string) func(context.Context, loop.Request) (loop.Reply, error) {
	return func(_ context.Context, req loop.Request) (loop.Reply, error) {
		req.Chunk(text)
		return loop.Reply{Text: text, Finish: loop.FinishStop, Usage: loop.Usage{Requests: 1, Prompt: 10, Completion: 10}}, nil
	}
}

// ends answers with a text and a reason for its end.
func ends(text string, why loop.Finish) func(context.Context, loop.Request) (loop.Reply, error) {
	return func(ctx context.Context, req loop.Request) (loop.Reply, error) {
		reply, err := says(text)(ctx, req)
		reply.Finish = why
		return reply, err
	}
}

// turns is a check that ends with one status after the other.
func turns(status ...int) shell {
	return func(_ context.Context, command string) (feedback.CheckRun, error) {
		c := feedback.CheckRun{Command: command, Exit: status[0]}
		status = status[1:]
		return c, nil
	}
}

// fails ends all tries with trouble.
func fails(kind loop.Trouble) func(context.Context, loop.Request) (loop.Reply, error) {
	return func(context.Context, loop.Request) (loop.Reply, error) {
		return loop.Reply{}, &loop.ModelError{Kind: kind, Detail: "as played"}
	}
}

// hangs waits for the end of the context.
func hangs(ctx context.Context, _ loop.Request) (loop.Reply, error) {
	<-ctx.Done()
	return loop.Reply{}, ctx.Err()
}

// shell is checks that are a function.
type shell func(ctx context.Context, command string) (feedback.CheckRun, error)

func (s shell) Run(ctx context.Context, command string) (feedback.CheckRun, error) {
	return s(ctx, command)
}

func exits(status int) shell {
	return func(_ context.Context, command string) (feedback.CheckRun, error) {
		return feedback.CheckRun{Command: command, Exit: status}, nil
	}
}

// tree gives an overlay over fixed files; paths in .git are refused.
func tree(files map[string]string) *loop.Overlay {
	return &loop.Overlay{Under: func(path string) (string, error) {
		if strings.HasPrefix(path, ".git/") {
			return "", &edits.Refusal{Path: path, Reason: edits.PathRefused, Why: "is git's own"}
		}
		if text, ok := files[path]; ok {
			return text, nil
		}
		return "", fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}}
}

func edit(path, old, new string) string {
	return path + "\n<<<<<<< SEARCH\n" + old + "\n=======\n" + new + "\n>>>>>>> REPLACE\n\n"
}

const (
	words   = "All is well.\n"
	refused = ".git/config\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n\n"
)

func task(rounds int) loop.Task {
	return loop.Task{Text: "t", Format: "search-replace", Files: []string{"a.txt"}, Budget: loop.Budget{Rounds: rounds}}
}

// TestVerdicts holds how runs end in which several reasons hold at once.
func TestVerdicts(t *testing.T) {
	good, bad := edit("a.txt", "one", "two"), edit("a.txt", "nine", "ten")
	for _, c := range []struct {
		name   string
		model  played
		shell  shell
		change func(*loop.Task)
		want   loop.Status
		why    string
	}{
		{"done", played{says(good)}, nil, nil, loop.Done, "no check was given"},
		{"done with a check", played{says(good)}, exits(0), nil, loop.Done, "the check passes"},
		{"check fails", played{says(good)}, exits(1), nil, loop.CheckFails, "make check"},
		{"edits open", played{says(bad)}, exits(1), nil, loop.EditsOpen, "a.txt"},
		{"refused path, edits open too", played{says(refused + bad)}, nil, nil, loop.Policy, ".git/config"},
		{"refused path, then try later", played{says(refused), fails(loop.TroubleQuota)}, nil, rounds(2), loop.Policy, ".git/config"},
		{"edits open, then try later", played{says(bad), fails(loop.TroubleRateLimit)}, nil, rounds(2), loop.TryLater, "rate-limit"},
		{"edits open, then out of budget", played{says(bad)}, nil, requests(1), loop.OverBudget, "1 of 1 requests"},
		{"refused path, then out of budget", played{says(refused)}, nil, requests(1), loop.Policy, ".git/config"},
		{"no edit twice", played{says(words), says(words)}, nil, rounds(5), loop.NoProgress, "two replies"},
		{"no edit once", played{says(words)}, nil, nil, loop.EditsOpen, "no edit"},
		{"the model is not there", played{fails(loop.TroubleUnavailable)}, nil, nil, loop.TryLater, "unavailable"},
		{"the key is wrong", played{fails(loop.TroubleAuth)}, nil, nil, loop.Usable, "auth"},
		{"the check does not exist", nil, exits(127), nil, loop.Usable, "cannot be started"},
		{"cut, no check", played{ends(good, loop.FinishLength)}, nil, nil, loop.EditsOpen, "cut short (length)"},
		{"cut by a filter, no check", played{ends(good, loop.FinishFilter)}, nil, nil, loop.EditsOpen, "cut short (content_filter)"},
		{"cut, and the check was green before", played{ends(good, loop.FinishLength)}, turns(0, 0), nil, loop.EditsOpen, "cut short"},
		{"cut, and the check turns green", played{ends(good, loop.FinishLength)}, turns(1, 0), nil, loop.Done, "the check passes"},
		{"a failed path that a later block makes good", played{says(bad), says(good)}, nil, rounds(2), loop.Done, ""},
		{"a failed path that a later reply leaves out", played{says(bad), says(edit("b.txt", "one", "two")), says(words)}, nil, rounds(3), loop.EditsOpen, "a.txt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			todo := task(1)
			if c.shell != nil {
				todo.Checks = []string{"make check"}
			}
			if c.change != nil {
				c.change(&todo)
			}
			r := loop.Runner{Model: &c.model, Shell: c.shell, Tree: tree(map[string]string{"a.txt": "one\n", "b.txt": "one\n"})}
			run, err := r.Run(t.Context(), todo)
			if err != nil {
				t.Fatal(err)
			}
			if v := run.Verdict; v.Status != c.want || v.Exit != c.want.Exit() || !strings.Contains(v.Why, c.why) {
				t.Errorf("%s (%d): %s; want %s: …%s…", v.Status, v.Exit, v.Why, c.want, c.why)
			}
			if len(c.model) > 0 {
				t.Errorf("%d answers were not asked for", len(c.model))
			}
		})
	}
}

func rounds(n int) func(*loop.Task) { return func(t *loop.Task) { t.Budget.Rounds = n } }

func requests(n int) func(*loop.Task) {
	return func(t *loop.Task) { t.Budget.Rounds, t.Budget.Requests = 5, n }
}

// TestInterrupted and the time budget end a run wherever it is, and leave what
// was done.
func TestEndedFromOutside(t *testing.T) {
	for _, c := range []struct {
		name   string
		model  played
		hangAt int // the check that hangs, from 1
		rounds int // that are told of
	}{
		{"in the model", played{hangs}, 0, 1},
		{"in the model, a refused path open", played{says(refused), hangs}, 0, 2},
		{"in the check before round 1", played{}, 1, 0},
		{"in the check of round 1", played{says(edit("a.txt", "one", "two"))}, 2, 1},
	} {
		for _, timeOut := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, by time %v", c.name, timeOut), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					todo, want := task(5), loop.Interrupted
					if timeOut {
						todo.Budget.Time, want = time.Minute, loop.TimedOut
					} else {
						time.AfterFunc(time.Minute, cancel)
					}
					n := 0
					r := loop.Runner{Model: &c.model, Tree: tree(map[string]string{"a.txt": "one\n"})}
					if c.hangAt > 0 {
						todo.Checks = []string{"make check"}
						r.Shell = shell(func(ctx context.Context, command string) (feedback.CheckRun, error) {
							if n++; n < c.hangAt {
								return feedback.CheckRun{Command: command, Exit: 1}, nil
							}
							<-ctx.Done()
							return feedback.CheckRun{}, ctx.Err()
						})
					}
					model := append(played(nil), c.model...)
					r.Model = &model
					start := time.Now()
					run, err := r.Run(ctx, todo)
					if err != nil {
						t.Fatal(err)
					}
					if v := run.Verdict; v.Status != want || v.Rounds != c.rounds {
						t.Errorf("%s after %d rounds: %s; want %s after %d", v.Status, v.Rounds, v.Why, want, c.rounds)
					}
					if took := time.Since(start); took != time.Minute || run.Elapsed != took {
						t.Errorf("took %s, told %s", took, run.Elapsed)
					}
					if c.hangAt == 2 && (len(run.Changed) != 1 || run.Verdict.Rev == "") {
						t.Errorf("what was done is not told: %v, %q", run.Changed, run.Verdict.Rev)
					}
				})
			})
		}
	}
}

// meddled is a tree in which somebody writes a file just before we do.
type meddled struct {
	*loop.Overlay
	meddle func()
}

func (m *meddled) Write(ctx context.Context, changes []edits.Change) error {
	if m.meddle != nil {
		m.meddle()
		m.meddle = nil
	}
	return m.Overlay.Write(ctx, changes)
}

// TestChangedOnDisk holds that a file which somebody wrote meanwhile is left
// alone, told of, and keeps no other file from being written.
func TestChangedOnDisk(t *testing.T) {
	files := map[string]string{"a.txt": "one\n", "b.txt": "one\n"}
	under := &meddled{Overlay: tree(files), meddle: func() { files["b.txt"] = "one\nof somebody\n" }}
	model := played{says(edit("a.txt", "one", "two") + edit("b.txt", "one", "two")), says(edit("b.txt", "one", "two"))}
	r := loop.Runner{Model: &model, Tree: under}
	run, err := r.Run(t.Context(), task(2))
	if err != nil || run.Verdict.Status != loop.Done || len(run.Rounds) != 2 {
		t.Fatalf("%+v, %v", run.Verdict, err)
	}
	first := run.Rounds[0]
	if a, b := first.Outcomes[0], first.Outcomes[1]; a.Status != edits.Applied || b.Status != edits.Failed || b.Reason != edits.ChangedOnDisk {
		t.Errorf("a.txt %s, b.txt %s %s", a.Status, b.Status, b.Reason)
	}
	if len(first.Changes) != 1 || !strings.Contains(first.Feedback, "b.txt") || !strings.Contains(first.Feedback, "changed the file meanwhile") {
		t.Errorf("changes %v, feedback:\n%s", first.Changes, first.Feedback)
	}
	for path, want := range map[string]string{"a.txt": "two\n", "b.txt": "two\nof somebody\n"} {
		if got, err := under.Read(path); err != nil || got != want {
			t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
		}
	}
}

// TestRetryVoids holds that what a try said before it was given up counts for
// nothing: neither a whole block of it nor the half of one.
func TestRetryVoids(t *testing.T) {
	whole := edit("a.txt", "one", "wrong")
	cut := whole + whole[:len(whole)/2]
	model := played{func(_ context.Context, req loop.Request) (loop.Reply, error) {
		req.Chunk(cut)
		req.Retry(loop.Retry{Attempt: 1, Wait: time.Second, Why: "the stream was cut"})
		good := edit("a.txt", "one", "two")
		req.Chunk(good)
		return loop.Reply{Text: good, Usage: loop.Usage{Requests: 2}}, nil
	}}
	var names []string
	under := tree(map[string]string{"a.txt": "one\n"})
	r := loop.Runner{Model: &model, Tree: under, Emit: func(e loop.Event) {
		if _, ok := e.(loop.ReplyDelta); !ok {
			names = append(names, e.Name())
		}
	}}
	run, err := r.Run(t.Context(), task(1))
	if err != nil || run.Verdict.Status != loop.Done || len(run.Rounds[0].Outcomes) != 1 {
		t.Fatalf("%+v, %v, %+v", run.Verdict, err, run.Rounds)
	}
	if got, _ := under.Read("a.txt"); got != "two\n" {
		t.Errorf("the file holds %q", got)
	}
	const want = "run.started round.started prompt.sent block.closed retry block.closed reply.received edit.outcome round.completed run.completed"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("events:\n%s\nwant\n%s", got, want)
	}
}

// TestOurOwnTrouble holds that an error of ours is an error, with a whole Run.
func TestOurOwnTrouble(t *testing.T) {
	broken := errors.New("no space left on device")
	model := played{says(edit("a.txt", "one", "two"))}
	r := loop.Runner{Model: &model, Tree: &failing{tree(map[string]string{"a.txt": "one\n"}), broken}}
	run, err := r.Run(t.Context(), task(3))
	if !errors.Is(err, broken) || run.Verdict.Status != loop.Internal || run.Verdict.Exit != 1 || len(run.Rounds) != 1 {
		t.Errorf("%v, %+v", err, run.Verdict)
	}
}

// failing is a tree whose disk is full.
type failing struct {
	*loop.Overlay
	err error
}

func (f *failing) Write(context.Context, []edits.Change) error { return f.err }
