package selection

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// outlineGo parses; where that fails, the braces are followed as in other languages.
func outlineGo(text string) []Symbol {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if err != nil {
		return brokenGo.outline(text)
	}
	g := goFile{set.File(f.FileStart), text, nil}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			kind := "func"
			if d.Recv != nil {
				kind = "method"
			}
			g.add(d.Name, kind, d.Pos(), d.Type.End(), d.End(), "")
		case *ast.GenDecl:
			g.group(d)
		}
	}
	return g.symbols
}

type goFile struct {
	file    *token.File
	text    string
	symbols []Symbol
}

// group adds what a const, var or type declaration names, each with its keyword,
// which it may share with others.
func (g *goFile) group(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			kind, head := goType(spec.Type)
			g.add(spec.Name, kind, spec.Pos(), head, spec.End(), "type ")
		case *ast.ValueSpec:
			for _, n := range spec.Names {
				if n.Name != "_" {
					g.add(n, d.Tok.String(), n.Pos(), n.End(), spec.End(), d.Tok.String()+" ")
				}
			}
		}
	}
}

// goType gives a type's kind, and where that of it ends which a signature shows.
func goType(t ast.Expr) (kind string, head token.Pos) {
	switch t := t.(type) {
	case *ast.StructType:
		return "struct", t.Pos() + token.Pos(len("struct"))
	case *ast.InterfaceType:
		return "interface", t.Pos() + token.Pos(len("interface"))
	}
	return "type", t.End()
}

func (g *goFile) add(name *ast.Ident, kind string, from, head, end token.Pos, keyword string) {
	offset := func(p token.Pos) int { return min(max(g.file.Offset(p), 0), len(g.text)) }
	source := g.text[offset(from):max(offset(from), offset(head))]
	g.symbols = append(g.symbols, Symbol{
		Name: name.Name, Kind: kind, Signature: keyword + goLine(source),
		Line: g.file.PositionFor(name.Pos(), false).Line, End: g.file.PositionFor(end, false).Line,
	})
}

// goLine makes one line of a declaration: comments go, and what was broken after
// a bracket or a comma is joined.
func goLine(source string) string {
	if !strings.Contains(source, "\n") {
		return source
	}
	var lines strings.Builder
	for line := range strings.Lines(source) {
		if i := strings.Index(line, "//"); i >= 0 {
			line = line[:i]
		}
		lines.WriteString(line + " ")
	}
	return strings.NewReplacer("( ", "(", ", )", ")", " )", ")").Replace(oneLine(lines.String()))
}
