package worktree_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A repository whose configuration, hooks and attributes run a program wherever
// git lets them. Each payload leaves a mark. The control: the user's own git
// sets off most of them.
func TestHostileRepositoryRunsNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the payloads are shell scripts")
	}
	hostile := func(t *testing.T) (r *repo, marks func() []string) {
		r = committed(t, map[string]string{"a.txt": "a\n", "f.evil": "f\n", "g.evil": "g\n"})
		dir := t.TempDir()
		payload := func(name string) string {
			file := filepath.Join(dir, name+".sh")
			must(t, os.WriteFile(file, []byte(fmt.Sprintf("#!/bin/sh\ntouch %s/%s.mark\ncat\n", dir, name)), 0o755))
			return file
		}
		for key, name := range map[string]string{
			"core.fsmonitor": "fsmonitor", "core.pager": "pager", "core.editor": "editor", "core.askPass": "askpass", "core.sshCommand": "ssh",
			"diff.external": "diff", "diff.evil.textconv": "textconv", "diff.evil.command": "diffdriver", "filter.evil.clean": "clean",
			"filter.evil.smudge": "smudge", "merge.evil.driver": "merge", "gpg.program": "gpg", "credential.helper": "credential",
			"core.alternateRefsCommand": "alternates", "interactive.diffFilter": "difffilter", "sequence.editor": "sequence",
		} {
			r.git("config", key, payload(name))
		}
		r.git("config", "commit.gpgsign", "true")
		for _, hook := range []string{
			"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-index-change", "reference-transaction", "post-checkout",
			"pre-auto-gc", "post-rewrite", "fsmonitor-watchman",
		} {
			text, err := os.ReadFile(payload("hook-" + hook))
			must(t, err)
			must(t, os.MkdirAll(r.path(".git/hooks"), 0o777))
			must(t, os.WriteFile(r.path(".git/hooks/"+hook), []byte(strings.Replace(string(text), "\ncat\n", "\n", 1)), 0o755))
		}
		must(t, os.WriteFile(r.path(".git/info/attributes"), []byte("* diff=evil merge=evil\n*.evil filter=evil\n"), 0o644))
		r.write(map[string]string{"f.evil": "F\n", "dirty.txt": "d\n"})
		return r, func() []string {
			found, _ := filepath.Glob(filepath.Join(dir, "*.mark"))
			for i := range found {
				found[i] = strings.TrimSuffix(filepath.Base(found[i]), ".mark")
			}
			return found
		}
	}

	r, marks := hostile(t)
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n", "g.evil": "G\n", "new.txt": "n\n"})
	r.round(2, map[string]string{"a.txt": "AA\n"})
	staged := r.finish()
	if diff := cmp.Diff([]string{"a.txt", "new.txt"}, staged); diff != "" {
		t.Errorf("staged (a file whose filter the repository chooses is not): %s", diff)
	}
	_, err := r.repo.Commit(t.Context(), "r1", "message", r.run.Paths())
	must(t, err)
	_, err = r.repo.Diff(t.Context(), "refs/agentloop/r1/0", "refs/agentloop/r1/2")
	must(t, err)
	_, err = r.repo.Files(t.Context())
	must(t, err)
	_, err = r.repo.Dirty(t.Context(), []string{"a.txt"})
	must(t, err)
	_, err = r.repo.Runs(t.Context())
	must(t, err)
	r.undo()
	if found := marks(); len(found) > 0 {
		t.Errorf("set off: %q", found)
	}

	r, marks = hostile(t) // control
	for _, args := range [][]string{{"status"}, {"add", "-A"}, {"diff", "--cached"}, {"-c", "diff.external=", "diff", "HEAD"}, {"show", "HEAD"}, {"commit", "-m", "x"}} {
		r.tryGit(args...)
	}
	if found := marks(); len(found) < 6 {
		t.Errorf("control: only %q are set off without hardening", found)
	}
}

// Started from a hook, git tells its children which repository to work on. That
// is not ours. The control: a git that heeds it works on the foreign one.
func TestInheritedGitVariables(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "a\n"})
	foreign := committed(t, map[string]string{"foreign.txt": "f\n"})
	t.Setenv("GIT_DIR", foreign.path(".git"))
	t.Setenv("GIT_WORK_TREE", foreign.dir)
	t.Setenv("GIT_INDEX_FILE", foreign.path(".git/index"))
	t.Setenv("GIT_CONFIG_PARAMETERS", "'core.bare=true'")
	t.Setenv("GIT_OBJECT_DIRECTORY", foreign.path(".git/objects"))
	before := foreign.state(all)
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n"})
	if got := r.finish(); len(got) != 1 {
		t.Errorf("staged %q", got)
	}
	_, err := r.repo.Commit(t.Context(), "r1", "message", r.run.Paths())
	must(t, err)
	if diff := cmp.Diff(before, foreign.state(all)); diff != "" {
		t.Errorf("the foreign repository changed:\n%s", diff)
	}
	if files, err := r.repo.Files(t.Context()); err != nil || len(files) != 1 || files[0] != "a.txt" {
		t.Errorf("files %q, %v", files, err)
	}
	out, _ := r.tryGit("-c", "core.bare=false", "ls-files")
	if !strings.Contains(out, "foreign.txt") {
		t.Errorf("control: git heeds none of them: %q", out)
	}
}

// No key of ours is in the environment of a git, nor of what a git starts.
func TestNoSecretsForGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the spy is a shell script")
	}
	r := committed(t, map[string]string{"a.txt": "a\n"}).open()
	dir := t.TempDir()
	real := r.git("--exec-path")
	must(t, os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\nenv >> "+dir+"/env\nexec "+strings.TrimSpace(real)+"/git \"$@\"\n"), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("OPENAI_API_KEY", "canary")
	t.Setenv("SOME_TOKEN", "canary")
	r.open()
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n"})
	env, err := os.ReadFile(filepath.Join(dir, "env"))
	must(t, err)
	if strings.Contains(string(env), "canary") || !strings.Contains(string(env), "GIT_TERMINAL_PROMPT=0") {
		t.Errorf("environment of git:\n%s", env)
	}
}

// Names that look like options, pathspec magic or globs are files like others.
func TestHostileNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such names there")
	}
	names := []string{
		"-n", "--output=x", "--", "-", ":!x", ":(exclude)a", "*.go", "[a]", "?", "a b", " lead", "q\"uote", "back'tick`", "$(touch x)", "#c", "!neg",
		"\u00fc\u20ac", "e\u0301", "refs", "HEAD", "@", "a:b", "t.lock", "~tilde~", "{a,b}", "%s", ";", "&", "sub/-x", "sub/:!y",
	}
	files := map[string]string{"other.go": "package x\n"}
	for _, name := range names {
		files[name] = "old " + name + "\n"
	}
	r := committed(t, files)
	r.write(map[string]string{"other.go": "mine\n"})
	r.begin("r1")
	want, changed := []string{}, map[string]string{}
	for _, name := range names {
		changed[name] = "new " + name + "\n"
	}
	r.guard.Allow = []string{"**"}
	rev := r.round(1, changed)
	for _, name := range names {
		want = append(want, name)
		if got := r.git("cat-file", "blob", rev+":./"+name); got != changed[name] {
			t.Errorf("snapshot holds %q of %q", got, name)
		}
	}
	if diff := cmp.Diff(r.run.Paths(), r.finish()); diff != "" {
		t.Errorf("staged: %s", diff)
	}
	_, err := r.repo.Commit(t.Context(), "r1", "message", r.run.Paths())
	must(t, err)
	if got := strings.Split(strings.TrimSuffix(r.git("diff-tree", "-r", "-z", "--name-only", "--no-commit-id", "HEAD", "--"), "\x00"), "\x00"); len(got) != len(want) {
		t.Errorf("committed %q", got)
	}
	if undone := r.undo(); len(undone) != len(names) {
		t.Errorf("undone %q", undone)
	}
	for _, name := range names {
		if got := r.read(name); got != files[name] {
			t.Errorf("%q is %q after undo", name, got)
		}
	}
	if got := r.read("other.go"); got != "mine\n" {
		t.Errorf("other.go is %q", got)
	}
}

// Names that no model may use can still stand in the user's tree: they do not
// disturb a run, and new ones are refused.
func TestNamesWithControlCharacters(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such names there")
	}
	r := committed(t, map[string]string{"a.txt": "a\n", "new\nline": "1\n", "tab\t": "1\n", "\xff": "1\n"})
	r.write(map[string]string{"new\nline": "2\n", "un\ntracked": "u\n", "D \"x\"\nM": "u\n"})
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "A\n"})
	base, err := r.run.Base(t.Context())
	must(t, err)
	if len(base.Dirty) != 3 || len(base.LeftOut) != 3 {
		t.Errorf("dirty %q, left out %q", base.Dirty, base.LeftOut)
	}
	if err := r.change(map[string]string{"evil\nname": "x"}); err == nil {
		t.Error("a new name with a line break is accepted")
	}
	r.undo()
	if got := r.read("new\nline"); got != "2\n" {
		t.Errorf("the user's file is %q", got)
	}
}

// A filter that the repository brings in by way of an include is its own too.
func TestIncludedFilter(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the payload is a shell script")
	}
	r := committed(t, map[string]string{"a.txt": "a\n", "extra": "[filter \"evil\"]\n\tclean = touch marker; cat\n", ".gitattributes": "*.txt filter=evil\n"})
	r.git("config", "include.path", "../extra")
	r.write(map[string]string{"a.txt": "b\n"})
	r.begin("r1")
	r.round(1, map[string]string{"a.txt": "c\n", "ok.md": "m\n"})
	if diff := cmp.Diff([]string{"ok.md"}, r.finish()); diff != "" {
		t.Error(diff)
	}
	r.gone("marker")
	r.git("add", "a.txt")
	if _, err := os.Stat(r.path("marker")); err != nil {
		t.Error("control: the attack does not work")
	}
}
