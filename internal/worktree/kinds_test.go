package worktree_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// kinds makes each kind of repository, with two files.
func kinds() map[string]func(t *testing.T) *repo {
	files := map[string]string{"a.txt": "a\n", "sub/b.txt": "b\n"}
	first := func(r *repo) *repo {
		r.write(files)
		r.git("add", "-A")
		r.git("commit", "-qm", "first")
		return r
	}
	return map[string]func(t *testing.T) *repo{
		"plain":  func(t *testing.T) *repo { return first(newRepo(t)) },
		"sha256": func(t *testing.T) *repo { return first(newRepo(t, "--object-format=sha256")) },
		"unborn": func(t *testing.T) *repo { r := newRepo(t); r.write(files); return r },
		"detached": func(t *testing.T) *repo {
			r := first(newRepo(t))
			r.git("checkout", "-q", "--detach")
			return r
		},
		"packed": func(t *testing.T) *repo {
			r := first(newRepo(t))
			r.git("gc", "-q", "--prune=now")
			r.git("pack-refs", "--all")
			return r
		},
		"linked": func(t *testing.T) *repo {
			r := first(newRepo(t))
			linked := filepath.Join(t.TempDir(), "linked")
			r.git("worktree", "add", "-q", linked, "-b", "side")
			r.dir, _ = filepath.EvalSymlinks(linked)
			return r
		},
		"sparse": func(t *testing.T) *repo {
			r := newRepo(t)
			r.write(map[string]string{"out/side.txt": "not checked out\n"})
			first(r)
			r.git("sparse-checkout", "set", "sub")
			return r
		},
		"shallow": func(t *testing.T) *repo {
			r := first(newRepo(t))
			r.git("commit", "-qm", "second", "--allow-empty")
			clone := filepath.Join(t.TempDir(), "clone")
			r.git("clone", "-q", "--depth=1", "file://"+r.dir, clone)
			r.dir, _ = filepath.EvalSymlinks(clone)
			r.git("config", "user.name", "U")
			r.git("config", "user.email", "u@localhost")
			return r
		},
		"partial": func(t *testing.T) *repo {
			r := first(newRepo(t))
			r.git("config", "uploadpack.allowFilter", "true")
			clone := filepath.Join(t.TempDir(), "clone")
			r.git("clone", "-q", "--filter=blob:none", "file://"+r.dir, clone)
			r.dir, _ = filepath.EvalSymlinks(clone)
			r.git("config", "user.name", "U")
			r.git("config", "user.email", "u@localhost")
			return r
		},
		"submodule": func(t *testing.T) *repo {
			inner, r := first(newRepo(t)), first(newRepo(t))
			r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "mod")
			r.git("commit", "-qm", "module")
			r.dir = r.path("mod")
			r.git("config", "user.name", "U")
			r.git("config", "user.email", "u@localhost")
			return r
		},
		"with a submodule": func(t *testing.T) *repo {
			inner, r := first(newRepo(t)), first(newRepo(t))
			r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "mod")
			r.git("commit", "-qm", "module")
			r.write(map[string]string{"mod/a.txt": "dirty\n"})
			return r
		},
		"nested without commits": func(t *testing.T) *repo {
			r := first(newRepo(t))
			r.write(map[string]string{"nested/x.txt": "x\n"})
			r.git("init", "-q", "nested")
			if out, err := r.tryGit("add", "-A"); err == nil {
				t.Errorf("control: git add -A works here: %s", out)
			}
			return r
		},
		"split index":    func(t *testing.T) *repo { r := first(newRepo(t)); r.git("update-index", "--split-index"); return r },
		"fileMode=false": func(t *testing.T) *repo { r := first(newRepo(t)); r.git("config", "core.fileMode", "false"); return r },
		"merge under way": func(t *testing.T) *repo {
			r := first(newRepo(t))
			r.git("checkout", "-qb", "side")
			r.write(map[string]string{"conflict.txt": "one\n"})
			r.git("add", "-A")
			r.git("commit", "-qm", "one")
			r.git("checkout", "-q", "main")
			r.write(map[string]string{"conflict.txt": "two\n"})
			r.git("add", "-A")
			r.git("commit", "-qm", "two")
			if out, err := r.tryGit("merge", "side"); err == nil {
				t.Fatalf("no conflict: %s", out)
			}
			return r
		},
		"alternates": func(t *testing.T) *repo {
			r := first(newRepo(t))
			clone := filepath.Join(t.TempDir(), "clone")
			r.git("clone", "-q", "--shared", r.dir, clone)
			r.dir, _ = filepath.EvalSymlinks(clone)
			r.git("config", "user.name", "U")
			r.git("config", "user.email", "u@localhost")
			return r
		},
		"alternates by a relative path": func(t *testing.T) *repo {
			r := first(newRepo(t))
			clone := filepath.Join(t.TempDir(), "clone")
			r.git("clone", "-q", "--shared", r.dir, clone)
			clone, _ = filepath.EvalSymlinks(clone)
			to, _ := filepath.Rel(filepath.Join(clone, ".git/objects"), r.path(".git/objects"))
			r.dir = clone
			r.write(map[string]string{".git/objects/info/alternates": to + "\n"})
			r.git("config", "user.name", "U")
			r.git("config", "user.email", "u@localhost")
			return r
		},
		"precious objects": func(t *testing.T) *repo {
			r := first(newRepo(t))
			r.git("config", "core.repositoryFormatVersion", "1")
			r.git("config", "extensions.preciousObjects", "true")
			return r
		},
	}
}

// One run, in every kind of repository: two rounds, staged, committed where that
// is possible, and undone. Both readers say the same of it.
func TestEveryKindOfRepository(t *testing.T) {
	onlyGit := []string{"sha256", "alternates by a relative path"}
	for name, kind := range kinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := kind(t)
			r.write(map[string]string{"dirty.txt": "mine\n"})
			before := r.git("status", "--porcelain=v2", "--untracked-files=all")
			r.begin("r1")
			r.round(1, map[string]string{"sub/b.txt": "B\n", "new/c.txt": "c\n"})
			rev := r.round(2, map[string]string{"sub/b.txt": "BB\n", "dirty.txt": "-"})
			if got := r.git("show", rev+":sub/b.txt"); got != "BB\n" {
				t.Errorf("snapshot 2 holds %q", got)
			}
			if got := r.git("show", "refs/agentloop/r1/0:dirty.txt"); got != "mine\n" {
				t.Errorf("snapshot 0 holds %q", got)
			}
			r.git("fsck", "--strict")
			if got := r.finish(); len(got) < 2 {
				t.Errorf("staged %q", got)
			}
			if diff, err := r.repo.Diff(t.Context(), "refs/agentloop/r1/1", "refs/agentloop/r1/2"); err != nil || !strings.Contains(diff, "+BB") {
				t.Errorf("diff %q, %v", diff, err)
			}
			git, goGit := r.answers("refs/agentloop/r1/0", rev, "HEAD", "refs/agentloop/r1/index", "refs/agentloop/r1/none")
			if refused := goGit == ""; refused != slices.Contains(onlyGit, name) || !refused && goGit != git {
				t.Errorf("go-git says %s\ngit says %s", goGit, git)
			}
			r.undo()
			if after := r.git("status", "--porcelain=v2", "--untracked-files=all"); after != before {
				t.Errorf("status after undo\n%s\nbefore\n%s", after, before)
			}
			r.gone("new")
		})
	}
}

// Bytes on the disk are what snapshots hold and undo gives back, whatever git
// would make of them. The control: what git itself stores.
func TestSnapshotsAreByteExact(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the filter is a shell script")
	}
	r := newRepo(t)
	r.write(map[string]string{
		".gitattributes": "*.up filter=up\n*.id ident\n*.enc text working-tree-encoding=UTF-16LE\n*.eol text eol=crlf\n",
		"crlf.txt":       "one\r\ntwo\r\n",
		"mixed.txt":      "one\r\ntwo\n",
		"f.up":           "lower\n",
		"v.id":           "$Id$\n",
		"w.enc":          "h\x00i\x00\n\x00",
		"e.eol":          "one\r\n",
		"bytes.bin":      "\x00\xff\r\n\r",
	})
	r.git("config", "core.autocrlf", "true")
	r.git("config", "filter.up.clean", "tr a-z A-Z")
	r.git("config", "filter.up.smudge", "tr A-Z a-z")
	r.git("add", "-A")
	r.git("commit", "-qm", "first")
	if got := r.git("show", "HEAD:crlf.txt"); got != "one\ntwo\n" {
		t.Fatalf("control: git stores %q", got)
	}
	names := []string{"crlf.txt", "mixed.txt", "f.up", "v.id", "w.enc", "e.eol", "bytes.bin"}
	before, wrote := map[string]string{}, map[string]string{}
	for _, name := range names {
		before[name] = r.read(name)
		wrote[name] = r.read(name) + "more\r\n"
	}
	r.begin("r1")
	r.round(1, wrote)
	for _, name := range names {
		if got := r.git("cat-file", "blob", "refs/agentloop/r1/0:"+name); got != before[name] {
			t.Errorf("snapshot 0 holds %q of %s, not %q", got, name, before[name])
		}
		if got := r.git("cat-file", "blob", "refs/agentloop/r1/1:"+name); got != wrote[name] {
			t.Errorf("snapshot 1 holds %q of %s, not %q", got, name, wrote[name])
		}
	}
	r.undo()
	for _, name := range names {
		if got := r.read(name); got != before[name] {
			t.Errorf("%s is %q after undo, not %q", name, got, before[name])
		}
	}
}

func TestModesAndLinksInSnapshots(t *testing.T) {
	r := committed(t, map[string]string{"tool.sh": "old\n", "plain": "x\n", "dir/f": "f\n", "swap": "file\n"})
	must(t, os.Chmod(r.path("tool.sh"), 0o755))
	must(t, os.Symlink("plain", r.path("link")))
	must(t, os.RemoveAll(r.path("dir")))
	r.write(map[string]string{"dir": "a file now\n"})
	must(t, os.Remove(r.path("swap")))
	r.write(map[string]string{"swap/inner": "a folder now\n"})
	r.begin("r1")
	r.round(1, map[string]string{"tool.sh": "-", "plain": "X\n"})
	list := r.git("ls-tree", "-r", "refs/agentloop/r1/0")
	for _, want := range []string{"100755 blob", "120000 blob", "\tdir\n", "\tswap/inner\n", "\tplain\n"} {
		if !strings.Contains(list, want) {
			t.Errorf("snapshot 0 lacks %q:\n%s", want, list)
		}
	}
	if strings.Contains(list, "dir/f") || strings.Contains(list, "\tswap\n") {
		t.Errorf("snapshot 0 holds what is not there:\n%s", list)
	}
	r.undo()
	if info, err := os.Stat(r.path("tool.sh")); err != nil || info.Mode().Perm() != 0o755 && runtime.GOOS != "windows" {
		t.Errorf("tool.sh after undo: %v, %v", info, err)
	}
}
