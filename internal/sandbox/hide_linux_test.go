package sandbox

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A check of the same user looks for keys in the process that runs it.
func TestHide(t *testing.T) {
	const canary = "canary-4be1"
	if os.Getenv("SANDBOX_TEST_KEY") != "" {
		spy(t)
		return
	}
	for hidden, found := range map[string]bool{"": true, "yes": false} {
		us := exec.Command(os.Args[0], "-test.run=^TestHide$", "-test.v")
		us.Env = append(os.Environ(), "SANDBOX_TEST_KEY="+canary, "SANDBOX_TEST_HIDDEN="+hidden)
		out, err := us.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if strings.Contains(string(out), canary) != found {
			t.Errorf("hidden %q: the key was found: %v\n%s", hidden, !found, out)
		}
	}
}

func spy(t *testing.T) {
	if os.Getuid() == 0 { // root sees everything
		if err := syscall.Setgid(65534); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Setuid(65534); err != nil {
			t.Fatal(err)
		}
	}
	// Having been root hides a process too: undo that first.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("SANDBOX_TEST_HIDDEN") != "" {
		if err := Hide(); err != nil {
			t.Fatal(err)
		}
	}
	s := &Shell{Dir: os.TempDir()}
	run, err := s.Run(t.Context(), `tr '\0' '\n' </proc/$PPID/environ; setsid sleep 60 & true`)
	if err != nil || strings.Contains(run.Tail, "could not end") {
		t.Fatal(run, err)
	}
	t.Log(run.Head)
}
