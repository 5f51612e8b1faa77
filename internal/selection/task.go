package selection

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// weighTask counts the files that the task and the checks' commands name, those
// that define what it names, and those whose names are like its words.
func (t *tree) weighTask(sum tally, ev Evidence) {
	dirs := t.workFolders(ev.Checks)
	for _, m := range places(bounded(ev.Task), "") {
		files := t.resolve(m.path, "", dirs)
		for _, p := range files {
			why := "named in the task"
			if m.line > 0 {
				why = fmt.Sprintf("named at %s:%d in the task", path.Base(p), m.line)
			}
			sum.add(p, "task", named/float64(len(files)), why)
			sum.mark(p, m.line, m.line, 1)
		}
	}
	for word := range strings.FieldsSeq(bounded(ev.Task)) {
		word = strings.Trim(word, "`'\"()[]<>,;:.!?*")
		if at := t.base[path.Base(word)]; len(at) > 0 && len(at) <= maxAlike {
			for _, p := range t.resolve(word, "", dirs) {
				sum.add(p, "task", named, "named in the task")
			}
		}
	}
	for _, check := range ev.Checks {
		for _, m := range places(check, "") {
			for _, p := range t.resolve(m.path, "", dirs) {
				sum.add(p, "check", testFile, "named in the check")
			}
		}
	}
	t.weighNamesOf(sum, ev.Task)
	t.weighWords(sum, ev.Task)
}

// weighNamesOf counts the files that define symbols which the task names: what
// stands in backticks, is called, or is written as no prose is.
func (t *tree) weighNamesOf(sum tally, task string) {
	names := codeNames(bounded(task))
	if len(names) == 0 || t.Read == nil {
		return
	}
	for _, p := range t.searched(sum, names) {
		got := t.text(p)
		if got == nil {
			continue
		}
		for _, name := range names {
			if !strings.Contains(got.body, name) {
				continue
			}
			for _, s := range t.symbols(p) {
				if s.Name == name {
					points := float64(defines)
					if isTest(p) {
						points /= 2
					}
					sum.add(p, "symbol", points, "defines "+name+", which the task names")
					sum.mark(p, s.Line, s.End, 0.9)
				}
			}
		}
	}
}

// searched gives the files in which names are looked up, at most 200 of a tree
// with more than 400: in the folders of what is named already, then those whose
// names are like them, then those nearest to the tree's root.
func (t *tree) searched(sum tally, names []string) []string {
	const most = 200
	strong := map[string]bool{}
	for p := range sum {
		strong[folder(p)] = true
	}
	like := map[string]bool{}
	for _, n := range names {
		for _, w := range words(n) {
			if len(w) > 2 {
				like[w] = true
			}
		}
	}
	var groups [8][]string
	for _, f := range t.files {
		if !isCode(f.Path) {
			continue
		}
		depth := min(strings.Count(f.Path, "/"), 5)
		group := 2 + depth
		if strong[folder(f.Path)] {
			group = 0
		} else if stem := strings.TrimSuffix(path.Base(f.Path), path.Ext(f.Path)); like[strings.ToLower(stem)] {
			group = 1
		}
		if len(groups[group]) < maxRead {
			groups[group] = append(groups[group], f.Path)
		}
	}
	all := slices.Concat(groups[:]...)
	if len(all) <= maxRead {
		return all
	}
	return all[:most]
}

// isCode reports whether a file's extension is of a language with symbols.
func isCode(name string) bool {
	switch path.Ext(name) {
	case ".go", ".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".java", ".kt", ".cs", ".rs", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".rb", ".sh":
		return true
	}
	return false
}

// codeNames gives at most 20 names of code in prose.
func codeNames(task string) []string {
	var out []string
	for at := 0; at < len(task) && len(out) < 20; at++ {
		if !wordStart(task[at]) || task[at] >= 0x80 {
			continue
		}
		from := at
		for at < len(task) && (wordStart(task[at]) || isDigit(task[at])) {
			at++
		}
		name := task[from:at]
		called := at < len(task) && task[at] == '('
		ticked := from > 0 && task[from-1] == '`' && at < len(task) && task[at] == '`'
		dotted := from > 0 && task[from-1] == '.' && at < len(task) && !isDigit(task[at])
		mixed := strings.Contains(name, "_") || len(words(name)) > 1
		if (called || ticked || dotted || mixed) && len(name) > 2 && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
