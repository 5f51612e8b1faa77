package worktree_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Whatever two trees hold, both readers say the same of them, byte for byte and
// in the same order: names, modes, links, files where folders were.
func TestReadersAgree(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file names and links")
	}
	r := newRepo(t).open()
	names := []string{"a", "a-b", "a.b", "a/x", "a/y/z", "ab", "line\nfeed", "\"q\"\t", "caf\xe9", "é", "d/e/f", "d/e.f", "d/g"}
	content := rapid.SampledFrom([]string{"", "x", "one\ntwo\n", "crlf\r\n", "\x00\xff", "caf\xe9\n", "no newline", strings.Repeat("long\n", 40_000)})
	commit := func(rt *rapid.T) string {
		entries, err := os.ReadDir(r.dir)
		must(t, err)
		for _, e := range entries {
			if e.Name() != ".git" {
				must(t, os.RemoveAll(r.path(e.Name())))
			}
		}
		for _, name := range names {
			what := rapid.SampledFrom([]string{"none", "none", "file", "file", "tool", "link"}).Draw(rt, name)
			if what == "none" || os.MkdirAll(filepath.Dir(r.path(name)), 0o777) != nil {
				continue
			}
			text := content.Draw(rt, "content")
			if what == "link" {
				_ = os.Symlink("target of "+name, r.path(name))
			} else if os.WriteFile(r.path(name), []byte(text), 0o666) == nil && what == "tool" {
				must(t, os.Chmod(r.path(name), 0o777))
			}
		}
		r.git("add", "-A")
		r.git("commit", "-qm", "c", "--allow-empty")
		return strings.TrimSpace(r.git("rev-parse", "HEAD"))
	}
	rapid.Check(t, func(rt *rapid.T) {
		from := commit(rt)
		if rapid.Bool().Draw(rt, "pack") {
			r.git("repack", "-adq")
		}
		if git, goGit := r.answers(from, commit(rt), "HEAD"); git != goGit {
			rt.Fatalf("git says\n%s\ngo-git says\n%s", git, goGit)
		}
	})
}

// One blob in another mode, as a link, or at the end of another kind of path.
func TestReadersAgreeOnModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links")
	}
	r := committed(t, map[string]string{"mode": "text", "link": "text", "file": "text", "folder/in": "text"}).open()
	must(t, os.Chmod(r.path("mode"), 0o777))
	for _, name := range []string{"link", "file", "folder/in", "folder"} {
		must(t, os.Remove(r.path(name)))
	}
	must(t, os.Symlink("text", r.path("link")))
	r.write(map[string]string{"file/in": "text", "folder": "text"})
	r.git("add", "-A")
	r.git("commit", "-qm", "second")
	git, goGit := r.answers("HEAD~", "HEAD")
	if git != goGit {
		t.Errorf("git says\n%s\ngo-git says\n%s", git, goGit)
	}
	for _, want := range []string{`{"mode" {"100644"`, `{"link" {"100644"`, `{"file/in" {"000000"`, `{"folder/in" {"100644"`} {
		if !strings.Contains(goGit, want) {
			t.Errorf("no move %s in\n%s", want, goGit)
		}
	}
}

// Where go-git must not be asked, git answers, and nobody sees a difference.
func TestOnlyGitIsAsked(t *testing.T) {
	tests := map[string]func(r *repo){
		"refs in tables": func(r *repo) { // git 2.39 cannot make one; a comment says as much to us
			r.write(map[string]string{".git/config": r.read(".git/config") + "# refStorage = reftable\n"})
		},
		"many packed refs": func(r *repo) {
			head := strings.TrimSpace(r.git("rev-parse", "HEAD"))
			var refs strings.Builder
			refs.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
			for i := range 40_000 {
				fmt.Fprintf(&refs, "%s refs/tags/v%05d\n", head, i)
			}
			r.write(map[string]string{".git/packed-refs": refs.String()})
		},
	}
	for name, make := range tests {
		t.Run(name, func(t *testing.T) {
			r := committed(t, map[string]string{"a.txt": "a\n"})
			make(r)
			r.begin("r1")
			rev := r.round(1, map[string]string{"a.txt": "A\n"})
			if git, goGit := r.answers("refs/agentloop/r1/0", rev, "HEAD"); goGit != "" {
				t.Errorf("go-git says %s\ngit says %s", goGit, git)
			}
			r.finish()
			r.undo()
			if got := r.read("a.txt"); got != "a\n" {
				t.Errorf("a.txt is %q", got)
			}
		})
	}
}

// In a partial clone, and after damage, objects are missing. Git is asked for
// them, and its trouble is what comes out; nothing is undone by half.
func TestUndoWithoutObjects(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n", "b.txt": "B\n"})
	blob := strings.TrimSpace(r.git("rev-parse", "HEAD:b.txt"))
	must(t, os.Remove(r.path(".git/objects/"+blob[:2]+"/"+blob[2:])))
	_, err := r.repo.Undo(t.Context(), "r1", r.guard, r.journal)
	if err == nil || !strings.HasPrefix(err.Error(), "git cat-file") {
		t.Errorf("error %v", err)
	}
	if a, b := r.read("a.txt"), r.read("b.txt"); a != "A\n" || b != "B\n" {
		t.Errorf("%q, %q", a, b)
	}
}
