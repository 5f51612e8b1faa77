package selection_test

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agentloop/agentloop/internal/selection"
)

// tree is a repository in memory that counts how often it is read.
type tree struct {
	files map[string]string
	mu    sync.Mutex
	reads []string
	sure  bool // what read says of its answers
}

func blob(text string) string {
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text)))
}

func (t *tree) sources() (list []selection.MapFile) {
	for path, text := range t.files {
		list = append(list, selection.MapFile{Path: path, Blob: blob(text), Size: int64(len(text))})
	}
	slices.SortFunc(list, func(a, b selection.MapFile) int { return strings.Compare(a.Path, b.Path) })
	return list
}

func (t *tree) read(path string) (string, bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reads = append(t.reads, path)
	text, found := t.files[path]
	if !found {
		return "", false, fs.ErrNotExist
	}
	return text, t.sure, nil
}

// survey surveys with a cache that was never loaded, and gives what was read.
func (t *tree) survey(test testing.TB, dir string, files []selection.MapFile) (selection.Survey, string) {
	test.Helper()
	t.reads = nil
	s, err := (&selection.Cache{Dir: dir}).Survey(context.Background(), files, t.read)
	if err != nil {
		test.Fatal(err)
	}
	slices.Sort(t.reads)
	return s, strings.Join(t.reads, " ")
}

func small() *tree {
	return &tree{files: map[string]string{
		"go.mod": "module example.com/m\n", "a/a.go": "package a\n\nfunc Make() {}\n", "b/b.go": "package b\n\nimport \"example.com/m/a\"\n\nfunc Make() {}\n",
		"p.py": "class Tree:\n    pass\n", "q.py": "import p\n", "data.json": "{}",
	}}
}

func TestCacheReadsOnlyWhatChanged(t *testing.T) {
	dir, r := t.TempDir(), small()
	first, read := r.survey(t, dir, r.sources())
	if read != "a/a.go b/b.go go.mod p.py q.py" {
		t.Errorf("at first %q was read", read)
	}
	again, read := r.survey(t, dir, r.sources())
	if first.Read, again.Read = 0, 0; read != "" || !cmp.Equal(first, again) {
		t.Errorf("then %q was read: %v, before %v", read, again, first)
	}
	r.files["q.py"], r.files["new.py"] = "from p import Tree\n", "import p"
	changed, read := r.survey(t, dir, r.sources())
	if want := map[string]int{"a/a.go": 1, "p.py": 2}; read != "new.py q.py" || !cmp.Equal(changed.Refs, want) {
		t.Errorf("after a change %q was read: %v", read, changed)
	}
	r.files["moved.py"] = r.files["new.py"]
	if _, read := r.survey(t, dir, r.sources()); read != "" {
		t.Errorf("what has a known content was read: %q", read)
	}
	for _, name := range []string{"facts", "ranks"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// TestCacheOfEditedFiles: what is not the blob's content is not kept as such.
func TestCacheOfEditedFiles(t *testing.T) {
	dir, r := t.TempDir(), small()
	staged := r.sources()
	r.files["q.py"] = "nothing = 1\n"
	delete(r.files, "b/b.go")
	edited, _ := r.survey(t, dir, staged)
	if len(edited.Refs) != 0 {
		t.Errorf("edited: %v", edited.Refs)
	}
	r.files = small().files
	back, read := r.survey(t, dir, staged)
	if want := map[string]int{"a/a.go": 1, "p.py": 1}; read != "b/b.go q.py" || !cmp.Equal(back.Refs, want) {
		t.Errorf("back again %q was read: %v", read, back.Refs)
	}
	r.sure = true // as the index's times say where git converts line endings
	r.files["q.py"] = "import p\r\n"
	if _, read := r.survey(t, t.TempDir(), staged); read == "" {
		t.Error("nothing was read")
	}
	if _, read := r.survey(t, dir, staged); read != "" {
		t.Errorf("%q was read", read)
	}
}

// TestCacheDamaged: whatever the files hold, the answer is the same.
func TestCacheDamaged(t *testing.T) {
	r := small()
	dir := t.TempDir()
	want, _ := r.survey(t, dir, r.sources())
	whole := map[string][]byte{}
	for _, name := range []string{"facts", "ranks"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		whole[name] = text
	}
	try := func(what string, facts, ranks []byte) {
		t.Helper()
		os.WriteFile(filepath.Join(dir, "facts"), facts, 0o600)
		os.WriteFile(filepath.Join(dir, "ranks"), ranks, 0o600)
		got, _ := r.survey(t, dir, r.sources())
		if !cmp.Equal(got.Refs, want.Refs) {
			t.Errorf("%s: %v, want %v", what, got.Refs, want.Refs)
		}
		if _, read := r.survey(t, dir, r.sources()); read != "" {
			t.Errorf("%s: it was not replaced: %q was read", what, read)
		}
	}
	for i := range whole["facts"] {
		wrong := slices.Clone(whole["facts"])
		wrong[i] ^= 1
		try(fmt.Sprintf("facts, byte %d", i), wrong, nil)
	}
	for i := range whole["ranks"] {
		wrong := slices.Clone(whole["ranks"])
		wrong[i] ^= 1
		try(fmt.Sprintf("ranks, byte %d", i), whole["facts"], wrong)
	}
	for i := range whole["facts"] {
		try(fmt.Sprintf("facts, %d bytes", i), whole["facts"][:i], whole["ranks"][:min(i, len(whole["ranks"])-1)])
	}
	try("another version", append([]byte("agentloop facts 0\n"), whole["facts"][18:]...), append([]byte("agentloop ranks 0\n"), whole["ranks"][18:]...))
}

func TestCacheSavedAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 20 {
				r := small()
				r.files["x.py"] = fmt.Sprintf("def x%d_%d(): pass\n", i, k)
				if _, err := (&selection.Cache{Dir: dir}).Survey(context.Background(), r.sources(), r.read); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	r := small()
	delete(r.files, "p.py") // another tree: the ranks are of no use
	if _, read := r.survey(t, dir, r.sources()); read != "" {
		t.Errorf("%q was read", read)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestCacheThatCannotBeSaved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := small()
	s, err := (&selection.Cache{Dir: file}).Survey(t.Context(), r.sources(), r.read)
	if err == nil || s.Refs["p.py"] != 1 {
		t.Errorf("%v, %v", s.Refs, err)
	}
}

func TestSurveyEnds(t *testing.T) {
	dir, r := t.TempDir(), small()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s, err := (&selection.Cache{Dir: dir}).Survey(ctx, r.sources(), r.read)
	if s.Unread != 5 || len(r.reads) != 0 || err != nil {
		t.Errorf("%+v, %v", s, err)
	}
	if s, _ := r.survey(t, dir, r.sources()); s.Unread != 0 || s.Refs["p.py"] != 1 {
		t.Errorf("the next one: %+v", s)
	}
}

func TestDefiners(t *testing.T) {
	dir, r := t.TempDir(), small()
	r.files["copy.py"] = r.files["p.py"]
	r.files["copy.txt"] = r.files["p.py"]
	r.survey(t, dir, r.sources())
	got := (&selection.Cache{Dir: dir}).Definers(r.sources(), []string{"Make", "Tree", "example.com/m/a", ">p", "Nothing", "", "\n", "Mak"})
	if diff := cmp.Diff(map[string][]string{"Make": {"a/a.go", "b/b.go"}, "Tree": {"copy.py", "p.py"}}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := (&selection.Cache{Dir: t.TempDir()}).Definers(r.sources(), []string{"Make"}); len(got) != 0 {
		t.Errorf("of an empty cache: %v", got)
	}
}

func TestSurveyErrors(t *testing.T) {
	dir, r := t.TempDir(), small()
	refused := errors.New("refused")
	c := &selection.Cache{Dir: dir}
	read := func(path string) (string, bool, error) {
		if path == "q.py" {
			return "", false, refused
		}
		return r.read(path)
	}
	if s, err := c.Survey(t.Context(), r.sources(), read); err != nil || s.Refs["p.py"] != 0 || s.Refs["a/a.go"] != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, got := r.survey(t, dir, r.sources()); got != "" {
		t.Errorf("a file that may not be read is asked for again and again: %q", got)
	}
}
