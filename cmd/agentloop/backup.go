package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/agentloop/agentloop/edits"
)

// mostBackups is how many names are tried for a backup.
const mostBackups = 1000

// keep writes the files that are about to change beside themselves, as they were
// before the run: FILE.bak, or FILE.bak.1 and so on where that is taken. They are
// no part of the run's work: nothing stages, commits or undoes them.
func (t *tree) keep(ctx context.Context, changes []edits.Change) error {
	if !t.backup {
		return nil
	}
	if t.kept == nil {
		t.kept = map[string]bool{}
	}
	var copies []edits.Change
	modes := map[string]fs.FileMode{}
	for _, c := range changes {
		if !c.Existed || t.kept[c.Path] {
			continue
		}
		name, err := t.freeName(c.Path + ".bak")
		if err != nil {
			return err
		}
		f, err := t.guard.Open(c.Path)
		if err != nil {
			return fmt.Errorf("keep %s: %w", c.Path, err)
		}
		info, err := f.Stat()
		f.Close()
		if err != nil {
			return fmt.Errorf("keep %s: %w", c.Path, err)
		}
		modes[name] = info.Mode()
		copies = append(copies, edits.Change{Path: name, After: c.Before})
		t.kept[c.Path] = true
	}
	if len(copies) == 0 {
		return nil
	}
	if err := t.writer().Write(ctx, copies, modes); err != nil {
		return fmt.Errorf("keep the files as they were: %w", err)
	}
	return nil
}

// freeName gives the name, or it with a number behind, that nothing has yet.
func (t *tree) freeName(name string) (string, error) {
	for n := range mostBackups {
		try := name
		if n > 0 {
			try = fmt.Sprintf("%s.%d", name, n)
		}
		_, err := t.guard.Read(try)
		if errors.Is(err, fs.ErrNotExist) {
			return try, nil
		}
		var refused *edits.Refusal
		if err != nil && !errors.As(err, &refused) {
			return "", fmt.Errorf("look for a free name: %w", err)
		}
	}
	return "", fmt.Errorf("%s and %d names like it are taken", name, mostBackups-1)
}
