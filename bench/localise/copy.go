package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// copyTree copies the regular files of a folder, made writable: the module cache
// is read-only. Not deep leaves folders out but for testdata. What stood at to
// is replaced.
func copyTree(from, to string, deep bool) error {
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("clear %s: %w", to, err)
	}
	err := filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at, err := filepath.Rel(from, name)
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == ".git" || e.Name() == "__pycache__"):
			return fs.SkipDir
		case e.IsDir() && !deep && at != "." && !strings.HasPrefix(at, "testdata"):
			return fs.SkipDir
		case !e.Type().IsRegular():
			return nil
		}
		return copyFile(name, filepath.Join(to, at))
	})
	if err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return nil
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}

// git runs a git that knows of no configuration but the repository's.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.autocrlf=false", "-c", "user.name=bench", "-c", "user.email=bench@localhost"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(errs.Bytes()))
	}
	return string(out), nil
}

// commit makes a repository of a tree, with all its files in one commit.
func commit(ctx context.Context, dir string) error {
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A", "-f"}, {"commit", "-q", "-m", "start"}} {
		if _, err := git(ctx, dir, args...); err != nil {
			return err
		}
	}
	return nil
}
