package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// What Open can find instead of a work tree; the errors wrap one of these.
var (
	ErrNotRepository = errors.New("not a git repository")
	ErrBare          = errors.New("a git directory without a work tree")
	ErrNoGit         = errors.New("git is not installed")
	ErrOwner         = errors.New("git does not trust this repository")
)

// Open finds the work tree that dir is in. It reads the file system alone and
// starts git only where the repository belongs to another user.
func Open(ctx context.Context, dir string) (*Repo, error) {
	at, err := filepath.Abs(dir)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	r, err := find(at)
	if err != nil {
		return nil, err
	}
	if r.program, err = findGit(r.Root); err != nil {
		return nil, err
	}
	if foreign(r.Root) || foreign(r.GitDir) {
		return r, r.checkOwner(ctx)
	}
	return r, nil
}

// find goes upwards from dir to the first folder with a .git that is one.
func find(dir string) (*Repo, error) {
	for at := dir; ; at = filepath.Dir(at) {
		if isGitDir(at) {
			return nil, fmt.Errorf("%s: %w; run agentloop in a work tree of it (git worktree add)", at, ErrBare)
		}
		gitDir, err := readDotGit(filepath.Join(at, ".git"))
		if err != nil {
			return nil, err
		}
		if gitDir != "" {
			return &Repo{Root: at, GitDir: gitDir, CommonDir: commonDir(gitDir)}, nil
		}
		if at == filepath.Dir(at) {
			return nil, fmt.Errorf("%s: %w; run \"git init\" there first, or name a repository with -C", dir, ErrNotRepository)
		}
	}
}

// readDotGit gives the git directory that dotGit is or names; "" if it is none,
// where git too would go on searching above.
func readDotGit(dotGit string) (string, error) {
	info, err := os.Stat(dotGit)
	switch {
	case err != nil:
		return "", nil
	case info.IsDir() && isGitDir(dotGit):
		return dotGit, nil
	case !info.Mode().IsRegular() || info.Size() > 8<<10:
		return "", nil
	}
	text, err := os.ReadFile(dotGit)
	if err != nil {
		return "", fmt.Errorf("open repository: %w", err)
	}
	target, ok := strings.CutPrefix(string(text), "gitdir:")
	if !ok {
		return "", fmt.Errorf("%s: %w; it is a file that git cannot read", dotGit, ErrNotRepository)
	}
	target = absolute(filepath.Dir(dotGit), target)
	if !isGitDir(target) {
		return "", fmt.Errorf("%s: %w; it names %s, which is no git directory (git worktree repair may help)",
			dotGit, ErrNotRepository, target)
	}
	return target, nil
}

// isGitDir asks what git asks: a HEAD, and objects and refs here or in the
// common directory that is named here.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonDir(dir)
	return isDir(filepath.Join(common, "objects")) && isDir(filepath.Join(common, "refs"))
}

func commonDir(gitDir string) string {
	text, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return gitDir
	}
	return absolute(gitDir, string(text))
}

func absolute(base, path string) string {
	path = filepath.FromSlash(strings.TrimSpace(path))
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// findGit gives the first git of PATH that does not lie in the tree itself, where
// anybody could have put it.
func findGit(root string) (string, error) {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		program, err := exec.LookPath(filepath.Join(dir, "git"))
		if err != nil {
			continue
		}
		real, err := filepath.EvalSymlinks(program)
		if err != nil || inside(root, real) || inside(root, program) {
			continue
		}
		return program, nil
	}
	return "", fmt.Errorf("%w, or not in an absolute folder of PATH outside %s", ErrNoGit, root)
}

func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// checkOwner lets git apply its rule about repositories of other users, which it
// skips where it is told the git directory.
func (r *Repo) checkOwner(ctx context.Context) error {
	_, err := r.start(ctx, call{args: []string{"-C", r.Root, "rev-parse", "--git-dir"}, discover: true})
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w, since it belongs to another user; if you do: git config --global --add safe.directory %s",
		r.Root, ErrOwner, r.Root)
}
