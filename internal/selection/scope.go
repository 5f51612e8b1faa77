package selection

import (
	"go/ast"
	"path"
	"strings"
)

// defined gives the nodes that a name in a node may mean: of the unit that
// stands before its dot, else of its own unit, else of those it imports. A name
// behind a value's dot is a method or a field.
func (t *tree) defined(n *node, id identifier) []*node {
	if id.of != "" {
		for _, key := range n.unit.uses {
			if qualifies(id.of, key) {
				return t.unit(key).defs[id.name]
			}
		}
	}
	isGo := path.Ext(n.path) == ".go"
	if n.test && qualifies(id.of, n.unit.key) { // a test of package foo_test
		id.of = ""
	}
	if found := fitting(n.unit.defs[id.name], isGo, id.of != ""); found != nil || isGo && id.of == "" {
		return found // Go names what another package defines by that package
	}
	var out []*node
	if isGo && !ast.IsExported(id.name) {
		return nil
	}
	for _, key := range n.unit.uses {
		out = append(out, fitting(t.unit(key).defs[id.name], isGo, id.of != "")...)
	}
	return out
}

// fitting keeps methods for a name behind a dot, and what is none for others.
// Only Go is so strict.
func fitting(defs []*node, isGo, dotted bool) []*node {
	if !isGo {
		return defs
	}
	var out []*node
	for _, d := range defs {
		if (d.symbol.Kind == "method") == dotted {
			out = append(out, d)
		}
	}
	return out
}

// qualifies reports whether code may call a unit by a name: by its folder's or
// its file's, without what versions and prefixes add.
func qualifies(name, key string) bool {
	base := path.Base(strings.TrimSuffix(key, "/"))
	if len(base) > 1 && base[0] == 'v' && isDigit(base[1]) {
		base = path.Base(path.Dir(strings.TrimSuffix(key, "/")))
	}
	base = strings.TrimSuffix(base, path.Ext(base))
	return base == name || strings.TrimPrefix(base, "go-") == name
}
