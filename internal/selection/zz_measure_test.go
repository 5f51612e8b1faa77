package selection

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func goSyms(path, text string) (out []Symbol) {
	if !strings.HasSuffix(path, ".go") {
		return nil
	}
	set := token.NewFileSet()
	f, _ := parser.ParseFile(set, "", text, parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	line := func(p token.Pos) int { return set.Position(p).Line }
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			k := "func"
			if d.Recv != nil {
				k = "method"
			}
			out = append(out, Symbol{Name: d.Name.Name, Kind: k, Line: line(d.Pos()), End: line(d.End())})
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out = append(out, Symbol{Name: s.Name.Name, Kind: "type", Line: line(s.Pos()), End: line(s.End())})
				case *ast.ValueSpec:
					for _, n := range s.Names {
						out = append(out, Symbol{Name: n.Name, Kind: "var", Line: line(n.Pos()), End: line(s.End())})
					}
				}
			}
		}
	}
	return out
}

type kase struct {
	Module, Dir, File, Kind, Output string
	Line                            int
}

func loadFiles(dir string) (files []File) {
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			rel, _ := filepath.Rel(dir, p)
			info, _ := d.Info()
			files = append(files, File{rel, int(info.Size())})
		}
		return nil
	})
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files
}

func TestMeasure(t *testing.T) {
	data, err := os.ReadFile("/tmp/loc/cases.jsonl")
	if err != nil {
		t.Skip()
	}
	type stat struct{ n, hit, line int }
	stats := map[string]*stat{}
	var nFiles, toks []int
	lists := map[string][]File{}
	var slow time.Duration
	for l := range strings.Lines(string(data)) {
		var c kase
		if json.Unmarshal([]byte(l), &c) != nil {
			continue
		}
		if lists[c.Dir] == nil {
			lists[c.Dir] = loadFiles(c.Dir)
		}
		s := Source{Files: lists[c.Dir], Root: c.Dir, Symbols: Outline, Read: func(p string) (string, error) {
			b, err := os.ReadFile(filepath.Join(c.Dir, p))
			return string(b), err
		}}
		begin := time.Now()
		ch := s.Choose(Evidence{Task: "Make `go test ./...` pass.", Output: c.Output, Checks: []string{"go test ./..."}}, 16000)
		slow = max(slow, time.Since(begin))
		if os.Getenv("MISS") != "" {
			lastSum = newTree(s).weigh(Evidence{Task: "Make `go test ./...` pass.", Output: c.Output, Checks: []string{"go test ./..."}})
		}
		hit, line, sum := false, false, 0
		for _, f := range ch.Files {
			sum += f.Tokens
			if f.Path == c.File {
				hit = true
				line = f.Spans == nil
				for _, s := range f.Spans {
					line = line || s.From <= c.Line && c.Line <= s.To
				}
			}
		}
		nFiles, toks = append(nFiles, len(ch.Files)), append(toks, sum)
		for _, k := range []string{"mod " + c.Module, "kind " + c.Kind, "all"} {
			if stats[k] == nil {
				stats[k] = &stat{}
			}
			stats[k].n++
			if hit {
				stats[k].hit++
			}
			if line {
				stats[k].line++
			}
		}
		if (!hit || !line) && os.Getenv("MISS") != "" && strings.Contains(c.Module, os.Getenv("MISS")) {
			fmt.Printf("--- %s %s:%d %s hit=%v line=%v\n", c.Module, c.File, c.Line, c.Kind, hit, line)
			lastSum.show(c.File)
			for _, f := range ch.Files {
				lastSum.show(f.Path)
				fmt.Printf("      %-40s %5d %v %s\n", f.Path, f.Tokens, f.Spans, f.Why)
			}
			if os.Getenv("OUT") != "" {
				fmt.Println(c.Output[:min(len(c.Output), 1500)])
			}
		}
	}
	keys := []string{}
	for k := range stats {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		s := stats[k]
		fmt.Printf("%-50s n=%3d hit=%5.1f%% line=%5.1f%%\n", k, s.n, 100*float64(s.hit)/float64(s.n), 100*float64(s.line)/float64(s.n))
	}
	slices.Sort(nFiles)
	slices.Sort(toks)
	fmt.Println("median files", nFiles[len(nFiles)/2], "tokens", toks[len(toks)/2], "p90", toks[len(toks)*9/10], "slowest", slow)
}

var lastSum tally

func (t tally) show(p string) {
	r := slices.Index(t.ranked(), p)
	if t[p] == nil {
		fmt.Printf("    ## %s: no entry\n", p)
		return
	}
	fmt.Printf("    ## %s rank %d %.1f %v\n", p, r, t[p].points(), t[p].kinds)
}
