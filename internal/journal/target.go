package journal

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"

	"github.com/agentloop/agentloop/edits"
)

// target is one file on its way from Before to After.
type target struct {
	edits.Change
	dir  *os.Root    // folder that holds it; nil while it does not exist
	was  fs.FileInfo // what stands there; nil for a new file
	mode fs.FileMode // 0: that of the old file, or the default
	temp string      // name of the staged content in dir; "" for none
	done bool        // replaced
}

// turn orders the changes: what goes away goes last.
func (t *target) turn() int {
	if t.Delete {
		return 1
	}
	return 0
}

func (t *target) changed(how string) error {
	return &edits.Refusal{Path: t.Path, Reason: edits.ChangedOnDisk, Why: how}
}

// compare says whether the file still is what the change was made from, by
// content: a new time stamp or inode is no change.
func (t *target) compare() error {
	text, info, err := t.current()
	switch {
	case errors.Is(err, fs.ErrNotExist) && !t.Existed:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return t.changed("is gone")
	case err != nil:
		return err
	case !t.Existed:
		return t.changed("was created by somebody else meanwhile")
	case text != t.Before:
		return t.changed("was changed by somebody else meanwhile")
	case info.Mode()&0o200 == 0:
		return &edits.Refusal{Path: t.Path, Reason: edits.PathRefused, Why: "is read-only"}
	}
	t.was = info
	return nil
}

// current reads what stands at the target: what is opened must be the regular
// file that was looked at.
func (t *target) current() (string, fs.FileInfo, error) {
	name := path.Base(t.Path)
	info, err := t.dir.Lstat(name)
	if err != nil {
		return "", nil, fmt.Errorf("look at %s: %w", t.Path, err)
	}
	if !info.Mode().IsRegular() {
		return "", nil, t.changed("is no regular file any more")
	}
	f, err := t.dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", nil, fmt.Errorf("read %s: %w", t.Path, err)
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return "", nil, fmt.Errorf("read %s: %w", t.Path, err)
	}
	if !os.SameFile(info, opened) {
		return "", nil, t.changed("was replaced by somebody else meanwhile")
	}
	// One byte more than expected tells a longer file from an equal one.
	text, err := io.ReadAll(io.LimitReader(f, int64(max(len(t.Before), len(t.After)))+1))
	if err != nil {
		return "", nil, fmt.Errorf("read %s: %w", t.Path, err)
	}
	return string(text), info, nil
}

// stage writes content to the disk beside the target and gives its name there.
func (t *target) stage(content string) (name string, err error) {
	name = ".agentloop-" + rand.Text() + ".tmp"
	perm := fs.FileMode(0o600) // until the old file's mode is set
	if t.was == nil {
		perm = 0o644
	}
	f, err := t.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return "", err
	}
	_, err = io.WriteString(f, content)
	if t.was != nil {
		keepOwner(f, t.was)
	}
	switch {
	case t.mode == 0 && t.was != nil:
		err = errors.Join(err, f.Chmod(t.was.Mode()))
	case t.mode != 0:
		err = errors.Join(err, f.Chmod(t.mode.Perm()))
	}
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		t.dir.Remove(name)
		return "", err
	}
	return name, nil
}

// replace puts the staged content in the target's place, or removes the target.
func (t *target) replace() error {
	if err := t.compare(); err != nil {
		return err
	}
	name := path.Base(t.Path)
	var err error
	switch {
	case t.Delete:
		err = t.dir.Remove(name)
	case t.Existed:
		err = t.dir.Rename(t.temp, name)
	default:
		err = t.create(name)
	}
	if errors.Is(err, fs.ErrExist) && !t.Existed {
		return t.changed("was created by somebody else meanwhile")
	}
	if err != nil {
		return fmt.Errorf("replace %s: %w", t.Path, err)
	}
	t.temp, t.done = "", true
	return nil
}

// create gives the staged file its name by a link, which unlike a rename never
// takes the place of a file that appeared meanwhile. File systems without links
// get the rename.
func (t *target) create(name string) error {
	err := t.dir.Link(t.temp, name)
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if err != nil {
		return t.dir.Rename(t.temp, name)
	}
	t.done = true
	return t.dir.Remove(t.temp)
}

// restore puts Before back, but only in the place of our own After.
func (t *target) restore() error {
	text, _, err := t.current()
	if t.Delete {
		if !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(errors.New("something stands there"), err)
		}
	} else if err != nil || text != t.After {
		return errors.Join(errors.New("somebody wrote it"), err)
	}
	name := path.Base(t.Path)
	if !t.Existed {
		return t.dir.Remove(name)
	}
	t.mode = 0 // the old file's own
	temp, err := t.stage(t.Before)
	if err != nil {
		return err
	}
	return t.dir.Rename(temp, name)
}
