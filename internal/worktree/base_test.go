package worktree_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentloop/agentloop/edits"
)

// Large untracked files and secrets stay out of snapshot 0, until the run is
// about to write one: then its bytes are kept first.
func TestLargeAndSecretFilesAreLeftOut(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", ".gitignore": "*.log\n"})
	big := strings.Repeat("0123456789abcdef", 1<<16) + "\n" // one byte over 1 MiB
	r.write(map[string]string{"big.txt": big, "id_rsa": "canary\n", "small.txt": "s\n", "x.log": "ignored\n"})
	r.begin("r1")
	base, err := r.run.Base(t.Context())
	must(t, err)
	slices.Sort(base.LeftOut)
	if diff := cmp.Diff([]string{"big.txt", "id_rsa"}, base.LeftOut); diff != "" {
		t.Error(diff)
	}
	if got := r.git("ls-tree", "--name-only", base.Rev); got != ".gitignore\na.txt\nsmall.txt\n" {
		t.Errorf("snapshot 0 holds %q", got)
	}
	r.round(1, map[string]string{"big.txt": "small now\n", "x.log": "model\n"})
	if got := r.git("cat-file", "blob", "refs/agentloop/r1/0:big.txt"); got != big {
		t.Error("big.txt was not kept before it was written")
	}
	if out, err := r.tryGit("merge-base", "--is-ancestor", base.Rev, "refs/agentloop/r1/0"); err != nil {
		t.Errorf("the first snapshot 0 is not kept: %s", out)
	}
	r.undo()
	if r.read("big.txt") != big || r.read("x.log") != "ignored\n" {
		t.Error("not given back")
	}
}

func TestUntrackedFilesPastTheSum(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	mega := strings.Repeat("x", 1<<20)
	for i := range 66 {
		r.write(map[string]string{fmt.Sprintf("u%02d", i): mega})
	}
	r.begin("r1")
	base, err := r.run.Base(t.Context())
	must(t, err)
	if len(base.LeftOut) != 2 || len(base.Dirty) != 66 {
		t.Errorf("%d dirty, %d left out", len(base.Dirty), len(base.LeftOut))
	}
}

// A refused write leaves its files out of what is staged, and of what undo
// would touch.
func TestRefusedWrite(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	r.begin("r1")
	changes := map[string]string{"a.txt": "A\n"}
	r.round(1, changes)
	old := r.guard.Protect
	r.guard.Protect = []string{"b.txt"}
	if err := r.change(map[string]string{"b.txt": "B\n"}); err == nil {
		t.Fatal("not refused")
	}
	r.guard.Protect = old
	r.write(map[string]string{"b.txt": "user\n"})
	if diff := cmp.Diff([]string{"a.txt"}, r.finish()); diff != "" {
		t.Error(diff)
	}
	r.undo()
	if got := r.read("b.txt"); got != "user\n" {
		t.Errorf("b.txt is %q", got)
	}
}

func TestRunIDs(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"}).open()
	for _, id := range []string{"", "-a", "a/b", "..", "a b", "a\n", "ä", "a.lock", strings.Repeat("a", 101)} {
		if _, err := r.repo.Begin(t.Context(), id, r.guard); err == nil {
			t.Errorf("%q is accepted", id)
		}
	}
	r.begin("twice")
	_, err := r.run.Base(t.Context())
	must(t, err)
	r.begin("twice")
	if _, err := r.run.Base(t.Context()); err == nil {
		t.Error("a second run takes over the first one's snapshots")
	}
	r.git("pack-refs", "--all")
	r.write(map[string]string{"a.txt": "another\n"})
	r.begin("twice")
	if _, err := r.run.Base(t.Context()); err == nil {
		t.Error("a second run takes over the first one's packed snapshots")
	}
}

// git's trouble comes out where it is waited for, in one line, and stops the
// first write.
func TestBaseFails(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	must(t, os.WriteFile(r.path(".git/index"), []byte("garbage\x1b[31m"), 0o644))
	r.begin("r1")
	_, err := r.run.Base(t.Context())
	if err == nil || !strings.HasPrefix(err.Error(), "git status failed") || strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("error %q", err)
	}
	if err := r.change(map[string]string{"a.txt": "A\n"}); err == nil || r.read("a.txt") != "a\n" {
		t.Errorf("written without a snapshot: %v", err)
	}
}

func TestBaseCancelled(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"}).open()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	run, err := r.repo.Begin(ctx, "r1", r.guard)
	must(t, err)
	if _, err := run.Base(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got := r.git("for-each-ref", "refs/agentloop"); got != "" {
		t.Errorf("refs %q", got)
	}
}

// A file that somebody wrote between reading and writing is refused, and undo
// of what the run did write has nothing to do with it.
func TestRefusedFileIsNoneOfTheRun(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n"})
	before := r.git("rev-parse", "refs/agentloop/r1/0")
	r.write(map[string]string{"b.txt": "user\n"})
	var refused *edits.Refusal
	if err := r.run.Write(t.Context(), edit("b.txt", "b\n", "B\n"), r.journal); !errors.As(err, &refused) || refused.Reason != edits.ChangedOnDisk {
		t.Errorf("error %v", err)
	}
	if r.git("rev-parse", "refs/agentloop/r1/0") != before {
		t.Error("snapshot 0 holds what was never there")
	}
	r.round(2, map[string]string{"a.txt": "AA\n"})
	if diff := cmp.Diff([]string{"a.txt"}, r.finish()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a.txt"}, r.undo()); diff != "" {
		t.Error(diff)
	}
	if got := r.read("b.txt"); got != "user\n" {
		t.Errorf("b.txt is %q", got)
	}
}

// Closing a run ends what goes on in the background.
func TestClose(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"}).open()
	for i := range 20 {
		r.begin(fmt.Sprintf("r%d", i))
		if i%2 == 1 {
			time.Sleep(time.Duration(i) * time.Millisecond)
		}
		r.run.Close()
		if _, err := r.run.Base(context.Background()); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("base: %v", err)
		}
	}
	if left, _ := filepath.Glob(r.path(".git/fast_import_crash_*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
	r.git("fsck", "--strict")
}

func TestDiffOfARun(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", ".gitignore": "*.log\n"})
	r.write(map[string]string{"x.log": "ignored\n", "mine.txt": "mine\n"})
	r.begin("r1")
	if diff, err := r.run.Diff(t.Context()); diff != "" || err != nil {
		t.Errorf("before the first round: %q, %v", diff, err)
	}
	r.round(1, map[string]string{"a.txt": "b\n", "x.log": "ignored\nmore\n"})
	diff, err := r.run.Diff(t.Context())
	must(t, err)
	if !strings.Contains(diff, "-a\n+b\n") || !strings.Contains(diff, "ignored\n+more\n") || strings.Contains(diff, "mine") {
		t.Errorf("diff:\n%s", diff)
	}
}
