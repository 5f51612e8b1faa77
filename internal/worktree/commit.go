package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// ErrUnderWay is wrapped where a commit would get in the way of another one.
var ErrUnderWay = errors.New("a git operation is under way")

// Commit makes one commit of the given files of a run, on the current branch,
// and nothing else: what the user staged of other files stays staged. The
// message gets a trailer that names the run. It gives "" where nothing differs
// from HEAD. During a merge, rebase, cherry-pick or revert it gives ErrUnderWay.
func (r *Repo) Commit(ctx context.Context, id, message string, paths []string) (rev string, err error) {
	if what := r.underWay(); what != "" {
		return "", fmt.Errorf("commit: %w (%s); finish or abort it first, the files are changed but not committed", ErrUnderWay, what)
	}
	paths, err = r.Stage(ctx, id, paths)
	if err != nil {
		return "", err
	}
	paths, err = r.committable(ctx, paths)
	if err != nil || len(paths) == 0 {
		return "", err
	}
	settings, err := r.noLocalFilters(ctx)
	if err != nil {
		return "", err
	}
	err = r.locked(ctx, settings, terminated(paths), "commit", "--only", "--quiet", "--no-verify", "--cleanup=whitespace",
		"-m", commitMessage(message, id), "--pathspec-from-file=-", "--pathspec-file-nul")
	var failure *GitError
	if errors.As(err, &failure) && (strings.Contains(failure.Message, "tell me who you are") || strings.Contains(failure.Message, "empty ident")) {
		return "", fmt.Errorf("commit: git does not know your name; git config --global user.name and user.email set it: %w", err)
	}
	if err != nil {
		return "", err
	}
	return r.readRef(ctx, "HEAD")
}

// committable gives the paths of which the index and HEAD hold different things.
func (r *Repo) committable(ctx context.Context, paths []string) ([]string, error) {
	s, err := r.status(ctx)
	if err != nil {
		return nil, err
	}
	return s.among(paths), nil
}

// underWay names what would make a commit part of something else.
func (r *Repo) underWay() string {
	for name, what := range map[string]string{
		"MERGE_HEAD": "merge", "CHERRY_PICK_HEAD": "cherry-pick", "REVERT_HEAD": "revert",
		"rebase-merge": "rebase", "rebase-apply": "rebase or am",
	} {
		if _, err := os.Lstat(filepath.Join(r.GitDir, name)); err == nil {
			return what
		}
	}
	return ""
}

// commitMessage drops what a message must not bring along, control characters
// and trailers of ours, and adds the run's.
func commitMessage(message, id string) string {
	message = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(message, ""))
	lines := slices.DeleteFunc(strings.Split(message, "\n"), func(line string) bool {
		return strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), strings.ToLower(strings.TrimSpace(runTrailer)))
	})
	message = strings.TrimSpace(strings.Join(lines, "\n"))
	if message == "" {
		message = "agentloop: changes of run " + id
	}
	const most = 32 << 10
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "")
	}
	return message + "\n\n" + runTrailer + id + "\n"
}
