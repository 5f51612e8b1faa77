package worktree_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunLeavesTheUsersGitAlone(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "sub/c.txt": "c\n", ".gitignore": "*.log\n"})
	r.write(map[string]string{"b.txt": "stashed\n"})
	r.git("stash", "-q")
	r.git("branch", "other")
	r.write(map[string]string{"a.txt": "a\nunstaged\n", "b.txt": "staged\n", "new.txt": "untracked\n", "x.log": "ignored\n"})
	r.git("add", "b.txt")
	r.git("status") // brings the index up to date, as users do
	before, user := r.state(gitOnly), r.git("status", "--porcelain=v2")

	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "a\nunstaged\nmodel\n", "made/new.txt": "model\n", "sub/c.txt": "-"})
	r.round(2, map[string]string{"x.log": "model\n", "made/new.txt": "model 2\n"})
	if diff := cmp.Diff(before, r.state(gitOnly)); diff != "" {
		t.Errorf("a run changed the user's git:\n%s", diff)
	}
	r.undo()
	if now := r.git("status", "--porcelain=v2"); now != user {
		t.Errorf("status after undo:\n%s\nbefore:\n%s", now, user)
	}
	r.gone("made")
	if got := r.read("x.log"); got != "ignored\n" {
		t.Errorf("ignored file is %q after undo", got)
	}
	if got := r.read("a.txt"); got != "a\nunstaged\n" {
		t.Errorf("a.txt is %q after undo", got)
	}
}
