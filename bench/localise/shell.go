package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// keep is how much of a check's output is kept, in bytes: a test that prints in
// an endless loop must not fill the disk. Past it the head and the tail stay.
const keep = 256 << 10

// shell runs commands in a tree as a user would, but offline.
type shell struct {
	dir   string
	limit time.Duration
	env   []string // beside the caller's own
}

// printed is what a command said, and whether it passed.
type printed struct {
	Output string        `json:"output"`
	Passed bool          `json:"passed"`
	Over   bool          `json:"over,omitempty"` // ended by the limit, so its output is not a user's
	Took   time.Duration `json:"took"`
}

// run gives the output of a command line as a terminal shows it. An error means
// that the command could not be run at all, or that ctx ended.
func (s shell) run(ctx context.Context, line string) (printed, error) {
	limited, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	// A fault can make a test allocate without end: the shell's own limit stops that.
	cmd := exec.CommandContext(limited, "sh", "-c", "ulimit -v 12000000 2>/dev/null; "+line)
	ownGroup(cmd)
	cmd.Dir, cmd.WaitDelay = s.dir, time.Second
	cmd.Env = append(os.Environ(), s.env...)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	p := printed{Output: shorten(string(out)), Passed: err == nil, Over: limited.Err() != nil, Took: time.Since(began)}
	if err := ctx.Err(); err != nil {
		return p, err
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !p.Over {
		return p, fmt.Errorf("run %s: %w", line, err)
	}
	return p, nil
}

// shorten leaves out the middle of what is too long, and says how much that was.
func shorten(out string) string {
	out = strings.ToValidUTF8(out, "\uFFFD")
	if len(out) <= keep {
		return out
	}
	head, tail := out[:keep/2], out[len(out)-keep/2:]
	return strings.ToValidUTF8(fmt.Sprintf("%s\n… %d bytes left out …\n%s", head, len(out)-keep, tail), "")
}
