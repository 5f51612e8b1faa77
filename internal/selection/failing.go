package selection

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// test is a failing test, as the output names it.
type test struct {
	name string // function, or what the test calls itself
	sub  string // the subtest's own name, "" if none
	pkg  string // Go's import path
	path string // of its file, as it is written; "" if not said
	line int    // that failed; 0 if not said
}

var (
	goTest     = regexp.MustCompile(`^\s*--- FAIL: ([A-Za-z]\w*)(?:/(\S+))?`)
	goTimeout  = regexp.MustCompile(`^\s+((?:Test|Fuzz|Example)\w*)(?:/(\S+))? \([\d.msh]+\)$`)
	pytestLine = regexp.MustCompile(`^(?:FAILED|ERROR) (\S+?\.py)::(?:\w+::)*(\w+)(?:\[(.*?)\])?`)
	pytestHead = regexp.MustCompile(`^_{3,} (?:\w+\.)*(\w+)(?:\[.*\])? _{3,}$`)
	unitTest   = regexp.MustCompile(`^(?:FAIL|ERROR): (\w+) \(([\w.]+)`)
	jestTest   = regexp.MustCompile(`^\s*(?:●|✕|✖|×|not ok \d+ -) (.+?)(?: \([\d.]+ ?m?s\))?$`)
	javaTest   = regexp.MustCompile(`\b([A-Z]\w*(?:Test|Tests|IT|TestCase)|Test[A-Z]\w*)[.>](\w+)(?::(\d+)|\(\))?`)
	gradleTest = regexp.MustCompile(`^([A-Z]\w*) > (\w+)\(?.*FAILED$`)
	rustTest   = regexp.MustCompile(`^(?:test|----) ([\w:]+) (?:\.\.\. FAILED|stdout ----)`)
)

// failedTests gives the tests that a line says have failed.
func failedTests(line string) []test {
	if m := goTest.FindStringSubmatch(line); m != nil {
		return []test{{name: m[1], sub: m[2]}}
	}
	if m := goTimeout.FindStringSubmatch(line); m != nil {
		return []test{{name: m[1], sub: m[2]}}
	}
	if m := pytestLine.FindStringSubmatch(line); m != nil {
		return []test{{name: m[2], sub: m[3], path: m[1]}}
	}
	if m := pytestHead.FindStringSubmatch(line); m != nil {
		return []test{{name: m[1]}}
	}
	if m := unitTest.FindStringSubmatch(line); m != nil {
		return []test{{name: m[1], path: pythonModule(m[2], m[1])}}
	}
	if m := rustTest.FindStringSubmatch(line); m != nil {
		return []test{{name: m[1][strings.LastIndexByte(m[1], ':')+1:]}}
	}
	if m := gradleTest.FindStringSubmatch(line); m != nil {
		return []test{{name: m[2], path: m[1] + ".java"}}
	}
	if m := jestTest.FindStringSubmatch(line); m != nil {
		parts := strings.Split(m[1], " › ")
		return []test{{name: strings.TrimSpace(parts[len(parts)-1])}}
	}
	if m := javaTest.FindStringSubmatch(line); m != nil && m[2] != "java" && !strings.Contains(line, "\tat ") {
		at, _ := strconv.Atoi(m[3])
		return []test{{name: m[2], path: m[1] + ".java", line: at}}
	}
	return nil
}

// pythonModule turns "pkg.test_mod.TestA.test_b" into the path of its module:
// parts that begin with a capital are classes.
func pythonModule(dotted, method string) string {
	var parts []string
	for part := range strings.SplitSeq(dotted, ".") {
		if part == method || part == "__main__" || part != "" && 'A' <= part[0] && part[0] <= 'Z' {
			break
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "/") + ".py"
}

// isTest goes by the conventions of the languages' test runners.
func isTest(name string) bool {
	base := path.Base(name)
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	switch ext {
	case ".go":
		return strings.HasSuffix(stem, "_test")
	case ".java", ".kt", ".cs", ".scala":
		return strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasPrefix(stem, "Test") || strings.HasSuffix(stem, "IT") || strings.Contains(name, "src/test/")
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts":
		if strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") {
			return true
		}
	}
	if strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") || strings.HasSuffix(stem, "_tests") || stem == "conftest" {
		return true
	}
	for _, dir := range [...]string{"/tests/", "/test/", "/__tests__/", "/spec/"} {
		if strings.HasPrefix(name, dir[1:]) || strings.Contains(name, dir) {
			return true
		}
	}
	return false
}

// subjectNames gives the file names that a test's file is about: foo_test.go has
// foo.go, test_foo.py foo.py, foo.spec.ts foo.ts, FooTest.java Foo.java.
func subjectNames(name string) []string {
	base := path.Base(name)
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	for _, cut := range [...]string{"_test", "_tests", "_spec", ".test", ".spec", "Tests", "Test", "IT"} {
		if short, ok := strings.CutSuffix(stem, cut); ok && short != "" {
			return withKin(short, ext)
		}
	}
	for _, cut := range [...]string{"test_", "Test"} {
		if short, ok := strings.CutPrefix(stem, cut); ok && short != "" {
			return withKin(short, ext)
		}
	}
	if isTest(name) {
		return withKin(stem, ext)
	}
	return nil
}

// withKin adds the extensions that go with one.
func withKin(stem, ext string) []string {
	out := []string{stem + ext}
	switch ext {
	case ".tsx", ".jsx", ".ts", ".js":
		out = append(out, stem+".ts", stem+".tsx", stem+".js", stem+".jsx", stem+".mjs")
	case ".cc", ".cpp", ".c", ".cxx":
		out = append(out, stem+".h", stem+".hpp")
	}
	return out
}
