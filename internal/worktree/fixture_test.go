package worktree_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/guard"
	"github.com/agentloop/agentloop/internal/journal"
	"github.com/agentloop/agentloop/internal/worktree"
)

// TestMain keeps the user's own git configuration out of the tests, and the
// random ones short: -rapid.checks=1000 makes them long.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOME", home)
	os.Setenv("XDG_CONFIG_HOME", home)
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	flag.Set("rapid.checks", "8")
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// repo is a real repository for one test, and what agentloop makes of it.
type repo struct {
	*testing.T
	dir     string
	repo    *worktree.Repo
	guard   *guard.Guard
	journal *journal.Journal
	run     *worktree.Run
}

// newRepo makes a repository with the given init options, without a commit.
func newRepo(t *testing.T, options ...string) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git on this machine")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	r := &repo{T: t, dir: dir}
	r.git(append([]string{"init", "-q", "-b", "main"}, options...)...)
	r.git("config", "user.name", "U")
	r.git("config", "user.email", "u@localhost")
	r.git("config", "core.autocrlf", "false")
	return r
}

// committed makes a repository that holds files in one commit.
func committed(t *testing.T, files map[string]string) *repo {
	t.Helper()
	r := newRepo(t)
	r.write(files)
	r.git("add", "-A")
	r.git("commit", "-qm", "first")
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *repo) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r *repo) write(files map[string]string) {
	r.Helper()
	for name, text := range files {
		must(r, os.MkdirAll(filepath.Dir(r.path(name)), 0o777))
		must(r, os.WriteFile(r.path(name), []byte(text), 0o666))
	}
}

func (r *repo) read(name string) string {
	r.Helper()
	text, err := os.ReadFile(r.path(name))
	must(r, err)
	return string(text)
}

func (r *repo) gone(name string) {
	r.Helper()
	if _, err := os.Lstat(r.path(name)); !errors.Is(err, fs.ErrNotExist) {
		r.Errorf("%s is still there (%v)", name, err)
	}
}

// git runs the user's own git, not hardened.
func (r *repo) git(args ...string) string {
	r.Helper()
	out, err := r.tryGit(args...)
	if err != nil {
		r.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (r *repo) tryGit(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// open is what cmd/agentloop composes.
func (r *repo) open() *repo {
	r.Helper()
	var err error
	r.repo, err = worktree.Open(r.Context(), r.dir)
	must(r, err)
	r.guard = &guard.Guard{Root: r.repo.Root}
	r.journal = &journal.Journal{Folders: r.guard}
	return r
}

func (r *repo) begin(id string) *repo {
	r.Helper()
	if r.repo == nil {
		r.open()
	}
	var err error
	r.run, err = r.repo.Begin(r.Context(), id, r.guard)
	must(r, err)
	return r
}

// round writes files as a round does and keeps the snapshot. Content "-" deletes.
func (r *repo) round(n int, files map[string]string) string {
	r.Helper()
	must(r, r.change(files))
	rev, err := r.run.Snapshot(r.Context(), n)
	must(r, err)
	return rev
}

func (r *repo) change(files map[string]string) error {
	r.Helper()
	var changes []edits.Change
	for name, text := range files {
		c := edits.Change{Path: name, After: text}
		old, err := r.guard.Read(name)
		switch {
		case err == nil:
			c.Before, c.Existed = old, true
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
		if text == "-" {
			c.After, c.Delete = "", true
		}
		changes = append(changes, c)
	}
	return r.run.Write(context.Background(), changes, r.journal)
}

func edit(path, before, after string) []edits.Change {
	return []edits.Change{{Path: path, Before: before, After: after, Existed: true}}
}

func (r *repo) finish() []string {
	r.Helper()
	must(r, r.run.End(r.Context()))
	staged, err := r.repo.Stage(r.Context(), r.run.ID, r.run.Paths())
	must(r, err)
	return staged
}

func (r *repo) undo() []string {
	r.Helper()
	undone, err := r.repo.Undo(r.Context(), r.run.ID, r.guard, r.journal)
	must(r, err)
	return undone
}

// answers gives what git and go-git say of two commits and some refs; "" where
// go-git refuses.
func (r *repo) answers(from, to string, refs ...string) (git, goGit string) {
	r.Helper()
	rev := func(name string) string { return strings.TrimSpace(r.git("rev-parse", name)) }
	git, err := r.repo.Answers(r.Context(), false, rev(from), rev(to), refs...)
	must(r, err)
	goGit, err = r.repo.Answers(r.Context(), true, rev(from), rev(to), refs...)
	if err != nil {
		return git, ""
	}
	return git, goGit
}

// state is every byte of the tree and, beside objects and our refs, of .git.
func (r *repo) state(keep func(path string) bool) map[string]string {
	r.Helper()
	state := map[string]string{}
	must(r, filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		must(r, err)
		name, _ := filepath.Rel(r.dir, path)
		name = filepath.ToSlash(name)
		if name == ".git/objects" || name == ".git/refs/agentloop" {
			return fs.SkipDir
		}
		if !keep(name) {
			return nil
		}
		info, err := d.Info()
		must(r, err)
		state[name] = info.Mode().String()
		if info.Mode().IsRegular() {
			state[name] += " " + r.read(name)
		} else if info.Mode()&fs.ModeSymlink != 0 {
			target, _ := os.Readlink(path)
			state[name] += " " + target
		}
		return nil
	}))
	return state
}

func all(string) bool       { return true }
func gitOnly(p string) bool { return strings.HasPrefix(p, ".git/") }
