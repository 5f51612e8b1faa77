package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/guard"
	"github.com/agentloop/agentloop/internal/journal"
)

// mostBackups is how many names are tried for a backup.
const mostBackups = 1000

// keep writes the files that are about to change beside themselves, as they were
// before the run: FILE.bak, or FILE.bak.1 and so on where that is taken, and gives
// what it wrote. They are no part of the run's work: nothing stages, commits or
// undoes them. A file whose backup may not be written is refused.
func (t *tree) keep(ctx context.Context, changes []edits.Change) (copies []edits.Change, err error) {
	if !t.backup {
		return nil, nil
	}
	modes := map[string]fs.FileMode{}
	for _, c := range changes {
		if !c.Existed || t.kept[c.Path] {
			continue
		}
		mode, err := t.mode(c.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it is gone meanwhile: the tree will refuse the change
		}
		if err != nil {
			return nil, fmt.Errorf("keep %s: %w", c.Path, err)
		}
		name, err := t.freeName(c.Path)
		if err != nil {
			return nil, err
		}
		modes[name] = mode
		copies = append(copies, edits.Change{Path: name, After: c.Before})
	}
	if len(copies) == 0 {
		return nil, nil
	}
	if err := t.beside(copies).Write(ctx, copies, modes); err != nil {
		return nil, fmt.Errorf("keep the files as they were: %w", err)
	}
	return copies, nil
}

// settle ends what keep began, with what came of the changes. What is in needs no
// other backup, and what the run made never needs one. A refusal leaves the tree as
// it was, so the copies go, and the next try keeps what the user wrote meanwhile;
// one that was touched since stays, and so do all after any other trouble.
func (t *tree) settle(ctx context.Context, changes, copies []edits.Change, err error) error {
	var refused *edits.Refusal
	switch {
	case err == nil && t.backup:
		if t.kept == nil {
			t.kept = map[string]bool{}
		}
		for _, c := range changes {
			t.kept[c.Path] = !c.Delete // what comes there next may be the user's
		}
	case errors.As(err, &refused):
		for _, c := range copies {
			away := []edits.Change{{Path: c.Path, Before: c.After, Existed: true, Delete: true}}
			_ = t.beside(away).Write(context.WithoutCancel(ctx), away, nil)
		}
	}
	return err
}

// freeName gives a name for a file's backup that nothing has yet.
func (t *tree) freeName(path string) (string, error) {
	for n := range mostBackups {
		name := path + ".bak"
		if n > 0 {
			name = fmt.Sprintf("%s.%d", name, n)
		}
		g := t.opened(name)
		var no *edits.Refusal
		if errors.As(g.Check(name), &no) {
			return "", &edits.Refusal{Path: path, Reason: no.Reason, Why: "its backup " + name + " may not be written: " + no.Why}
		}
		_, err := g.Read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return name, nil
		case err != nil && !errors.As(err, &no): // refused is what stands there: it is taken
			return "", fmt.Errorf("look for a free name: %w", err)
		}
	}
	return "", fmt.Errorf("%s.bak and %d names like it are taken", path, mostBackups-1)
}

func (t *tree) mode(path string) (fs.FileMode, error) {
	f, err := t.guard.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Mode(), nil
}

// beside writes backups.
func (t *tree) beside(copies []edits.Change) *journal.Journal {
	var names []string
	for _, c := range copies {
		names = append(names, c.Path)
	}
	return &journal.Journal{Folders: t.opened(names...)}
}

// opened is the tree's guard, but for backups of these names: who allows .env
// allows .env.bak to us, though not to the model. What the user protects stays so.
func (t *tree) opened(names ...string) *guard.Guard {
	literal := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`)
	g := guard.Guard{Root: t.guard.Root, Protect: t.guard.Protect}
	for _, name := range names {
		g.Allow = append(g.Allow, literal.Replace(name))
	}
	return &g
}
