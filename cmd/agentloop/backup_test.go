package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// backedUp begins a run with --backup on a tree of these files.
func backedUp(t *testing.T, files map[string]string) *tree {
	t.Helper()
	tree := newWorkTree(t, files)
	tree.backup = true
	if err := tree.begin(t.Context(), "r"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tree.close)
	return tree
}

// backups gives what is kept in the tree's root.
func backups(t *testing.T, tree *tree) map[string]string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(tree.repo.Root, "*.bak*"))
	if err != nil {
		t.Fatal(err)
	}
	hidden, _ := filepath.Glob(filepath.Join(tree.repo.Root, ".*.bak*"))
	all := map[string]string{}
	for _, file := range append(found, hidden...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = string(text)
	}
	return all
}

func write(path, before, after string) []edits.Change {
	return []edits.Change{{Path: path, Before: before, After: after, Existed: before != ""}}
}

// Who allows a file that is protected has its backup too, and it stays closed to
// the model; a name that the user protects is refused before anything is written.
func TestBackupOfProtected(t *testing.T) {
	tree := backedUp(t, map[string]string{".env": "A=1\n", "a.txt": "a\n", "[b].txt": "b\n"})
	tree.guard.Allow, tree.guard.Protect = []string{".env"}, []string{"a.txt.bak"}
	if err := tree.Write(t.Context(), write(".env", "A=1\n", "A=2\n")); err != nil {
		t.Error(err)
	}
	if _, err := tree.show(".env.bak"); err == nil {
		t.Error("the backup of .env can be shown")
	}
	err := tree.Write(t.Context(), append(write("[b].txt", "b\n", "B\n"), write("a.txt", "a\n", "A\n")...))
	var no *edits.Refusal
	if !errors.As(err, &no) || no.Path != "a.txt" || !strings.Contains(no.Why, "a.txt.bak may not be written: protected by the user's own configuration") {
		t.Error(err)
	}
	if got := backups(t, tree); !maps.Equal(got, map[string]string{".env.bak": "A=1\n"}) {
		t.Errorf("kept are %q", got)
	}
	tree.guard.Protect = nil
	if err := tree.Write(t.Context(), write("[b].txt", "b\n", "B\n")); err != nil || backups(t, tree)["[b].txt.bak"] != "b\n" {
		t.Errorf("%v, kept are %q", err, backups(t, tree))
	}
}

// A refused write leaves no backup, and the next one keeps what the user wrote
// meanwhile.
func TestBackupAfterRefusal(t *testing.T) {
	tree := backedUp(t, map[string]string{"a.txt": "a\n"})
	if err := os.WriteFile(filepath.Join(tree.repo.Root, "a.txt"), []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var no *edits.Refusal
	if err := tree.Write(t.Context(), write("a.txt", "a\n", "A\n")); !errors.As(err, &no) || len(backups(t, tree)) > 0 {
		t.Fatalf("%v, kept are %q", err, backups(t, tree))
	}
	if err := tree.Write(t.Context(), write("a.txt", "mine\n", "A\n")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(tree.repo.Root, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if err := tree.Write(t.Context(), write("a.txt", "A\n", "B\n")); !errors.As(err, &no) {
		t.Errorf("a file that is gone: %v", err)
	}
	if got := backups(t, tree); !maps.Equal(got, map[string]string{"a.txt.bak": "mine\n"}) {
		t.Errorf("kept are %q", got)
	}
}

// What the run made itself is no file of the user's.
func TestBackupOfCreated(t *testing.T) {
	tree := backedUp(t, map[string]string{"a.txt": "a\n"})
	for _, c := range [][]edits.Change{write("new.txt", "", "1\n"), write("new.txt", "1\n", "2\n")} {
		if err := tree.Write(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	if got := backups(t, tree); len(got) > 0 {
		t.Errorf("kept are %q", got)
	}
}
