package journal

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentloop/agentloop/edits"
)

// plain opens folders without any rule but the standard library's, and lets a
// test interfere when a folder is made.
type plain struct {
	root   string
	onMake func()
}

func (p *plain) Folder(dir string) (*os.Root, error) {
	return os.OpenRoot(filepath.Join(p.root, dir))
}

func (p *plain) Parent(file string, create bool) (*os.Root, []string, error) {
	var made []string
	dir := path.Dir(file)
	if create {
		if p.onMake != nil {
			p.onMake()
		}
		for at := dir; at != "."; at = path.Dir(at) {
			if _, err := os.Stat(filepath.Join(p.root, at)); err != nil {
				made = append([]string{at}, made...)
			}
		}
		if err := os.MkdirAll(filepath.Join(p.root, dir), 0o777); err != nil {
			return nil, nil, err
		}
	}
	at, err := p.Folder(dir)
	return at, made, err
}

func newJournal(t *testing.T, files map[string]string) (*Journal, *plain) {
	t.Helper()
	p := &plain{root: t.TempDir()}
	for name, text := range files {
		put(t, p, name, text)
	}
	return &Journal{p}, p
}

func put(t testing.TB, p *plain, name, text string) {
	t.Helper()
	file := filepath.Join(p.root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// files is everything below the root, folders with a slash.
func files(t testing.TB, p *plain) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(p.root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || file == p.root {
			return err
		}
		name, _ := filepath.Rel(p.root, file)
		name = filepath.ToSlash(name)
		if d.IsDir() {
			found[name+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(file)
		found[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func edit(path, before, after string) edits.Change {
	return edits.Change{Path: path, Before: before, After: after, Existed: true}
}
func create(path, after string) edits.Change { return edits.Change{Path: path, After: after} }
func remove(path, before string) edits.Change {
	return edits.Change{Path: path, Before: before, Existed: true, Delete: true}
}

func TestWrite(t *testing.T) {
	start := map[string]string{"a": "a\n", "sub/b": "b\n"}
	tests := []struct {
		name    string
		changes []edits.Change
		want    map[string]string // nil: as before, since it is refused
	}{
		{"edit", []edits.Change{edit("a", "a\n", "A\n")}, map[string]string{"a": "A\n", "sub/": "", "sub/b": "b\n"}},
		{"create", []edits.Change{create("x/y/z", "z\n")}, map[string]string{"a": "a\n", "sub/": "", "sub/b": "b\n", "x/": "", "x/y/": "", "x/y/z": "z\n"}},
		{"create empty", []edits.Change{create("z", "")}, map[string]string{"a": "a\n", "sub/": "", "sub/b": "b\n", "z": ""}},
		{"delete", []edits.Change{remove("sub/b", "b\n")}, map[string]string{"a": "a\n", "sub/": ""}},
		{"all three", []edits.Change{edit("a", "a\n", "\xff\x00"), create("sub/c", "c"), remove("sub/b", "b\n")}, map[string]string{"a": "\xff\x00", "sub/": "", "sub/c": "c"}},
		{"nothing", nil, map[string]string{"a": "a\n", "sub/": "", "sub/b": "b\n"}},
		{"changed", []edits.Change{edit("a", "other\n", "A\n")}, nil},
		{"longer", []edits.Change{edit("a", "a", "A\n")}, nil},
		{"shorter", []edits.Change{edit("a", "a\n\n", "A\n")}, nil},
		{"gone", []edits.Change{edit("c", "c\n", "C\n")}, nil},
		{"folder gone", []edits.Change{edit("none/c", "c\n", "C\n")}, nil},
		{"appeared", []edits.Change{create("a", "A\n")}, nil},
		{"appeared with the same content", []edits.Change{create("a", "a\n")}, nil},
		{"delete changed", []edits.Change{remove("a", "other")}, nil},
		{"second refused", []edits.Change{edit("a", "a\n", "A\n"), create("n/new", "n"), edit("sub/b", "other", "B")}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j, p := newJournal(t, start)
			before := files(t, p)
			err := j.Write(t.Context(), tt.changes, nil)
			var refusal *edits.Refusal
			if tt.want == nil {
				tt.want = before
				if !errors.As(err, &refusal) || refusal.Reason != edits.ChangedOnDisk {
					t.Errorf("error %v, want changed-on-disk", err)
				}
			} else if err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(tt.want, files(t, p)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Somebody writes the second file after all were checked: the first one, which
// is replaced by then, is put back, and what was made goes.
func TestRollBack(t *testing.T) {
	j, p := newJournal(t, map[string]string{"a": "a\n", "b": "b\n", "d": "d\n"})
	if err := os.Chmod(filepath.Join(p.root, "a"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.onMake = func() { put(t, p, "b", "somebody's\n") }
	err := j.Write(t.Context(), []edits.Change{
		edit("a", "a\n", "A\n"), remove("d", "d\n"), create("new/c", "c\n"), edit("b", "b\n", "B\n"),
	}, nil)
	var refusal *edits.Refusal
	if !errors.As(err, &refusal) || refusal.Reason != edits.ChangedOnDisk || refusal.Path != "b" {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "a\n", "b": "somebody's\n", "d": "d\n"}, files(t, p)); diff != "" {
		t.Error(diff)
	}
	if info, _ := os.Stat(filepath.Join(p.root, "a")); info.Mode().Perm() != 0o755 && runtime.GOOS != "windows" {
		t.Errorf("mode %v after rolling back", info.Mode())
	}
}

// What somebody wrote over our own new content is not rolled back, and the error
// says so instead of being a refusal.
func TestRollBackLeavesForeignBytes(t *testing.T) {
	_, p := newJournal(t, map[string]string{"a": "a\n", "b": "b\n"})
	w := &write{folders: p, targets: []*target{{Change: edit("a", "a\n", "A\n")}, {Change: edit("b", "b\n", "B\n")}}}
	defer w.close()
	if err := errors.Join(w.check(), w.stage(t.Context()), w.targets[0].replace()); err != nil {
		t.Fatal(err)
	}
	put(t, p, "a", "somebody's\n")
	put(t, p, "b", "somebody's\n")
	err := w.undo(w.targets[1].replace())
	var refusal *edits.Refusal
	if err == nil || errors.As(err, &refusal) || !strings.Contains(err.Error(), "failed too: a") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "somebody's\n", "b": "somebody's\n"}, files(t, p)); diff != "" {
		t.Error(diff)
	}
}

// A file that appears in the last moment is not overwritten by a new one.
func TestCreateNeverReplaces(t *testing.T) {
	_, p := newJournal(t, nil)
	w := &write{folders: p, targets: []*target{{Change: create("a", "ours\n")}}}
	defer w.close()
	if err := errors.Join(w.check(), w.stage(t.Context())); err != nil {
		t.Fatal(err)
	}
	put(t, p, "a", "somebody's\n")
	if err := w.targets[0].create("a"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("create: %v", err)
	}
	w.undo(nil)
	if diff := cmp.Diff(map[string]string{"a": "somebody's\n"}, files(t, p)); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyContentCounts(t *testing.T) {
	j, p := newJournal(t, map[string]string{"a": "a\n"})
	file := filepath.Join(p.root, "a")
	future := time.Now().Add(time.Hour)
	if err := errors.Join(os.Remove(file), os.WriteFile(file, []byte("a\n"), 0o644), os.Chtimes(file, future, future)); err != nil {
		t.Fatal(err)
	}
	if err := j.Write(t.Context(), []edits.Change{edit("a", "a\n", "A\n")}, nil); err != nil {
		t.Errorf("a new time and inode count as a change: %v", err)
	}
}

func TestTwoChangesForOneFile(t *testing.T) {
	j, _ := newJournal(t, map[string]string{"a": "a\n"})
	if err := j.Write(t.Context(), []edits.Change{edit("a", "a\n", "b\n"), edit("a", "a\n", "c\n")}, nil); err == nil {
		t.Error("no error")
	}
}

func TestCancelled(t *testing.T) {
	j, p := newJournal(t, map[string]string{"a": "a\n"})
	ctx, cancel := context.WithCancel(t.Context())
	p.onMake = cancel
	err := j.Write(ctx, []edits.Change{create("x/y", ""), edit("a", "a\n", "A\n")}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "a\n"}, files(t, p)); diff != "" {
		t.Error(diff)
	}
}

// A hard link elsewhere keeps the old content. The control: a plain write goes
// through it.
func TestHardLink(t *testing.T) {
	j, p := newJournal(t, map[string]string{"a": "a\n"})
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Link(filepath.Join(p.root, "a"), outside); err != nil {
		t.Skip(err)
	}
	if err := j.Write(t.Context(), []edits.Change{edit("a", "a\n", "A\n")}, nil); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(outside); string(text) != "a\n" {
		t.Errorf("written through a hard link: %q", text)
	}
	again := filepath.Join(t.TempDir(), "again")
	if err := errors.Join(os.Link(filepath.Join(p.root, "a"), again), os.WriteFile(filepath.Join(p.root, "a"), []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(again); string(text) != "x" {
		t.Error("control: the attack does not work")
	}
}

func TestLinkInTheLastFolder(t *testing.T) {
	j, p := newJournal(t, map[string]string{"a": "a\n"})
	if err := os.Symlink("a", filepath.Join(p.root, "l")); err != nil {
		t.Skip(err)
	}
	var refusal *edits.Refusal
	for _, c := range []edits.Change{edit("l", "a\n", "A\n"), remove("l", "a\n")} {
		if err := j.Write(t.Context(), []edits.Change{c}, nil); !errors.As(err, &refusal) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if diff := cmp.Diff(map[string]string{"a": "a\n", "l": "a\n"}, files(t, p)); diff != "" {
		t.Error(diff)
	}
}

func TestPrune(t *testing.T) {
	j, p := newJournal(t, map[string]string{"full/x": "", "a/b/c/x": "", "file": "f"})
	if err := errors.Join(os.Remove(filepath.Join(p.root, "a/b/c/x")), os.MkdirAll(filepath.Join(p.root, "kept"), 0o777)); err != nil {
		t.Fatal(err)
	}
	if err := j.Prune([]string{"a", "a/b", "a/b/c", "full", "file", "none/none", "none"}); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"full/": "", "full/x": "", "file": "f", "kept/": ""}, files(t, p)); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkWrite(b *testing.B) {
	for name, n := range map[string]int{"1": 1, "50": 50} {
		b.Run(name, func(b *testing.B) {
			p := &plain{root: b.TempDir()}
			texts := [2]string{strings.Repeat("old\n", 500), strings.Repeat("new\n", 500)}
			for i := range n {
				put(b, p, "f"+string(rune('A'+i)), texts[0])
			}
			j, turn := &Journal{p}, 0
			for b.Loop() {
				var changes []edits.Change
				for i := range n {
					changes = append(changes, edit("f"+string(rune('A'+i)), texts[turn], texts[1-turn]))
				}
				if err := j.Write(b.Context(), changes, nil); err != nil {
					b.Fatal(err)
				}
				turn = 1 - turn
			}
		})
	}
}
