package edits

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// realFile is a real file and the ranges of its lines that are units to replace.
type realFile struct {
	path  string
	lines []string
	spans [][2]int // first and last line, from 0, of whole units
	loose [][2]int // of any lines that begin and end a statement
}

// damage is one case: a range, what became of it, and what a model sends.
type damage struct {
	of            *realFile
	span          [2]int
	broken, lines []string
	kind          string
}

// damaged makes one case of a file, if it can.
func damaged(r *rand.Rand, s *realFile, spans [][2]int) (damage, bool) {
	if len(spans) == 0 {
		return damage{}, false
	}
	d := damage{of: s, span: spans[r.IntN(len(spans))]}
	gold := s.lines[d.span[0] : d.span[1]+1]
	if gold[len(gold)-1] == "" {
		return damage{}, false
	}
	if slices.ContainsFunc(gold, func(l string) bool { return l != "" && strings.TrimSpace(l) == "" }) {
		return damage{}, false
	}
	tabs := slices.ContainsFunc(gold, func(l string) bool { return strings.HasPrefix(l, "\t") })
	spaces := slices.ContainsFunc(gold, func(l string) bool { return strings.HasPrefix(l, " ") })
	unit := unitOf(s.lines)
	var how string
	switch r.IntN(5) {
	case 0:
		how, d.broken = "flat", eachLine(gold, func(l string) string { return strings.TrimLeft(l, " \t") })
	case 1:
		n := 1 + r.IntN(6)
		how, d.broken = "moved", eachLine(gold, func(l string) string { return strings.Repeat(" ", n) + l })
	case 2:
		i := r.IntN(len(gold))
		how, d.broken = "line", slices.Clone(gold)
		d.broken[i] = strings.Repeat(" ", 1+r.IntN(6)) + gold[i]
	case 3:
		how, d.broken = "swapped", eachLine(gold, func(l string) string { return swap(l, unit) })
	case 4:
		how = "inserted"
	}
	kind := ""
	switch r.IntN(4) {
	case 0:
		kind, d.lines = "dedented", dedented(gold)
	case 1:
		by := strings.Repeat(" ", unit)
		if tabs || !spaces && strings.HasPrefix(firstIndent(s.lines), "\t") {
			by = "\t"
		}
		kind, d.lines = "deeper", eachLine(gold, func(l string) string { return by + l })
	case 2:
		kind, d.lines = "unit", eachLine(gold, func(l string) string { return otherUnit(l, unit) })
	case 3:
		kind, d.lines = "right", gold
	}
	d.kind = kind + " for " + how
	return d, true
}

func eachLine(lines []string, f func(string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if l != "" {
			out[i] = f(l)
		}
	}
	return out
}

func firstIndent(lines []string) string {
	for _, l := range lines {
		if in := indentOf(l); in != "" && in != l {
			return in
		}
	}
	return ""
}

// unitOf is the file's unit: what its indentations differ by most often.
func unitOf(lines []string) int {
	var n [9]int
	last := 0
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		in := indentOf(l)
		if strings.Contains(in, "\t") {
			n[4]++
			continue
		}
		if step := len(in) - last; step > 1 && step <= 8 {
			n[step]++
		}
		last = len(in)
	}
	best := 4
	for i := range n {
		if n[i] > n[best] {
			best = i
		}
	}
	return best
}

func swap(l string, unit int) string {
	in := indentOf(l)
	if strings.Contains(in, "\t") {
		return strings.ReplaceAll(in, "\t", "    ") + l[len(in):]
	}
	return strings.Repeat("\t", len(in)/unit) + strings.Repeat(" ", len(in)%unit) + l[len(in):]
}

func otherUnit(l string, unit int) string {
	in := indentOf(l)
	if strings.Contains(in, "\t") {
		return strings.ReplaceAll(in, "\t", "    ") + l[len(in):]
	}
	to := 2
	if unit == 2 {
		to = 4
	}
	return strings.Repeat(" ", len(in)/unit*to+len(in)%unit) + l[len(in):]
}

func dedented(lines []string) []string {
	least := ""
	for i, l := range lines {
		if in := indentOf(l); l != "" && (i == 0 || len(in) < len(least)) {
			least = in
		}
	}
	return eachLine(lines, func(l string) string {
		if rest, ok := strings.CutPrefix(l, least); ok {
			return rest
		}
		return l
	})
}

const pythonSpans = `
import ast, io, json, sys, tokenize, warnings
warnings.simplefilter("ignore")
def bodies(n):
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        b = getattr(n, name, None)
        if isinstance(b, list) and b and hasattr(b[0], "lineno") or name == "cases" and b: yield name, b
def first(n):
    return min([n.lineno] + [d.lineno for d in getattr(n, "decorator_list", [])]) if hasattr(n, "lineno") else n.pattern.lineno
def last(n):
    return n.end_lineno if hasattr(n, "end_lineno") else n.body[-1].end_lineno
for f in json.load(sys.stdin):
    try:
        text = open(f, encoding="utf-8").read()
        tree = ast.parse(text)
        toks = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except Exception: continue
    strict, loose = [], []
    for n in ast.walk(tree):
        for name, b in bodies(n):
            if name in ("handlers", "cases"): continue
            for i in range(len(b)):
                for j in range(i, len(b)):
                    s, e = first(b[i]), last(b[j])
                    if e - s < 12: strict.append([s-1, e-1])
    logical, start = [], None
    for k in toks:
        if k.type in (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING): continue
        if start is None: start = k.start[0]
        if k.type == tokenize.NEWLINE:
            logical.append((start, k.end[0])); start = None
    for i in range(len(logical)):
        for j in range(i, len(logical)):
            if logical[j][1] - logical[i][0] >= 12: break
            loose.append([logical[i][0]-1, logical[j][1]-1])
    print(json.dumps({"path": f, "strict": strict, "loose": loose}))
`

// pythonSources reads Python's own library: ranges are statements of one block.
func pythonSources(t testing.TB) []*realFile {
	out, err := exec.Command("python3", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").Output()
	if err != nil {
		t.Skip("python3 is not here")
	}
	return pythonFiles(t, strings.TrimSpace(string(out)))
}

// pythonFiles asks python3 where statements begin and end in files of a folder.
func pythonFiles(t testing.TB, root string) []*realFile {
	paths := found(root, 150, ".py")
	in, _ := json.Marshal(paths)
	cmd := exec.Command("python3", "-c", pythonSpans)
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(in)), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []*realFile
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var v struct {
			Path          string
			Strict, Loose [][2]int
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		s := readSource(v.Path)
		s.spans, s.loose = v.Strict, v.Loose
		all = append(all, s)
	}
	return all
}

// goSources reads Go's own: ranges are statements, declarations, elements.
func goSources(t testing.TB) []*realFile {
	var all []*realFile
	for _, path := range found(filepath.Join(goRoot(t), "src"), 400, ".go") {
		s := readSource(path)
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		line := func(p token.Pos) int { return fset.PositionFor(p, false).Line - 1 }
		add := func(n int, at func(int) ast.Node) {
			for i := range n {
				for j := i; j < n; j++ {
					from, to := line(at(i).Pos()), line(at(j).End())
					if to-from < 12 {
						s.spans = append(s.spans, [2]int{from, to})
					}
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				if len(n.List) > 0 && line(n.Lbrace) < line(n.List[0].Pos()) && line(n.Rbrace) > line(n.List[len(n.List)-1].Pos()) {
					add(len(n.List), func(i int) ast.Node { return n.List[i] })
				}
			case *ast.CaseClause:
				if len(n.Body) > 0 && line(n.Colon) < line(n.Body[0].Pos()) {
					add(len(n.Body), func(i int) ast.Node { return n.Body[i] })
				}
			case *ast.File:
				add(len(n.Decls), func(i int) ast.Node { return n.Decls[i] })
			case *ast.CompositeLit:
				if len(n.Elts) > 0 && line(n.Lbrace) < line(n.Elts[0].Pos()) && line(n.Rbrace) > line(n.Elts[len(n.Elts)-1].End()) {
					for _, e := range n.Elts {
						if line(e.Pos()) == line(e.End()) {
							s.spans = append(s.spans, [2]int{line(e.Pos()), line(e.End())})
						}
					}
				}
			case *ast.StructType:
				if len(n.Fields.List) > 0 && line(n.Fields.Opening) < line(n.Fields.List[0].Pos()) {
					add(len(n.Fields.List), func(i int) ast.Node { return n.Fields.List[i] })
				}
			}
			return true
		})
		s.loose = plainSpans(s.lines, func(l string) bool { return !strings.Contains(l, "`") && !strings.Contains(l, "*/") })
		all = append(all, s)
	}
	return all
}

// plainSpans gives all ranges of lines that pass.
func plainSpans(lines []string, ok func(string) bool) (spans [][2]int) {
	for i := range lines {
		if strings.TrimSpace(lines[i]) == "" {
			continue
		}
		for j := i; j < min(len(lines), i+12) && ok(lines[j]); j++ {
			if strings.TrimSpace(lines[j]) != "" {
				spans = append(spans, [2]int{i, j})
			}
		}
	}
	return spans
}

// yamlSources reads what YAML there is: ranges are entries with all below them.
func yamlSources(t testing.TB) []*realFile {
	var all []*realFile
	for _, c := range yamlTexts(t) {
		s := &realFile{path: c[0], lines: newText(c[1]).lines}
		if strings.Contains(c[1], "{{") && !strings.Contains(c[1], "${{") || strings.Contains(c[1], "\t") {
			continue
		}
		s.spans, s.loose = yamlSpans(s.lines)
		all = append(all, s)
	}
	if len(all) < 50 {
		t.Skip("no YAML is here")
	}
	return all
}

func yamlSpans(lines []string) (spans, loose [][2]int) {
	width := func(i int) int { return len(indentOf(lines[i])) }
	block := -1 // depth of a block scalar's key
	for i, l := range lines {
		s := strings.TrimSpace(l)
		if s == "" {
			continue
		}
		if block >= 0 && width(i) > block {
			continue
		}
		block = -1
		if strings.HasSuffix(s, "|") || strings.HasSuffix(s, ">") || strings.HasSuffix(s, "|-") || strings.HasSuffix(s, ">-") {
			block = width(i)
		}
		if s[0] == '#' || !strings.Contains(s, ":") && s[0] != '-' {
			continue
		}
		// whole subtrees, one sibling after another
		last := i
		for j := i + 1; j <= len(lines) && j < i+13; j++ {
			if j < len(lines) && strings.TrimSpace(lines[j]) == "" {
				continue
			}
			loose = append(loose, [2]int{i, j - 1})
			if j < len(lines) && (width(j) > width(i) || width(j) == width(i) && s[0] != '-' && strings.HasPrefix(strings.TrimSpace(lines[j]), "- ")) {
				last = j
				continue
			}
			if last-i < 12 {
				spans = append(spans, [2]int{i, last})
			}
			if j >= len(lines) || width(j) < width(i) {
				break
			}
			last = j
		}
	}
	return spans, loose
}

func yamlTexts(t testing.TB) (all [][2]string) {
	if f, err := os.Open("../../shared/corpus/commits.jsonl"); err == nil {
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var c struct {
				Files []struct{ Path, After string }
			}
			if json.Unmarshal(lines.Bytes(), &c) == nil {
				for _, f := range c.Files {
					if strings.HasSuffix(f.Path, ".yml") || strings.HasSuffix(f.Path, ".yaml") {
						all = append(all, [2]string{f.Path, f.After})
					}
				}
			}
		}
	}
	out, _ := exec.Command("go", "env", "GOMODCACHE").Output()
	roots := []string{strings.TrimSpace(string(out)), "/usr/lib", filepath.Join(goRoot(t), "src")}
	for i, most := range []int{150, 60, 30} {
		for _, p := range found(roots[i], most, ".yml", ".yaml") {
			b, _ := os.ReadFile(p)
			all = append(all, [2]string{p, string(b)})
		}
	}
	return all
}

// tabSources reads files of other languages that are indented by tabs; some of
// them by spaces, too.
func tabSources(t testing.TB) []*realFile {
	var all []*realFile
	for _, path := range append(found(filepath.Join(goRoot(t), "src"), 100, ".s", ".c", ".h", ".js", ".bash", ".pl"), found("/usr/include/linux", 60, ".h")...) {
		s := readSource(path)
		tabs := 0
		for _, l := range s.lines {
			if strings.HasPrefix(l, "\t") {
				tabs++
			}
		}
		if tabs*10 < len(s.lines) || len(s.lines) > 3000 {
			continue
		}
		s.spans = balancedSpans(s.lines)
		s.loose = s.spans
		all = append(all, s)
	}
	if len(all) < 20 {
		t.Skip("no files with tabs are here")
	}
	return all
}

// balancedSpans gives the ranges that close what they open and no more, and hold
// no comment of many lines.
func balancedSpans(lines []string) (spans [][2]int) {
	for _, span := range plainSpans(lines, func(l string) bool { return !strings.ContainsAny(l, "`\\") && !strings.Contains(l, "*") }) {
		depth := 0
		ok := true
		for _, l := range lines[span[0] : span[1]+1] {
			depth += strings.Count(l, "{") + strings.Count(l, "(") - strings.Count(l, "}") - strings.Count(l, ")")
			ok = ok && depth >= 0
		}
		if first := strings.TrimSpace(lines[span[0]]); ok && depth == 0 && first[0] != '}' && first[0] != '{' {
			spans = append(spans, span)
		}
	}
	return spans
}

// goRoot is where Go is, skipping the test where that cannot be told.
func goRoot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("go is not here")
	}
	return strings.TrimSpace(string(out))
}

func readSource(path string) *realFile {
	b, err := os.ReadFile(path)
	if err != nil {
		return &realFile{path: path}
	}
	return &realFile{path: path, lines: newText(string(b)).lines}
}

// found lists files below a folder, evenly chosen if there are more than most.
func found(root string, most int, exts ...string) (paths []string) {
	_ = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && slices.Contains([]string{"site-packages", "testdata", "lib2to3", "bad"}, d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular() && slices.Contains(exts, filepath.Ext(file)):
			paths = append(paths, file)
		}
		return nil
	})
	if len(paths) <= most {
		return paths
	}
	var some []string
	for i := range most {
		some = append(some, paths[i*len(paths)/most])
	}
	return some
}
