package main

import (
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestFidelityLoudCheck runs a check that prints 14 MB and fails: its first and
// last lines reach the model, and what is sent and written down stays small.
func TestFidelityLoudCheck(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the check is for a POSIX shell")
	}
	r := newFidelity(t, one{file: "a\nb\nc\n"})
	loud := "echo at the very first; yes 'a line of a noisy test' | head -c 14000000; echo at the very last; exit 1"
	replies := []string{fidelityBlock("sub/file.txt", "b", "B"), fidelityBlock("sub/file.txt", "c", "C")}
	began := time.Now()
	exit, out, asked := r.run(replies, "--rounds", "2", "--check", loud)
	if took := time.Since(began); exit != 4 || len(asked) != 2 || took > 20*time.Second {
		t.Fatalf("exit status %d after %d requests and %v:\n%s", exit, len(asked), took, out)
	}
	prompt := asked[1].Chat.Users()
	for _, line := range []string{"at the very last", "a line of a noisy test"} {
		if !strings.Contains(prompt, line) {
			t.Errorf("the prompt lacks %q", line)
		}
	}
	const most = 64 << 10
	if asked[1].Size > most || len(out) > most {
		t.Errorf("the request has %d bytes, the terminal got %d", asked[1].Size, len(out))
	}
	var kept int64
	r.check(filepath.WalkDir(filepath.Join(r.box, "home", "state"), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		kept += info.Size()
		return err
	}))
	if kept == 0 || kept > 4<<20 {
		t.Errorf("%d bytes were written down", kept)
	}
}
