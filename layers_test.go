// Package agentloop_test holds what is true of the module as a whole.
package agentloop_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/agentloop/agentloop/"

// layers says which packages of ours each package may import; nothing else of
// ours, and modules of others only where others is set. Paths are folders of the
// module. A package that is not in the list fails the test: it is to be given
// its place here first.
var layers = map[string]layer{
	"edits":    {},
	"prompts":  {},
	"feedback": {ours: []string{"edits", "prompts"}},
	"loop":     {ours: []string{"edits", "prompts", "feedback"}},

	// Adapters know the core's types, and never each other.
	"internal/guard":      {ours: core, others: true},
	"internal/journal":    {ours: core, others: true},
	"internal/llm":        {ours: core, others: true},
	"internal/replay":     {ours: core, others: true},
	"internal/sandbox":    {ours: core, others: true},
	"internal/selection":  {ours: core, others: true},
	"internal/standin":    {ours: core, others: true},
	"internal/transcript": {ours: core, others: true},
	"internal/worktree":   {ours: core, others: true},

	"cmd/agentloop":     {ours: []string{"*"}, others: true},
	"bench/convergence": {ours: append([]string{"internal/standin"}, core...), others: true},
}

var core = []string{"edits", "prompts", "feedback", "loop"}

type layer struct {
	ours   []string // "*" is every package
	others bool     // modules that are not ours
}

// effects are packages that only some of ours may import: whole classes of
// faults close with that. cmd/agentloop looks programs up, and starts none.
var effects = map[string][]string{
	"net/http":       {"internal/llm", "internal/standin"},
	"os/exec":        {"internal/worktree", "internal/sandbox", "cmd/agentloop", "bench/convergence"},
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
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || file == "tools"):
			return fs.SkipDir
		case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		at := path.Dir(filepath.ToSlash(file))
		seen[at] = true
		for _, wrong := range judge(at, d.Name(), text) {
			t.Error(wrong)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for at := range layers {
		if !seen[at] {
			t.Errorf("%s has a place in the layers, but no file", at)
		}
	}
}

// judge gives what is wrong with one file of the package in folder at.
func judge(at, name string, text []byte) (wrong []string) {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	say := func(format string, args ...any) {
		wrong = append(wrong, fmt.Sprintf("%s/%s: ", at, name)+fmt.Sprintf(format, args...))
	}
	l, placed := layers[at]
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
		if only, ok := effects[imported]; ok && !slices.Contains(only, at) {
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
		{"internal/new", ``, "has no place in the layers"},
	} {
		got := strings.Join(judge(c.at, "made_up.go", []byte("package p\n"+c.file+"\n")), "\n")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s with %s: %q, want %q", c.at, c.file, got, c.want)
		}
	}
}

// TestFileSizes keeps files to a size that a reader can hold.
func TestFileSizes(t *testing.T) {
	const most = 500
	for at := range layers {
		files, err := filepath.Glob(filepath.Join(filepath.FromSlash(at), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files: %v", at, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(text), "\n"); n > most {
				t.Errorf("%s has %d lines; %d is the most", file, n, most)
			}
		}
	}
}
