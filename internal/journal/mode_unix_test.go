//go:build unix

package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentloop/agentloop/edits"
)

func TestModes(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	for _, mode := range []fs.FileMode{0o755, 0o600, 0o644, 0o666, 0o777 | fs.ModeSetuid} {
		j, p := newJournal(t, map[string]string{"a": "a\n"})
		file := filepath.Join(p.root, "a")
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if err := j.Write(t.Context(), []edits.Change{edit("a", "a\n", "A\n")}, nil); err != nil {
			t.Fatal(err)
		}
		if info, _ := os.Stat(file); info.Mode() != mode {
			t.Errorf("mode %v became %v", mode, info.Mode())
		}
	}
	j, p := newJournal(t, nil)
	if err := j.Write(t.Context(), []edits.Change{create("plain", ""), create("tool", "")}, map[string]fs.FileMode{"tool": 0o755}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"plain": 0o640, "tool": 0o755} {
		if info, _ := os.Stat(filepath.Join(p.root, name)); info.Mode() != want {
			t.Errorf("new file %s has mode %v, want %v", name, info.Mode(), want)
		}
	}
}

func TestReadOnlyFileIsRefused(t *testing.T) {
	j, p := newJournal(t, map[string]string{"a": "a\n", "b": "b\n"})
	if err := os.Chmod(filepath.Join(p.root, "b"), 0o444); err != nil {
		t.Fatal(err)
	}
	err := j.Write(t.Context(), []edits.Change{edit("a", "a\n", "A\n"), edit("b", "b\n", "B\n")}, nil)
	var refusal *edits.Refusal
	if !errors.As(err, &refusal) || refusal.Reason != edits.PathRefused || refusal.Path != "b" {
		t.Errorf("error %v", err)
	}
	if got := files(t, p); got["a"] != "a\n" || got["b"] != "b\n" {
		t.Errorf("files %v", got)
	}
}

func TestOwnerIsKept(t *testing.T) {
	j, p := newJournal(t, map[string]string{"a": "a\n"})
	file := filepath.Join(p.root, "a")
	if err := os.Chown(file, 12345, 23456); err != nil {
		t.Skip("only root can tell:", err)
	}
	if err := j.Write(t.Context(), []edits.Change{edit("a", "a\n", "A\n")}, nil); err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat(file)
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 12345 || s.Gid != 23456 {
		t.Errorf("owner %d:%d", s.Uid, s.Gid)
	}
}

// The disk is full: nothing is changed, and it is our trouble, no refusal.
func TestDiskFull(t *testing.T) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	j, p := newJournal(t, map[string]string{"a": "a\n"})
	small := limit
	small.Cur = 4096
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Skip(err)
	}
	err := j.Write(t.Context(), []edits.Change{edit("a", "a\n", "A\n"), create("x/big", string(make([]byte, 8192)))}, nil)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	var refusal *edits.Refusal
	if err == nil || errors.As(err, &refusal) {
		t.Errorf("error %v", err)
	}
	if got := files(t, p); len(got) != 1 || got["a"] != "a\n" {
		t.Errorf("files %v", got)
	}
}

// A renamed file takes its mode along, also onto a path that stands already. What
// is put back has the mode that it had.
func TestModesOfRenames(t *testing.T) {
	for _, fails := range []bool{false, true} {
		j, p := newJournal(t, map[string]string{"a": "a\n", "b": "b\n", "z": "z\n"})
		at := func(name string) string { return filepath.Join(p.root, name) }
		if err := os.Chmod(at("a"), 0o750); err != nil {
			t.Fatal(err)
		}
		p.onMake = func() {
			if fails {
				put(t, p, "z", "somebody's\n")
			}
		}
		err := j.Write(t.Context(), []edits.Change{
			remove("a", "a\n"), remove("z", "z\n"), create("new/c", "c\n"),
			{Path: "b", Before: "b\n", After: "a\n", Existed: true, From: "a"},
		}, map[string]fs.FileMode{"b": 0o750})
		name, want := "b", map[string]string{"b": "a\n", "new/": "", "new/c": "c\n"}
		if fails {
			name, want = "a", map[string]string{"a": "a\n", "b": "b\n", "z": "somebody's\n"}
			if info, _ := os.Stat(at("b")); info.Mode() != 0o644 {
				t.Errorf("what was put back has mode %v", info.Mode())
			}
		}
		if diff := cmp.Diff(want, files(t, p)); diff != "" || fails != (err != nil) {
			t.Errorf("error %v, files %s", err, diff)
		}
		if info, _ := os.Stat(at(name)); info.Mode() != 0o750 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
}
