package sandbox

import (
	"os"
	"os/exec"
	"syscall"
)

// detach gives the command a group of its own, away from our console's signals.
// cmd.exe takes its command as it stands, without the usual quoting. Nothing
// waits to be released.
func detach(cmd *exec.Cmd, _ *os.File) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
	if len(cmd.Args) == 3 && cmd.Args[1] == "/C" {
		cmd.SysProcAttr.CmdLine = syscall.EscapeArg(cmd.Args[0]) + " /D /S /C \"" + cmd.Args[2] + "\""
	}
}

func (p *process) limit() {}

func (p *process) await() {
	defer close(p.ended)
	_ = p.cmd.Wait() // an error only repeats what the state says
}

// terminate has no polite form here.
func (p *process) terminate() { p.kill() }

func (p *process) kill() { _ = p.cmd.Process.Kill() }

// sweep ends nothing more: job objects are not used yet.
func (p *process) sweep() (left []int) { return nil }

func (p *process) collect() (exit int, signal string) {
	return p.cmd.ProcessState.ExitCode(), ""
}
