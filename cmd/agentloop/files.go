package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/internal/selection"
	"github.com/agentloop/agentloop/internal/worktree"
)

// files gives the paths that the user named. Names and globs are his, from where
// he stands; without any, the configuration's.
func (p *place) files(ctx context.Context, named []string) (files []string, err error) {
	from := named
	if len(from) == 0 {
		from = p.Files
	}
	if plain, ok := p.plain(named); len(from) == 0 || ok && len(named) > 0 {
		return plain, nil
	}
	all, err := p.repo.Files(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, arg := range from {
		pattern := arg
		if len(named) > 0 {
			if pattern, err = p.inTree(arg); err != nil {
				return nil, err
			}
		}
		found := selection.Match(all, pattern)
		if len(found) == 0 {
			return nil, usageError{msg: fmt.Sprintf("no file fits %q", arg), hint: "paths and globs (**/*.go) are taken from the current folder; ignored files are left out"}
		}
		for _, f := range found {
			if !seen[f] {
				seen[f] = true
				files = append(files, f)
			}
		}
	}
	return sorted(files), nil
}

// find lists the files of the tree that a glob fits, for the model's tools; also
// are paths that git may not know yet.
func (p *place) find(ctx context.Context, glob string, also []string) ([]string, error) {
	all, err := p.repo.Files(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.Compact(sorted(append(all, also...)))
	if glob == "" {
		return all, nil
	}
	return selection.Match(all, glob), nil
}

// plain resolves arguments that are all paths of files that are there, without
// asking git for the list of files, which takes long in a large repository.
func (p *place) plain(named []string) ([]string, bool) {
	var files []string
	for _, arg := range named {
		path, err := p.inTree(arg)
		if err != nil || strings.ContainsAny(path, "*?[{") {
			return nil, false
		}
		info, err := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(path)))
		if err != nil || !info.Mode().IsRegular() {
			return nil, false
		}
		files = append(files, path)
	}
	return sorted(files), true
}

// inTree turns an argument into a path from the tree's root, with slashes.
func (p *place) inTree(arg string) (string, error) {
	full := arg
	if !filepath.IsAbs(arg) {
		at := p.dir
		if real, err := filepath.EvalSymlinks(p.dir); err == nil {
			at = real
		}
		full = filepath.Join(at, arg)
	}
	rel, err := filepath.Rel(p.repo.Root, full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", usageError{msg: fmt.Sprintf("%s is outside of the repository %s", arg, p.repo.Root)}
	}
	return filepath.ToSlash(rel), nil
}

// mostSize is the largest file, in bytes, that is a candidate.
const mostSize = 1 << 20

// sized gives the regular text files among the paths, both sorted, as far as
// names and sizes tell: those of the index's entries, else those of the disk. A
// tracked file that is gone meanwhile is noticed when it is read.
func (p *place) sized(paths []string, entries []worktree.Entry) []selection.File {
	out := make([]selection.File, 0, len(paths))
	for _, path := range paths {
		for len(entries) > 0 && entries[0].Path < path {
			entries = entries[1:]
		}
		if len(entries) > 0 && entries[0].Path == path && entries[0].Size > 0 {
			if entries[0].Size <= mostSize {
				out = append(out, selection.File{Path: path, Size: int(entries[0].Size)})
			}
			continue
		}
		info, err := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(path)))
		if err == nil && info.Mode().IsRegular() && info.Size() <= mostSize {
			out = append(out, selection.File{Path: path, Size: int(info.Size())})
		}
	}
	return out
}
