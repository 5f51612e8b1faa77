package worktree_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/internal/worktree"
)

func TestOpenFindsTheWorkTree(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", "deep/er/b.txt": "b\n"})
	r.git("worktree", "add", "-q", "../linked", "-b", "side")
	linked := filepath.Join(filepath.Dir(r.dir), "linked")
	defer os.RemoveAll(linked)
	must(t, os.Mkdir(filepath.Join(linked, "inner"), 0o777))
	r.write(map[string]string{"odd/.git/nothing": ""}) // no git directory: git searches on above, so do we
	must(t, os.Symlink(filepath.Join(r.dir, "deep"), filepath.Join(t.TempDir(), "link")))

	tests := []struct{ from, root, gitDir string }{
		{r.dir, r.dir, r.path(".git")},
		{r.path("deep/er"), r.dir, r.path(".git")},
		{r.path("odd"), r.dir, r.path(".git")},
		{linked, linked, r.path(".git/worktrees/linked")},
		{filepath.Join(linked, "inner"), linked, r.path(".git/worktrees/linked")},
	}
	for _, tt := range tests {
		got, err := worktree.Open(t.Context(), tt.from)
		if err != nil {
			t.Errorf("%s: %v", tt.from, err)
			continue
		}
		if got.Root != tt.root || got.GitDir != tt.gitDir || got.CommonDir != r.path(".git") {
			t.Errorf("%s: root %s, git directory %s, common %s", tt.from, got.Root, got.GitDir, got.CommonDir)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	bare := filepath.Join(t.TempDir(), "bare.git")
	r.git("clone", "-q", "--bare", r.dir, bare)
	broken, odd := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(broken, ".git"), []byte("gitdir: /nowhere/at/all\n"), 0o644))
	must(t, os.WriteFile(filepath.Join(odd, ".git"), []byte("hello\n"), 0o644))
	tests := []struct {
		dir  string
		want error
	}{
		{t.TempDir(), worktree.ErrNotRepository},
		{broken, worktree.ErrNotRepository},
		{odd, worktree.ErrNotRepository},
		{bare, worktree.ErrBare},
		{filepath.Join(bare, "objects"), worktree.ErrBare},
		{r.path(".git"), worktree.ErrBare},
		{r.path(".git/refs/heads"), worktree.ErrBare},
		{filepath.Join(r.dir, "none"), os.ErrNotExist},
	}
	for _, tt := range tests {
		_, err := worktree.Open(t.Context(), tt.dir)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.dir, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than one line: %v", tt.dir, err)
		}
	}
}

// A git that lies in the tree, or in a relative folder of PATH, is not ours.
func TestOpenWantsAGitOutsideTheTree(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	r.write(map[string]string{"bin/git": "#!/bin/sh\ntouch " + r.path("marker") + "\n"})
	must(t, os.Chmod(r.path("bin/git"), 0o755))
	path := os.Getenv("PATH")
	t.Setenv("PATH", r.path("bin")+string(filepath.ListSeparator)+path)
	if _, err := r.open().repo.Files(t.Context()); err != nil {
		t.Error(err)
	}
	r.gone("marker")
	t.Chdir(r.dir)
	for _, path := range []string{"", "bin", ".", r.path("bin")} {
		t.Setenv("PATH", path)
		if _, err := worktree.Open(t.Context(), r.dir); !errors.Is(err, worktree.ErrNoGit) {
			t.Errorf("PATH=%q: %v", path, err)
		}
	}
}

// git's rule about repositories of other users holds for us too, and so does the
// user's exception.
func TestOpenOfAnotherUser(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	if err := os.Chown(r.path(".git"), 12345, 12345); err != nil {
		t.Skip("only root can tell:", err)
	}
	must(t, os.Chown(r.dir, 12345, 12345))
	t.Setenv("HOME", t.TempDir())
	t.Setenv("SUDO_UID", "")
	os.Unsetenv("SUDO_UID")
	_, err := worktree.Open(t.Context(), r.dir)
	if !errors.Is(err, worktree.ErrOwner) || !strings.Contains(err.Error(), "safe.directory") {
		t.Errorf("error %v", err)
	}
	r.git("config", "--global", "--add", "safe.directory", r.dir)
	if _, err := worktree.Open(t.Context(), r.dir); err != nil {
		t.Errorf("trusted: %v", err)
	}
}
