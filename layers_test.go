// Package agentloop_test holds what is true of the module as a whole.
package agentloop_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/agentloop/agentloop/"

var core = []string{"edits", "prompts", "feedback", "loop"}

// layer says what a package may import: packages of ours by their folders, "*"
// for all of them, and modules of others only where others is set.
type layer struct {
	ours   []string
	others bool
}

// layerOf gives the layer of the package in a folder; ok is false where it has
// none, and then its place is to be decided here first.
func layerOf(at string) (l layer, ok bool) {
	first, _, _ := strings.Cut(at, "/")
	switch {
	case at == "edits", at == "prompts":
		return layer{}, true
	case at == "feedback":
		return layer{ours: []string{"edits", "prompts"}}, true
	case at == "loop":
		return layer{ours: []string{"edits", "prompts", "feedback"}}, true
	case first == "internal": // adapters know the core's types, and never each other
		return layer{ours: core, others: true}, true
	case first == "bench":
		return layer{ours: append([]string{"internal/selection", "internal/standin", "internal/syntax"}, core...), others: true}, true
	case at == "cmd/agentloop":
		return layer{ours: []string{"*"}, others: true}, true
	}
	return layer{}, false
}

// effects are packages that only some of ours may import: whole classes of
// faults close with that. A folder stands for those below it too. cmd/agentloop
// looks programs up, and starts none.
var effects = map[string][]string{
	"net/http":       {"internal/llm", "internal/standin"},
	"os/exec":        {"internal/worktree", "internal/sandbox", "cmd/agentloop", "bench"},
	"unsafe":         {},
	"plugin":         {},
	"math/rand":      {},
	"io/ioutil":      {},
	"net/http/pprof": {},
}

// nameless are folder names that say nothing of what is in them.
var nameless = []string{"utils", "util", "common", "helpers", "helper", "manager", "base", "misc", "shared"}

// TestLayers reads the import lines of all files, for every platform.
func TestLayers(t *testing.T) {
	seen := map[string]bool{}
	for file, text := range goFiles(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		at := path.Dir(file)
		seen[at] = true
		for _, wrong := range judge(at, path.Base(file), text) {
			t.Error(wrong)
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d packages were found", len(seen))
	}
}

// judge gives what is wrong with one file of the package in folder at.
func judge(at, name, text string) (wrong []string) {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	say := func(format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf("%s/%s: ", at, name)+fmt.Sprintf(format, args...))
	}
	l, placed := layerOf(at)
	if !placed {
		say("the package has no place in the layers")
	}
	for _, part := range append(strings.Split(at, "/"), f.Name.Name) {
		if slices.Contains(nameless, part) {
			say("%q says nothing of what is in it", part)
		}
	}
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			say("%v", err)
		}
		if why := l.refuses(imported); why != "" {
			say("imports %s: %s", imported, why)
		}
		if only, ok := effects[imported]; ok && !slices.ContainsFunc(only, func(dir string) bool { return at == dir || strings.HasPrefix(at, dir+"/") }) {
			say("imports %s: only %s may", imported, cmp.Or(strings.Join(only, ", "), "nobody"))
		}
	}
	if at == "cmd/agentloop" {
		for _, name := range selected(f, "exec") {
			if name != "LookPath" {
				say("uses exec.%s: here programs are only looked up", name)
			}
		}
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
			say("has a func init: nothing happens on import")
		}
	}
	return wrong
}

// selected lists what is taken from a package by its name.
func selected(f *ast.File, pkg string) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == pkg {
				names = append(names, s.Sel.Name)
			}
		}
		return true
	})
	return names
}

// refuses says why a package of this layer may not import another, "" if it may.
func (l layer) refuses(imported string) string {
	ours, ok := strings.CutPrefix(imported, module)
	first, _, _ := strings.Cut(imported, "/")
	switch {
	case ok && !slices.Contains(l.ours, "*") && !slices.Contains(l.ours, ours):
		return "it is not below"
	case !ok && strings.Contains(first, ".") && !l.others:
		return "only the standard library is allowed"
	case imported == "C":
		return "there is no cgo"
	}
	return ""
}

// TestLayersRefuse holds that the test above can fail.
func TestLayersRefuse(t *testing.T) {
	const mod = module
	for _, c := range []struct{ at, file, want string }{
		{"edits", `import "strings"`, ""},
		{"edits", `import "` + mod + `prompts"`, "it is not below"},
		{"edits", `import "github.com/google/go-cmp/cmp"`, "only the standard library"},
		{"prompts", `import "` + mod + `edits"`, "it is not below"},
		{"feedback", `import "` + mod + `edits"`, ""},
		{"feedback", `import "` + mod + `loop"`, "it is not below"},
		{"loop", `import "` + mod + `internal/llm"`, "it is not below"},
		{"internal/llm", `import "` + mod + `internal/worktree"`, "it is not below"},
		{"internal/llm", `import "` + mod + `loop"`, ""},
		{"internal/journal", `import "` + mod + `internal/guard"`, "it is not below"},
		{"internal/sandbox", `import "net/http"`, "only internal/llm, internal/standin may"},
		{"internal/llm", `import "net/http"`, ""},
		{"loop", `import "os/exec"`, "only internal/worktree"},
		{"cmd/agentloop", `import "` + mod + `internal/guard"`, ""},
		{"cmd/agentloop", `import "net/http"`, "only internal/llm"},
		{"cmd/agentloop", "import `os/exec`\nvar _ = exec.LookPath", ""},
		{"cmd/agentloop", "import `os/exec`\nvar _ = exec.Command", "uses exec.Command"},
		{"edits", `import "unsafe"`, "only nobody may"},
		{"loop", `import "C"`, "there is no cgo"},
		{"loop", `func init() {}`, "has a func init"},
		{"loop", `type t int; func (t) init() {}`, ""},
		{"internal/utils", ``, "says nothing"},
		{"new", ``, "has no place in the layers"},
		{"internal/new", `import "` + mod + `internal/llm"`, "it is not below"},
	} {
		got := strings.Join(judge(c.at, "made_up.go", "package p\n"+c.file+"\n"), "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s with %s: %q, want %q", c.at, c.file, got, c.want)
		}
	}
}

// TestFileSizes keeps files to a size that a reader can hold.
func TestFileSizes(t *testing.T) {
	const most = 500
	for file, text := range goFiles(t) {
		if n := strings.Count(text, "\n"); n > most {
			t.Errorf("%s has %d lines; %d is the most", file, n, most)
		}
	}
}

// goFiles gives all Go files of the module by their path with slashes.
func goFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || file == "tools"):
			return fs.SkipDir
		case strings.HasSuffix(file, ".go"):
			files[filepath.ToSlash(file)] = read(t, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
