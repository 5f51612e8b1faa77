package worktree

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"
)

// LockedError says that somebody held the index for longer than we wait.
type LockedError struct {
	Path   string
	Waited time.Duration
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("another git holds %s (waited %s); if none is running, remove that file", e.Path, e.Waited.Round(time.Second))
}

// locked runs a git that takes index.lock, again while somebody else has it.
func (r *Repo) locked(ctx context.Context, settings []string, stdin string, args ...string) error {
	wait, began := r.LockWait, time.Now()
	if wait == 0 {
		wait = 30 * time.Second
	}
	for {
		_, err := r.start(ctx, call{args: args, stdin: strings.NewReader(stdin), settings: settings})
		var failure *GitError
		if !errors.As(err, &failure) || !strings.Contains(failure.Message, "index.lock") || !strings.Contains(failure.Message, "File exists") {
			return err
		}
		if waited := time.Since(began); waited >= wait {
			return &LockedError{filepath.Join(r.GitDir, "index.lock"), waited}
		}
		select {
		case <-time.After(50*time.Millisecond + rand.N(100*time.Millisecond)):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
