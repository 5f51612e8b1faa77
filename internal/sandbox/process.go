package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// process is one command on its way.
type process struct {
	cmd     *exec.Cmd
	mark    uint64        // what all its descendants carry; 0: nothing
	carried []byte        // mark as /proc shows it
	session int           // our own, in which none of its descendants can be
	ended   chan struct{} // closed when the command itself has ended; it may not be reaped yet
	output  *output

	pipe    *os.File      // our end of its output
	drained chan struct{} // closed when pipe was read to its end
}

// argv is what is executed for a command. The outer shell waits until it is
// told to go, so that limits and mark are on it before foreign code runs, and
// becomes the inner one.
func argv(shell, command string) []string {
	if isWindows {
		return []string{shell, "/C", command}
	}
	return []string{shell, "-c", `read -r go <&3 || exit 125; exec 3<&-; exec "$0" -c "$1"`, shell, command}
}

// start starts a command, both of its outputs in one.
func (s *Shell) start(command string) (*process, error) {
	shell, err := s.shell()
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(s.Dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%q is no folder to run it in", s.Dir)
	}
	args := argv(shell, command)
	return s.launch(&exec.Cmd{Path: args[0], Args: args, Dir: s.Dir, Env: environment(os.Environ(), s.Dir, s.Env)}, true)
}

// launch starts a program that argv or feeding made; nothing of it runs before
// limit has been called. Its error output comes with the other one or is lost.
func (s *Shell) launch(cmd *exec.Cmd, both bool) (*process, error) {
	in, out, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe: %w", err)
	}
	defer out.Close()
	wait, release, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe: %w", err), in.Close())
	}
	defer wait.Close()
	defer release.Close()

	if cmd.Stdout = out; both {
		cmd.Stderr = out
	}
	detach(cmd, wait)
	p := &process{
		cmd: cmd, pipe: in, ended: make(chan struct{}), drained: make(chan struct{}),
		output: newOutput(or(s.Keep, 128<<10), or(s.Flood, 1<<30)),
	}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	p.limit()
	_, err = release.Write([]byte("\n"))
	go p.read()
	go p.await()
	if err != nil && !isWindows {
		p.stop(false, 0)
		p.sweep()
		p.reap()
		p.drain()
		return nil, fmt.Errorf("let it go: %w", err)
	}
	return p, nil
}

// read takes the output as it comes and drops what is not kept.
func (p *process) read() {
	defer close(p.drained)
	// A read fails at the end of all writers or at drain's deadline: either way
	// there is no more.
	_, _ = io.CopyBuffer(struct{ io.Writer }{p.output}, struct{ io.Reader }{p.pipe}, make([]byte, 64<<10))
}

// stop asks the group to end, if asked to be polite, and then makes it.
func (p *process) stop(polite bool, grace time.Duration) {
	if polite {
		p.terminate()
		select {
		case <-p.ended:
			return
		case <-time.After(grace):
		}
	}
	p.kill()
}

// reap collects the command's status. A command that even SIGKILL did not end
// within two seconds hangs in the kernel: it is left behind.
func (p *process) reap() (exit int, signal string, ended bool) {
	select {
	case <-p.ended:
		exit, signal = p.collect()
		return exit, signal, true
	case <-time.After(2 * time.Second):
		return -1, "SIGKILL", false
	}
}

// drain waits for the output of processes that are gone. One that could not be
// ended may hold the pipe for ever, so this does not wait for it.
func (p *process) drain() {
	// Some systems have no deadlines on pipes; there closing must do.
	_ = p.pipe.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	select {
	case <-p.drained:
	case <-time.After(200 * time.Millisecond):
	}
	_ = p.pipe.Close()
}
