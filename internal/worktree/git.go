package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
	"unicode"
)

const (
	gitTime    = 60 * time.Second // longest life of one git
	gitGrace   = 10 * time.Second // from SIGTERM to SIGKILL, which would leave locks behind
	gitOutput  = 256 << 20        // most bytes of output that are taken
	gitMessage = 2 << 10          // most bytes of an error message that are kept
)

// GitError is a git that ran and failed.
type GitError struct {
	Command string // "status"
	Exit    int    // -1 if a signal ended it
	Message string // what it said, printable, at most 2 KiB

	pid int
}

func (e *GitError) Error() string {
	return fmt.Sprintf("git %s failed (exit status %d): %s", e.Command, e.Exit, e.Message)
}

// failed reports whether err is a git that ended with this exit status.
func failed(err error, exit int) bool {
	var failure *GitError
	return errors.As(err, &failure) && failure.Exit == exit
}

// call is one git to run. Paths go to it by stdin or after "--", never as options.
type call struct {
	args     []string
	stdin    io.Reader // nil: nothing to read
	settings []string  // further configuration, key and value in turn
	discover bool      // let git find the repository itself
}

// git runs one command on the repository and gives what it printed.
func (r *Repo) git(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	return r.start(ctx, call{args: args, stdin: stdin})
}

// start is the only place where a git is started.
func (r *Repo) start(ctx context.Context, c call) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	args := c.args
	if !c.discover {
		args = append([]string{"--git-dir=" + r.GitDir, "--work-tree=" + r.Root}, args...)
	}
	cmd := exec.CommandContext(ctx, r.program, args...)
	cmd.Dir = r.Root
	cmd.Env = environment(c.settings)
	cmd.Stdin = c.stdin
	out, said := &capped{max: gitOutput}, &capped{max: 64 << 10, drop: true}
	cmd.Stdout, cmd.Stderr = out, said
	detach(cmd)
	cmd.WaitDelay = gitGrace

	err := cmd.Run()
	name := c.args[0]
	if c.discover {
		name = c.args[2]
	}
	var exit *exec.ExitError
	switch {
	case out.full:
		return nil, fmt.Errorf("git %s: more than %d MiB of output", name, gitOutput>>20)
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("git %s: %w", name, context.Cause(ctx))
	case errors.As(err, &exit):
		return out.Bytes(), &GitError{name, exit.ExitCode(), printable(said.String()), exit.Pid()}
	case err != nil:
		return nil, fmt.Errorf("git %s: %w", name, err)
	}
	return out.Bytes(), nil
}

// hardening is what no git of ours may do, whatever the repository configures:
// start programs, ask anybody, fetch, tidy up. Key and value in turn.
func hardening() []string {
	return []string{
		"core.fsmonitor", "false",
		"core.hooksPath", "/dev/null",
		"core.pager", "cat",
		"core.editor", "true",
		"core.askPass", "",
		"core.sshCommand", "false",
		"core.alternateRefsCommand", "",
		"credential.helper", "",
		"commit.gpgSign", "false",
		"diff.external", "",
		"gc.auto", "0",
		"maintenance.auto", "false",
		"protocol.allow", "never",
		"safe.bareRepository", "explicit",
		"submodule.recurse", "false",
	}
}

// environment is built anew: of what we inherited only what a program needs to
// run and to find the user's own configuration. No key of any service is in it,
// and no GIT_DIR of a hook that we may have been started from.
func environment(settings []string) []string {
	var env []string
	for _, name := range []string{
		"PATH", "HOME", "USER", "LOGNAME", "SUDO_UID", "TMPDIR", "TEMP", "TMP", "XDG_CONFIG_HOME",
		"SYSTEMROOT", "COMSPEC", "PATHEXT", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
		"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
	} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	env = append(env,
		"LC_ALL=C",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_LITERAL_PATHSPECS=1",
		"GIT_NO_REPLACE_OBJECTS=1",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none",
		"GIT_EDITOR=true",
		"GIT_PAGER=cat",
		"GIT_ASKPASS=false",
	)
	settings = append(hardening(), settings...)
	env = append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(settings)/2))
	for i := 0; i < len(settings); i += 2 {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i/2, settings[i]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i/2, settings[i+1]))
	}
	return env
}

// capped keeps the first max bytes. What comes after is dropped, or ends the
// program that writes it.
type capped struct {
	bytes.Buffer
	max  int
	drop bool
	full bool
}

func (c *capped) Write(p []byte) (int, error) {
	if room := c.max - c.Len(); len(p) > room {
		c.Buffer.Write(p[:room])
		c.full = !c.drop
		if c.drop {
			return len(p), nil
		}
		return room, io.ErrShortWrite
	}
	return c.Buffer.Write(p)
}

// printable makes one line of what git said, which quotes names that anybody may
// have chosen.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > gitMessage {
		text = strings.ToValidUTF8(text[:gitMessage], "") + "…"
	}
	return text
}
