package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestInitSuggestsTheLikelyCheck(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{nil, ""},
		{map[string]string{"go.mod": "module x"}, "go test ./..."},
		{map[string]string{"Cargo.toml": "[package]"}, "cargo test"},
		{map[string]string{"package.json": `{"scripts":{"test":"jest"}}`}, "npm test"},
		{map[string]string{"package.json": `{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}`}, ""},
		{map[string]string{"package.json": `{"name":"x"}`}, ""},
		{map[string]string{"package.json": `{`}, ""},
		{map[string]string{"pyproject.toml": "[project]"}, "pytest -q"},
		{map[string]string{"pytest.ini": "[pytest]"}, "pytest -q"},
		{map[string]string{"Makefile": "all:\n\tcc x.c\n.PHONY: test\ncheck test: all\n\t./x\n"}, "make test"},
		{map[string]string{"Makefile": "test := 1\nall:\n\techo test:\n"}, ""},
		{map[string]string{"Makefile": "test:\n\tgo test ./...\n", "go.mod": "module x"}, "go test ./..."},
	} {
		w := newWorld(t)
		for name, text := range c.files {
			w.write(filepath.Join(w.root, name), text, 0o644)
		}
		got, err := initRepo(w.root)
		if err != nil || got != c.want {
			t.Errorf("%v: %q, %v; want %q", c.files, got, err, c.want)
		}
		text := readText(t, filepath.Join(w.root, repoFileName))
		if c.want != "" && !strings.Contains(text, "\n#check = [\""+c.want+"\"]\n") {
			t.Errorf("%v: not in the file: %s", c.files, text)
		}
		if entries, _ := os.ReadDir(w.root); len(entries) != len(c.files)+1 {
			t.Errorf("left behind: %v", entries)
		}
	}
}

// What init writes is allowed there, holds every key that is, and does nothing
// as long as all of it is commented out.
func TestInitWritesWhatIsAllowed(t *testing.T) {
	w := newWorld(t)
	if _, err := initRepo(w.root); err != nil {
		t.Fatal(err)
	}
	before := w.load()
	if len(before.From)+len(before.Notes) != 0 {
		t.Errorf("the file does something as it stands: %v %q", before.From, before.Notes)
	}
	path := filepath.Join(w.root, repoFileName)
	w.repo(usedKeys(t, path))
	f, _, err := readRepoFile(w.root)
	if err != nil {
		t.Fatal(err)
	}
	c := defaultConfig()
	for _, k := range keys(&c) {
		if k.repo != repoNever != slices.Contains(f.names(), k.name) {
			t.Errorf("%s: its rule is %d, is in the file: %v", k.name, k.repo, slices.Contains(f.names(), k.name))
		}
	}
}

func TestInitOverwritesNothing(t *testing.T) {
	for name, prepare := range map[string]func(path string) error{
		"file":          func(path string) error { return os.WriteFile(path, []byte("mine"), 0o600) },
		"dangling link": func(path string) error { return os.Symlink("nowhere", path) },
		"folder":        func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		w := newWorld(t)
		path := filepath.Join(w.root, repoFileName)
		if err := prepare(path); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Lstat(path)
		if _, err := initRepo(w.root); !isUsage(err, "is there already") {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.Lstat(path); err != nil || after.Mode() != before.Mode() || after.Size() != before.Size() {
			t.Errorf("%s: changed", name)
		}
	}
}

func TestCreateFileNeverReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := createFile(path, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := createFile(path, []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	if text := readText(t, path); text != "first" {
		t.Errorf("holds %q", text)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
