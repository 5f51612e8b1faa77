package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// seedPython lists the faults that can be seeded into Python files, as JSON.
//
//go:embed faults.py
var seedPython string

// project is a tree made of the standard library: what belongs to one subject,
// each with its tests where they pass alone.
type project struct {
	name    string
	modules []string // files and folders of the library
	tests   []string // files and folders of its tests
}

// projects have at least four modules each, mostly pure Python: a fault in what
// an accelerator in C replaces would not be seen.
var projects = []project{
	{
		"text",
		[]string{"textwrap.py", "string.py", "shlex.py", "fnmatch.py", "difflib.py", "pprint.py", "reprlib.py", "gettext.py"},
		[]string{"test_textwrap.py", "test_string.py", "test_shlex.py", "test_fnmatch.py", "test_difflib.py", "test_difflib_expect.html", "test_pprint.py", "test_reprlib.py"},
	},
	{
		"formats",
		[]string{"json", "csv.py", "configparser.py", "plistlib.py", "tomllib", "netrc.py", "quopri.py", "base64.py"},
		[]string{"test_json", "test_csv.py", "test_configparser.py", "cfgparser.1", "cfgparser.2", "cfgparser.3", "test_plistlib.py", "test_tomllib", "test_netrc.py", "test_quopri.py", "test_base64.py"},
	},
	{
		"numbers",
		[]string{"fractions.py", "statistics.py", "numbers.py", "heapq.py", "bisect.py", "graphlib.py", "colorsys.py", "calendar.py"},
		[]string{"test_fractions.py", "test_statistics.py", "test_numbers.py", "test_numeric_tower.py", "test_heapq.py", "test_bisect.py", "test_graphlib.py", "test_colorsys.py", "test_calendar.py"},
	},
	{
		"web",
		[]string{"html", "_markupbase.py", "http", "urllib", "mimetypes.py", "ipaddress.py", "cgi.py", "wsgiref", "xmlrpc"},
		[]string{"test_html.py", "test_htmlparser.py", "test_http_cookies.py", "test_urlparse.py", "test_ipaddress.py", "test_wsgiref.py", "test_cgi.py", "test_mimetypes.py"},
	},
	{"mail", []string{"email"}, []string{"test_email"}},
	{"lib2to3", []string{"lib2to3"}, nil},
	{
		"files",
		[]string{"tarfile.py", "zipfile.py", "tempfile.py", "shutil.py", "filecmp.py", "fileinput.py", "glob.py", "posixpath.py", "genericpath.py"},
		[]string{"test_filecmp.py", "test_glob.py", "test_posixpath.py", "test_genericpath.py", "test_fileinput.py"},
	},
	{
		"language",
		[]string{"ast.py", "tokenize.py", "token.py", "keyword.py", "dis.py", "opcode.py", "inspect.py", "symtable.py", "codeop.py", "code.py", "tabnanny.py", "pyclbr.py"},
		[]string{"test_codeop.py", "test_code_module.py", "test_tabnanny.py", "test_symtable.py", "test_pyclbr.py", "test_keyword.py"},
	},
	{
		"shells",
		[]string{"cmd.py", "argparse.py", "optparse.py", "getopt.py", "sched.py", "queue.py", "copy.py", "contextlib.py", "types.py", "dataclasses.py"},
		[]string{"test_cmd.py", "test_optparse.py", "test_getopt.py", "test_sched.py", "test_queue.py", "test_copy.py", "test_contextlib.py", "test_dataclasses.py"},
	},
}

// pythonOrigins lists the projects; none where there is no python3 or its library
// comes without tests.
func pythonOrigins(ctx context.Context) ([]origin, error) {
	out, err := exec.CommandContext(ctx, "python3", "-c", `import sysconfig; print(sysconfig.get_path("stdlib"))`).Output()
	if err != nil {
		return nil, fmt.Errorf("skipped: python3 does not run: %w", err)
	}
	library := strings.TrimSpace(string(out))
	if !exists(filepath.Join(library, "test", "test_json")) {
		return nil, errors.New("skipped: " + library + " comes without tests")
	}
	var all []origin
	for _, p := range projects {
		all = append(all, origin{name: p.name, dir: library})
	}
	return all, nil
}

// pythonTree makes the tree of a project: its modules and, below test, those of
// its tests that pass in the tree.
func pythonTree(ctx context.Context, o origin, dir string) (t tree, why string, err error) {
	t = tree{Language: "python", Module: o.name, Dir: filepath.Join(dir, "py-"+o.name), Check: "python3 -m unittest", Env: []string{"PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0"}}
	if err := os.RemoveAll(t.Dir); err != nil {
		return t, "", fmt.Errorf("clear %s: %w", t.Dir, err)
	}
	var p project
	for _, p = range projects {
		if p.name == o.name {
			break
		}
	}
	if err := p.copyTo(ctx, o.dir, t); err != nil {
		return t, "", err
	}
	files, err := git(ctx, t.Dir, "ls-files", "-o", "--", "*.py", ":!test", ":!*/tests/*", ":!*/__init__.py", ":!*/__main__.py")
	if err != nil {
		return t, "", err
	}
	tests, err := git(ctx, t.Dir, "grep", "-hE", "--untracked", "^ *(import|from) ", "--", "test", "*/tests/*")
	t.Files = slices.DeleteFunc(strings.Fields(files), func(file string) bool { return !imported(t.Dir, file, tests) })
	return t, "", err
}

// imported tells whether tests import a file's module; a package with tests of
// its own name counts as a whole.
func imported(dir, file, tests string) bool {
	name := strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")
	pkg, last, nested := strings.Cut(name, ".")
	if nested && (exists(filepath.Join(dir, "test", "test_"+pkg)) || exists(filepath.Join(dir, "test", "test_"+pkg+".py")) || exists(filepath.Join(dir, pkg, "tests"))) {
		return true
	}
	either := `(import|from) ` + regexp.QuoteMeta(name)
	if nested {
		either += `|from ` + pkg + ` import .*` + regexp.QuoteMeta(last)
	}
	return regexp.MustCompile(`(` + either + `)\b`).MatchString(tests)
}

// copyTo copies modules and tests, and takes out again what does not pass here.
func (p project) copyTo(ctx context.Context, library string, t tree) error {
	for _, name := range p.modules {
		if exists(filepath.Join(library, name)) { // versions of Python differ
			if err := copyAny(filepath.Join(library, name), filepath.Join(t.Dir, name)); err != nil {
				return err
			}
		}
	}
	if _, err := git(ctx, t.Dir, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	tests := filepath.Join(t.Dir, "test")
	for _, name := range append([]string{"__init__.py", "support"}, p.tests...) {
		from := filepath.Join(library, "test", name)
		if !exists(from) {
			continue
		}
		if err := copyAny(from, filepath.Join(tests, name)); err != nil {
			return err
		}
		if err := p.prove(ctx, t, name); err != nil {
			return err
		}
	}
	return nil
}

// prove removes a test that does not pass in the tree.
func (p project) prove(ctx context.Context, t tree, name string) error {
	if !strings.HasPrefix(name, "test_") || strings.HasSuffix(name, ".html") {
		return nil
	}
	got, err := shell{dir: t.Dir, limit: provable, env: t.Env}.run(ctx, "python3 -m unittest test."+strings.TrimSuffix(name, ".py"))
	if err != nil || got.Passed && !got.Over {
		return err
	}
	return os.RemoveAll(filepath.Join(t.Dir, "test", name))
}

// provable is how long one test file may take.
const provable = 30 * time.Second

func copyAny(from, to string) error {
	if info, err := os.Stat(from); err == nil && !info.IsDir() {
		return copyFile(from, to)
	}
	return copyTree(from, to, true)
}

// pythonMutations asks Python itself for the faults of one file.
func pythonMutations(path, text string) (found []mutation, err error) {
	cmd := exec.Command("python3", "-c", seedPython, path)
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the mutations of %s: %w", path, err)
	}
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, fmt.Errorf("list the mutations of %s: %w", path, err)
	}
	return found, nil
}
