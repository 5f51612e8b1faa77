package guard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
)

// walk opens the folder dir below root, name by name: each is looked at first,
// and what was opened must be what was looked at, so a link that is put there
// in between is noticed. Each step is taken from the folder that is already
// open, so a folder moved away meanwhile is still the one that was judged.
func walk(root, dir string, create bool) (at *os.Root, made []string, err error) {
	at, err = os.OpenRoot(root)
	if err != nil {
		return nil, nil, rootError(err)
	}
	if dir == "." {
		return at, nil, nil
	}
	names := strings.Split(dir, "/")
	for i, name := range names {
		next, err := enter(at, name)
		if create && errors.Is(err, fs.ErrNotExist) {
			if err = at.Mkdir(name, 0o777); err == nil {
				made = append(made, path.Join(names[:i+1]...))
				next, err = enter(at, name)
			}
		}
		at.Close()
		if err != nil {
			return nil, made, err
		}
		at = next
	}
	return at, made, nil
}

// rootError keeps a tree that is gone or closed to us from looking like a file
// that is not there or refused.
func rootError(err error) error { return fmt.Errorf("open the tree: %v", err) }

func enter(at *os.Root, name string) (*os.Root, error) {
	seen, err := at.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case seen.Mode()&fs.ModeSymlink != 0:
		return nil, errLink
	case !seen.IsDir():
		return nil, fmt.Errorf("%s: %w", name, syscall.ENOTDIR)
	}
	next, err := at.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := next.Stat(".")
	if err == nil && !os.SameFile(seen, opened) {
		err = errLink
	}
	if err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

// stepwise opens a regular file for reading as walk opens folders.
func stepwise(root, file string) (*os.File, error) {
	dir, _, err := walk(root, path.Dir(file), false)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	seen, err := dir.Lstat(path.Base(file))
	switch {
	case err != nil:
		return nil, err
	case !seen.Mode().IsRegular():
		return nil, irregular(file, seen)
	}
	f, err := dir.OpenFile(path.Base(file), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil && !os.SameFile(seen, opened) {
		err = errLink
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
