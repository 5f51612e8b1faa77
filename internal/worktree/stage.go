package worktree

import (
	"context"
	"os"
	"path"
	"slices"
	"strings"
)

// Stage puts the run's files as they are on the disk into the index and gives
// the ones that it staged. It leaves out ignored files, files with an unsolved
// merge, files of repositories inside this one, and files for which the
// repository itself configures a filter. What the index held of the others
// before and after is kept beside the run's snapshots. A held index.lock is
// waited for, then *LockedError.
func (r *Repo) Stage(ctx context.Context, id string, paths []string) (staged []string, err error) {
	drivers, err := r.localFilters(ctx)
	if err != nil {
		return nil, err
	}
	paths, err = r.stageable(ctx, paths, drivers)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	before, err := r.indexed(ctx, paths)
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return before[p].unmerged })
	if len(paths) == 0 {
		return nil, nil
	}
	err = r.locked(ctx, filtersOff(drivers), terminated(paths), "update-index", "--add", "--remove", "-z", "--stdin")
	if err != nil {
		return nil, err
	}
	after, err := r.indexed(ctx, paths)
	if err != nil {
		return paths, err
	}
	return paths, r.recordIndex(ctx, id, paths, before, after)
}

// stageable leaves out what git add would refuse, and what could only be staged
// by a program that the repository chose.
func (r *Repo) stageable(ctx context.Context, paths, drivers []string) ([]string, error) {
	left, err := r.listed(ctx, paths, "--others", "--ignored", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if r.nested(path) {
			left = append(left, path)
		}
	}
	if len(drivers) > 0 {
		out, err := r.git(ctx, strings.NewReader(terminated(paths)), "check-attr", "-z", "--stdin", "filter")
		if err != nil {
			return nil, err
		}
		for attrs := fields(out); len(attrs) >= 3; attrs = attrs[3:] {
			if slices.Contains(drivers, attrs[2]) {
				left = append(left, attrs[0])
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return slices.Contains(left, p) }), nil
}

// nested reports whether a path lies in another repository inside this one,
// whose files this one's index cannot hold.
func (r *Repo) nested(file string) bool {
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if _, err := os.Lstat(r.abs(dir + "/.git")); err == nil {
			return true
		}
	}
	return false
}

// listed is git ls-files for some paths, which it takes only as arguments.
func (r *Repo) listed(ctx context.Context, paths []string, options ...string) ([]string, error) {
	var lines []string
	for some := range slices.Chunk(paths, 200) {
		out, err := r.git(ctx, nil, slices.Concat([]string{"ls-files", "-z"}, options, []string{"--"}, some)...)
		if err != nil {
			return nil, err
		}
		lines = append(lines, fields(out)...)
	}
	return lines, nil
}

// terminated joins paths for a command that reads them with -z.
func terminated(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	return strings.Join(paths, "\x00") + "\x00"
}
