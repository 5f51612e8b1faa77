package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/agentloop/agentloop/internal/standin"
)

// process is what the operating system tells of one program's run.
type process struct {
	Began  time.Time     // just before it was started
	Whole  time.Duration // until it had ended
	Peak   int64         // bytes of memory at most, children included one by one
	Exit   int
	Output string // the end of both outputs, for an error message
}

// ms is how long it took.
func (p process) ms() float64 { return ms(p.Whole) }

// runFlag makes this program start one other program and tell of it. On Linux a
// child's peak begins with that of its parent, and the bench itself, with a
// server in it, is as large as what it measures.
const runFlag = "-run-one"

// runOne is the program's other face: runs args and prints a process as JSON.
func runOne(args []string) int {
	var out bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &out
	p := process{Began: time.Now()}
	err := cmd.Run()
	p.Whole = time.Since(p.Began)
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	p.Peak, p.Exit, p.Output = peak(cmd.ProcessState), cmd.ProcessState.ExitCode(), tail(out.String())
	if err := json.NewEncoder(os.Stdout).Encode(p); err != nil {
		return 1
	}
	return 0
}

func tail(text string) string {
	const most = 2000
	return text[max(0, len(text)-most):]
}

// measure runs one program in the repository and waits for its end.
func (r *repository) measure(ctx context.Context, args ...string) (p process, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return p, fmt.Errorf("find this program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, append([]string{runFlag}, args...)...)
	cmd.Dir, cmd.Env = r.dir, r.environment()
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.Output()
	if err != nil {
		return p, fmt.Errorf("run %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	if err := json.Unmarshal(out, &p); err != nil {
		return p, fmt.Errorf("run %s: %w", args[0], err)
	}
	return p, nil
}

// often runs one program as often as the settings tell; it must end well.
func (b *bench) often(ctx context.Context, r *repository, args ...string) (all []process, err error) {
	for range b.times {
		p, err := r.measure(ctx, args...)
		if err != nil {
			return nil, err
		}
		if p.Exit != 0 {
			return nil, fmt.Errorf("%s: exit status %d:\n%s", strings.Join(args, " "), p.Exit, p.Output)
		}
		all = append(all, p)
	}
	return all, nil
}

// shot is one run of agentloop, seen from outside and by the model.
type shot struct {
	process
	asked []standin.Request
}

// first is the time from the program's start to its first request, in ms.
func (s shot) first() float64 { return ms(s.asked[0].Arrived.Sub(s.Began)) }

// round is the time from the end of the n-th reply, from 1, to the next request, in ms.
func (s shot) round(n int) float64 { return ms(s.asked[n].Arrived.Sub(s.asked[n-1].Done)) }

// beyond counts the bytes of the first request that are not the file's.
func (s shot) beyond(file string) float64 { return float64(s.asked[0].Size - len(file)) }

func (s shot) whole() float64 { return s.ms() }
func (s shot) mb() float64    { return float64(s.Peak) / 1e6 }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// shoot plays one run against a model that says the replies, as often as the
// settings tell. It must end with exit status 0 after so many requests.
func (b *bench) shoot(ctx context.Context, r *repository, replies []string, flags ...string) (shots []shot, err error) {
	for range b.times {
		if err := r.restore(ctx); err != nil {
			return nil, err
		}
		s, err := b.one(ctx, r, replies, flags)
		if err != nil {
			return nil, err
		}
		shots = append(shots, s)
	}
	return shots, nil
}

func (b *bench) one(ctx context.Context, r *repository, replies, flags []string) (s shot, err error) {
	server, err := standin.Serve(standin.NewScript(replies...), nil)
	if err != nil {
		return s, err
	}
	args := append([]string{b.bin, "run", "--base-url", server.URL(), "--model", "standin"}, flags...)
	s.process, err = r.measure(ctx, append(args, "make the steps right", r.target)...)
	err = errors.Join(err, server.Close())
	s.asked = server.Requests()
	switch {
	case err != nil:
		return s, err
	case s.Exit != 0 || len(s.asked) != len(replies):
		return s, fmt.Errorf("exit status %d after %d requests, not 0 after %d:\n%s", s.Exit, len(s.asked), len(replies), s.Output)
	}
	return s, nil
}
