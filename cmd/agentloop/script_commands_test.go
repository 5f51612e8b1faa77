package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/agentloop/agentloop/internal/standin"
)

// makeRepo is "repo DIR": makes a git repository of a folder, all of it committed.
func makeRepo(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: repo DIR")
	}
	dir := ts.MkAbs(args[0])
	for _, git := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "--allow-empty", "-m", "as it was"}} {
		ts.Check(ts.Exec("git", append([]string{"-C", dir}, git...)...))
	}
}

// serverKey keeps a script's stand-in where its other commands find it.
type serverKey struct{}

// startStandin is "standin [-WIRE…] REPLY…": serves the replies, one a request,
// and points OPENAI_BASE_URL at the server. A WIRE (401, 500, html, cut, stall…)
// is how one answer travels, in order; later ones travel well.
func startStandin(ts *testscript.TestScript, _ bool, args []string) {
	var wires []standin.Wire
	var replies []standin.Answer
	for _, arg := range args {
		name, ok := strings.CutPrefix(arg, "-")
		if !ok {
			replies = append(replies, answerOf(ts.ReadFile(arg)))
			continue
		}
		switch code, err := strconv.Atoi(name); {
		case err == nil:
			wires = append(wires, standin.Wire{Status: code})
		case name == "html":
			wires = append(wires, standin.HTMLPage())
		case name == "cut":
			wires = append(wires, standin.Wire{Cut: 40})
		case name == "stall":
			wires = append(wires, standin.Wire{StallAt: 1, Stall: standin.MaxStall})
		case name == "notools":
			wires = append(wires, standin.Wire{Status: 400, Body: "Unsupported parameter: 'tools' is not supported with this model."})
		case name == "echo":
			wires = append(wires, standin.Wire{Status: 401, Body: "the key " + scriptKey + " is not valid"})
		default:
			ts.Fatalf("there is no wire %q", name)
		}
	}
	s, err := standin.Serve(standin.NewAnswers(replies...), standin.InOrder(wires...))
	ts.Check(err)
	ts.Defer(func() { s.Close() })
	ts.Setenv("OPENAI_BASE_URL", s.URL())
	ts.Value(serverKey{}).(*scriptServer).Server = s
}

// answerOf reads a reply in which the lines "@call NAME ARGUMENTS" are calls.
func answerOf(text string) (a standin.Answer) {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "@call ")
		if !ok {
			a.Text += line
			continue
		}
		name, args, _ := strings.Cut(strings.TrimSpace(rest), " ")
		a.Calls = append(a.Calls, standin.Call{ID: fmt.Sprint("c", len(a.Calls)), Name: name, Arguments: args})
	}
	return a
}

// scriptServer is the stand-in that a script started last.
type scriptServer struct{ *standin.Server }

func requests(ts *testscript.TestScript) []standin.Request {
	s := ts.Value(serverKey{}).(*scriptServer).Server
	if s == nil {
		ts.Fatalf("no stand-in was started")
	}
	return s.Requests()
}

// asked is "asked N": the model got exactly so many requests.
func asked(ts *testscript.TestScript, _ bool, args []string) {
	if got := strconv.Itoa(len(requests(ts))); len(args) != 1 || got != args[0] {
		ts.Fatalf("the model was asked %s times, not %v", got, args)
	}
}

// prompt is "prompt N FILE": writes what the N-th request said, from 1.
func prompt(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: prompt N FILE")
	}
	all := requests(ts)
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 || n > len(all) {
		ts.Fatalf("there is no request %s", args[0])
	}
	chat := all[n-1].Chat
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(chat.System()+"\n"+chat.Users()), 0o644))
}

// status is "status N COMMAND…": the command ends with this exit status.
func status(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND...")
	}
	if got := exitStatus(ts, args[1:]); strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, not %s", got, args[0])
	}
}

func exitStatus(ts *testscript.TestScript, command []string) int {
	err := ts.Exec(command[0], command[1:]...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if exit != nil {
		return exit.ExitCode()
	}
	return 0
}

// refused is "refused PATTERN COMMAND…": exit status 2, nothing on standard
// output, one line on standard error that fits the pattern and one more at most,
// which is a hint; by the rules of speech of term.go; and nothing changed on the
// disk. It is the bar for every wrong invocation and configuration.
func refused(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: refused PATTERN COMMAND...")
	}
	before := fingerprint(ts, ts.Getenv("WORK"))
	if got := exitStatus(ts, args[1:]); got != 2 {
		ts.Fatalf("exit status %d, not 2", got)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("standard output holds %q", out)
	}
	said := strings.Split(strings.TrimSuffix(ts.ReadFile("stderr"), "\n"), "\n")
	line, ok := strings.CutPrefix(said[0], "agentloop: ")
	fits, err := regexp.MatchString(args[0], line)
	switch first, _ := utf8.DecodeRuneInString(line); {
	case err != nil:
		ts.Fatalf("%v", err)
	case !ok || !fits:
		ts.Fatalf("standard error should be a line %q", args[0])
	case len(said) > 2 || len(said) == 2 && !strings.HasPrefix(said[1], "hint: "):
		ts.Fatalf("standard error has more than one line and a hint")
	case unicode.IsUpper(first), strings.HasSuffix(line, "."), len(line) > 300:
		ts.Fatalf("not by the rules of speech: %q", line)
	}
	if after := fingerprint(ts, ts.Getenv("WORK")); after != before {
		ts.Fatalf("something on the disk changed")
	}
}

// fingerprint stands for all files below dir, git's own among them.
func fingerprint(ts *testscript.TestScript, dir string) string {
	sum := sha256.New()
	ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == filepath.Join(dir, ".tmp"):
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(sum, path, info.Mode())
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			sum.Write(text)
			return err
		}
		return nil
	}))
	return string(sum.Sum(nil))
}

// events is "events FILE": standard output is JSON lines, the schema first in
// each, numbered from 1 without a gap; writes the sequence of events in short.
func events(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: events FILE")
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		n++
		if head := fmt.Sprintf(`{"schema":1,"seq":%d,"time":"`, n); !strings.HasPrefix(line, head) {
			ts.Fatalf("line %d does not begin with %s: %s", n, head, line)
		}
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			ts.Fatalf("line %d: %v", n, err)
		}
		b.WriteString(e["event"].(string))
		for _, key := range []string{"round", "attempt", "path", "status", "tier", "reason", "passed", "applied", "failed", "to", "delete"} {
			if v, ok := e[key]; ok {
				fmt.Fprintf(&b, " %s=%v", key, v)
			}
		}
		if v, ok := e["verdict"].(map[string]any); ok {
			fmt.Fprintf(&b, " verdict=%v exit=%v", v["status"], v["exit"])
		}
		b.WriteByte('\n')
	}
	if n == 0 {
		ts.Fatalf("standard output is empty")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o644))
}

// hunt is "! hunt TEXT DIR…": no file below the folders holds the text, and
// "hunt TEXT DIR…" the opposite.
func hunt(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: [!] hunt TEXT DIR...")
	}
	var found []string
	for _, dir := range args[1:] {
		ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			if strings.Contains(string(text), args[0]) {
				found = append(found, path)
			}
			return err
		}))
	}
	if neg == (len(found) > 0) {
		ts.Fatalf("%q was found in %v", args[0], found)
	}
}
