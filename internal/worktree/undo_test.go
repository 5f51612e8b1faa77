package worktree_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/agentloop/agentloop/internal/worktree"
)

func TestUndoRefusesWhereSomebodyWroteSince(t *testing.T) {
	start := map[string]string{"a.txt": "a\n", "b.txt": "b\n", "gone.txt": "g\n"}
	tests := []struct {
		name  string
		since func(r *repo)
		want  []string
	}{
		{"edited", func(r *repo) { r.write(map[string]string{"a.txt": "A\nmine\n"}) }, []string{"a.txt"}},
		{"deleted", func(r *repo) { must(r, os.Remove(r.path("a.txt"))) }, []string{"a.txt"}},
		{"created again", func(r *repo) { r.write(map[string]string{"gone.txt": "mine\n"}) }, []string{"gone.txt"}},
		{"the new file edited", func(r *repo) { r.write(map[string]string{"n/new.txt": "mine\n"}) }, []string{"n/new.txt"}},
		{"several", func(r *repo) { r.write(map[string]string{"a.txt": "mine\n", "b.txt": "mine\n"}) }, []string{"a.txt", "b.txt"}},
		{"a link instead", func(r *repo) { must(r, errors.Join(os.Remove(r.path("a.txt")), os.Symlink("b.txt", r.path("a.txt")))) }, []string{"a.txt"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := committed(t, start)
			r.begin("r1")
			r.round(1, map[string]string{"a.txt": "A\n", "b.txt": "B\n", "gone.txt": "-", "n/new.txt": "n\n"})
			r.finish()
			tt.since(r)
			before := r.state(all)
			_, err := r.repo.Undo(t.Context(), "r1", r.guard, r.journal)
			var edited *worktree.EditedError
			if !errors.As(err, &edited) {
				t.Fatalf("undo: %v", err)
			}
			if diff := cmp.Diff(tt.want, edited.Paths); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(before, r.state(all)); diff != "" {
				t.Errorf("something was changed all the same:\n%s", diff)
			}
		})
	}
}

// What a check did to a file of the run (a formatter) belongs to the run.
func TestUndoAfterACheckFormattedTheFile(t *testing.T) {
	r := committed(t, map[string]string{"a.go": "package a\n", "b.go": "package b\n"})
	r.begin("r1")
	r.round(1, map[string]string{"a.go": "package   a\n", "b.go": "package   b\n"})
	r.write(map[string]string{"a.go": "package a // formatted\n"})
	r.round(2, map[string]string{"b.go": "package  b\n"})
	r.write(map[string]string{"b.go": "package b // formatted\n"})
	r.finish()
	if got := r.git("show", "refs/agentloop/r1/2:a.go"); got != "package a // formatted\n" {
		t.Errorf("snapshot 2 holds %q", got)
	}
	if diff := cmp.Diff([]string{"a.go", "b.go"}, r.undo()); diff != "" {
		t.Error(diff)
	}
	if r.read("a.go") != "package a\n" || r.read("b.go") != "package b\n" {
		t.Errorf("after undo: %q, %q", r.read("a.go"), r.read("b.go"))
	}
}

// What the user had staged of a file is given back, also where the disk held
// something else; what the user staged since is left.
func TestUndoGivesBackTheIndex(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
	r.write(map[string]string{"a.txt": "staged\n"})
	r.git("add", "a.txt")
	r.write(map[string]string{"a.txt": "on disk\n"})
	before := r.git("status", "--porcelain=v2")
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "model\n", "b.txt": "model\n", "new.txt": "n\n"})
	if got := r.finish(); len(got) != 3 {
		t.Fatalf("staged %q", got)
	}
	r.round(2, map[string]string{"c.txt": "model\n", "a.txt": "model 2\n"})
	r.finish() // a second time: the first state before counts
	if got := r.git("show", ":a.txt"); got != "model 2\n" {
		t.Fatalf("index holds %q", got)
	}
	r.undo()
	if after := r.git("status", "--porcelain=v2"); after != before {
		t.Errorf("status after undo\n%s\nbefore\n%s", after, before)
	}
	if got := r.git("show", ":a.txt"); got != "staged\n" {
		t.Errorf("index holds %q", got)
	}
	if got := r.undo(); len(got) != 0 {
		t.Errorf("a second undo changes %q", got)
	}
}

func TestUndoAfterCommit(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n", "x/y/new.txt": "n\n"})
	_, err := r.repo.Commit(t.Context(), "r1", "m", r.run.Paths())
	must(t, err)
	head := r.git("rev-parse", "HEAD")
	r.undo()
	r.gone("x")
	if got := r.read("a.txt"); got != "a\n" {
		t.Errorf("a.txt is %q", got)
	}
	if r.git("rev-parse", "HEAD") != head {
		t.Error("undo moved HEAD")
	}
}

// Folders that the run created go when they are empty; what else lies in them,
// and folders that were there, stay.
func TestUndoAndFolders(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	must(t, os.MkdirAll(r.path("empty/before"), 0o777))
	r.begin("r1")
	r.round(1, map[string]string{"one/two/x.txt": "x\n", "empty/before/y.txt": "y\n"})
	r.round(2, map[string]string{"one/three/z.txt": "z\n", "kept/k.txt": "k\n"})
	r.write(map[string]string{"kept/mine.txt": "mine\n"})
	r.undo()
	r.gone("one")
	r.gone("empty/before/y.txt")
	r.gone("kept/k.txt")
	if _, err := os.Stat(r.path("empty/before")); err != nil {
		t.Error(err)
	}
	if got := r.read("kept/mine.txt"); got != "mine\n" {
		t.Errorf("kept/mine.txt is %q", got)
	}
}

func TestUndoOfUnknownRuns(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"}).open()
	for _, id := range []string{"none", "", "../heads", "a/b", "-x", "*", "heads"} {
		if _, err := r.repo.Undo(t.Context(), id, r.guard, r.journal); err == nil || !strings.Contains(err.Error(), "run ") {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestRuns(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	if runs, err := r.open().repo.Runs(t.Context()); err != nil || len(runs) != 0 {
		t.Errorf("none yet: %v, %v", runs, err)
	}
	var last string
	for i, most := range []int{1, 1, 11} {
		r.begin(fmt.Sprintf("run-%d", i))
		for n := 1; n <= most; n++ {
			last = r.round(n, map[string]string{"a.txt": fmt.Sprint(i, n), "new.txt": fmt.Sprint(i, n)})
		}
	}
	runs, err := r.repo.Runs(t.Context())
	must(t, err)
	if len(runs) != 3 || runs[0].Run != "run-2" || runs[0].Last != last || len(runs[0].Rounds) != 12 || runs[0].Rounds[11] != last || runs[0].Began.IsZero() {
		t.Errorf("%+v", runs)
	}
	r.undo()
	again, err := r.repo.Runs(t.Context())
	must(t, err)
	if !again[0].Undone || again[1].Undone || runs[0].Undone {
		t.Errorf("undone: %v, %v", again[0].Undone, again[1].Undone)
	}
	touched, err := r.repo.Touched(t.Context(), runs[0])
	must(t, err)
	if diff := cmp.Diff([]string{"a.txt", "new.txt"}, touched); diff != "" {
		t.Error(diff)
	}
}

// The work trees of one repository share its refs, but not their runs.
func TestRunsOfAnotherWorkTree(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	linked := filepath.Join(t.TempDir(), "linked")
	r.git("worktree", "add", "-q", linked, "-b", "side")
	r.begin("main-run")
	r.round(1, map[string]string{"a.txt": "A\n"})
	other := &repo{T: t, dir: linked}
	other.write(map[string]string{"a.txt": "A\n"})
	other.open()
	if runs, err := other.repo.Runs(t.Context()); err != nil || len(runs) != 0 {
		t.Errorf("%+v, %v", runs, err)
	}
	if _, err := other.repo.Undo(t.Context(), "main-run", other.guard, other.journal); err == nil || !strings.Contains(err.Error(), "another work tree") {
		t.Errorf("undo: %v", err)
	}
	if got := other.read("a.txt"); got != "A\n" {
		t.Errorf("a.txt is %q", got)
	}
	if runs, err := r.repo.Runs(t.Context()); err != nil || len(runs) != 1 {
		t.Errorf("%+v, %v", runs, err)
	}
}

// A round that changes nothing has no snapshot; the later ones count all the same.
func TestRoundsWithoutSnapshots(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	r.begin("r1")
	one := r.round(1, map[string]string{"a.txt": "1\n"})
	four := r.round(4, map[string]string{"a.txt": "4\n"})
	s, err := r.repo.Snapshots(t.Context(), "r1")
	must(t, err)
	if diff := cmp.Diff([]string{s.Rounds[0], one, one, one, four}, s.Rounds); diff != "" || s.Last != four {
		t.Errorf("last %s\n%s", s.Last, diff)
	}
	r.undo()
	if got := r.read("a.txt"); got != "a\n" {
		t.Errorf("a.txt is %q", got)
	}
}

// Whatever the tree is like and whatever a run writes, undo gives back every
// byte of it, and every other byte was never touched.
func TestUndoProperty(t *testing.T) {
	names := []string{"a", "b", "d/c", "d/e/f", "g.log", "h.txt"}
	content := rapid.SampledFrom([]string{"", "x", "one\ntwo\n", "crlf\r\n", "\x00\xff", "no newline"})
	r := newRepo(t)
	r.write(map[string]string{".gitignore": "*.log\n", ".gitattributes": "*.txt text eol=crlf\n"})
	r.git("add", "-A")
	r.git("commit", "-qm", "first")
	r.git("config", "core.autocrlf", "input")
	runs := 0
	rapid.Check(t, func(rt *rapid.T) {
		for _, name := range names {
			switch rapid.SampledFrom([]string{"keep", "write", "stage", "commit", "delete"}).Draw(rt, name) {
			case "write":
				r.write(map[string]string{name: content.Draw(rt, "content")})
			case "stage":
				r.write(map[string]string{name: content.Draw(rt, "content")})
				r.tryGit("add", "-f", name)
			case "commit":
				r.write(map[string]string{name: content.Draw(rt, "content")})
				r.tryGit("add", "-f", name)
				r.tryGit("commit", "-qm", "c", name)
			case "delete":
				os.Remove(r.path(name))
			}
		}
		r.git("status")
		before := r.state(func(p string) bool { return !strings.HasPrefix(p, ".git/") })
		staged := r.git("ls-files", "--stage")
		runs++
		r.begin(fmt.Sprintf("p%d", runs))
		for n := range rapid.IntRange(1, 3).Draw(rt, "rounds") {
			changes := map[string]string{}
			for _, name := range append(names, "new/x", "d/new") {
				if rapid.Bool().Draw(rt, "touch "+name) {
					changes[name] = content.Draw(rt, "new content")
				}
				if _, err := os.Stat(r.path(name)); err == nil && rapid.IntRange(0, 5).Draw(rt, "remove") == 0 {
					changes[name] = "-"
				}
			}
			r.round(n+1, changes)
		}
		if rapid.Bool().Draw(rt, "stage") {
			r.finish()
		}
		r.undo()
		if diff := cmp.Diff(before, r.state(func(p string) bool { return !strings.HasPrefix(p, ".git/") })); diff != "" {
			rt.Fatalf("tree after undo:\n%s", diff)
		}
		if now := r.git("ls-files", "--stage"); now != staged {
			rt.Fatalf("index after undo:\n%s\nbefore:\n%s", now, staged)
		}
	})
}
