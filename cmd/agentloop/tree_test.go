package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/guard"
	"github.com/agentloop/agentloop/internal/worktree"
	"github.com/agentloop/agentloop/loop"
)

// What every loop.Tree does, by each of the two that there are.
func TestTreeContract(t *testing.T) {
	start := map[string]string{"a.txt": "a\r\n", "sub/b.txt": "b", "gone.txt": "g\n"}
	trees := map[string]func(t *testing.T) loop.Tree{
		"work tree": func(t *testing.T) loop.Tree {
			tree := newWorkTree(t, start)
			if err := tree.begin(t.Context(), "contract"); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(tree.close)
			return tree
		},
		"overlay": func(*testing.T) loop.Tree {
			return &loop.Overlay{Under: func(path string) (string, error) {
				if text, ok := start[path]; ok {
					return text, nil
				}
				return "", fmt.Errorf("%s: %w", path, fs.ErrNotExist)
			}}
		},
	}
	for name, open := range trees {
		t.Run(name, func(t *testing.T) {
			tree := open(t)
			holds := func(path, want string) {
				t.Helper()
				if got, err := tree.Read(path); err != nil || got != want {
					t.Errorf("%s is %q (%v), want %q", path, got, err, want)
				}
			}
			gone := func(path string) {
				t.Helper()
				if got, err := tree.Read(path); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s is %q (%v), want that it is not there", path, got, err)
				}
			}
			holds("a.txt", "a\r\n")
			gone("none.txt")
			first, err := tree.Snapshot(t.Context(), 0)
			if err != nil || first == "" {
				t.Fatalf("snapshot 0: %q, %v", first, err)
			}
			if err := tree.Write(t.Context(), []edits.Change{
				{Path: "a.txt", Before: "a\r\n", After: "A\r\n", Existed: true},
				{Path: "new/c.txt", After: ""},
				{Path: "gone.txt", Before: "g\n", Existed: true, Delete: true},
			}); err != nil {
				t.Fatal(err)
			}
			holds("a.txt", "A\r\n")
			holds("new/c.txt", "")
			gone("gone.txt")
			second, err := tree.Snapshot(t.Context(), 1)
			if err != nil || second == "" || second == first {
				t.Errorf("snapshot 1: %q, %v", second, err)
			}
			for _, stale := range []edits.Change{
				{Path: "sub/b.txt", Before: "other", After: "B", Existed: true},
				{Path: "sub/b.txt", After: "B"},
				{Path: "gone.txt", Before: "g\n", After: "G", Existed: true},
			} {
				err := tree.Write(t.Context(), []edits.Change{{Path: "a.txt", Before: "A\r\n", After: "never", Existed: true}, stale})
				var no *edits.Refusal
				if !errors.As(err, &no) || no.Reason != edits.ChangedOnDisk || no.Path != stale.Path {
					t.Errorf("%+v: %v", stale, err)
				}
				holds("a.txt", "A\r\n")
			}
			holds("sub/b.txt", "b")
		})
	}
}

// The model's blocks reach the disk through Apply and the tree: a path that may
// not be used is a failed block, and the others are applied.
func TestTreeRefusesPathsAsData(t *testing.T) {
	tree := newWorkTree(t, map[string]string{"a.txt": "a\n", "AGENTS.md": "rules\n"})
	if err := os.Symlink("a.txt", filepath.Join(tree.repo.Root, "link")); err != nil {
		t.Skip(err)
	}
	var blocks []edits.Block
	for _, path := range []string{"../x", ".git/hooks/pre-commit", "AGENTS.md", ".env", "link", "con.txt"} {
		blocks = append(blocks, edits.Block{Format: edits.SearchReplace, Path: path, New: []string{"x"}})
	}
	blocks = append(blocks, edits.Block{Format: edits.SearchReplace, Path: "a.txt", Old: []string{"a"}, New: []string{"A"}})
	res, err := edits.Apply(blocks, tree.Read, edits.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range res.Outcomes[:len(blocks)-1] {
		if o.Status != edits.Failed || o.Reason != edits.PathRefused {
			t.Errorf("%s: %s, %s", o.Block.Path, o.Status, o.Reason)
		}
	}
	if len(res.Changes) != 1 || res.Changes[0].Path != "a.txt" {
		t.Errorf("changes %+v", res.Changes)
	}
	if text, err := tree.show("AGENTS.md"); err != nil || text != "rules\n" {
		t.Errorf("AGENTS.md cannot be shown: %q, %v", text, err)
	}
}

// newWorkTree makes a repository with files in one commit.
func newWorkTree(t *testing.T, files map[string]string) *tree {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git on this machine")
	}
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=U", "-c", "user.email=u@localhost", "commit", "-qm", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	repo, err := worktree.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return &tree{repo: repo, guard: &guard.Guard{Root: repo.Root}}
}
