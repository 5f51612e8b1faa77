package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// repository is a git repository with two files for runs to edit.
type repository struct {
	dir     string // the tree
	home    string // home, configuration and state of its runs
	target  string // the file that is edited
	other   string // the one where edits fail
	content string // of target
}

// source is a file's text: n functions that a block can name one by one.
func source(name string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n", name)
	for i := range n {
		fmt.Fprintf(&b, "\n// Step%02d adds %d.\nfunc Step%02d(a int) int {\n\treturn a + %d\n}\n", i, i, i, i)
	}
	return b.String()
}

// tiny makes a repository of five files.
func (b *bench) tiny(ctx context.Context) (*repository, error) {
	r := &repository{dir: filepath.Join(b.work, "tiny"), target: "steps.go", other: "other.go", content: source("tiny", 40)}
	if err := os.RemoveAll(r.dir); err != nil {
		return nil, fmt.Errorf("clear %s: %w", r.dir, err)
	}
	err := r.fill(ctx, func(file func(path, text string)) {
		file("README.md", "# Tiny\n\nA repository of five files.\n")
		file("go.mod", "module example.com/tiny\n\ngo 1.26\n")
		file("steps_test.go", "package tiny\n")
		file(r.target, r.content)
		file(r.other, source("tiny", 3))
	})
	return r, err
}

// large makes a repository of many files, unless an earlier run left it here.
func (b *bench) large(ctx context.Context) (*repository, error) {
	r := &repository{
		dir:    filepath.Join(b.work, fmt.Sprintf("large-%d", b.files)),
		target: "mod00/pkg00/steps.go", other: "mod00/pkg00/other.go", content: source("pkg00", 40),
	}
	r.home = r.dir + ".home"
	if _, err := os.Stat(filepath.Join(r.home, "ready")); err == nil {
		return r, nil
	}
	if err := os.RemoveAll(r.dir); err != nil {
		return nil, fmt.Errorf("clear %s: %w", r.dir, err)
	}
	err := r.fill(ctx, func(file func(path, text string)) {
		file(r.target, r.content)
		file(r.other, source("pkg00", 3))
		for i := range b.files - 2 {
			line := fmt.Sprintf("// line %d\n", i)
			file(fmt.Sprintf("mod%02d/pkg%02d/file%02d.go", i/2000, i/50%40, i%50), strings.Repeat(line, 10))
		}
	})
	if err != nil {
		return nil, err
	}
	settle()
	if b.files > 1000 {
		time.Sleep(1100 * time.Millisecond) // git reads again every file that is as young as its index
	}
	if err := r.git(ctx, nil, "status"); err != nil {
		return nil, err
	}
	return r, os.WriteFile(filepath.Join(r.home, "ready"), nil, 0o644)
}

// fill commits what files names and checks it out.
func (r *repository) fill(ctx context.Context, files func(file func(path, text string))) error {
	r.home = r.dir + ".home"
	for _, dir := range []string{r.dir, r.home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("make %s: %w", dir, err)
		}
	}
	pipe, end := io.Pipe()
	go func() {
		w := bufio.NewWriterSize(end, 64<<10)
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter bench <bench@localhost> %d +0000\ndata 5\nfirst\n", time.Now().Unix())
		files(func(path, text string) { fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text) })
		end.CloseWithError(w.Flush())
	}()
	defer pipe.Close()
	if err := r.git(ctx, nil, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	if err := r.git(ctx, pipe, "fast-import", "--quiet"); err != nil {
		return err
	}
	return r.git(ctx, nil, "reset", "-q", "--hard")
}

// restore brings the tree back to where fill left it, without a trace of a run.
func (r *repository) restore(ctx context.Context) error {
	for _, dir := range []string{filepath.Join(r.dir, ".git", "refs", "agentloop"), filepath.Join(r.home, "state")} {
		if err := os.RemoveAll(dir); err != nil {
			return fmt.Errorf("clear %s: %w", dir, err)
		}
	}
	return r.git(ctx, nil, "checkout", "-q", "-f", "main", "--", r.target, r.other)
}

func (r *repository) git(ctx context.Context, in io.Reader, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "gc.auto=0", "-c", "maintenance.auto=0"}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.dir, r.environment(), in
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(out))
	}
	return nil
}

// environment holds nothing of the caller's but the search path: no key, no
// proxy, no configuration.
func (r *repository) environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "LANG=C.UTF-8", "NO_COLOR=1",
		"XDG_CONFIG_HOME=" + filepath.Join(r.home, "config"), "XDG_STATE_HOME=" + filepath.Join(r.home, "state"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "OPENAI_API_KEY=standin",
		"GIT_AUTHOR_NAME=bench", "GIT_AUTHOR_EMAIL=bench@localhost", "GIT_COMMITTER_NAME=bench", "GIT_COMMITTER_EMAIL=bench@localhost",
	}
}

// change edits the target as a user would.
func (r *repository) change() error {
	return os.WriteFile(filepath.Join(r.dir, filepath.FromSlash(r.target)), []byte(r.content+"\n// more\n"), 0o644)
}
