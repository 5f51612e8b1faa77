package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// rlimitLocks is a limit that the kernel keeps and hands down to children but
// has not acted on since Linux 2.4. Only root can raise it. So a random value
// there marks all descendants of one command, in whatever session, with
// whatever parent and environment, and no process of anybody else's. Unlike
// PR_SET_CHILD_SUBREAPER it does not make this process the parent of other
// programs' orphans, and commands that run at the same time stay apart.
const rlimitLocks = 10

// limit marks the waiting shell and forbids core files, which would hold
// whatever is in memory. A kernel that refuses leaves the session to go by.
func (p *process) limit() {
	pid := p.cmd.Process.Pid
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	mark := 1<<40 + rand.Uint64N(1<<61)
	if unix.Prlimit(pid, rlimitLocks, &unix.Rlimit{Cur: mark, Max: mark}, nil) == nil {
		p.mark = mark
	}
}

// await learns of the command's end without reaping it, so that its number
// stays its own until the group is killed.
func (p *process) await() {
	defer close(p.ended)
	for {
		err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}

// sweep ends every process that came from the command, and gives the numbers of
// those that it could not end within two seconds.
func (p *process) sweep() (left []int) {
	p.kill()
	for deadline := time.Now().Add(2 * time.Second); ; time.Sleep(time.Millisecond) {
		if left = p.killAll(); len(left) == 0 || time.Now().After(deadline) {
			return left
		}
	}
}

// killAll goes through all processes once and gives those that it found alive.
func (p *process) killAll() (found []int) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	entries, err := proc.Readdirnames(-1)
	if err != nil {
		return nil
	}
	for _, name := range entries {
		pid, err := strconv.Atoi(name)
		if err == nil && pid != p.cmd.Process.Pid && p.killOne(pid) {
			found = append(found, pid)
		}
	}
	return found
}

// killOne ends a process if it is one of the command's. It is held by a
// descriptor while it is looked at, so that the one looked at is the one killed.
func (p *process) killOne(pid int) (alive bool) {
	if !p.owns(pid) {
		return false
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, syscall.ESRCH) {
		return false
	}
	if err != nil { // an old kernel
		return syscall.Kill(pid, syscall.SIGKILL) == nil
	}
	defer unix.Close(fd)
	if !p.owns(pid) {
		return false
	}
	_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
	return true
}

// owns reports whether a living process came from the command.
func (p *process) owns(pid int) bool {
	dir := "/proc/" + strconv.Itoa(pid)
	if p.mark != 0 {
		limits, err := os.ReadFile(dir + "/limits")
		if err != nil || !bytes.Contains(limits, fmt.Appendf(nil, " %d ", p.mark)) {
			return false
		}
	}
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return false
	}
	// The name before the last bracket may hold anything; behind it stand state,
	// parent, group, session.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 4 || (p.mark == 0 && fields[3] != strconv.Itoa(p.cmd.Process.Pid)) {
		return false
	}
	if fields[0] != "Z" && fields[0] != "X" {
		return true
	}
	// Where we are the first process of a container, orphans become our
	// children. This one is nobody else's to wait for.
	_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	return false
}
