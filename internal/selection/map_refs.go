package selection

import (
	"path"
	"slices"
	"strings"
)

// references counts how many files use each file, by their lines of import:
//
//   - In Go the importers of a package. They are shared out among its files by
//     how much each exports: all of them to the one that exports most, half to
//     the next, a third to the one after. Tests get none.
//   - Elsewhere the files whose import, include, require, use or mod names the
//     file, seen from the folder that it stands in or from one above, there or
//     in the folders where sources mostly are.
//
// Calls are not looked at, and C# and Markdown name no files. An import that
// could mean two files counts for the one that is nearest to it.
type references struct {
	files   []MapFile
	facts   []string
	stems   map[string]int32 // files by their path without extension
	paths   map[string]int32
	last    map[string]bool // last parts of the stems
	modules map[string]string
	folders map[string]int // importers of each folder with Go
	counts  []int
	counted []int32 // the last file, from 1, that was counted for each
}

// countReferences gives a count for each of the files, whose facts are given in
// their order.
func countReferences(files []MapFile, facts []string) []int {
	r := &references{
		files: files, facts: facts, counts: make([]int, len(files)), counted: make([]int32, len(files)), folders: map[string]int{}, modules: map[string]string{},
		stems: make(map[string]int32, len(files)), paths: map[string]int32{}, last: map[string]bool{},
	}
	r.learn()
	for i, text := range facts {
		if text != "" {
			r.count(i, text)
		}
	}
	r.shareOut()
	return r.counts
}

// learn notes by what names each file can be meant.
func (r *references) learn() {
	for i, f := range r.files {
		if language(f.Path) == 0 {
			continue
		}
		if rest, ok := strings.CutPrefix(r.facts[i], "\n"+factModule); ok {
			r.modules[strings.TrimSuffix(rest, "\n")] = path.Dir(f.Path)
			continue
		}
		if strings.HasSuffix(f.Path, ".go") {
			continue
		}
		s := stem(f.Path)
		if _, taken := r.stems[s]; !taken {
			r.stems[s] = int32(i)
		}
		r.paths[f.Path] = int32(i)
		r.last[s[strings.LastIndexByte(s, '/')+1:]] = true
		r.last[f.Path[strings.LastIndexByte(f.Path, '/')+1:]] = true
	}
}

// stem is a path without its extension, and without a last part that stands for
// the folder.
func stem(file string) string {
	file = strings.TrimSuffix(file, path.Ext(file))
	file = strings.TrimSuffix(file, ".d")
	dir, last := path.Split(file)
	switch last {
	case "index", "__init__", "mod", "lib":
		if dir != "" {
			return strings.TrimSuffix(dir, "/")
		}
	}
	return file
}

func (r *references) count(i int, text string) {
	from := r.files[i].Path
	isGo := strings.HasSuffix(from, ".go")
	dir := from[:max(strings.LastIndexByte(from, '/'), 0)]
	for at := strings.Index(text, "\n"+factUse); at >= 0; {
		text = text[at+1+len(factUse):]
		end := strings.IndexByte(text, '\n')
		key := text[:end]
		text = text[end:]
		at = strings.Index(text, "\n"+factUse)
		if isGo {
			if folder, ok := r.folder(key); ok {
				r.folders[folder]++
			}
		} else if to, ok := r.resolve(dir, key); ok && int(to) != i && r.counted[to] != int32(i+1) {
			r.counted[to] = int32(i + 1)
			r.counts[to]++
		}
	}
}

// folderAt gives the one of a Go package in a module of the repository.
func (r *references) folder(imported string) (string, bool) {
	for at := imported; at != ""; at = at[:max(strings.LastIndexByte(at, '/'), 0)] {
		if dir, ok := r.modules[at]; ok {
			return path.Join(dir, imported[len(at):]), true
		}
	}
	return "", false
}

// shareOut gives a Go package's importers to its files.
func (r *references) shareOut() {
	byFolder := map[string][]int{}
	for i, f := range r.files {
		dir := path.Dir(f.Path)
		if r.folders[dir] > 0 && strings.HasSuffix(f.Path, ".go") && !strings.HasSuffix(f.Path, "_test.go") {
			byFolder[dir] = append(byFolder[dir], i)
		}
	}
	for dir, files := range byFolder {
		slices.SortStableFunc(files, func(a, b int) int { return exports(r.facts[b]) - exports(r.facts[a]) })
		for k, i := range files {
			r.counts[i] = r.folders[dir] / (k + 1)
		}
	}
}

// isMarked reports whether facts are those of a generated file.
func isMarked(facts string) bool { return strings.HasPrefix(facts, "\n"+factGenerated+"\n") }

// exports counts the symbols of a Go file that other packages may name.
func exports(facts string) (n int) {
	if isMarked(facts) {
		return 0
	}
	for i := range max(len(facts)-1, 0) {
		if facts[i] == '\n' && 'A' <= facts[i+1] && facts[i+1] <= 'Z' {
			n++
		}
	}
	return n
}
