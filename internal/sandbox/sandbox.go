// Package sandbox runs check commands as children that cannot outlive, flood,
// stall or spy on the run that started them.
//
// How: a shell from outside the tree in a session of its own, an environment
// made by allow-list, no standard input and no terminal, both outputs through
// one pipe of which the beginning and the end are kept. When the command ends,
// by itself or not, every process that came from it is ended too: its group,
// and on Linux also those that left the group or the session, which are known
// by a mark that the kernel hands down to them (see mark in sweep_linux.go).
//
// What not: it does not yet keep a command from the network or from writing
// where the user may write. A level that does wraps the argument list that
// argv makes and leaves everything else here as it is. On systems other
// than Linux a process that leaves the group survives; on Windows only the
// command itself is ended.
//
// Invariants:
//   - A command that ran is a CheckRun, whatever it did; an error means that
//     nothing could be started, or that the context ended.
//   - Run returns at most the grace time and about half a second after the
//     deadline, the context or the command's own end.
//   - Memory for output is bounded by twice Keep, whatever is written.
package sandbox

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/agentloop/agentloop/feedback"
)

const isWindows = runtime.GOOS == "windows"

// Shell runs commands with sh -c (cmd /C on Windows) in one folder. The zero
// value of every field but Dir is useful. It implements feedback.Shell and may
// be used by several goroutines.
type Shell struct {
	Dir     string        // the tree, absolute
	Timeout time.Duration // of one command; 0: 10 minutes
	Env     []string      // names of variables that commands may see beside the usual ones
	Keep    int           // bytes of output kept at each end; 0: 128 KiB
	Flood   int64         // bytes of output after which the command is ended; 0: 1 GiB
	Grace   time.Duration // between SIGTERM and SIGKILL; 0: 2 s

	// OnTick, if set, is called about every second while a command runs, never
	// by two goroutines at once for the same command.
	OnTick func(elapsed time.Duration)
}

// cause says why a command was ended.
type cause int

const (
	exited cause = iota // by itself
	timedOut
	cancelled
	flooded
)

// Run runs one command and waits until it and all that it started are gone.
func (s *Shell) Run(ctx context.Context, command string) (feedback.CheckRun, error) {
	run := feedback.CheckRun{Command: command}
	if err := ctx.Err(); err != nil {
		return run, err
	}
	// The command ends with the thread that starts it (endWithUs).
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := time.Now()
	p, err := s.start(command)
	if err != nil {
		return run, fmt.Errorf("start check: %w", err)
	}
	why, left := s.finish(ctx, p, begin, &run)
	run.Elapsed = time.Since(begin)
	run.TimedOut = why == timedOut
	run.Head, run.Tail, run.Omitted = p.output.parts()
	run.Tail += s.remarks(why, left)
	if why == cancelled {
		return run, ctx.Err()
	}
	return run, nil
}

// finish waits for the end of a command and ends all that came from it; left are
// the processes that it could not end.
func (s *Shell) finish(ctx context.Context, p *process, begin time.Time, run *feedback.CheckRun) (why cause, left []int) {
	why = s.watch(ctx, p, begin)
	if why != exited {
		p.stop(why != flooded, or(s.Grace, 2*time.Second))
	}
	left = p.sweep()
	exit, signal, ended := p.reap()
	if run.Exit, run.Signal = exit, signal; !ended {
		left = append(left, p.cmd.Process.Pid)
	}
	p.drain()
	return why, left
}

// watch waits for the command's end or for a reason to end it.
func (s *Shell) watch(ctx context.Context, p *process, begin time.Time) cause {
	deadline := time.NewTimer(or(s.Timeout, 10*time.Minute))
	defer deadline.Stop()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-p.ended:
			return exited
		case <-deadline.C:
			return timedOut
		case <-ctx.Done():
			return cancelled
		case <-p.output.flooded:
			return flooded
		case <-tick.C:
			if s.OnTick != nil {
				s.OnTick(time.Since(begin))
			}
		}
	}
}

// remarks says at the output's end what its reader could not know otherwise.
func (s *Shell) remarks(why cause, left []int) string {
	text := ""
	if why == flooded {
		text += fmt.Sprintf("\n[ended by agentloop: more than %d bytes of output]\n", or(s.Flood, 1<<30))
	}
	if len(left) > 0 {
		text += fmt.Sprintf("\n[processes of this check that agentloop could not end: %v]\n", left)
	}
	return text
}

func or[T comparable](value, otherwise T) T {
	var zero T
	if value == zero {
		return otherwise
	}
	return value
}

// shell finds the command interpreter by absolute path, never inside the tree.
func (s *Shell) shell() (string, error) {
	candidates := []string{"/bin/sh", "/usr/bin/sh", "/system/bin/sh"}
	if isWindows {
		candidates = []string{filepath.Join(or(os.Getenv("SystemRoot"), `C:\Windows`), "System32", "cmd.exe")}
	}
	for _, path := range candidates {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !within(path, s.Dir) {
			return path, nil
		}
	}
	return "", fmt.Errorf("no shell outside the tree: looked for %v", candidates)
}
