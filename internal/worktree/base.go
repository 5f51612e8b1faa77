package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agentloop/agentloop/edits"
)

// Untracked files larger than the first, and all after the second is used up,
// stay out of snapshot 0 until the run is about to write them.
const (
	maxUntracked    = 1 << 20
	maxUntrackedSum = 64 << 20
)

// base is how the snapshot of the tree before a run went.
type base struct {
	Base
	err error
}

// recordBase makes snapshot 0: HEAD's tree plus what differs from it on the disk.
func (r *Repo) recordBase(ctx context.Context, id string, files Opener) *base {
	b := &base{}
	// A packed ref is seen by git, when the snapshot is to take its place.
	if _, err := os.Lstat(filepath.Join(r.CommonDir, filepath.FromSlash(refRoot+id))); err == nil {
		b.err = fmt.Errorf("run %s: there are snapshots of a run with this id", id)
		return b
	}
	s, err := r.status(ctx)
	if err != nil {
		b.err = err
		return b
	}
	root, err := os.OpenRoot(r.Root)
	if err != nil {
		b.err = err
		return b
	}
	defer root.Close()
	before := snapshot{ref: refRoot + id + "/0", from: s.head, message: r.baseMessage(id, nil)}
	b.Rev, b.err = r.record(ctx, before, func(out *stream) error {
		return b.fill(out, s.entries, root, files)
	})
	return b
}

// fill streams the files that differ. Removals come first, since a folder may
// stand where a file was, or the other way round.
func (b *base) fill(out *stream, entries []entry, root *os.Root, files Opener) error {
	for _, e := range entries {
		b.Dirty = append(b.Dirty, e.path)
		if e.gone {
			out.drop(e.path)
		}
	}
	room := int64(maxUntrackedSum)
	for _, e := range entries {
		info, err := root.Lstat(e.path)
		if e.gone || err != nil {
			continue
		}
		if !e.tracked && (info.Size() > maxUntracked || info.Size() > room) {
			b.LeftOut = append(b.LeftOut, e.path)
			continue
		}
		content, mode, err := b.read(e.path, info, root, files)
		if err != nil {
			return err
		}
		if mode == "" {
			b.LeftOut = append(b.LeftOut, e.path)
			continue
		}
		out.put(e.path, mode, content)
		if !e.tracked {
			room -= int64(len(content))
		}
	}
	return nil
}

// read gives a file's content, or a link's target. An empty mode means that it
// cannot be had: refused, gone meanwhile, or no file.
func (b *base) read(path string, info fs.FileInfo, root *os.Root, files Opener) (content, mode string, err error) {
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := root.Readlink(path)
		if err != nil {
			return "", "", nil
		}
		return target, gitMode(fs.ModeSymlink), nil
	}
	f, err := files.Open(path)
	var refused *edits.Refusal
	switch {
	case errors.As(err, &refused), errors.Is(err, fs.ErrNotExist):
		return "", "", nil
	case err != nil:
		return "", "", err
	}
	defer f.Close()
	return readAll(f)
}
