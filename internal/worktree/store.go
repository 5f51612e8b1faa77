package worktree

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// errOnlyGit says that go-git is not to be asked.
var errOnlyGit = errors.New("only git can read this")

// maxWeight bounds what go-git has to read before its first answer, in bytes:
// every pack's index and the packed refs, whole. At 1.4 MB (50,000 objects) it
// still needs half of git's time for what Undo reads; both grow, git less.
const maxWeight = 2 << 20

// read is the one place that chooses between the two readers of a repository:
// go-git, which starts no process, and git wherever go-git has no answer.
// Whatever is wrong, git is who says so.
func read[T any](r *Repo, fast func(*objects) (T, error), git func() (T, error)) (T, error) {
	if answer, err := without(r, fast); err == nil {
		return answer, nil
	}
	return git()
}

// without reads by go-git alone. What it cannot parse it may also panic on.
func without[T any](r *Repo, fast func(*objects) (T, error)) (answer T, err error) {
	defer func() {
		if trouble := recover(); trouble != nil {
			err = fmt.Errorf("go-git: %v", trouble)
		}
	}()
	o, err := r.objects()
	if err != nil {
		return answer, err
	}
	defer o.store.Close()
	return fast(o)
}

// objects reads commits, trees, blobs and single refs by go-git. It is opened
// for one operation, so that no pack that git replaces meanwhile is missed.
//
// Only the storage is opened, not go-git's Repository: that one refuses work
// trees with settings of their own, partial clones and precious objects, none of
// which has to do with reading.
type objects struct {
	files billy.Filesystem
	store *filesystem.Storage
}

func (r *Repo) objects() (*objects, error) {
	if r.configMentions("objectformat", "refstorage") || r.weight() > maxWeight {
		return nil, errOnlyGit
	}
	files := readOnly{dotgit.NewRepositoryFilesystem(osfs.New(r.GitDir), osfs.New(r.CommonDir))}
	return &objects{files, filesystem.NewStorageWithOptions(files, cache.NewObjectLRU(16*cache.MiByte),
		filesystem.Options{KeepDescriptors: true, LargeObjectThreshold: gitOutput, AlternatesFS: readOnly{osfs.New("/")}})}, nil
}

func (r *Repo) weight() (bytes int64) {
	files, _ := filepath.Glob(filepath.Join(r.CommonDir, "objects", "pack", "*.idx"))
	for _, file := range append(files, filepath.Join(r.CommonDir, "packed-refs")) {
		if info, err := os.Stat(file); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// readOnly is a file system that cannot be written to, whatever go-git would
// like to: its writes are neither locked nor atomic.
type readOnly struct{ billy.Filesystem }

func (readOnly) Create(string) (billy.File, error)           { return nil, billy.ErrReadOnly }
func (readOnly) TempFile(string, string) (billy.File, error) { return nil, billy.ErrReadOnly }
func (readOnly) Rename(string, string) error                 { return billy.ErrReadOnly }
func (readOnly) Remove(string) error                         { return billy.ErrReadOnly }
func (readOnly) MkdirAll(string, os.FileMode) error          { return billy.ErrReadOnly }
func (readOnly) Symlink(string, string) error                { return billy.ErrReadOnly }

func (f readOnly) OpenFile(name string, flag int, perm os.FileMode) (billy.File, error) {
	if flag != os.O_RDONLY {
		return nil, billy.ErrReadOnly
	}
	return f.Filesystem.OpenFile(name, flag, perm)
}

func (f readOnly) Chroot(path string) (billy.Filesystem, error) {
	inner, err := f.Filesystem.Chroot(path)
	return readOnly{inner}, err
}
