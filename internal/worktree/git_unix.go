//go:build unix

package worktree

import (
	"os"
	"os/exec"
	"syscall"
)

// detach gives git a session of its own: no terminal to ask on, no interrupt
// from the keyboard. When its time is up it is asked to end, so that it removes
// its locks.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
}

// foreign reports whether path belongs to another user.
func foreign(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) != os.Geteuid()
}
