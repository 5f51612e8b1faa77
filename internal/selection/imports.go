package selection

import (
	"path"
	"regexp"
	"strings"
)

// Import lines of the languages whose imports name files.
var (
	goImport     = regexp.MustCompile(`^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w.~/-]+)"\s*(?://.*)?$`)
	pythonImport = regexp.MustCompile(`^\s*(?:from\s+([.\w]+)\s+import\s+([\w, ]+)?|import\s+([\w.]+))`)
	scriptImport = regexp.MustCompile(`(?:from\s+|require\(\s*|import\(\s*|import\s+)['"](\.[^'"]*)['"]`)
	javaImport   = regexp.MustCompile(`^\s*import\s+(?:static\s+)?([\w.]+)\s*;`)
	rustImport   = regexp.MustCompile(`^\s*(?:pub(?:\([\w ]+\))?\s+)?(?:mod\s+(\w+)\s*;|use\s+(?:\w+::)*?(\w+)::)`)
	cImport      = regexp.MustCompile(`^\s*#\s*include\s+"([^"]+)"`)
)

// maxImports bounds what one file's imports may name.
const maxImports = 60

// imports gives the units of the tree that a file imports.
func (t *tree) imports(name string) []string {
	got := t.text(name)
	if got == nil {
		return nil
	}
	var out []string
	seen := map[string]bool{unitOf(name): true}
	for line := range strings.Lines(got.body[:min(len(got.body), 64<<10)]) {
		for _, p := range t.importLine(name, strings.TrimRight(line, "\r\n")) {
			if u := unitOf(p); !seen[u] {
				seen[u] = true
				out = append(out, u)
			}
		}
		if len(out) >= maxImports || path.Ext(name) == ".go" && strings.HasPrefix(line, "func ") {
			break
		}
	}
	return out
}

// importLine gives paths of the tree that one line imports; a Go package is
// given by any one file of it.
func (t *tree) importLine(name, line string) []string {
	dir := folder(name)
	switch path.Ext(name) {
	case ".go":
		if at, ok := t.goDir(submatch(goImport, line, 1)); ok {
			for _, p := range t.in(at) {
				if path.Ext(p) == ".go" {
					return []string{p}
				}
			}
		}
	case ".py":
		if m := pythonImport.FindStringSubmatch(line); m != nil {
			return t.pythonFiles(dir, m[1]+m[3], m[2])
		}
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts":
		if to := submatch(scriptImport, line, 1); to != "" {
			return t.scriptFile(path.Join(dir, to))
		}
	case ".java", ".kt":
		if class := submatch(javaImport, line, 1); class != "" {
			return t.alike(strings.ReplaceAll(class, ".", "/")+path.Ext(name), "")
		}
	case ".rs":
		if m := rustImport.FindStringSubmatch(line); m != nil {
			return t.first(path.Join(dir, m[1]+m[2]+".rs"), path.Join(dir, m[1]+m[2], "mod.rs"), path.Join(dir, "../src", m[1]+m[2]+".rs"), path.Join("src", m[1]+m[2]+".rs"), path.Join(dir, "../src/lib.rs"))
		}
	case ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hh":
		if to := submatch(cImport, line, 1); to != "" {
			out := t.first(path.Join(dir, to), path.Join("include", to), path.Join("src", to), path.Join(dir, "../src", to), path.Join(dir, "../include", to))
			stem := strings.TrimSuffix(to, path.Ext(to))
			return append(out, t.first(path.Join(dir, stem+".c"), path.Join(dir, stem+".cpp"), path.Join(dir, stem+".cc"), path.Join("src", stem+".c"), path.Join("src", stem+".cpp"), path.Join("src", stem+".cc"))...)
		}
	}
	return nil
}

// first gives the first of the paths that is in the tree.
func (t *tree) first(names ...string) []string {
	for _, n := range names {
		if t.has(n) {
			return []string{n}
		}
	}
	return nil
}

// pythonFiles resolves "a.b" or "..a", and what is imported from it where that
// is a module itself.
func (t *tree) pythonFiles(dir, dotted, from string) []string {
	name := strings.TrimLeft(dotted, ".")
	roots := []string{"", "src", "lib", dir, folder(dir)}
	if up := len(dotted) - len(name); up > 0 {
		for range up - 1 {
			dir = folder(dir)
		}
		roots = []string{dir}
	}
	var out []string
	for _, root := range roots {
		at := path.Join(root, strings.ReplaceAll(name, ".", "/"))
		for _, part := range strings.Split(from, ",") {
			part, _, _ = strings.Cut(strings.TrimSpace(part), " ")
			if part != "" {
				out = append(out, t.first(path.Join(at, part+".py"), path.Join(at, part, "__init__.py"))...)
			}
		}
		out = append(out, t.first(at+".py", path.Join(at, "__init__.py"))...)
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// scriptFile resolves a relative import with or without its extension.
func (t *tree) scriptFile(at string) []string {
	stem := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(at, ".js"), ".mjs"), ".jsx")
	names := []string{at}
	for _, s := range []string{at, stem} {
		for _, ext := range []string{".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts"} {
			names = append(names, s+ext)
		}
	}
	return t.first(append(names, at+"/index.ts", at+"/index.tsx", at+"/index.js", at+"/index.mjs")...)
}
