package selection

import (
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
