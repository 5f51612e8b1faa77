package selection

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"
)

// weighImports counts what the three best files import.
func (t *tree) weighImports(sum tally) {
	ranked := sum.ranked()
	for _, p := range ranked[:min(len(ranked), 3)] {
		if sum[p].points() < testFile {
			break
		}
		for _, u := range t.imports(p) {
			for _, q := range t.members(u) {
				if !isTest(q) && sum[q] == nil {
					sum.add(q, "import", imported, "imported by "+path.Base(p))
				}
			}
		}
	}
}

// weighRecent counts what the last commits changed.
func (t *tree) weighRecent(sum tally) {
	const most = 20
	for i, p := range t.Recent[:min(len(t.Recent), most)] {
		if t.has(p) {
			sum.add(p, "recent", recent*float64(most-i)/most, "changed lately")
		}
	}
}

// weighDefaults gives something to show where nothing speaks for any file: what
// introduces the tree, then the smallest files, code before others.
func (t *tree) weighDefaults(sum tally) {
	const most = 40
	var small, others []File
	for _, f := range t.files {
		switch base := path.Base(f.Path); {
		case strings.HasPrefix(base, "README") && !strings.Contains(f.Path, "/"):
			sum.add(f.Path, "default", fallback, "introduces the repository")
		case entryPoint(f.Path):
			sum.add(f.Path, "default", fallback*math.Pow(0.8, float64(strings.Count(f.Path, "/"))), "an entry point")
		case isCode(f.Path):
			small = append(small, f)
		default:
			others = append(others, f)
		}
	}
	bySize := func(a, b File) int { return cmp.Or(cmp.Compare(a.Size, b.Size), strings.Compare(a.Path, b.Path)) }
	slices.SortFunc(small, bySize)
	if len(small) < most {
		slices.SortFunc(others, bySize)
		small = append(small, others...)
	}
	for i, f := range small[:min(len(small), most)] {
		points := float64(most-i) / most
		if isTest(f.Path) || supports(f.Path) {
			points /= 2
		}
		sum.add(f.Path, "default", points, "small")
	}
}

// entryPoint goes by the name, not deeper than three folders.
func entryPoint(name string) bool {
	if strings.Count(name, "/") > 3 {
		return false
	}
	switch path.Base(name) {
	case "main.go", "__main__.py", "main.py", "app.py", "manage.py", "index.js", "index.ts", "main.ts", "main.js", "Main.java", "main.rs", "lib.rs", "main.c", "main.cpp":
		return true
	}
	return false
}
