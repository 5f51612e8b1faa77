//go:build unix

package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agentloop/agentloop/feedback"
)

var _ feedback.Shell = (*Shell)(nil)

func newShell(t *testing.T) *Shell {
	t.Helper()
	return &Shell{Dir: t.TempDir(), Timeout: 20 * time.Second, Grace: 200 * time.Millisecond}
}

func (s *Shell) must(t *testing.T, command string) feedback.CheckRun {
	t.Helper()
	run, err := s.Run(t.Context(), command)
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return run
}

func TestHowACommandEnds(t *testing.T) {
	for _, c := range []struct {
		name, command string
		exit          int
		signal        string
		timedOut      bool
		output        string
		unstartable   bool
	}{
		{name: "passes", command: "echo out; echo err >&2", output: "out\nerr\n"},
		{name: "fails", command: "echo no; exit 3", exit: 3, output: "no\n"},
		{name: "by signal", command: "kill -SEGV $$", exit: -1, signal: "SIGSEGV"},
		{name: "killed", command: "kill -9 $$", exit: -1, signal: "SIGKILL"},
		{name: "status of a killed child", command: "sh -c 'kill -9 $$'; exit $?", exit: 137, output: "*"},
		{name: "no such command", command: "agentloop-no-such-command", exit: 127, output: "*", unstartable: true},
		{name: "not executable", command: "touch plain; ./plain", exit: 126, output: "*", unstartable: true},
		{name: "bad syntax", command: "if", exit: 2, output: "*"},
		{name: "too slow", command: "echo begun; sleep 60", exit: -1, signal: "SIGTERM", timedOut: true, output: "begun\n"},
		{name: "too slow and exits well when told", command: "trap 'exit 0' TERM; sleep 60 & wait", timedOut: true},
		{name: "too slow and deaf", command: "trap '' TERM; while :; do sleep 60; done", exit: -1, signal: "SIGKILL", timedOut: true, output: "*"},
		{name: "too slow and stopped", command: "kill -STOP $$", exit: -1, signal: "SIGTERM", timedOut: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newShell(t)
			if c.timedOut {
				s.Timeout = 150 * time.Millisecond
			}
			run := s.must(t, c.command)
			if run.Exit != c.exit || run.Signal != c.signal || run.TimedOut != c.timedOut || run.Unstartable() != c.unstartable {
				t.Errorf("got %+v", run)
			}
			if run.Passed() != (c.name == "passes") {
				t.Errorf("passed is %v", run.Passed())
			}
			if c.output != "*" && run.Head != c.output {
				t.Errorf("output %q, want %q", run.Head, c.output)
			}
			if run.Elapsed <= 0 || run.Elapsed > 5*time.Second || run.Command != c.command {
				t.Errorf("elapsed %v, command %q", run.Elapsed, run.Command)
			}
		})
	}
}

func TestCancelledRunEndsTheCommand(t *testing.T) {
	s := newShell(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	begin := time.Now()
	_, err := s.Run(ctx, "sleep 60")
	if !errors.Is(err, context.Canceled) || time.Since(begin) > 2*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	if _, err := s.Run(ctx, "touch ran"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gave %v", err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "ran")); err == nil {
		t.Error("a command ran although the context had ended")
	}
}

func TestNothingStartsInAMissingFolder(t *testing.T) {
	s := &Shell{Dir: filepath.Join(t.TempDir(), "gone")}
	if run, err := s.Run(t.Context(), "true"); err == nil {
		t.Errorf("got %+v", run)
	}
}

func TestNoInputAndNoTerminal(t *testing.T) {
	s := newShell(t)
	s.Timeout = 3 * time.Second
	run := s.must(t, `read x && echo "got $x"; cat; (: </dev/tty) 2>/dev/null && echo tty; ls /proc/$$/fd 2>/dev/null | grep -qx 3 && echo open; true`)
	if !run.Passed() || run.Head != "" {
		t.Errorf("got %+v", run)
	}
}

func TestTicks(t *testing.T) {
	s := newShell(t)
	var ticks []time.Duration
	s.OnTick = func(elapsed time.Duration) { ticks = append(ticks, elapsed) }
	s.must(t, "sleep 1.2")
	if len(ticks) != 1 || ticks[0] < 900*time.Millisecond {
		t.Errorf("ticks at %v", ticks)
	}
}

func TestBackgroundChildDoesNotHoldTheCheck(t *testing.T) {
	s := newShell(t)
	s.must(t, "true") // warm
	run := s.must(t, "sleep 60 & echo $!")
	if !run.Passed() || run.Elapsed > 500*time.Millisecond {
		t.Errorf("got %+v", run)
	}
	pid := strings.TrimSpace(run.Head)
	if stat, err := os.ReadFile("/proc/" + pid + "/stat"); runtime.GOOS == "linux" && err == nil && !strings.Contains(string(stat), ") Z ") {
		t.Errorf("the background child %s is alive", pid)
	}
}

// Output that the command wrote just before its end must be whole.
func TestOutputBeforeTheEndIsKept(t *testing.T) {
	s := newShell(t)
	run := s.must(t, `i=0; while [ $i -lt 2000 ]; do echo "line $i"; i=$((i+1)); done`)
	if !strings.HasSuffix(run.Head, "line 1999\n") || strings.Count(run.Head, "\n") != 2000 {
		t.Errorf("%d bytes, last %q", len(run.Head), run.Head[max(0, len(run.Head)-30):])
	}
}
