package selection

import (
	"path"
	"regexp"
	"strings"
)

// unit is what shares its names without an import: a folder of Go, Java or C
// (its key ends with a slash), a single file of other languages.
type unit struct {
	key   string
	nodes []*node
	defs  map[string][]*node
	owned map[string][]*node // methods by their receiver's type
	uses  []string           // keys of the units that its files import
}

// receiver finds the type in the signature of a Go method.
var receiver = regexp.MustCompile(`^(?:func )?\(\w*\s*\*?(\w+)(?:\[.*?\])?\) `)

// node is a symbol and the names that its lines hold.
type node struct {
	path     string
	symbol   Symbol
	unit     *unit
	test     bool         // of a test's file
	ids      []identifier // each name once, with its first line
	lines    map[string][]int
	prepared bool
}

// unitOf gives the key of the unit that a file belongs to.
func unitOf(name string) string {
	switch path.Ext(name) {
	case ".go", ".java", ".kt", ".c", ".h", ".cc", ".cpp", ".hpp", ".cxx", ".hh", ".cs":
		return folder(name) + "/"
	}
	return name
}

// members gives the paths of a unit's files. A Java package has its tests in a
// second folder.
func (t *tree) members(key string) []string {
	dir, isFolder := strings.CutSuffix(key, "/")
	if !isFolder {
		return []string{key}
	}
	names := t.in(dir)
	for _, pair := range [...][2]string{{"src/test/", "src/main/"}, {"src/main/", "src/test/"}} {
		if strings.Contains(dir+"/", pair[0]) {
			names = append(names, t.in(strings.TrimSuffix(strings.Replace(dir+"/", pair[0], pair[1], 1), "/"))...)
		}
	}
	var out []string
	for _, p := range names {
		if unitOf(p) != p {
			out = append(out, p)
		}
	}
	return out
}

// unit outlines a unit's files once.
func (t *tree) unit(key string) *unit {
	if u, ok := t.units[key]; ok {
		return u
	}
	u := &unit{key: key, defs: map[string][]*node{}, owned: map[string][]*node{}}
	t.units[key] = u
	seen := map[string]bool{}
	for _, p := range t.members(key) {
		symbols := t.symbols(p)
		for i, s := range symbols {
			if s.End == 0 && i+1 < len(symbols) {
				s.End = symbols[i+1].Line - 1
			}
			n := &node{path: p, symbol: s, unit: u, test: isTest(p)}
			u.nodes = append(u.nodes, n)
			u.defs[s.Name] = append(u.defs[s.Name], n)
			if owner := submatch(receiver, s.Signature, 1); owner != "" {
				u.owned[owner] = append(u.owned[owner], n)
			}
		}
		for _, use := range t.imports(p) {
			if !seen[use] && use != key {
				seen[use] = true
				u.uses = append(u.uses, use)
			}
		}
	}
	return u
}

// names gives the names that a node's lines hold.
func (t *tree) names(n *node) []identifier {
	if n.prepared {
		return n.ids
	}
	n.prepared, n.lines = true, map[string][]int{}
	got := t.text(n.path)
	if got == nil {
		return nil
	}
	code := linesOf(got.body, n.symbol.Line, n.symbol.End)
	for _, id := range identifiers(code, path.Ext(n.path), n.symbol.Line) {
		if id.name != n.symbol.Name && n.lines[id.name] == nil {
			n.ids = append(n.ids, id)
		}
		n.lines[id.name] = append(n.lines[id.name], id.line)
	}
	return n.ids
}

// linesOf gives lines from to to of a text, both included; to 0: to its end.
func linesOf(body string, from, to int) string {
	start := 0
	for range from - 1 {
		i := strings.IndexByte(body[start:], '\n')
		if i < 0 {
			return ""
		}
		start += i + 1
	}
	if to < from {
		return body[start:]
	}
	end := start
	for range to - from + 1 {
		i := strings.IndexByte(body[end:], '\n')
		if i < 0 {
			return body[start:]
		}
		end += i + 1
	}
	return body[start:end]
}
