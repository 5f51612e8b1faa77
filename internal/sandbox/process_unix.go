//go:build unix

package sandbox

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// detach gives the command a session of its own, which has no terminal, and
// the pipe on which it waits as descriptor 3.
func detach(cmd *exec.Cmd, wait *os.File) {
	cmd.ExtraFiles = []*os.File{wait}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	endWithUs(cmd.SysProcAttr)
}

// terminate asks the group to end; stopped members are woken to hear of it.
func (p *process) terminate() {
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGTERM)
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGCONT)
}

// kill ends the group. The command is not reaped before this, so its number
// cannot have become another group's.
func (p *process) kill() {
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
}

// collect gives the exit status, or -1 and the name of the signal that ended
// the command, which is over.
func (p *process) collect() (exit int, signal string) {
	_ = p.cmd.Wait() // an error only repeats what the state says
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return -1, unix.SignalName(status.Signal())
	}
	return p.cmd.ProcessState.ExitCode(), ""
}
