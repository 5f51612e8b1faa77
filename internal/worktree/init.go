package worktree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Init makes a repository of a folder and commits all that is in it, by a fixed
// author: for demonstrations and benches.
func Init(ctx context.Context, dir, message string) error {
	program, err := findGit(dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("make a repository: %w", err)
	}
	gitDir := filepath.Join(dir, ".git")
	r := &Repo{Root: dir, GitDir: gitDir, CommonDir: gitDir, program: program}
	author := []string{"user.name", "agentloop", "user.email", "agentloop@localhost"}
	for _, args := range [][]string{
		{"init", "--quiet", "--template=", "--initial-branch=main"},
		{"add", "--all"},
		{"commit", "--quiet", "-m", message},
	} {
		if _, err := r.start(ctx, call{args: args, settings: author}); err != nil {
			return fmt.Errorf("make a repository: %w", err)
		}
	}
	return nil
}
