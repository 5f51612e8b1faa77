package worktree

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// scripted is a repository whose git is a shell script.
func scripted(t *testing.T, script string) *Repo {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "git")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return &Repo{Root: dir, GitDir: dir, CommonDir: dir, program: program}
}

// A git that is cancelled is asked to end, so that it can remove its locks.
func TestCancelledGitMayTidyUp(t *testing.T) {
	r := scripted(t, `touch index.lock; trap 'rm index.lock; exit 1' TERM; touch started; while :; do sleep 0.01; done`)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for range 500 {
			if _, err := os.Stat(filepath.Join(r.Root, "started")); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	if _, err := r.git(ctx, nil, "status"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(r.Root, "index.lock")); err == nil {
		t.Error("the lock was left behind")
	}
}

func TestWhatGitSaysIsOneSafeLine(t *testing.T) {
	r := scripted(t, `printf 'fatal: \033[31mbad\033[0m\nname \342\200\256x\r\n' >&2; head -c 100000 /dev/zero | tr '\0' y >&2; exit 3`)
	_, err := r.git(t.Context(), nil, "status")
	var failure *GitError
	if !errors.As(err, &failure) || failure.Exit != 3 || failure.Command != "status" {
		t.Fatalf("error %v", err)
	}
	if m := failure.Message; !strings.HasPrefix(m, "fatal: [31mbad[0m name x yyy") || len(m) > gitMessage+10 || strings.ContainsAny(m, "\n\r\x1b") {
		t.Errorf("message %.100q, %d bytes", m, len(m))
	}
}

func TestOutputIsCapped(t *testing.T) {
	out := &capped{max: 4}
	for range 3 {
		out.Write([]byte("abc"))
	}
	if !out.full || out.String() != "abca" {
		t.Errorf("%q, full %v", out, out.full)
	}
	said := &capped{max: 4, drop: true}
	if n, err := said.Write([]byte("abcdef")); n != 6 || err != nil || said.full || said.String() != "abcd" {
		t.Errorf("%d, %v, %q, full %v", n, err, said, said.full)
	}
}

func TestGitGetsNoInput(t *testing.T) {
	r := scripted(t, `cat; test -t 0 && echo terminal; exit 0`)
	out, err := r.git(t.Context(), nil, "status")
	if err != nil || len(out) != 0 {
		t.Errorf("%q, %v", out, err)
	}
}

// A stream that breaks off leaves neither a ref nor a report behind, and nobody
// waiting for it.
func TestBrokenStream(t *testing.T) {
	dir := t.TempDir()
	program, err := findGit(dir)
	if err != nil {
		t.Skip(err)
	}
	r := &Repo{Root: dir, GitDir: filepath.Join(dir, ".git"), program: program}
	if _, err := r.start(t.Context(), call{args: []string{"-C", dir, "init", "-q"}, discover: true}); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the disk is on fire")
	for name, fill := range map[string]func(s *stream) error{
		"our trouble": func(s *stream) error { s.put("a", "100644", "a"); return broken },
		"git's": func(s *stream) error {
			s.name("a", "100644", "no such blob")
			s.put("b", "100644", strings.Repeat("b", 1<<20))
			return nil
		},
	} {
		if _, err := r.record(t.Context(), snapshot{ref: "refs/agentloop/x/1", message: "m"}, fill); err == nil {
			t.Errorf("%s: no error", name)
		}
		if out, err := r.git(t.Context(), nil, "for-each-ref"); err != nil || len(out) > 0 {
			t.Errorf("%s: refs %q, %v", name, out, err)
		}
		if left, _ := filepath.Glob(filepath.Join(r.GitDir, "fast_import_crash_*")); len(left) > 0 {
			t.Errorf("%s: left %q", name, left)
		}
	}
}

func TestParseStatus(t *testing.T) {
	oid := strings.Repeat("a", 40)
	three := oid + " " + oid + " " + oid
	s, err := parseStatus([]string{
		"# branch.oid " + oid, "# branch.head main",
		"1 .M N... 100644 100644 100644 " + oid + " " + oid + " with space",
		"1 .D N... 100644 100644 000000 " + oid + " " + oid + " gone",
		"1 .M S.M. 160000 160000 160000 " + oid + " " + oid + " module",
		"u UU N... 100644 100644 100644 100644 " + three + " both",
		"u DU N... 100644 000000 100644 000000 " + three + " unmerged gone",
		"? new\nline", "? nested/",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []entry{{"with space", true, false}, {"gone", true, true}, {"both", true, false}, {"unmerged gone", true, true}, {"new\nline", false, false}}
	if s.head != oid || len(s.entries) != len(want) {
		t.Fatalf("%+v", s)
	}
	for i, e := range s.entries {
		if e != want[i] {
			t.Errorf("%+v, want %+v", e, want[i])
		}
	}
	if s, err := parseStatus([]string{"# branch.oid (initial)"}); err != nil || s.head != "" {
		t.Errorf("unborn: %+v, %v", s, err)
	}
	for _, line := range []string{"", "x", "1", "1 .M", "1 .M N... 1 2 3 4 5", "u a b c d e f g h i", "2 R. x y z", "?"} {
		if _, err := parseStatus([]string{line}); err == nil {
			t.Errorf("%q is read", line)
		}
	}
}
