package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// escapes are ways to outlive a check. %s is a sleep that tells them apart.
func escapes() map[string]string {
	return map[string]string{
		"background":                `%s &`,
		"nohup":                     `nohup %s >/dev/null 2>&1 &`,
		"own group":                 `set -m; %s & true`,
		"own session":               `setsid %s &`,
		"double fork":               `(setsid sh -c '%s & ' &)`,
		"daemon":                    `(cd / && setsid sh -c 'exec </dev/null >/dev/null 2>&1; %s &' &)`,
		"empty environment":         `env -i /usr/bin/setsid %s >/dev/null 2>&1 &`,
		"deaf":                      `(trap '' TERM HUP INT QUIT; exec setsid %s) &`,
		"stopped":                   `setsid sh -c 'kill -STOP $$; exec %s' &`,
		"starts another":            `setsid sh -c 'while :; do %s; done' >/dev/null 2>&1 &`,
		"forks itself onward":       `setsid sh -c 'f() { [ $1 -lt 400 ] && { f $(($1+1)) & } || { %s; }; exit; }; f 0' >/dev/null 2>&1 &`,
		"forks itself onward, fast": `command -v perl >/dev/null && setsid perl -e 'for (1..4000) { exit if fork } exec "%s"' >/dev/null 2>&1 &`,
	}
}

func needSetsid(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid here")
	}
}

func TestNothingSurvives(t *testing.T) {
	needSetsid(t)
	for name, escape := range escapes() {
		for _, end := range []string{"passes", "times out"} {
			t.Run(name+", "+end, func(t *testing.T) {
				t.Parallel()
				s := newShell(t)
				sleep := uniqueSleep(t)
				command := fmt.Sprintf(escape, sleep) + "\nsleep 0.1"
				if end == "times out" {
					s.Timeout = 250 * time.Millisecond
					command += "; sleep 60"
				}
				run := s.must(t, command)
				if run.TimedOut != (end == "times out") || run.Elapsed > 5*time.Second {
					t.Errorf("got %+v", run)
				}
				if alive := processes(sleep); len(alive) > 0 {
					t.Errorf("%d survive: %v", len(alive), alive)
				}
			})
		}
	}
}

// Without the sweep the same ways do leave survivors: the test above can fail.
func TestSurvivorsWithoutTheSweep(t *testing.T) {
	needSetsid(t)
	for _, name := range []string{"own session", "double fork", "daemon", "empty environment"} {
		sleep := uniqueSleep(t)
		cmd := exec.Command("sh", "-c", fmt.Sprintf(escapes()[name], sleep)+"\nsleep 0.2")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		time.Sleep(20 * time.Millisecond)
		alive := processes(sleep)
		if len(alive) == 0 {
			t.Errorf("%s: killing the group was enough", name)
		}
		for _, pid := range alive {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// A process that is not the check's own must live on, also if it is a sibling.
func TestOthersAreLeftAlone(t *testing.T) {
	s := newShell(t)
	other := exec.Command("sleep", "60")
	other.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	slow := make(chan error, 1)
	go func() {
		run, err := s.Run(t.Context(), "(setsid sleep 0.5; echo whole) & wait")
		if err == nil && (!run.Passed() || run.Head != "whole\n") {
			err = fmt.Errorf("got %+v", run)
		}
		slow <- err
	}()
	for range 5 {
		s.must(t, "setsid sleep 60 & true")
	}
	if err := <-slow; err != nil {
		t.Errorf("a check that ran beside others: %v", err)
	}
	if err := syscall.Kill(other.Process.Pid, 0); err != nil {
		t.Errorf("another process of ours: %v", err)
	}
}

// Without a mark the session still tells most descendants.
func TestSweepWithoutMark(t *testing.T) {
	s := newShell(t)
	sleep := uniqueSleep(t)
	p, err := s.start("set -m; " + sleep + " & true")
	if err != nil {
		t.Fatal(err)
	}
	<-p.ended
	p.mark = 0
	if left := p.sweep(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	p.reap()
	p.drain()
	if alive := processes(sleep); len(alive) > 0 {
		t.Errorf("survive: %v", alive)
	}
}

// A killed agentloop does not leave its check running.
func TestTheCommandDiesWithUs(t *testing.T) {
	if sleep := os.Getenv("SANDBOX_TEST_SLEEP"); sleep != "" {
		s := &Shell{Dir: os.Getenv("SANDBOX_TEST_DIR")}
		_, err := s.Run(t.Context(), "exec "+sleep)
		t.Fatalf("not killed: %v", err)
	}
	sleep := uniqueSleep(t)
	us := exec.Command(os.Args[0], "-test.run=^TestTheCommandDiesWithUs$")
	us.Env = append(os.Environ(), "SANDBOX_TEST_SLEEP="+sleep, "SANDBOX_TEST_DIR="+t.TempDir())
	if err := us.Start(); err != nil {
		t.Fatal(err)
	}
	wait := func(alive bool) bool {
		for range 300 {
			if len(processes(sleep)) > 0 == alive {
				return true
			}
			time.Sleep(10 * time.Millisecond)
		}
		return false
	}
	if !wait(true) {
		t.Error("the command did not start")
	}
	_ = us.Process.Kill()
	_ = us.Wait()
	if !wait(false) {
		t.Errorf("survive: %v", processes(sleep))
	}
}

func TestTheCommandLeadsItsOwnSession(t *testing.T) {
	run := newShell(t).must(t, `set -- $(cat /proc/$$/stat); echo "$1 $5 $6"; [ $5 = $$ ] && [ $6 = $$ ]`)
	if !run.Passed() {
		t.Errorf("number, group, session: %q", run.Head)
	}
}

func TestNoCoreFiles(t *testing.T) {
	if run := newShell(t).must(t, "ulimit -c"); run.Head != "0\n" {
		t.Errorf("core limit %q", run.Head)
	}
}

// uniqueSleep is a command that can be found by its argument.
func uniqueSleep(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("sleep 3%09d", time.Now().UnixNano()%1_000_000_000)
}

// processes finds living processes by their arguments.
func processes(args string) []int {
	var alive []int
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		line, err := os.ReadFile(path)
		if err != nil || !strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), args) {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(path, "/proc/%d/", &pid); err == nil && pid != os.Getpid() {
			alive = append(alive, pid)
		}
	}
	return alive
}
