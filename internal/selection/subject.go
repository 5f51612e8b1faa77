package selection

import (
	"path"
	"slices"
	"strings"
)

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

// weighSubjects counts the files that failing tests are about by their names.
func (t *tree) weighSubjects(sum tally, seeds []*seed, found []located) {
	var tests []string
	add := func(p string) {
		if isTest(p) && !slices.Contains(tests, p) && len(tests) < 20 {
			tests = append(tests, p)
		}
	}
	for _, s := range seeds {
		add(s.path)
	}
	for _, l := range found {
		add(l.path)
	}
	for _, test := range tests {
		for _, name := range subjectNames(test) {
			t.weighSubject(sum, test, name)
		}
		t.weighNamesake(sum, test)
		if dir := folder(test); unitOf(test) != test {
			for _, p := range t.in(dir) {
				if unitOf(p) == unitOf(test) && !isTest(p) {
					sum.add(p, "beside", sibling, "beside the failing "+path.Base(test))
				}
			}
		}
	}
}

// weighSubject counts the file of a name that lies nearest to a test.
func (t *tree) weighSubject(sum tally, test, name string) {
	var best string
	most := -1
	for _, at := range t.base[name] {
		p := t.files[at].Path
		if n := commonFolders(p, test); n > most && !isTest(p) {
			best, most = p, n
		}
	}
	if best != "" {
		sum.add(best, "subject", subject, "the subject of "+path.Base(test)+" by its name")
	}
}

// weighNamesake counts the files of the folder that a folder of tests is about:
// test_json has json, json_tests too.
func (t *tree) weighNamesake(sum tally, test string) {
	const most = 20 // files, else the folder says too little
	name := path.Base(folder(test))
	about := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(name, "test_"), "_test"), "_tests")
	if about == name {
		return
	}
	var found []string
	for _, f := range t.files {
		if at := folder(f.Path); path.Base(at) == about && isCode(f.Path) && !isTest(f.Path) {
			found = append(found, f.Path)
		}
	}
	if len(found) > most {
		return
	}
	for _, p := range found {
		sum.add(p, "subject", subject/2, "in the folder that "+name+" is about")
	}
}

// commonFolders counts the folders that two paths begin with.
func commonFolders(a, b string) int {
	x, y := strings.Split(folder(a), "/"), strings.Split(folder(b), "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}
