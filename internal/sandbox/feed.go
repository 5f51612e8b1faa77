package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/agentloop/agentloop/feedback"
)

// ErrNoProgram is wrapped by Feed's error where there is no such program to run.
var ErrNoProgram = errors.New("is not installed, or not in an absolute folder of PATH outside the tree")

// Feed runs a program that is not from the tree over a text, which it gets on
// its standard input, and gives what it writes to its standard output: whole,
// or an error. It runs as a check does (deadline, environment, end of all that
// came from it), but not in the tree: what lies there, say a list of versions
// to choose from, has no part in which program that is or what it does. A
// program that exits with another status than 0 is an error.
func (s *Shell) Feed(ctx context.Context, program string, args []string, text string) (out string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	path, err := s.outside(program)
	if err != nil {
		return "", err
	}
	runtime.LockOSThread() // as in Run
	defer runtime.UnlockOSThread()
	cmd, err := s.feeding(path, args)
	if err != nil {
		return "", fmt.Errorf("start %s: %w", program, err)
	}
	cmd.Stdin = strings.NewReader(text)
	begin := time.Now()
	p, err := s.launch(cmd, false)
	if err != nil {
		return "", fmt.Errorf("start %s: %w", program, err)
	}
	var run feedback.CheckRun
	why, _ := s.finish(ctx, p, begin, &run)
	out, _, omitted := p.output.parts()
	switch {
	case why == cancelled:
		return "", ctx.Err()
	case why == timedOut:
		return "", fmt.Errorf("%s took longer than %s", program, or(s.Timeout, 10*time.Minute))
	case why == flooded || omitted > 0:
		return "", fmt.Errorf("%s wrote more than is kept of it", program)
	case run.Signal != "":
		return "", fmt.Errorf("%s was ended by %s", program, run.Signal)
	case run.Exit != 0:
		return "", fmt.Errorf("%s ended with status %d", program, run.Exit)
	}
	return out, nil
}

// outside finds the first program of that name in PATH that does not lie in the
// tree itself, where anybody could have put it. It is internal/worktree's rule
// for git.
func (s *Shell) outside(name string) (path string, err error) {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path, err := exec.LookPath(filepath.Join(dir, name))
		if err == nil && !within(path, s.Dir) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s %w", name, ErrNoProgram)
}

// feeding makes the command: like that of a check it waits to be released. It
// runs in the program's own folder, which is outside the tree.
func (s *Shell) feeding(path string, args []string) (*exec.Cmd, error) {
	dir := filepath.Dir(path)
	argv := append([]string{path}, args...)
	if !isWindows {
		shell, err := s.shell()
		if err != nil {
			return nil, err
		}
		argv = append([]string{shell, "-c", `read -r go <&3 || exit 125; exec 3<&-; exec "$@"`, shell}, argv...)
	}
	env := append(environment(os.Environ(), s.Dir, nil), "PWD="+dir)
	return &exec.Cmd{Path: argv[0], Args: argv, Dir: dir, Env: env, WaitDelay: time.Second}, nil
}
