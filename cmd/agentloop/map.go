package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/agentloop/agentloop/internal/selection"
	"github.com/agentloop/agentloop/internal/worktree"
	"github.com/agentloop/agentloop/loop"
)

// surveyTime is how long a run waits to learn what a large repository holds; the
// rest is learnt by the next one.
const surveyTime = time.Second

// atlas is what is known of the tracked files without reading them again.
type atlas struct {
	cache  *selection.Cache
	files  []selection.MapFile
	survey selection.Survey
}

// look surveys the tracked files; nil where that cannot be done: a run is not
// worse than before.
func (p *place) look(ctx context.Context, entries []worktree.Entry) *atlas {
	if p.StateDir == "" || len(entries) == 0 {
		return nil
	}
	a := &atlas{cache: &selection.Cache{Dir: p.mapDir()}, files: make([]selection.MapFile, len(entries))}
	byPath := make(map[string]worktree.Entry, len(entries))
	for i, e := range entries {
		a.files[i] = selection.MapFile{Path: e.Path, Blob: e.Blob, Size: e.Size}
		byPath[e.Path] = e
	}
	limited, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	a.survey, _ = a.cache.Survey(limited, a.files, func(path string) (string, bool, error) {
		return p.indexed(byPath[path])
	})
	return a
}

// drawMap says what the tree holds beside the files that are shown. all are its
// paths, sorted.
func (p *place) drawMap(a *atlas, all []string, picks []loop.Pick) string {
	if p.MapTokens == 0 || a == nil {
		return ""
	}
	unwanted := selection.Unwanted(p.Ignore)
	m := selection.Map{
		Files: all, Refs: a.survey.Refs, Budget: p.MapTokens,
		Hidden:  func(path string) bool { return a.survey.Generated[path] || unwanted(path) },
		Symbols: p.symbols,
	}
	for _, pick := range picks {
		m.Shown = append(m.Shown, pick.Path)
	}
	return m.Text()
}

const (
	smallTree    = 400 // files; in fewer, the choice itself looks for symbols everywhere
	mostDefiners = 3   // files that define a name; of more, none is meant
)

// defined points, as a compiler would, at the files that define what a text names.
func (p *place) defined(a *atlas, text string) string {
	if a == nil || len(a.files) <= smallTree {
		return ""
	}
	var names []string
	for w := range words(text) {
		if len(w) > 3 && strings.ContainsFunc(w, func(r rune) bool { return r == '_' || unicode.IsUpper(r) || unicode.IsDigit(r) }) {
			names = append(names, w)
		}
	}
	slices.Sort(names)
	found := a.cache.Definers(a.files, names)
	var b strings.Builder
	for _, name := range names {
		if paths := found[name]; len(paths) <= mostDefiners {
			for _, path := range paths {
				b.WriteString(p.namedIn(path, name))
			}
		}
	}
	return b.String()
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
