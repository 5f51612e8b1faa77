//go:build unix

package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestFloodIsEnded(t *testing.T) {
	s := newShell(t)
	s.Flood = 64 << 20
	for _, command := range []string{"yes", "trap '' TERM; cat /dev/zero", "setsid yes & wait"} {
		run := s.must(t, command)
		if run.Passed() || run.TimedOut || run.Signal != "SIGKILL" || run.Elapsed > 5*time.Second {
			t.Errorf("%s: %+v", command, run.Elapsed)
		}
		if run.Omitted < 63<<20 || !strings.Contains(run.Tail, "ended by agentloop: more than 67108864 bytes") {
			t.Errorf("%s: %d bytes omitted, tail ends %q", command, run.Omitted, run.Tail[max(0, len(run.Tail)-80):])
		}
	}
}

func TestFloodUntilTheDeadline(t *testing.T) {
	s := newShell(t)
	s.Timeout, s.Flood = 200*time.Millisecond, 1<<40
	run := s.must(t, "yes")
	if !run.TimedOut || run.Elapsed > 3*time.Second || len(run.Head) != 128<<10 || len(run.Tail) != 128<<10 {
		t.Errorf("timed out %v after %v, %d+%d bytes", run.TimedOut, run.Elapsed, len(run.Head), len(run.Tail))
	}
}

// 14 MB of output, the figure of a real test suite gone wrong.
const large = 14 << 20

func largeOutput(tb testing.TB) (s *Shell, command string) {
	tb.Helper()
	dir := tb.TempDir()
	line := strings.Repeat("x", 69) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "log"), []byte(strings.Repeat(line, large/len(line))), 0o600); err != nil {
		tb.Fatal(err)
	}
	return &Shell{Dir: dir}, "cat log"
}

func TestLargeOutputCostsLittle(t *testing.T) {
	s, command := largeOutput(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run := s.must(t, command)
	runtime.ReadMemStats(&after)
	total := large / 70 * 70
	if int(run.Omitted)+len(run.Head)+len(run.Tail) != total || len(run.Head) != 128<<10 || len(run.Tail) != 128<<10 {
		t.Errorf("%d + %d + %d bytes, want %d in all", len(run.Head), run.Omitted, len(run.Tail), total)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 12<<20 {
		t.Errorf("%d bytes allocated in all", allocated)
	}
}

func BenchmarkLargeOutput(b *testing.B) {
	s, command := largeOutput(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Run(b.Context(), command); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTrue(b *testing.B) {
	s := &Shell{Dir: b.TempDir()}
	for b.Loop() {
		if _, err := s.Run(b.Context(), "true"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBareTrue is the same without any of this package.
func BenchmarkBareTrue(b *testing.B) {
	for b.Loop() {
		if err := exec.Command("/bin/sh", "-c", "true").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// The key of the process that runs checks is not in a check's sight.
func TestCheckSeesNoKey(t *testing.T) {
	const canary = "sk-canary-91c2"
	for _, name := range []string{"OPENAI_API_KEY", "AGENTLOOP_API_KEY", "MY_TOKEN", "GIT_DIR", "BASH_ENV", "ENV", "LD_AUDIT"} {
		t.Setenv(name, canary)
	}
	t.Setenv("DATABASE_URL", "postgres:///x")
	s := newShell(t)
	s.Env = []string{"DATABASE_URL", "OPENAI_API_KEY"}
	run := s.must(t, "env; set; cat /proc/$$/environ 2>/dev/null; true")
	if !run.Passed() || strings.Contains(run.Head+run.Tail, canary) {
		t.Errorf("a check saw the key: %s", run.Head)
	}
	for _, want := range []string{"DATABASE_URL=postgres:///x\n", "TERM=dumb\n", "CI=1\n"} {
		if !strings.Contains(run.Head, want) {
			t.Errorf("a check does not see %q", want)
		}
	}
}

// A shell or program in the tree is not what runs.
func TestProgramsInTheTreeAreNotFound(t *testing.T) {
	s := newShell(t)
	for _, name := range []string{"sh", "true-of-the-tree"} {
		if err := os.WriteFile(filepath.Join(s.Dir, name), []byte("#!/bin/sh\necho planted\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", "."+string(os.PathListSeparator)+s.Dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if run := s.must(t, "sh -c 'echo mine'; true-of-the-tree"); run.Exit != 127 || strings.Contains(run.Head, "planted") {
		t.Errorf("got %+v", run)
	}
}
