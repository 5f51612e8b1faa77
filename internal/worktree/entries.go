package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Entry is a regular file that the index holds.
type Entry struct {
	Path string
	Blob string // its content's name, in hexadecimal
	Size int64  // bytes, as the index has it: up to 4 GiB, and 0 where it does not know

	changed time.Time // when the file was, as the index has it; zero where it does not know
}

// Unmodified reports whether what os.Lstat says of the file shows that it still
// holds the entry's blob. As in git, a file as young as the index does not.
func (e Entry) Unmodified(info fs.FileInfo) bool {
	return !e.changed.IsZero() && info.Mode().IsRegular() && info.Size() == e.Size && info.ModTime().Equal(e.changed)
}

// Entries lists the regular files of the index, sorted by path, without looking
// at the tree. Files that a sparse checkout leaves out and those with an unsolved
// merge are not listed. It reads the index itself, and asks git only where the
// index is split, sparse or of a kind that it does not know.
func (r *Repo) Entries(ctx context.Context) ([]Entry, error) {
	file := filepath.Join(r.GitDir, "index")
	info, err := os.Stat(file) // before it is read: an older time calls fewer files unmodified
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !r.configMentions("objectformat") { // SHA-256
		if data, err := os.ReadFile(file); err == nil {
			if entries, err := parseIndex(data, info.ModTime()); err == nil {
				return entries, nil
			}
		}
	}
	return r.entriesByGit(ctx)
}

func (r *Repo) entriesByGit(ctx context.Context) ([]Entry, error) {
	out, err := r.git(ctx, nil, "ls-files", "--stage", "-t", "-z")
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, line := range fields(out) {
		meta, path, _ := strings.Cut(line, "\t")
		words := strings.Fields(meta) // tag, mode, object, stage
		if len(words) != 4 {
			return nil, fmt.Errorf("git ls-files: cannot read %q", line)
		}
		if words[0] != "S" && words[3] == "0" && strings.HasPrefix(words[1], "100") {
			entries = append(entries, Entry{Path: path, Blob: words[2]})
		}
	}
	return entries, nil
}
