package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
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

// endWithUs has the kernel end the command itself if this process dies without
// a chance to; it does so when the starting thread ends, which Run holds. What the command started lives on until a process
// namespace is put around it.
func endWithUs(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// limit marks the waiting shell and forbids core files, which would hold
// whatever is in memory. A kernel that refuses leaves the session to go by.
func (p *process) limit() {
	pid := p.cmd.Process.Pid
	p.session, _ = unix.Getsid(0)
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	mark := 1<<40 + rand.Uint64N(1<<61)
	if unix.Prlimit(pid, rlimitLocks, &unix.Rlimit{Cur: mark, Max: mark}, nil) == nil {
		p.mark, p.carried = mark, fmt.Appendf(nil, " %d ", mark)
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
//
// A list of processes is old when it has been read: one that keeps forking and
// exiting can slip through. So a list without any of ours counts only if nothing
// was started meanwhile; where something was, by whomever, the youngest are
// looked at by number, which is faster than they can go, for a while.
func (p *process) sweep() (left []int) {
	p.kill()
	foreign := make(map[int]bool)
	begin, quiet := time.Now(), 0
	for {
		last := youngest()
		left = p.killAll(foreign)
		switch {
		case len(left) > 0:
			quiet = 0
			time.Sleep(200 * time.Microsecond) // for them to be gone
		case last > 0 && youngest() == last:
			return nil
		case p.hunt(foreign):
			quiet = 0
		default:
			if quiet++; quiet > 2 {
				return nil
			}
		}
		if time.Since(begin) > 2*time.Second {
			return left
		}
	}
}

// killAll goes through all processes once, the youngest first, and gives those
// of ours that it found alive. What it has seen to be foreign it skips.
func (p *process) killAll(foreign map[int]bool) (found []int) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	entries, err := proc.Readdirnames(-1)
	if err != nil {
		return nil
	}
	for _, name := range slices.Backward(entries) {
		if pid, err := strconv.Atoi(name); err == nil && p.killOne(pid, foreign) {
			found = append(found, pid)
		}
	}
	return found
}

// hunt looks for a while at whatever process is the youngest.
func (p *process) hunt(foreign map[int]bool) (found bool) {
	for range 100 {
		last := youngest()
		for pid := last; pid > max(last-4, 1); pid-- {
			found = p.killOne(pid, foreign) || found
		}
		if found {
			return true
		}
	}
	return false
}

// youngest is the number of the process that was started last, 0 if unknown.
func youngest() int {
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(string(bytes.TrimSpace(load[bytes.LastIndexByte(load, ' ')+1:])))
	return pid
}

// killOne ends a process with its whole group if it is one of the command's,
// and reports whether it was alive. The command began in a session of its own,
// so every group that one of its processes is in was made by them and holds
// nobody else. And the kernel kills a group as one: a member cannot escape by
// forking.
func (p *process) killOne(pid int, foreign map[int]bool) (alive bool) {
	if pid == p.cmd.Process.Pid || foreign[pid] {
		return false
	}
	group, err := syscall.Getpgid(pid)
	if err != nil {
		return false
	}
	session, err := unix.Getsid(pid)
	if err != nil {
		return false
	}
	if session == p.session || session == 0 || (p.mark == 0 && session != p.cmd.Process.Pid) {
		foreign[pid] = true // our own session's, or the kernel's
		return false
	}
	if p.mark != 0 {
		limits, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/limits")
		if err != nil {
			return false
		}
		if !bytes.Contains(limits, p.carried) {
			foreign[pid] = true
			return false
		}
	}
	if group > 1 && group != syscall.Getpgrp() {
		_ = syscall.Kill(-group, syscall.SIGKILL)
	} else {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return !dead(pid)
}

// dead reports whether a process is gone or waits to be collected. Where we are
// the first process of a container, orphans become our children; this one is
// nobody else's to wait for.
func dead(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	// The name before the last bracket may hold anything.
	state := bytes.TrimSpace(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(state) > 0 && state[0] != 'Z' && state[0] != 'X' {
		return false
	}
	_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
	return true
}
