package worktree

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// initialized is a repository with one commit of a file.
func initialized(t *testing.T) *Repo {
	t.Helper()
	dir := t.TempDir()
	if _, err := findGit(dir); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Init(t.Context(), dir, "first"); err != nil {
		t.Fatal(err)
	}
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// go-git's answers need no git.
func TestGoGitStartsNoProcess(t *testing.T) {
	r := initialized(t)
	rev, err := r.refByGit(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	r.program = "/nowhere/git"
	if got, err := r.readRef(t.Context(), "HEAD"); got != rev || err != nil {
		t.Errorf("HEAD is %q, not %q: %v", got, rev, err)
	}
	if got, err := r.recordedIndex(t.Context(), rev); len(got) != 1 || got["a.txt"].mode != "100644" || err != nil {
		t.Errorf("tree %v, %v", got, err)
	}
	if got, err := r.moves(t.Context(), rev, rev); len(got) != 0 || err != nil {
		t.Errorf("moves %v, %v", got, err)
	}
	if paths, err := r.Touched(t.Context(), Snapshots{Rounds: []string{rev}, Last: rev}); len(paths) != 0 || err != nil {
		t.Errorf("touched %v, %v", paths, err)
	}
}

func TestGoGitPanics(t *testing.T) {
	r := initialized(t)
	got, err := read(r, func(*objects) (string, error) { panic("a pack that cannot be") }, func() (string, error) { return "git's", nil })
	if got != "git's" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// A loose ref that a crash left empty is an error for git. The control: go-git
// answers with the packed ref, an older commit.
func TestBrokenRefIsLeftToGit(t *testing.T) {
	r := initialized(t)
	rev, err := r.readRef(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.git(t.Context(), nil, "pack-refs", "--all"); err != nil {
		t.Fatal(err)
	}
	if got, err := without(r, func(o *objects) (string, error) { return o.ref("HEAD") }); got != rev || err != nil {
		t.Errorf("packed: %q, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(r.GitDir, "refs/heads/main"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	o, err := r.objects()
	if err != nil {
		t.Fatal(err)
	}
	if ref, err := o.store.Reference("refs/heads/main"); err != nil || ref.Hash().String() != rev {
		t.Errorf("control: go-git says %v, %v", ref, err)
	}
	if got, err := o.ref("HEAD"); err == nil {
		t.Errorf("go-git is believed: %q", got)
	}
	got, err := r.readRef(t.Context(), "HEAD")
	if want, failed := r.refByGit(t.Context(), "HEAD"); got != want || (err == nil) != (failed == nil) {
		t.Errorf("%q, %v; git says %q, %v", got, err, want, failed)
	}
}

// go-git can write nothing through our store. The control: through its own it can.
func TestStoreIsReadOnly(t *testing.T) {
	r := initialized(t)
	o, err := r.objects()
	if err != nil {
		t.Fatal(err)
	}
	before := listing(t, r.GitDir)
	for name, err := range writes(o.store) {
		if !errors.Is(err, billy.ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := listing(t, r.GitDir); after != before {
		t.Errorf("written\n%s\nbefore\n%s", after, before)
	}
	for name, err := range writes(filesystem.NewStorage(osfs.New(r.GitDir), cache.NewObjectLRUDefault())) {
		if errors.Is(err, billy.ErrReadOnly) {
			t.Errorf("control: %s is refused too", name)
		}
	}
	if listing(t, r.GitDir) == before {
		t.Error("control: nothing was written")
	}
}

// writes tries every way in which go-git writes.
func writes(s *filesystem.Storage) map[string]error {
	object := &plumbing.MemoryObject{}
	object.SetType(plumbing.BlobObject)
	object.Write([]byte("x"))
	_, setObject := s.SetEncodedObject(object)
	_, pack := s.PackfileWriter()
	_, lazy, lazyErr := s.LazyWriter()
	if lazyErr == nil {
		lazyErr = lazy(plumbing.BlobObject, 1)
	}
	ref := plumbing.NewHashReference("refs/heads/x", plumbing.NewHash(strings.Repeat("1", 40)))
	files := s.Filesystem()
	chmod, err := files.Chroot("refs")
	if err == nil {
		_, err = chmod.Create("x")
	}
	_, open := files.OpenFile("y", os.O_RDWR|os.O_CREATE, 0o666)
	return map[string]error{
		"object": setObject, "pack": pack, "lazy": lazyErr, "chroot": err, "open": open,
		"ref":       s.SetReference(ref),
		"swap ref":  s.CheckAndSetReference(ref, nil),
		"pack refs": s.PackRefs(),
		"index":     s.SetIndex(&index.Index{Version: 2}),
		"shallow":   s.SetShallow([]plumbing.Hash{ref.Hash()}),
		"config":    s.SetConfig(config.NewConfig()),
		"alternate": s.AddAlternate("/"),
		"rename":    files.Rename("HEAD", "HEAD2"),
		"link":      files.Symlink("a", "b"),
		"folder":    files.MkdirAll("c", 0o777),
		"remove":    files.Remove("description"),
	}
}

// listing names what is below dir, with sizes and times.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			all.WriteString(strings.Join([]string{path, info.Mode().String(), info.ModTime().Format(time.RFC3339Nano)}, " ") + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
