// Package guard is the only way from a path string to a file of the tree.
//
// A path is judged three times, each judgement narrower than the one before:
//
//	Lexical    what the string says: relative, clean, portable   no system call
//	Check      which names it holds: .git, secrets, CI, hooks…   no system call
//	Open, Parent   what stands on the disk: no component a link, a regular file
//
// Names are judged by themselves and not by what is on the disk, so a protected
// file that is not there yet is as closed as one that is.
//
// What it does not do: it writes nothing (internal/journal does), it runs no
// git, and it does not ask who the user is. Allow and Protect come from the
// user's own configuration, never from the repository's.
//
// Refusals are *edits.Refusal: the path came from a model, so the answer is
// data. A Go error means trouble with the disk or with a glob of the user's.
package guard

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/agentloop/agentloop/edits"
)

// Guard judges the paths of one tree. It keeps nothing open and may be used by
// several goroutines at once.
type Guard struct {
	Root string // absolute path of the tree

	// Allow opens names that are protected by default, except .git. Protect
	// closes further paths for writing and wins over Allow. Both hold
	// doublestar globs; one without a slash is for a name at any depth, and a
	// glob that matches a folder is for all below it.
	Allow, Protect []string
}

// Check reports whether path may be edited, as far as its name tells:
// *edits.Refusal if not, another error for a malformed glob.
func (g *Guard) Check(path string) error {
	if err := g.readable(path); err != nil {
		return err
	}
	if closed, err := matches(g.Protect, path, true); err != nil || closed {
		return refuseOr(err, path, "protected by the user's own configuration")
	}
	_, why := protection(path)
	return g.unlessAllowed(path, why)
}

// readable reports whether path may be read and shown to a model: as Check, but
// what is protected only against being changed is open.
func (g *Guard) readable(path string) error {
	why := shape(path)
	if why == "" && runtime.GOOS == "windows" {
		why = unportable(path)
	}
	if why != "" {
		return refuse(path, why)
	}
	kind, why := protection(path)
	switch kind {
	case never:
		return refuse(path, why)
	case secret:
		return g.unlessAllowed(path, why)
	}
	return nil
}

func (g *Guard) unlessAllowed(path, why string) error {
	if why == "" {
		return nil
	}
	open, err := matches(g.Allow, path, false)
	if err == nil && open {
		return nil
	}
	return refuseOr(err, path, why)
}

// matches reports whether one of the globs holds for path or for a folder above
// it. With fold, letters count as equal whatever their case.
func matches(globs []string, path string, fold bool) (bool, error) {
	for _, glob := range globs {
		if !doublestar.ValidatePattern(glob) {
			return false, fmt.Errorf("glob %q in the configuration: %w", glob, doublestar.ErrBadPattern)
		}
		ok, err := covers(strings.TrimSuffix(glob, "/"), path)
		if err == nil && !ok && fold {
			ok, err = covers(strings.ToLower(strings.TrimSuffix(glob, "/")), strings.ToLower(path))
		}
		if err != nil {
			return false, fmt.Errorf("glob %q in the configuration: %w", glob, err)
		}
		if ok {
			return true, nil
		}
	}
	return false, nil
}

func covers(glob, path string) (bool, error) {
	anyDepth := !strings.Contains(glob, "/")
	for start, i := 0, 0; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' {
			continue
		}
		if ok, err := doublestar.Match(glob, path[start:i]); ok || err != nil {
			return ok, err
		}
		if anyDepth {
			start = i + 1
		}
	}
	return false, nil
}

func refuse(path, why string) error {
	return &edits.Refusal{Path: path, Reason: edits.PathRefused, Why: why}
}

func refuseOr(err error, path, why string) error {
	if err != nil {
		return err
	}
	return refuse(path, why)
}
