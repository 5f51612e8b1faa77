package guard

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"github.com/agentloop/agentloop/edits"
)

// maxFile is the size in bytes up to which a file is read or edited.
const maxFile = 16 << 20

// Read gives the content of a file that may be edited. A path that may not, or
// that could not be created, gives *edits.Refusal; one that is not there an
// error that wraps fs.ErrNotExist. A file with a second name (a hard link) is
// refused, too: an edit would change what that name holds, or part the two.
func (g *Guard) Read(path string) (string, error) {
	if err := g.Check(path); err != nil {
		return "", err
	}
	return g.read(path, true)
}

// Show gives the content of a file that may be put into a prompt: beside what
// Read gives also files that are protected only against being changed, such as
// AGENTS.md. Errors are Read's.
func (g *Guard) Show(path string) (string, error) {
	if err := g.readable(path); err != nil {
		return "", err
	}
	return g.read(path, false)
}

// Open opens what Show would give. The file is regular and at most 16 MiB long.
func (g *Guard) Open(path string) (*os.File, error) {
	if err := g.readable(path); err != nil {
		return nil, err
	}
	return g.open(path)
}

func (g *Guard) read(path string, edit bool) (string, error) {
	f, err := g.open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if why := unportable(path); why != "" {
			return "", refuse(path, why)
		}
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	var text strings.Builder
	if info, err := f.Stat(); err == nil {
		if edit && names(info) > 1 {
			return "", refuse(path, "has another name, a hard link, that an edit would part from it")
		}
		text.Grow(int(min(info.Size(), maxFile)))
	}
	n, err := io.Copy(&text, io.LimitReader(f, maxFile+1))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	if n > maxFile {
		return "", refuse(path, "is larger than 16 MiB")
	}
	return text.String(), nil
}

// open opens a regular file, waiting for nobody (a FIFO has no writer).
func (g *Guard) open(path string) (*os.File, error) {
	f, err := beneath(g.Root, path)
	if err != nil {
		return nil, explain(path, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = irregular(path, info)
	}
	if err == nil && info.Size() > maxFile {
		err = refuse(path, "is larger than 16 MiB")
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Parent opens the folder that holds the last name of path, for a caller that is
// to write there: nothing that is done through it leaves that folder, whatever
// becomes of the tree meanwhile. With create, folders that are missing are made
// (0777 less the umask); made names them, outermost first, also beside an error.
// What stands at path must be a regular file or nothing. A path that may not be
// edited gives *edits.Refusal, a missing folder an error wrapping fs.ErrNotExist.
func (g *Guard) Parent(file string, create bool) (dir *os.Root, made []string, err error) {
	if err := g.Check(file); err != nil {
		return nil, nil, err
	}
	why := unportable(file)
	dir, made, err = walk(g.Root, path.Dir(file), create && why == "")
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && why != "" {
			return nil, made, refuse(file, why)
		}
		return nil, made, explain(file, err)
	}
	info, err := dir.Lstat(path.Base(file))
	switch {
	case errors.Is(err, fs.ErrNotExist) && why != "":
		err = refuse(file, why)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case err != nil:
		err = explain(file, err)
	case !info.Mode().IsRegular():
		err = irregular(file, info)
	}
	if err != nil {
		dir.Close()
		return nil, made, err
	}
	return dir, made, nil
}

// Folder opens a folder of the tree, "." for its root, for a caller that looks
// after the folders that it made.
func (g *Guard) Folder(dir string) (*os.Root, error) {
	if dir != "." {
		if err := g.readable(dir); err != nil {
			return nil, err
		}
	}
	at, _, err := walk(g.Root, dir, false)
	if err != nil {
		return nil, explain(dir, err)
	}
	return at, nil
}

var errLink = errors.New("a component is a link")

// explain turns what the system says about a path into a refusal, where the
// path is at fault and not the disk.
func explain(path string, err error) error {
	var refusal *edits.Refusal
	why := ""
	switch {
	case errors.As(err, &refusal):
		return refusal
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	case errors.Is(err, errLink), errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.EXDEV):
		why = "leads through a link"
	case errors.Is(err, syscall.ENOTDIR):
		why = "has a file where a folder would have to be"
	case errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENODEV):
		why = "is no regular file"
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.EINVAL):
		why = "is no name that this file system can hold"
	case errors.Is(err, fs.ErrPermission):
		why = "may not be opened: permission denied"
	default:
		return fmt.Errorf("open %s: %w", path, err)
	}
	return refuse(path, why)
}

func irregular(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return refuse(path, "is a folder")
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse(path, "is a link")
	}
	return refuse(path, "is no regular file")
}
