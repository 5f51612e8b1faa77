package worktree_test

import (
	"os"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// A renamed file keeps its mode through the round, the index and undo, and the
// folder that it left goes; so with two files that change places.
func TestRenames(t *testing.T) {
	r := committed(t, map[string]string{"old/tool.sh": "t\n", "x": "x\n", "y": "y\n"})
	for _, name := range []string{"old/tool.sh", "x"} {
		must(t, os.Chmod(r.path(name), 0o755))
	}
	r.git("commit", "-qam", "modes")
	r.begin("r1")
	must(t, r.run.Write(t.Context(), []edits.Change{
		{Path: "old/tool.sh", Before: "t\n", Existed: true, Delete: true},
		{Path: "new/tool.sh", After: "T\n", From: "old/tool.sh"},
		{Path: "x", Before: "x\n", After: "y\n", Existed: true, From: "y"},
		{Path: "y", Before: "y\n", After: "x\n", Existed: true, From: "x"},
	}, r.journal))
	_, err := r.run.Snapshot(t.Context(), 1)
	must(t, err)
	r.gone("old")
	r.finish()
	if got, want := r.git("diff", "--cached", "--summary", "--no-renames"), " create mode 100755 new/tool.sh\n delete mode 100755 old/tool.sh\n mode change 100755 => 100644 x\n mode change 100644 => 100755 y\n"; got != want {
		t.Errorf("staged:\n%s", got)
	}
	r.undo()
	r.gone("new")
	if got := r.git("status", "--porcelain"); got != "" {
		t.Errorf("after undo:\n%s", got)
	}
}

func TestTracked(t *testing.T) {
	r := committed(t, map[string]string{"a": "a\n", "*": "star\n"}).open()
	r.write(map[string]string{"b": "b\n", "staged": "s\n"})
	r.git("add", "staged")
	for path, want := range map[string]bool{"a": true, "*": true, "staged": true, "b": false, "none": false, "?": false} {
		if got, err := r.repo.Tracked(t.Context(), path); got != want || err != nil {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
}

// A folder that was empty before the run is there after it, too, although the
// run has written into it and deleted that again.
func TestEmptyFolderStays(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", "full/b.txt": "b\n"})
	must(t, os.MkdirAll(r.path("empty/inner"), 0o755))
	r.begin("e")
	r.round(1, map[string]string{"empty/inner/x.txt": "x\n"})
	r.round(2, map[string]string{"empty/inner/x.txt": "-", "full/b.txt": "-"})
	if _, err := os.Stat(r.path("empty/inner")); err != nil {
		t.Error(err)
	}
	r.gone("full")
	r.undo()
	if _, err := os.Stat(r.path("empty/inner")); err != nil {
		t.Error(err)
	}
	if r.read("full/b.txt") != "b\n" {
		t.Error("full/b.txt is not back")
	}
}
