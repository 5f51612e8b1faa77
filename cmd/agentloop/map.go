package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/agentloop/agentloop/internal/selection"
	"github.com/agentloop/agentloop/internal/worktree"
	"github.com/agentloop/agentloop/loop"
)

// surveyTime is how long a run waits to learn what a large repository holds; the
// rest is learnt by the next one.
const surveyTime = time.Second

// drawMap says what the tree holds beside the files that are shown. all are its
// paths, sorted. Where that cannot be found out there is none: a run is not
// worse than before.
func (p *place) drawMap(ctx context.Context, all []string, picks []loop.Pick) string {
	if p.MapTokens == 0 || p.StateDir == "" {
		return ""
	}
	entries, err := p.repo.Entries(ctx)
	if err != nil {
		return ""
	}
	files := make([]selection.MapFile, len(entries))
	byPath := make(map[string]worktree.Entry, len(entries))
	for i, e := range entries {
		files[i] = selection.MapFile{Path: e.Path, Blob: e.Blob, Size: e.Size}
		byPath[e.Path] = e
	}
	cache := selection.Cache{Dir: p.mapDir()}
	limited, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	survey, _ := cache.Survey(limited, files, func(path string) (string, bool, error) {
		return p.indexed(byPath[path])
	})
	m := selection.Map{
		Files: all, Refs: survey.Refs, Budget: p.MapTokens,
		Hidden:  func(path string) bool { return survey.Generated[path] || selection.Unwanted(path, p.Ignore) },
		Symbols: p.symbols,
	}
	for _, pick := range picks {
		m.Shown = append(m.Shown, pick.Path)
	}
	return m.Text()
}

// mapDir is where what is known of this repository's files is kept.
func (p *place) mapDir() string {
	name := sha256.Sum256([]byte(p.repo.CommonDir))
	return filepath.Join(p.StateDir, "maps", fmt.Sprintf("%x", name[:8]))
}

// indexed reads a file, and tells whether it still is as the index has it.
func (p *place) indexed(e worktree.Entry) (text string, sure bool, err error) {
	info, err := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(e.Path)))
	if err != nil {
		return "", false, err
	}
	if !info.Mode().IsRegular() {
		return "", false, fs.ErrInvalid
	}
	text, err = p.show(e.Path)
	return text, e.Unmodified(info), err
}

func (p *place) symbols(path string) []selection.Symbol {
	text, err := p.show(path)
	if err != nil {
		return nil
	}
	return selection.Outline(path, text)
}
