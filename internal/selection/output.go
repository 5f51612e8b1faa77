package selection

import (
	"regexp"
	"strconv"
	"strings"
)

// maxOutput bounds how much of a text is searched for evidence, in bytes: the
// first and the last half of it.
const maxOutput = 256 << 10

// maxPlaces bounds the paths that one text names.
const maxPlaces = 40

// mention is a place that a text names.
type mention struct {
	path   string // as it stands there
	line   int    // from 1; 0: none is named
	row    int    // line of the text, from 0
	frame  bool   // of a stack trace
	fun    string // the function of a frame, without package and class; "" if unknown
	folder string // what the path may be relative to, "" if nothing says so
	known  bool   // folder is of a Go package that the text names
}

// findings are what a check's output says, in its own words.
type findings struct {
	text     string // bounded
	mentions []mention
	tests    []test
	symbols  []string // named in messages, in the order of their first stand
	passed   []string // Go packages whose own tests pass
	python   bool     // a traceback names the innermost frame last
	brokeOff bool     // a run ended before all tests had run
}

// place is a path with what may follow it: "a.go:3:4", "a.ts(3,4)",
// "Y.java:[3,4]", `"a.py", line 3`.
var place = regexp.MustCompile(`([\w.@+~$/\\-]*[\w@+$-]\.[A-Za-z]\w{0,7})(?:", line (\d+)|:\[?(\d+)|\((\d+)(?:,\d+)?\))?`)

// parseOutput reads what checks print, of whatever language, line by line.
func parseOutput(output string) findings {
	var f findings
	block := 0 // the first mention and test of a Go package whose name comes after them
	blockTests := 0
	folder, known := "", false
	f.text = bounded(output)
	lines := strings.Split(f.text, "\n")
	seen := map[string]bool{}
	for row, line := range lines {
		line = strings.TrimRight(line, "\r")
		if len(line) > 2000 {
			line = line[:2000]
		}
		if pkg, end := goPackage(line); pkg != "" {
			if end {
				f.assign(block, blockTests, pkg)
				if strings.HasPrefix(line, "ok  ") {
					f.passed = append(f.passed, pkg)
				}
				folder, known = "", false
			} else {
				folder, known = pkg, true
			}
			block, blockTests = len(f.mentions), len(f.tests)
			continue
		}
		f.python = f.python || strings.HasPrefix(line, "Traceback (most recent call last)")
		f.brokeOff = f.brokeOff || strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
		before := ""
		if row > 0 {
			before = lines[row-1]
		}
		for _, m := range places(line, before) {
			m.row, m.folder, m.known = row, folder, known
			if m.folder == "" {
				m.folder = javaFolder(line)
			}
			f.mentions = append(f.mentions, m)
		}
		f.tests = append(f.tests, failedTests(line)...)
		for _, name := range namedSymbols(line) {
			if !seen[name] {
				seen[name] = true
				f.symbols = append(f.symbols, name)
			}
		}
	}
	return f
}

// assign gives what a Go package printed the package's name.
func (f *findings) assign(mentions, tests int, pkg string) {
	for i := range f.mentions[mentions:] {
		if m := &f.mentions[mentions+i]; !m.known {
			m.folder, m.known = pkg, true
		}
	}
	for i := range f.tests[tests:] {
		f.tests[tests+i].pkg = pkg
	}
}

// places gives the paths that a line names. The line before it tells the
// function, where a stack trace has it there.
func places(line, before string) []mention {
	var out []mention
	for _, at := range place.FindAllStringSubmatchIndex(line, maxPlaces) {
		m := mention{path: strings.TrimPrefix(line[at[2]:at[3]], "file://")}
		for g := 4; g < len(at); g += 2 {
			if at[g] >= 0 {
				m.line, _ = strconv.Atoi(line[at[g]:at[g+1]])
			}
		}
		m.fun, m.frame = stackFrame(line, before)
		out = append(out, m)
	}
	return out
}

var (
	pythonFrame = regexp.MustCompile(`^\s*File ".*", line \d+(?:, in ([\w<>]+))?`)
	scriptFrame = regexp.MustCompile(`^\s*at (?:async |new )?(?:([\w.$<>\[\] ]+) )?\(?`)
	javaFrame   = regexp.MustCompile(`^\s*at (?:[\w.@/-]+/)?([\w.$]+)\.([\w$<>]+)\(\w+\.(?:java|kt|scala)`)
	rustName    = regexp.MustCompile(`^\s*\d+: (?:0x[0-9a-f]+ - )?([\w:<>{}# ]+)`)
	goFrame     = regexp.MustCompile(`^\t\S+\.(?:go|s):\d+(?: \+0x[0-9a-f]+)?$`)
	goName      = regexp.MustCompile(`^(?:created by )?\S+[./]([\w·]+)(?:\[\.\.\.\])?(?:\.func\d+[\w.]*)?(?:\(.*\)| in goroutine \d+)?$`)
)

// stackFrame reports whether a line is of a stack trace, and the function's name.
func stackFrame(line, before string) (fun string, ok bool) {
	switch {
	case goFrame.MatchString(line):
		return submatch(goName, before, 1), true
	case pythonFrame.MatchString(line):
		return submatch(pythonFrame, line, 1), true
	case javaFrame.MatchString(line):
		return submatch(javaFrame, line, 2), true
	case scriptFrame.MatchString(line):
		name := submatch(scriptFrame, line, 1)
		if rust := submatch(rustName, before, 1); rust != "" {
			name = strings.ReplaceAll(rust, "::", ".")
		}
		return lastPart(name), true
	}
	return "", false
}

// javaFolder turns the class of a frame into the folder its file lies in.
func javaFolder(line string) string {
	class := submatch(javaFrame, line, 1)
	if i := strings.LastIndexByte(class, '.'); i > 0 {
		return strings.ReplaceAll(class[:i], ".", "/")
	}
	return ""
}

func submatch(re *regexp.Regexp, s string, group int) string {
	if m := re.FindStringSubmatch(s); m != nil {
		return m[group]
	}
	return ""
}

// lastPart gives what stands behind a name's last dot.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// bounded cuts a text's middle, at ends of lines.
func bounded(s string) string {
	if len(s) <= maxOutput {
		return s
	}
	head, tail := s[:maxOutput/2], s[len(s)-maxOutput/2:]
	return head[:strings.LastIndexByte(head, '\n')+1] + tail[strings.IndexByte(tail, '\n')+1:]
}
