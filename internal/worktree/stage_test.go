package worktree_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentloop/agentloop/internal/worktree"
)

func TestStageTakesOnlyTheRunsFiles(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "gone.txt": "g\n", ".gitignore": "*.log\n"})
	r.write(map[string]string{"b.txt": "user\n", ".env": "KEY=canary\n", "creds.json": "canary\n", "old.log": "l\n"})
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n", "new.txt": "n\n", "gone.txt": "-", "x.log": "ignored\n", "brief.txt": "soon gone\n"})
	r.round(2, map[string]string{"brief.txt": "-"})
	staged := r.finish()
	if diff := cmp.Diff([]string{"a.txt", "brief.txt", "gone.txt", "new.txt"}, staged); diff != "" {
		t.Error(diff)
	}
	if got := r.git("diff", "--cached", "--name-status"); got != "M\ta.txt\nD\tgone.txt\nA\tnew.txt\n" {
		t.Errorf("index against HEAD:\n%s", got)
	}
	if got := r.git("log", "--all", "-p"); strings.Contains(got, "KEY=canary") {
		t.Error("a secret is in a snapshot")
	}
}

// A held index.lock stops neither snapshots nor the run; staging waits for it.
// The control: the user's own git add fails.
func TestIndexLockHeld(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	lock := r.path(".git/index.lock")
	must(t, os.WriteFile(lock, nil, 0o644))
	if out, err := r.tryGit("add", "a.txt"); err == nil {
		t.Errorf("control: git add works: %s", out)
	}
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n", "b.txt": "b\n"})

	r.repo.LockWait = 300 * time.Millisecond
	_, err := r.repo.Stage(t.Context(), "r1", r.run.Paths())
	var locked *worktree.LockedError
	if !errors.As(err, &locked) || locked.Path != lock || locked.Waited < 300*time.Millisecond {
		t.Errorf("stage: %v", err)
	}
	if _, err := os.Stat(lock); err != nil {
		t.Errorf("somebody else's lock is gone: %v", err)
	}
	r.repo.LockWait = 5 * time.Second
	timer := time.AfterFunc(200*time.Millisecond, func() { os.Remove(lock) })
	defer timer.Stop()
	if got := r.finish(); len(got) != 2 {
		t.Errorf("staged %q", got)
	}
}

func TestCommitTakesOnlyTheRunsFiles(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "d.txt": "d\n"})
	r.write(map[string]string{"b.txt": "staged\n", "c.txt": "unstaged\n", "u.txt": "untracked\n"})
	r.git("add", "b.txt")
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n", "new/n.txt": "n\n", "d.txt": "-"})
	must(t, r.run.End(t.Context()))
	rev, err := r.repo.Commit(t.Context(), "r1", "Fix it\n\nAgentloop-Run: forged\nbecause\x1b[31m of\u202e this\r\n", r.run.Paths())
	must(t, err)
	if head := strings.TrimSpace(r.git("rev-parse", "HEAD")); rev != head {
		t.Errorf("commit %s, HEAD %s", rev, head)
	}
	if got := r.git("show", "--format=", "--name-status", "HEAD"); got != "M\ta.txt\nD\td.txt\nA\tnew/n.txt\n" {
		t.Errorf("committed:\n%s", got)
	}
	if got := r.git("status", "--porcelain"); got != "M  b.txt\n M c.txt\n?? u.txt\n" {
		t.Errorf("status:\n%s", got)
	}
	if got := r.git("log", "-1", "--format=%B"); got != "Fix it\n\nbecause[31m of this\n\nAgentloop-Run: r1\n\n" {
		t.Errorf("message %q", got)
	}
	if got := r.git("log", "-1", "--format=%an %(trailers:key=Agentloop-Run,valueonly)"); strings.TrimSpace(got) != "U r1" {
		t.Errorf("author and trailer %q", got)
	}
	if rev, err := r.repo.Commit(t.Context(), "r1", "again", r.run.Paths()); rev != "" || err != nil {
		t.Errorf("nothing to commit: %q, %v", rev, err)
	}
}

func TestFirstCommitOfABranch(t *testing.T) {
	r := newRepo(t)
	r.write(map[string]string{"mine.txt": "m\n"})
	r.git("add", "mine.txt")
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "a\n"})
	if _, err := r.repo.Commit(t.Context(), "r1", "", r.run.Paths()); err != nil {
		t.Fatal(err)
	}
	if got := r.git("ls-tree", "--name-only", "HEAD"); got != "a.txt\n" {
		t.Errorf("committed %q", got)
	}
	if got := r.git("status", "--porcelain"); got != "A  mine.txt\n" {
		t.Errorf("status %q", got)
	}
}

func TestCommitRefuses(t *testing.T) {
	for _, sign := range []string{"MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge/x", "rebase-apply/x"} {
		r := committed(t, map[string]string{"a.txt": "a\n"})
		r.begin("r1")
		r.round(1, map[string]string{"a.txt": "A\n"})
		r.write(map[string]string{".git/" + sign: r.git("rev-parse", "HEAD")})
		_, err := r.repo.Commit(t.Context(), "r1", "message", r.run.Paths())
		if !errors.Is(err, worktree.ErrUnderWay) {
			t.Errorf("%s: %v", sign, err)
		}
	}
	r := committed(t, map[string]string{"a.txt": "a\n"})
	r.git("config", "--unset", "user.name")
	r.git("config", "--unset", "user.email")
	r.git("config", "user.useConfigOnly", "true")
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n"})
	if _, err := r.repo.Commit(t.Context(), "r1", "message", r.run.Paths()); err == nil || !strings.Contains(err.Error(), "git config --global user.name") {
		t.Errorf("no identity: %v", err)
	}
}

// A file with an unsolved merge stays unsolved in the index.
func TestStageLeavesUnsolvedMerges(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	r.git("checkout", "-qb", "side")
	r.write(map[string]string{"a.txt": "one\n"})
	r.git("commit", "-qam", "one")
	r.git("checkout", "-q", "main")
	r.write(map[string]string{"a.txt": "two\n"})
	r.git("commit", "-qam", "two")
	r.tryGit("merge", "side")
	r.begin("r1")
	conflict := r.read("a.txt")
	r.round(1, map[string]string{"a.txt": "solved\n", "b.txt": "B\n"})
	if diff := cmp.Diff([]string{"b.txt"}, r.finish()); diff != "" {
		t.Error(diff)
	}
	if got := r.git("ls-files", "--unmerged"); strings.Count(got, "a.txt") != 3 {
		t.Errorf("unmerged entries:\n%s", got)
	}
	r.undo()
	if got := r.read("a.txt"); got != conflict {
		t.Errorf("a.txt is %q after undo", got)
	}
}

func TestFilesAndDirty(t *testing.T) {
	r := committed(t, map[string]string{"b/x.txt": "x\n", "a.txt": "a\n", "gone.txt": "g\n", "forced.log": "f\n", "sp ace.txt": "s\n"})
	r.write(map[string]string{".gitignore": "*.log\nnode_modules/\n", "new.txt": "n\n", "y.log": "y\n", "node_modules/z/z.js": "z\n", "nested/n.txt": "n\n"})
	r.git("init", "-q", "nested")
	must(t, os.Remove(r.path("gone.txt")))
	r.write(map[string]string{"a.txt": "A\n"})
	r.open()
	files, err := r.repo.Files(t.Context())
	must(t, err)
	if diff := cmp.Diff([]string{".gitignore", "a.txt", "b/x.txt", "forced.log", "gone.txt", "new.txt", "sp ace.txt"}, files); diff != "" {
		t.Error(diff)
	}
	dirty, err := r.repo.Dirty(t.Context(), []string{"sp ace.txt", "new.txt", "a.txt", "gone.txt", "b/x.txt", "none.txt"})
	must(t, err)
	if diff := cmp.Diff([]string{"a.txt", "gone.txt", "new.txt"}, dirty); diff != "" {
		t.Error(diff)
	}
}

// Files of a repository inside this one can be edited and undone, but not staged.
func TestFilesOfASubmodule(t *testing.T) {
	inner := committed(t, map[string]string{"in.txt": "i\n"})
	r := committed(t, map[string]string{"a.txt": "a\n"})
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "mod")
	r.git("commit", "-qm", "module")
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n"})
	r.round(2, map[string]string{"mod/in.txt": "I\n", "mod/sub/new.txt": "n\n"})
	if diff := cmp.Diff([]string{"a.txt"}, r.finish()); diff != "" {
		t.Error(diff)
	}
	_, err := r.repo.Commit(t.Context(), "r1", "m", r.run.Paths())
	must(t, err)
	r.undo()
	if got := r.read("mod/in.txt"); got != "i\n" {
		t.Errorf("mod/in.txt is %q", got)
	}
	r.gone("mod/sub")
}
