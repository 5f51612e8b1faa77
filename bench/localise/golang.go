package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
)

// The kinds of faults. Each is a slip that a person makes and a compiler lets pass.
const (
	operator  = "operator"
	constant  = "constant"
	condition = "condition"
	statement = "statement"
	arguments = "arguments"
)

var kinds = []string{operator, constant, condition, statement, arguments}

// slips maps an operator to the one that is written by mistake.
var slips = map[token.Token]string{
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.REM: "/",
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.LAND: "||", token.LOR: "&&", token.AND: "|", token.OR: "&", token.SHL: ">>", token.SHR: "<<",
	token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.INC: "--", token.DEC: "++",
}

// goMutations lists the faults that can be seeded into the functions of a Go
// file, in the file's order. Most of them still compile; none for a file that
// does not parse.
func goMutations(path, text string) []mutation {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	s := seeder{path: path, text: text, file: set.File(file.Pos())}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			ast.Inspect(fn.Body, s.visit)
		}
	}
	return s.found
}

// seeder collects the mutations of one file.
type seeder struct {
	path, text string
	file       *token.File
	found      []mutation
}

func (s *seeder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		s.operator(n.OpPos, n.Op)
	case *ast.IncDecStmt:
		s.operator(n.TokPos, n.Tok)
	case *ast.AssignStmt:
		s.operator(n.TokPos, n.Tok)
	case *ast.BasicLit:
		s.literal(n)
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
			s.add(constant, n.Pos(), n.End(), other)
		}
	case *ast.IfStmt:
		s.add(condition, n.Cond.Pos(), n.Cond.End(), "!("+s.cut(n.Cond.Pos(), n.Cond.End())+")")
	case *ast.BlockStmt:
		s.statements(n.List)
	case *ast.CaseClause:
		s.statements(n.Body)
	case *ast.CallExpr:
		s.arguments(n.Args)
	}
	return true
}

func (s *seeder) operator(at token.Pos, op token.Token) {
	if other := slips[op]; other != "" {
		s.add(operator, at, at+token.Pos(len(op.String())), other)
	}
}

// literal makes a number one larger, and leaves a string's last character out.
func (s *seeder) literal(lit *ast.BasicLit) {
	switch lit.Kind {
	case token.INT:
		if n, err := strconv.ParseInt(lit.Value, 0, 62); err == nil {
			s.add(constant, lit.Pos(), lit.End(), strconv.FormatInt(n+1, 10))
		}
	case token.STRING:
		if v, err := strconv.Unquote(lit.Value); err == nil && v != "" {
			s.add(constant, lit.Pos(), lit.End(), strconv.Quote(v[:len(v)-1]))
		}
	}
}

// statements leaves one statement out; declarations stay, as what is not
// declared would not compile.
func (s *seeder) statements(list []ast.Stmt) {
	for _, stmt := range list {
		switch stmt := stmt.(type) {
		case *ast.AssignStmt:
			if stmt.Tok != token.DEFINE {
				s.add(statement, stmt.Pos(), stmt.End(), "")
			}
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.DeferStmt:
			s.add(statement, stmt.Pos(), stmt.End(), "")
		case *ast.IfStmt:
			if stmt.Else == nil {
				s.add(statement, stmt.Pos(), stmt.End(), "")
			}
		}
	}
}

// arguments swaps two neighbours that differ.
func (s *seeder) arguments(args []ast.Expr) {
	for i := 1; i < len(args); i++ {
		a, b := args[i-1], args[i]
		if first, second := s.cut(a.Pos(), a.End()), s.cut(b.Pos(), b.End()); first != second {
			s.add(arguments, a.Pos(), b.End(), second+s.cut(a.End(), b.Pos())+first)
		}
	}
}

func (s *seeder) cut(from, to token.Pos) string {
	return s.text[s.file.Offset(from):s.file.Offset(to)]
}

func (s *seeder) add(kind string, from, to token.Pos, text string) {
	s.found = append(s.found, mutation{
		File: s.path, Line: s.file.PositionFor(from, false).Line, Kind: kind,
		From: s.file.Offset(from), To: s.file.Offset(to), Old: s.cut(from, to), New: text,
	})
}
