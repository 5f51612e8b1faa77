package selection

import (
	"path"
	"regexp"
	"strings"
)

// foreign are folders of a path that is of a language's own library, or of a
// package that was installed, and not of the tree.
var foreign = regexp.MustCompile(`/go/(?:src|pkg/mod)/|/libexec/src/|site-packages/|dist-packages/|node_modules/|/lib/python|/rustc/|\.cargo/|node:|internal/process/`)

// maxAlike is how many files an unclear path may mean before it means none.
const maxAlike = 3

// resolve gives the files of the tree that a path in a text means: as it is,
// from the folder that the text speaks of or a check works in, else by its last
// parts. It is empty for paths that are not of the tree.
func (t *tree) resolve(written, from string, dirs []string) []string {
	name := strings.ReplaceAll(written, `\`, "/")
	root := strings.TrimSuffix(t.Root, "/")
	if rest, ok := strings.CutPrefix(name, root+"/"); ok && root != "" {
		if rest = path.Clean(rest); t.has(rest) {
			return []string{rest}
		}
		return nil
	}
	if foreign.MatchString(name) {
		return nil
	}
	if !path.IsAbs(name) {
		for _, dir := range append([]string{from, ""}, dirs...) {
			if full := path.Join(dir, name); t.has(full) {
				return []string{full}
			}
		}
		if dir, ok := t.goDir(folder(name)); ok && t.has(path.Join(dir, path.Base(name))) {
			return []string{path.Join(dir, path.Base(name))} // as -trimpath prints it
		}
	}
	return t.alike(name, from)
}

// alike gives the files that share the most last parts with a path; all of them
// where those are few. One part is enough only for a path that has one, or whose
// folder the text named.
func (t *tree) alike(name, from string) []string {
	parts := strings.Split(strings.Trim(path.Join(from, strings.TrimLeft(name, "./")), "/"), "/")
	want := min(2, len(parts))
	if !path.IsAbs(name) && !strings.Contains(name, "/") {
		want = 1
	}
	var out []string
	for _, at := range t.base[path.Base(name)] {
		p := t.files[at].Path
		switch n := shared(parts, strings.Split(p, "/")); {
		case n < want && p != path.Base(name):
		case n > want:
			want, out = n, []string{p}
		default:
			out = append(out, p)
		}
	}
	if len(out) > maxAlike {
		return nil
	}
	return out
}

// shared counts the parts that two paths have in common from their ends.
func shared(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

var changeDir = regexp.MustCompile(`(?:^|[;&|(]\s*)(?:cd|pushd)\s+(?:--\s+)?["']?([\w./@+-]+)|(?:-C|--prefix|--manifest-path|--cwd|-f|--file)[ =]["']?([\w./@+-]+)`)

// workFolders gives the folders that checks work in: cd sub && …, make -C sub.
func (t *tree) workFolders(checks []string) []string {
	var out []string
	for _, check := range checks {
		for _, m := range changeDir.FindAllStringSubmatch(check, 5) {
			dir := strings.TrimPrefix(path.Clean(m[1]+m[2]), "/")
			if len(t.below(dir+"/")) > 0 {
				out = append(out, dir)
			}
		}
	}
	return out
}
