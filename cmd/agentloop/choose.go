package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/selection"
	"github.com/agentloop/agentloop/internal/worktree"
	"github.com/agentloop/agentloop/loop"
)

// recentCommits is how many commits tell what is worked on.
const recentCommits = 10

// ignoreFile holds rules, as git's, of files that are never chosen.
const ignoreFile = ".agentloopignore"

// choose picks the files that a prompt shows. What the user named is the context,
// large files in parts; only without that is a choice made.
func (p *place) choose(ctx context.Context, need loop.Need) (loop.Context, error) {
	evidence := selection.Evidence{Task: need.Task, Checks: p.Check, Output: failing(need)}
	if len(need.Named) > 0 {
		got := p.asNamed(need, evidence)
		if p.mapped && len(need.Shown) == 0 {
			all, err := p.repo.Files(ctx)
			if err != nil {
				return got, err
			}
			entries, _ := p.repo.Entries(ctx)
			got.Map = p.drawMap(p.look(ctx, entries), all, got.Picks)
		}
		return got, nil
	}
	for _, shown := range need.Shown {
		if !slices.Contains(evidence.Shown, shown.Path) {
			evidence.Shown = append(evidence.Shown, shown.Path)
		}
	}
	source, entries, err := p.source(ctx)
	if err != nil {
		return loop.Context{}, err
	}
	known := p.look(ctx, entries)
	evidence.Task += p.defined(known, need.Task)
	budget := p.ContextTokens
	if len(need.Shown) > 0 {
		budget += p.ContextTokens / 2 // what a later round brings to light must find room
	}
	choice := source.Choose(evidence, budget)
	got := loop.Context{Left: choice.Left}
	for _, c := range choice.Files {
		var no *edits.Refusal
		if _, err := p.Read(c.Path); errors.As(err, &no) {
			continue // what may not be written is not worth its place
		}
		pick := loop.Pick{Path: c.Path, Why: c.Why, Spans: spans(c.Spans)}
		if pick, fresh := unseen(pick, need.Shown); fresh {
			got.Picks = append(got.Picks, pick)
		}
	}
	if len(need.Shown) == 0 {
		all := make([]string, len(source.Files))
		for i, f := range source.Files {
			all[i] = f.Path
		}
		got.Map = p.drawMap(known, all, got.Picks)
	}
	return got, nil
}

// failing gives what checks that fail print.
func failing(need loop.Need) string {
	var all []string
	for _, c := range need.Checks {
		if !c.Passed() {
			all = append(all, c.Head, c.Tail)
		}
	}
	return strings.Join(all, "\n")
}

// asNamed gives the user's files: whole, but for those that alone are larger than
// the whole context may be.
func (p *place) asNamed(need loop.Need, evidence selection.Evidence) loop.Context {
	var got loop.Context
	for _, path := range need.Named {
		pick := loop.Pick{Path: path}
		for _, f := range p.sized([]string{path}, nil) {
			if float64(f.Size) > float64(p.ContextTokens)*bytesPerToken {
				one := evidence
				one.Shown = []string{path}
				one.Task += p.namedIn(path, need.Task)
				alone := selection.Source{Files: []selection.File{f}, Read: p.show, Symbols: selection.Outline, Root: p.repo.Root}
				for _, c := range alone.Choose(one, p.ContextTokens).Files {
					pick.Spans, pick.Why = spans(c.Spans), "named by the user, and too large to be shown whole"
				}
			}
		}
		if pick, fresh := unseen(pick, need.Shown); fresh {
			got.Picks = append(got.Picks, pick)
		}
	}
	return got
}

// namedIn points, as a compiler would, at the symbols of a file that a task names.
func (p *place) namedIn(path, task string) string {
	named := words(task)
	var b strings.Builder
	for _, s := range p.symbols(path) {
		if named[s.Name] {
			fmt.Fprintf(&b, "\n%s:%d: %s", path, s.Line, s.Name)
		}
	}
	return b.String()
}

// words gives those of a text that may be names.
func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		all[w] = true
	}
	return all
}

// source is what a choice is made from. What git and the disk know is asked for
// at the same time.
func (p *place) source(ctx context.Context) (s selection.Source, entries []worktree.Entry, err error) {
	var all, recent, ignored []string
	asks := []func() error{
		func() (err error) { all, err = p.repo.Files(ctx); return err },
		func() (err error) { recent, err = p.repo.Recent(ctx, recentCommits); return err },
		func() error { entries, _ = p.repo.Entries(ctx); return nil }, // without it, sizes are asked of the disk
	}
	if _, err := os.Lstat(filepath.Join(p.repo.Root, ignoreFile)); err == nil {
		asks = append(asks, func() (err error) { ignored, err = p.repo.Ignored(ctx, ignoreFile); return err })
	}
	if err := together(asks); err != nil {
		return s, nil, err
	}
	if len(ignored) > 0 {
		all = slices.DeleteFunc(all, func(path string) bool {
			_, found := slices.BinarySearch(ignored, path)
			return found
		})
	}
	return selection.Source{
		Files: p.sized(all, entries), Read: p.show, Symbols: selection.Outline, Recent: recent, Ignore: p.Ignore, Root: p.repo.Root,
	}, entries, nil
}

// together does all of it at once, and waits for all.
func together(asks []func() error) error {
	var wait sync.WaitGroup
	failed := make([]error, len(asks))
	for i, ask := range asks {
		wait.Go(func() { failed[i] = ask() })
	}
	wait.Wait()
	return errors.Join(failed...)
}

func spans(of []selection.Span) []loop.Span {
	var out []loop.Span
	for _, s := range of {
		out = append(out, loop.Span(s))
	}
	return out
}

// unseen takes from a pick what is shown already, and reports whether something
// is left.
func unseen(pick loop.Pick, shown []loop.Pick) (loop.Pick, bool) {
	for _, s := range shown {
		switch {
		case s.Path != pick.Path:
		case s.Spans == nil:
			return pick, false
		default:
			pick.Spans = without(pick.Spans, s.Spans)
			if pick.Spans == nil {
				return pick, false
			}
		}
	}
	return pick, true
}

// without gives the spans of lines that none of the others covers whole.
func without(spans, others []loop.Span) []loop.Span {
	var out []loop.Span
	for _, s := range spans {
		covered := slices.ContainsFunc(others, func(o loop.Span) bool { return o.From <= s.From && s.To <= o.To })
		if !covered {
			out = append(out, s)
		}
	}
	return out
}
