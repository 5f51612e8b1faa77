package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agentloop/agentloop/internal/standin"
)

// one is a file in which one block changes something, and what must come of it.
type one struct {
	name     string
	file     string // its content
	old, new string // the sides of the block
	want     string // the content afterwards; "" where the block is refused
	mode     fs.FileMode
	shown    []string // what the next prompt must say of a refused block
}

const (
	total = "func total(list []item) (int, error) {\n\tsum := 0\n\tfor _, it := range list {\n\t\tif it.price < 0 {\n" +
		"\t\t\treturn 0, errNegative\n\t\t}\n\t\tsum += it.price\n\t}\n\treturn sum, nil\n}\n"
	deep = "class A:\n    def f(self):\n        if self.x:\n            return 1\n        return 2\n"
)

// fidelity is the table of BENCHMARKS 5: a line is edited, every other byte stays.
var fidelity = []one{
	{name: "plain", file: "a\nb\nc\n", old: "b", new: "B", want: "a\nB\nc\n"},
	{name: "CRLF", file: "a\r\nb\r\nc\r\n", old: "b", new: "B\nB2", want: "a\r\nB\r\nB2\r\nc\r\n"},
	{name: "CRLF over several lines", file: "a\r\nb\r\nc\r\n", old: "a\nb", new: "a\nB", want: "a\r\nB\r\nc\r\n"},
	{name: "mixed line endings", file: "a\r\nb\nc\r\nd\n", old: "b", new: "B", want: "a\r\nB\nc\r\nd\n"},
	{name: "mixed line endings, context around", file: "a\r\nb\nc\r\nd\n", old: "a\nb\nc", new: "a\nB\nc", want: "a\r\nB\nc\r\nd\n"},
	{name: "lone carriage returns", file: "a\rx\nb\r\r\nc\n", old: "c", new: "C", want: "a\rx\nb\r\r\nC\n"},
	{name: "BOM, edit in line 1", file: "\ufeffa\nb\n", old: "a", new: "A", want: "\ufeffA\nb\n"},
	{name: "BOM and CRLF, edit in line 1", file: "\ufeffa\r\nb\r\n", old: "a\nb", new: "A\nb", want: "\ufeffA\r\nb\r\n"},
	{name: "BOM, edit below", file: "\ufeffa\nb\n", old: "b", new: "B", want: "\ufeffa\nB\n"},
	{name: "no final newline, edit above", file: "a\nb", old: "a", new: "A", want: "A\nb"},
	{name: "no final newline, edit in the last line", file: "a\nb", old: "b", new: "B", want: "a\nB"},
	{name: "no final newline, CRLF", file: "a\r\nb", old: "a\nb", new: "a\nB", want: "a\r\nB"},
	{name: "empty lines at the end", file: "a\nb\n\n\n", old: "b", new: "B", want: "a\nB\n\n\n"},
	{name: "Latin-1 elsewhere", file: "caf\xe9\nb\n\xff\xfe\n", old: "b", new: "B", want: "caf\xe9\nB\n\xff\xfe\n"},
	{name: "Latin-1 in a context line's neighbour", file: "// caf\xe9\nb\nc\n", old: "b\nc", new: "B\nc", want: "// caf\xe9\nB\nc\n"},
	{name: "control characters elsewhere", file: "\x1b[31m\x0c\nb\n\x7f\x01\n", old: "b", new: "B", want: "\x1b[31m\x0c\nB\n\x7f\x01\n"},
	{name: "exec bit", file: "#!/bin/sh\necho a\n", mode: 0o755, old: "echo a", new: "echo b", want: "#!/bin/sh\necho b\n"},
	{name: "0600", file: "a\nb\n", mode: 0o600, old: "b", new: "B", want: "a\nB\n"},
	{name: "0640", file: "a\nb\n", mode: 0o640, old: "b", new: "B", want: "a\nB\n"},
	{
		name: "search twice", file: "start\nsame\nmiddle\nsame\nend\n", old: "same", new: "other",
		shown: []string{"2 places", "start\nsame\nmiddle", "middle\nsame\nend"},
	},
	{
		name: "search indented 4, file 8", file: deep, old: "    return 2", new: "    y = 2\n    return y",
		want: strings.Replace(deep, "        return 2", "        y = 2\n        return y", 1),
	},
	{
		name: "search in spaces, file in tabs", file: total,
		old:  "        sum += it.price\n    }\n    return sum, nil",
		new:  "        sum += it.price\n    }\n    if sum > most {\n        sum = most\n    }\n    return sum, nil",
		want: strings.Replace(total, "\treturn sum", "\tif sum > most {\n\t\tsum = most\n\t}\n\treturn sum", 1),
	},
	{
		name: "one of five lines wrong, a context line", file: total,
		old:  "\tsum := 1\n\tfor _, it := range list {\n\t\tif it.price < 0 {\n\t\t\treturn 0, errNegative\n\t\t}",
		new:  "\tsum := 1\n\tfor _, it := range list {\n\t\tif it.price <= 0 {\n\t\t\treturn 0, errNegative\n\t\t}",
		want: strings.Replace(total, "price < 0", "price <= 0", 1),
	},
	{
		name: "one of five lines wrong, the one to replace", file: total,
		old:   "\tsum := 1\n\tfor _, it := range list {\n\t\tif it.price < 0 {\n\t\t\treturn 0, errNegative\n\t\t}",
		new:   "\tsum := 2\n\tfor _, it := range list {\n\t\tif it.price < 0 {\n\t\t\treturn 0, errNegative\n\t\t}",
		shown: []string{"sum := 1", "\tsum := 0\n\tfor _, it := range list {"},
	},
}

// TestFidelity plays the table twice: a saved reply is applied, and a run gets
// it from a model, who is told what was refused. What goes in and what is refused
// are replies of their own, for the exit status.
func TestFidelity(t *testing.T) {
	for _, in := range []bool{true, false} {
		var cases []one
		for _, c := range fidelity {
			if (c.want != "") == in {
				cases = append(cases, c)
			}
		}
		for _, command := range []string{"apply", "run"} {
			t.Run(fmt.Sprintf("%s/in=%v", command, in), func(t *testing.T) { playFidelity(t, command, cases, in) })
		}
	}
}

func playFidelity(t *testing.T, command string, cases []one, in bool) {
	r := emptyFidelity(t, t.TempDir())
	var paths []string
	var reply strings.Builder
	for i, c := range cases {
		paths = append(paths, fmt.Sprintf("sub/file%02d.txt", i))
		r.write(paths[i], c.file, r.mode(c))
		reply.WriteString(fidelityBlock(paths[i], c.old, c.new))
	}
	r.write("sub/other.txt", "untouched\n", 0o644)
	r.commit()
	var exit int
	var out, next string
	if command == "apply" {
		exit, out = r.agentloop(reply.String(), "apply", "-")
	} else {
		var asked []standin.Request
		exit, out, asked = r.runWith(standin.NewScript(reply.String()), append([]string{"--rounds", "2"}, paths...)...)
		if !in && len(asked) == 2 {
			_, next, _ = strings.Cut(asked[1].Chat.Users(), "\n# What happened") // behind the files themselves
		}
	}
	if (exit == 0) != in {
		t.Errorf("exit status %d:\n%s", exit, out)
	}
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r.on(t).judge(c, paths[i])
			for _, text := range c.shown {
				if command == "run" && !strings.Contains(next, text) {
					t.Errorf("the next prompt does not show %q:\n%s", text, next)
				}
			}
		})
	}
	r.holds("sub/other.txt", "untouched\n")
	r.clean()
}

// judge compares what was left at path with what c wants.
func (r *fidelityRepo) judge(c one, path string) {
	r.t.Helper()
	want := c.want
	if want == "" {
		want = c.file
	}
	r.holds(path, want)
	info, err := os.Lstat(r.at(path))
	if err != nil || !info.Mode().IsRegular() {
		r.t.Fatalf("%v, %v", info, err)
	}
	if mode := r.mode(c); runtime.GOOS != "windows" && info.Mode().Perm() != mode {
		r.t.Errorf("the mode is %v, want %v", info.Mode().Perm(), mode)
	}
}

// on gives the same repository to another test.
func (r *fidelityRepo) on(t *testing.T) *fidelityRepo { return &fidelityRepo{t, r.dir, r.box} }

func (r *fidelityRepo) mode(c one) fs.FileMode {
	if c.mode == 0 {
		return 0o644
	}
	return c.mode
}

// fidelityRepo is a git repository, and a home of its own beside it.
type fidelityRepo struct {
	t        *testing.T
	dir, box string
}

func newFidelity(t *testing.T, c one) *fidelityRepo {
	r := emptyFidelity(t, t.TempDir())
	r.write("sub/file.txt", c.file, r.mode(c))
	r.write("sub/other.txt", "untouched\n", 0o644)
	r.commit()
	return r
}

// emptyFidelity makes the repository below box, without a file.
func emptyFidelity(t *testing.T, box string) *fidelityRepo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git on this machine")
	}
	r := &fidelityRepo{t: t, box: box, dir: filepath.Join(box, "tree")}
	r.check(errors.Join(os.MkdirAll(r.dir, 0o755), os.MkdirAll(filepath.Join(box, "home"), 0o755)))
	r.git("init", "-q")
	return r
}

func (r *fidelityRepo) at(path string) string { return filepath.Join(r.dir, filepath.FromSlash(path)) }

func (r *fidelityRepo) check(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *fidelityRepo) write(path, text string, mode fs.FileMode) {
	r.t.Helper()
	name := r.at(path)
	r.check(errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), mode), os.Chmod(name, mode)))
}

func (r *fidelityRepo) holds(path, want string) {
	r.t.Helper()
	if got, err := os.ReadFile(r.at(path)); err != nil || string(got) != want {
		r.t.Errorf("%s holds\n%q (%v), want\n%q", path, got, err, want)
	}
}

// clean looks for files of ours that were left behind.
func (r *fidelityRepo) clean() {
	r.t.Helper()
	if left, _ := filepath.Glob(r.at("sub/.agentloop-*")); len(left) > 0 {
		r.t.Errorf("left behind: %v", left)
	}
}

func (r *fidelityRepo) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.autocrlf=false", "-c", "user.name=U", "-c", "user.email=u@localhost"}, args...)...)
	cmd.Dir, cmd.Env = r.dir, r.environment("")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}

func (r *fidelityRepo) commit() {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "as it was")
}

// environment holds nothing of the tester's own but the search path.
func (r *fidelityRepo) environment(url string) []string {
	home := filepath.Join(r.box, "home")
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "USERPROFILE=" + home, "SystemRoot=" + os.Getenv("SystemRoot"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"GIT_CONFIG_NOSYSTEM=1", "OPENAI_API_KEY=" + scriptKey, "OPENAI_BASE_URL=" + url, "NO_PROXY=127.0.0.1",
	}
}

// agentloop runs the program on the tree and gives its exit status and all that it said.
func (r *fidelityRepo) agentloop(in string, args ...string) (int, string) {
	r.t.Helper()
	return r.program("", in, args...)
}

func (r *fidelityRepo) program(url, in string, args ...string) (int, string) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "agentloop", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.environment(url), strings.NewReader(in)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// run does a task with sub/file.txt, against a model that says the replies.
func (r *fidelityRepo) run(replies []string, flags ...string) (int, string, []standin.Request) {
	r.t.Helper()
	return r.runWith(standin.NewScript(replies...), append(flags, "sub/file.txt")...)
}

func (r *fidelityRepo) runWith(p standin.Player, args ...string) (int, string, []standin.Request) {
	r.t.Helper()
	s, err := standin.Serve(p, nil)
	r.check(err)
	defer s.Close()
	exit, out := r.program(s.URL(), "", append([]string{"run", "--model", "standin", "change the file"}, args...)...)
	return exit, out, s.Requests()
}

// fidelityBlock writes one edit in the search-replace format.
func fidelityBlock(path, old, with string) string {
	return path + "\n```\n<<<<<<< SEARCH\n" + old + "\n=======\n" + with + "\n>>>>>>> REPLACE\n```\n\n"
}
