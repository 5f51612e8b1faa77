package selection

import (
	"path"
	"slices"
	"strings"
)

// Bounds of what one choice reads.
const (
	maxRead     = 400     // files
	maxReadSum  = 6 << 20 // bytes of all of them
	maxReadFile = 1 << 20 // bytes of one
)

// tree finds files and reads those that evidence points to, each once.
type tree struct {
	Source
	files   []File            // that may be chosen, sorted by path
	base    map[string][]int  // places in files by the path's last part
	texts   map[string]*text  // what has been read; nil for what cannot be
	reads   int               // of files
	modules []module          // Go's, longest path first
	asked   bool              // for the modules
	units   map[string]*unit  // what has been outlined, by the unit's name
	fits    map[string]string // imports that have been resolved
	read    int               // bytes
}

// text is a file that has been read.
type text struct {
	body     string
	symbols  []Symbol
	outlined bool
}

func newTree(s Source) *tree {
	t := &tree{
		Source: s, files: make([]File, 0, len(s.Files)), base: make(map[string][]int, len(s.Files)),
		texts: map[string]*text{}, units: map[string]*unit{}, fits: map[string]string{},
	}
	unwanted := Unwanted(s.Ignore)
	for _, f := range s.Files {
		if unwanted(f.Path) {
			continue
		}
		name := path.Base(f.Path)
		t.base[name] = append(t.base[name], len(t.files))
		t.files = append(t.files, f)
	}
	return t
}

// find gives the place of a path among the files.
func (t *tree) find(name string) (int, bool) {
	return slices.BinarySearchFunc(t.files, name, func(f File, name string) int { return strings.Compare(f.Path, name) })
}

func (t *tree) has(name string) bool {
	_, found := t.find(name)
	return found
}

// below gives the files whose paths begin with a prefix.
func (t *tree) below(prefix string) []File {
	from, _ := t.find(prefix)
	to := from
	for to < len(t.files) && strings.HasPrefix(t.files[to].Path, prefix) {
		to++
	}
	return t.files[from:to]
}

// in gives the paths of a folder's own files; "" is the tree's root.
func (t *tree) in(dir string) []string {
	prefix := ""
	if dir != "" && dir != "." {
		prefix = dir + "/"
	}
	var out []string
	for _, f := range t.below(prefix) {
		if !strings.Contains(f.Path[len(prefix):], "/") {
			out = append(out, f.Path)
		}
	}
	return out
}

// text reads a file once. nil: it cannot be read, must not be chosen, or would
// be more than one choice may read.
func (t *tree) text(name string) *text {
	if got, ok := t.texts[name]; ok {
		return got
	}
	at, found := t.find(name)
	if !found || t.Read == nil || t.reads >= maxRead || t.files[at].Size > maxReadFile || t.read+t.files[at].Size > maxReadSum {
		return nil
	}
	t.texts[name] = nil
	body, err := t.Read(name)
	t.reads++
	t.read += len(body)
	if err != nil || made(body) {
		return nil
	}
	t.texts[name] = &text{body: body}
	return t.texts[name]
}

// symbols outlines a file once; nil for one that cannot be read.
func (t *tree) symbols(name string) []Symbol {
	got := t.text(name)
	if got == nil || t.Symbols == nil {
		return nil
	}
	if !got.outlined {
		got.symbols, got.outlined = t.Symbols(name, got.body), true
	}
	return got.symbols
}

// folder is the folder of a path, "" for the root.
func folder(name string) string {
	if dir := path.Dir(name); dir != "." {
		return dir
	}
	return ""
}
