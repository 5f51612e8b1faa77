package main

import (
	"context"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A file can hold a fault only where it has this many siblings: finding the only
// file of a folder proves nothing.
const siblings = 3

// large is the number of Go files from which a module is left out: its check
// would take minutes.
const large = 350

// offline lets Go use what is in the module cache, and nothing else.
var offline = []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local", "GOWORK=off"}

// origin is a place a tree can be made from.
type origin struct {
	name, dir string
	std       bool // a package of the standard library: a module is made of it
}

// cachedModules lists the module cache's modules, one version of each.
func cachedModules(ctx context.Context) ([]origin, error) {
	cache, err := goEnv(ctx, "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	byPath := map[string]origin{}
	err = filepath.WalkDir(cache, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if dir == filepath.Join(cache, "cache") {
			return fs.SkipDir
		}
		name, _ := filepath.Rel(cache, dir)
		at, _, versioned := strings.Cut(filepath.ToSlash(name), "@")
		if !versioned {
			return nil
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			byPath[at] = origin{name: filepath.ToSlash(name), dir: dir} // the last in order
		}
		return fs.SkipDir
	})
	var all []origin
	for _, o := range byPath {
		all = append(all, o)
	}
	return all, err
}

// stdPackages lists the standard library's packages that can stand alone.
func stdPackages(ctx context.Context) ([]origin, error) {
	root, err := goEnv(ctx, "GOROOT")
	if err != nil {
		return nil, err
	}
	src := filepath.Join(root, "src")
	var all []origin
	err = filepath.WalkDir(src, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		if slices.Contains([]string{"cmd", "internal", "vendor", "testdata", "runtime", "syscall", "os"}, e.Name()) {
			return fs.SkipDir
		}
		p, err := build.ImportDir(dir, 0)
		if err == nil && len(p.GoFiles) > siblings && len(p.SFiles) == 0 && !slices.ContainsFunc(p.Imports, internal) {
			name, _ := filepath.Rel(src, dir)
			all = append(all, origin{name: "std/" + filepath.ToSlash(name), dir: dir, std: true})
		}
		return nil
	})
	return all, err
}

func internal(path string) bool {
	return strings.HasPrefix(path, "internal/") || strings.Contains(path, "/internal")
}

func goEnv(ctx context.Context, name string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", name).Output()
	if err != nil {
		return "", fmt.Errorf("go env %s: %w", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// goTree copies a module below dir; why says why it is of no use, "" if it is.
func goTree(o origin, dir string) (t tree, why string, err error) {
	t = tree{Language: "go", Module: o.name, Dir: filepath.Join(dir, treeName(o.name)), Check: "go test ./...", Env: offline}
	if n := countGo(o.dir); n > large {
		return t, fmt.Sprintf("%d Go files: its check would take minutes", n), nil
	}
	if err := copyTree(o.dir, t.Dir, !o.std); err != nil {
		return t, "", err
	}
	if o.std {
		if err := ownModule(t.Dir, strings.TrimPrefix(o.name, "std/")); err != nil {
			return t, "", err
		}
	}
	if t.Files = goFiles(t.Dir); len(t.Files) == 0 {
		return t, fmt.Sprintf("no folder has %d files", siblings+1), nil
	}
	return t, "", nil
}

var unsafeName = regexp.MustCompile(`[^A-Za-z0-9_.@-]+`)

// treeName makes a name for a folder of a module's.
func treeName(module string) string { return unsafeName.ReplaceAllString(module, "_") }

func countGo(dir string) (n int) {
	_ = filepath.WalkDir(dir, func(p string, _ fs.DirEntry, _ error) error {
		if strings.HasSuffix(p, ".go") {
			n++
		}
		return nil
	})
	return n
}

// ownModule makes a module of a copied package: what imported it by its old path
// (its external tests) imports the copy. Tests of what only the standard library
// may import are left out.
func ownModule(dir, path string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(b), `"`+path+`"`, `"example.org/`+path+`"`)
		if strings.HasSuffix(name, "_test.go") && regexp.MustCompile(`(?m)^\s*(import )?(\w+ )?"(.*/)?internal/`).MatchString(text) {
			err = os.Remove(name)
		} else {
			err = os.WriteFile(name, []byte(text), 0o644)
		}
		if err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.org/"+path+"\n\ngo 1.26\n"), 0o644)
}

// generated is what a generator writes above its code, also where it does not
// keep to Go's own form: such files are not to be edited, so they hold no fault.
var generated = regexp.MustCompile(`(?i)(^|\n)(//|/\*).*generated|\bdo not edit\b`)

// goFiles lists the files of a tree that faults may be seeded into: compiled
// here, written by a person, in a folder that has tests and enough other files.
func goFiles(root string) (files []string) {
	_ = filepath.WalkDir(root, func(dir string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil
		}
		if name := e.Name(); dir != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" || exists(filepath.Join(dir, "go.mod"))) {
			return fs.SkipDir
		}
		p, err := build.ImportDir(dir, 0)
		if err != nil || len(p.GoFiles) <= siblings {
			return nil
		}
		for _, name := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || generated.Match(text[:min(len(text), 2000)]) {
				continue
			}
			at, _ := filepath.Rel(root, filepath.Join(dir, name))
			files = append(files, filepath.ToSlash(at))
		}
		return nil
	})
	return files
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }
