package selection

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
)

// module is a go.mod of the tree.
type module struct{ path, dir string }

var (
	goHead = regexp.MustCompile(`^# (\S+)(?: \[\S+\])?$`)
	goEnd  = regexp.MustCompile(`^(?:FAIL|ok  |\?   |---)\t(\S+)`)
)

// goPackage gives the import path on a line of the go command's output that
// begins (# pkg) or ends (FAIL pkg, ok pkg) what is printed about a package.
func goPackage(line string) (pkg string, end bool) {
	if strings.HasPrefix(line, "# ") {
		return submatch(goHead, line, 1), false
	}
	if strings.Contains(line, "\t") {
		return submatch(goEnd, line, 1), true
	}
	return "", false
}

// goModules reads the names of the tree's modules, at most 20, the longest first.
func (t *tree) goModules() []module {
	var out []module
	for _, at := range t.base["go.mod"][:min(len(t.base["go.mod"]), 20)] {
		if t.Read == nil {
			break
		}
		name := t.files[at].Path
		body, err := t.Read(name)
		if err != nil {
			continue
		}
		for line := range strings.Lines(body) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "module" {
				out = append(out, module{strings.Trim(f[1], `"`), folder(name)})
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b module) int {
		return cmp.Or(len(b.path)-len(a.path), strings.Compare(a.path, b.path))
	})
	return out
}

// goDir gives the folder of a Go package of the tree.
func (t *tree) goDir(pkg string) (string, bool) {
	pkg = strings.TrimSuffix(strings.TrimSuffix(pkg, ".test"), "_test")
	if !t.asked {
		t.modules, t.asked = t.goModules(), true
	}
	for _, m := range t.modules {
		if rest, ok := strings.CutPrefix(pkg, m.path); ok && (rest == "" || rest[0] == '/') {
			return strings.TrimPrefix(path.Join(m.dir, rest), "/"), true
		}
	}
	return "", false
}
