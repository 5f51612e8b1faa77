package worktree

import (
	"context"
	"slices"
	"strconv"
)

// maxRecent is the most paths that Recent gives: a commit of more says little.
const maxRecent = 500

// Recent gives the paths that the last n commits changed, newest first, each
// once, at most 500; deleted ones are left out. There are none before the first
// commit.
func (r *Repo) Recent(ctx context.Context, n int) ([]string, error) {
	out, err := r.git(ctx, nil, "log", "--max-count="+strconv.Itoa(n), "--format=", "--name-only", "-z",
		"--no-renames", "--no-ext-diff", "--diff-filter=d", "--no-show-signature", "HEAD", "--")
	if err != nil {
		if _, unborn := r.git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"); unborn != nil {
			return nil, nil
		}
		return nil, err
	}
	var paths []string
	seen := map[string]bool{}
	for _, p := range fields(out) {
		if p != "" && !seen[p] && len(paths) < maxRecent {
			seen[p] = true
			paths = append(paths, p)
		}
	}
	return paths, nil
}

// Ignored gives those of the tree's files that a file of ignore rules in the form
// of git's fits, tracked ones too. The file lies at the top of the tree.
func (r *Repo) Ignored(ctx context.Context, rules string) ([]string, error) {
	out, err := r.git(ctx, nil, "ls-files", "--cached", "--others", "--ignored", "--exclude-from="+rules, "-z")
	if err != nil {
		return nil, err
	}
	files := fields(out)
	slices.Sort(files)
	return slices.Compact(files), nil
}
