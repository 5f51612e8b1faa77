package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFidelityDiskFull edits a file on a disk without room for it: the file
// stays as it was and the exit status says so. Once all of the repository is on
// that disk, once git's part is elsewhere, so that only the file cannot be written.
func TestFidelityDiskFull(t *testing.T) {
	for name, where := range map[string]string{"all of the repository": "", "the file alone": "tree/sub"} {
		for _, command := range []string{"apply", "run"} {
			t.Run(name+"/"+command, func(t *testing.T) {
				box := t.TempDir()
				r := emptyFidelity(t, box)
				small := filepath.Join(box, filepath.FromSlash(where))
				if where == "" {
					small = r.dir
				}
				mountSmall(t, small)
				if where == "" {
					r.git("init", "-q")
				}
				text := "a\n" + strings.Repeat("a line to make it long\n", 4000) // 92 kB
				r.write("sub/file.txt", text, 0o644)
				r.write("sub/other.txt", "untouched\n", 0o644)
				r.commit()
				fillUp(t, small)

				reply := fidelityBlock("sub/file.txt", "a\n"+"a line to make it long", "b\na line to make it long")
				var exit int
				var out string
				if command == "apply" {
					exit, out = r.agentloop(reply, "apply", "-")
				} else {
					exit, out, _ = r.run([]string{reply}, "--rounds", "2")
				}
				if exit == 0 || !strings.Contains(out, "space") {
					t.Errorf("exit status %d:\n%s", exit, out)
				}
				r.holds("sub/file.txt", text)
				r.holds("sub/other.txt", "untouched\n")
				r.clean()

				// The control: with room, the same edit goes in.
				r.check(os.Remove(filepath.Join(small, "ballast")))
				if exit, out := r.agentloop(reply, "apply", "-"); exit != 0 {
					t.Errorf("control: exit status %d:\n%s", exit, out)
				}
				r.holds("sub/file.txt", "b"+text[1:])
			})
		}
	}
}

// mountSmall mounts a file system of 1 MiB, until the test ends.
func mountSmall(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m,mode=0755"); err != nil {
		t.Skip("no small file system can be mounted here (needs root):", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
}

// fillUp leaves no room in dir.
func fillUp(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
}

// TestFidelityCheckLeavesAChild runs a check that leaves a process behind, which
// holds its output: the run goes on at once, and the process is ended.
func TestFidelityCheckLeavesAChild(t *testing.T) {
	r := newFidelity(t, one{file: "a\nb\n"})
	note := filepath.Join(r.box, "pid")
	noted := "$(cat '" + note + "' 2>/dev/null | wc -l)"
	for name, child := range map[string]string{
		"in the background":       "sleep 300 & echo $! >> '" + note + "'",
		"in a session of its own": "n=" + noted + "; setsid sh -c 'echo $$ >> \"" + note + "\"; sleep 300' & while test " + noted + " = $n; do sleep 0.01; done",
		"deaf to signals":         "sh -c 'trap \"\" TERM HUP INT; sleep 300; sleep 300' & echo $! >> '" + note + "'",
	} {
		t.Run(name, func(t *testing.T) {
			os.Remove(note)
			r.write("sub/file.txt", "a\nb\n", 0o644)
			began := time.Now()
			exit, out, _ := r.run([]string{fidelityBlock("sub/file.txt", "b", "B")}, "--check", child)
			if took := time.Since(began); exit != 0 || took > 20*time.Second {
				t.Errorf("exit status %d after %v:\n%s", exit, took, out)
			}
			text, err := os.ReadFile(note)
			pids := strings.Fields(string(text))
			if err != nil || len(pids) < 2 {
				t.Fatalf("the check did not run twice: %q, %v", text, err)
			}
			for _, word := range pids {
				pid, err := strconv.Atoi(word)
				if err != nil || pid < 2 {
					t.Fatalf("pid %q", word)
				}
				if alive(pid) {
					t.Errorf("process %d is left", pid)
					syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		})
	}
}

// alive reports whether a process still runs, a second after.
func alive(pid int) bool {
	for range 50 {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			return false
		}
		if _, after, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(after, "Z") {
			return false
		}
		time.Sleep(20 * time.Millisecond)
	}
	return true
}
