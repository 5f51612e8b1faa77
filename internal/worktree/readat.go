package worktree

import (
	"context"
	"fmt"
	"io/fs"
)

// ReadAt gives a file as a snapshot or commit holds it, byte for byte. What is
// not there, or is no file, gives an error that wraps fs.ErrNotExist.
func (r *Repo) ReadAt(ctx context.Context, rev, path string) (string, error) {
	if path == "" || !isHash(rev) {
		return "", fmt.Errorf("%q at %q: %w", path, rev, fs.ErrNotExist)
	}
	out, err := r.git(ctx, nil, "cat-file", "blob", rev+":"+path)
	if failed(err, 128) {
		return "", fmt.Errorf("%s at %s: %w", path, rev, fs.ErrNotExist)
	}
	return string(out), err
}

// isHash reports whether rev is an object's full name, and so no option.
func isHash(rev string) bool {
	for i := range len(rev) {
		if c := rev[i]; !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f') {
			return false
		}
	}
	return len(rev) == 40 || len(rev) == 64
}
