package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/internal/selection"
)

// place is a tree as the selection sees it, read once for all its cases.
type place struct {
	dir     string
	files   []selection.File
	defined map[string][]definition // by name; made at the first look
}

// open lists the files that git does not ignore, as a run does.
func open(ctx context.Context, dir string) (*place, error) {
	out, err := git(ctx, dir, "ls-files", "-z", "-c", "-o", "--exclude-standard")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	p := &place{dir: dir}
	for _, path := range strings.Split(strings.TrimSuffix(out, "\x00"), "\x00") {
		if info, err := os.Lstat(filepath.Join(dir, path)); err == nil && info.Mode().IsRegular() {
			p.files = append(p.files, selection.File{Path: path, Size: int(info.Size())})
		}
	}
	slices.SortFunc(p.files, func(a, b selection.File) int { return strings.Compare(a.Path, b.Path) })
	return p, nil
}

// read gives a file's text without any fault.
func (p *place) read(path string) (string, error) {
	b, err := os.ReadFile(filepath.Join(p.dir, path))
	return string(b), err
}

// source is the tree with a fault laid over it. Nothing is told of the last
// commits: that the fault is in one of them would give it away.
func (p *place) source(m mutation) selection.Source {
	return selection.Source{
		Files: p.files, Root: p.dir, Symbols: selection.Outline,
		Read: func(path string) (string, error) {
			text, err := p.read(path)
			if err != nil || path != m.File {
				return text, err
			}
			faulty, ok := m.in(text)
			if !ok {
				return "", fmt.Errorf("%s in %s is not as it was when the case was made", path, p.dir)
			}
			return faulty, nil
		},
	}
}

// evidence is what a user who only names the check gives.
func (c faultCase) evidence() selection.Evidence {
	return selection.Evidence{Task: "Make `" + c.Check + "` pass.", Output: c.Output, Checks: []string{c.Check}}
}
