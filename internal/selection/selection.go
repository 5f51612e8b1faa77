// Package selection chooses which files a prompt shows. Its functions are pure:
// they work on a list of paths and on text.
//
// This is a first step: files that the task or the checks' output name come
// first, then the smallest others, while the budget lasts. What is left out is
// said, never cut in silence.
package selection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Match gives the paths of all that a user's argument means: the path itself, a
// folder's files, or those that a glob matches. It is empty where nothing fits.
func Match(all []string, arg string) []string {
	arg = strings.TrimPrefix(strings.TrimSuffix(arg, "/"), "./")
	if _, found := slices.BinarySearch(all, arg); found {
		return []string{arg}
	}
	var out []string
	for _, p := range all {
		if arg == "." || strings.HasPrefix(p, arg+"/") {
			out = append(out, p)
		} else if ok, err := doublestar.Match(arg, p); err == nil && ok {
			out = append(out, p)
		}
	}
	return out
}

// File is a candidate.
type File struct {
	Path string
	Size int // bytes
}

// Choice is what is shown, and what is not.
type Choice struct {
	Files []string // sorted
	Left  []string // the rest, counted, as prompts.Input.Omitted has it
}

// Choose picks files for a prompt when the user named none. evidence is the
// task's text and the checks' output; budget is in tokens of 3.5 bytes.
func Choose(all []File, ignore []string, evidence string, budget int) Choice {
	var c Choice
	left := int(float64(budget) * 3.5)
	type candidate struct {
		File
		rank int // asked for once a file, not once a comparison
	}
	var files []candidate
	for _, f := range all {
		if !ignored(f.Path, ignore) && !skipped(f.Path) {
			files = append(files, candidate{f, rank(f.Path, evidence)})
		}
	}
	slices.SortFunc(files, func(a, b candidate) int {
		if d := cmp.Or(b.rank-a.rank, a.Size-b.Size); d != 0 {
			return d
		}
		return strings.Compare(a.Path, b.Path)
	})
	out := 0
	for _, f := range files {
		if cost := f.Size + len(f.Path) + 20; cost <= left {
			left -= cost
			c.Files = append(c.Files, f.Path)
		} else {
			out++
		}
	}
	slices.Sort(c.Files)
	if out > 0 {
		c.Left = []string{fmt.Sprintf("%d more files of the repository", out)}
	}
	return c
}

// rank says how much speaks for a path: 2 if it is named, 1 if its last part is.
func rank(path, evidence string) int {
	switch {
	case strings.Contains(evidence, path):
		return 2
	case strings.Contains(evidence, path[strings.LastIndexByte(path, '/')+1:]):
		return 1
	}
	return 0
}

func ignored(path string, globs []string) bool {
	return slices.ContainsFunc(globs, func(g string) bool {
		ok, err := doublestar.Match(g, path)
		return err == nil && ok
	})
}

// skipped leaves out what nobody edits by hand.
func skipped(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	switch base {
	case "go.sum", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "Cargo.lock", "poetry.lock", "uv.lock", "LICENSE", "agentloop.toml":
		return true
	}
	for _, dir := range [...]string{"/vendor/", "/node_modules/", "/third_party/", "/dist/"} {
		if strings.HasPrefix(path, dir[1:]) || strings.Contains(path, dir) {
			return true
		}
	}
	return strings.HasPrefix(base, ".") || strings.HasSuffix(base, ".min.js") || strings.HasSuffix(base, ".svg")
}
