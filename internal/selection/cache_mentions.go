package selection

import (
	"path"
	"strings"
)

// mentions gives the files that one uses, as its lines of import name them:
// "./a/b" and "../a" from the file's own folder, "a/b" from somewhere above,
// mostly without an extension. What is in a comment or a string may be among
// them; that it names no file of the repository then drops it.
func mentions(name, text string, found func(key string)) {
	var read func(line string, found func(string))
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".pyi":
		read = pythonUses
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		read = scriptUses
	case ".java":
		read = javaUses
	case ".rs":
		read = rustUses
	case ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx":
		read = cUses
	case ".rb", ".rake":
		read = rubyUses
	case ".sh", ".bash", ".zsh", ".ksh", "":
		read = shellUses
	default:
		return
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			read(line, func(key string) {
				if key != "" && !strings.ContainsAny(key, " \t") {
					found(key)
				}
			})
		}
	}
}

// from a.b import c, d: each may be a module of its own.
func pythonUses(line string, found func(string)) {
	if rest, ok := strings.CutPrefix(line, "import "); ok {
		for one := range strings.SplitSeq(rest, ",") {
			one, _, _ = strings.Cut(strings.TrimSpace(one), " ")
			found(pythonPath(one))
		}
	}
	rest, ok := strings.CutPrefix(line, "from ")
	module, names, both := strings.Cut(rest, " import ")
	if !ok || !both {
		return
	}
	at := pythonPath(strings.TrimSpace(module))
	for one := range strings.SplitSeq(strings.Trim(names, "( )"), ",") {
		if id := firstName(strings.TrimSpace(one)); id != "" {
			found(strings.TrimSuffix(at, "/") + "/" + id)
		} else {
			found(at)
		}
	}
}

func pythonPath(module string) string {
	dots := len(module) - len(strings.TrimLeft(module, "."))
	below := strings.ReplaceAll(module[dots:], ".", "/")
	switch dots {
	case 0:
		return below
	case 1:
		return "./" + below
	}
	return strings.Repeat("../", dots-1) + below
}

func scriptUses(line string, found func(string)) {
	if !strings.Contains(line, "import") && !strings.Contains(line, "require") && !strings.Contains(line, "from") {
		return
	}
	for _, mark := range [...]string{"from ", "require(", "import(", "import "} {
		_, rest, ok := strings.Cut(line, mark)
		if !ok || rest == "" || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		key := between(rest, rest[:1])
		if strings.Contains(key, "/") { // else it is a package; @/ and ~/ stand for the sources' root
			found(strings.TrimPrefix(strings.TrimPrefix(key, "@/"), "~/"))
		}
		return
	}
}

func javaUses(line string, found func(string)) {
	if rest, ok := strings.CutPrefix(line, "import "); ok {
		rest = strings.TrimPrefix(rest, "static ")
		found(strings.ReplaceAll(strings.TrimSuffix(strings.TrimRight(rest, "; "), ".*"), ".", "/"))
	}
}

func rustUses(line string, found func(string)) {
	line = strings.TrimPrefix(line, "pub ")
	if rest, ok := strings.CutPrefix(line, "mod "); ok && strings.HasSuffix(line, ";") {
		found("./" + strings.TrimSuffix(rest, ";"))
	}
	rest, ok := strings.CutPrefix(line, "use ")
	if !ok {
		return
	}
	rest, _, _ = strings.Cut(rest, "{")
	rest, _, _ = strings.Cut(strings.TrimRight(rest, ";"), " as ")
	rest = strings.Trim(strings.TrimSuffix(rest, "*"), ":")
	if below, ok := strings.CutPrefix(rest, "crate::"); ok {
		found(strings.ReplaceAll(below, "::", "/"))
	} else if below, ok := strings.CutPrefix(rest, "super::"); ok {
		found("./" + strings.ReplaceAll(below, "::", "/"))
	}
}

func cUses(line string, found func(string)) {
	rest, ok := strings.CutPrefix(line, "#")
	if rest = strings.TrimLeft(rest, " \t"); !ok || !strings.HasPrefix(rest, "include") {
		return
	}
	if quoted := between(rest, `"`); quoted != "" {
		found(quoted)
	} else if _, inner, ok := strings.Cut(rest, "<"); ok {
		if inner, _, _ = strings.Cut(inner, ">"); strings.Contains(inner, "/") {
			found(inner)
		}
	}
}

func rubyUses(line string, found func(string)) {
	relative, ok := strings.CutPrefix(line, "require_relative ")
	rest, plain := strings.CutPrefix(line, "require ")
	switch {
	case ok && relative != "":
		found("./" + strings.TrimPrefix(between(relative, relative[:1]), "./"))
	case plain && rest != "":
		found(between(rest, rest[:1]))
	}
}

// shellUses: what a variable stands for is not known; mostly it is the script's folder.
func shellUses(line string, found func(string)) {
	rest, ok := strings.CutPrefix(line, "source ")
	if !ok {
		rest, ok = strings.CutPrefix(line, ". ")
	}
	if !ok {
		return
	}
	file, _, _ := strings.Cut(rest, " ")
	file = strings.Trim(file, `"'`)
	if strings.Contains(file, "$") {
		file = path.Base(file)
	}
	found("./" + strings.TrimPrefix(file, "./"))
}
