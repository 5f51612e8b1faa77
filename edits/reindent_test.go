package edits

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestReindent replaces broken ranges of real files by their own text, indented
// as a model might, and wants the file back byte for byte. With AGENTLOOP_LONG
// it takes more languages, cases and seeds, with bars a little below what was
// measured, and logs the rates by kind; without, only files that come with Go and
// Python, and bars that other versions of them meet too. With REINDENT_SHOW it
// shows what went wrong.
//
// Where a range ends a block and neither the content nor the replaced lines tell,
// nothing does.
func TestReindent(t *testing.T) {
	seeds, each, long := uint64(1), 200, os.Getenv("AGENTLOOP_LONG") != ""
	if long {
		seeds, each = 5, 3000
	}
	for _, c := range []struct {
		name  string
		files func(testing.TB) []*realFile
		bar   int // per mille
	}{
		{"python", pythonSources, 940},
		{"go", goSources, 975},
		{"yaml", yamlSources, 930},
		{"tabs", tabSources, 945},
	} {
		if !long {
			c.bar -= 50
		}
		for _, loose := range []bool{false, true} {
			if !long && (loose || c.name == "yaml" || c.name == "tabs") {
				continue
			}
			t.Run(fmt.Sprintf("%s/loose=%v", c.name, loose), func(t *testing.T) {
				files := c.files(t)
				for seed := range seeds {
					kinds := tally(t, files, rand.New(rand.NewPCG(seed, 17)), each, loose)
					good := 0
					for _, k := range sortedKeys(kinds) {
						good += kinds[k].good
						if seeds > 1 {
							t.Logf("  %-24s %5d of %5d", k, kinds[k].good, kinds[k].all)
						}
					}
					t.Logf("seed %d: %d of %d (%.2f %%)", seed, good, each, 100*float64(good)/float64(each))
					if good*1000 < each*c.bar {
						t.Errorf("seed %d: %d of %d are as they were", seed, good, each)
					}
				}
			})
		}
	}
}

type count struct{ good, all int }

// tally runs cases and counts those that come out right, by kind.
func tally(t *testing.T, files []*realFile, r *rand.Rand, most int, loose bool) map[string]count {
	t.Helper()
	kinds := map[string]count{}
	for all := 0; all < most; {
		s := files[r.IntN(len(files))]
		spans := s.spans
		if loose {
			spans = s.loose
		}
		d, ok := damaged(r, s, spans)
		if !ok {
			continue
		}
		all++
		n := kinds[d.kind]
		got := reindent(d.lines, s.lines[:d.span[0]], s.lines[d.span[1]+1:], d.broken, nil)
		if n.all++; slices.Equal(got, s.lines[d.span[0]:d.span[1]+1]) {
			n.good++
		} else if os.Getenv("REINDENT_SHOW") != "" {
			t.Logf("%s:%d %s\n%s", s.path, d.span[0]+1, d.kind, d.show(got))
		}
		kinds[d.kind] = n
	}
	return kinds
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (d damage) show(got []string) string {
	var b strings.Builder
	s := d.of
	at := func(mark string, lines []string) {
		for _, l := range lines {
			fmt.Fprintf(&b, "%s|%s\n", mark, strings.ReplaceAll(l, "\t", "→   "))
		}
	}
	at("  ", s.lines[max(0, d.span[0]-4):d.span[0]])
	at("= ", s.lines[d.span[0]:d.span[1]+1])
	at("> ", got)
	at("  ", s.lines[d.span[1]+1:min(len(s.lines), d.span[1]+4)])
	return b.String()
}

// linesOf cuts a text; an empty one has no line.
func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

func TestReindentPlaces(t *testing.T) {
	for _, c := range []struct{ name, before, lines, after, broken, want string }{
		{"below a head", "def f():", "return 1", "", "return 1", "    return 1"},
		{"in a file of two spaces", "def f():\n  a = 1\n  if a:", "b()\nc()", "  return a", "", "    b()\n    c()"},
		{"a clause", "def f():\n    try:\n        a()", "except E:\n    b()", "    return 1", "", "    except E:\n        b()"},
		{"before a clause", "if a:\n    b()", "c()", "else:\n    d()", "", "    c()"},
		{"after a return", "def f():\n    if a:\n        return 1", "b()", "    return 2", "", "    b()"},
		{"a method", "class A:\n    def a(self):\n        x()\n", "def b(self):\n  y()", "\n    def c(self):\n        z()", "", "    def b(self):\n        y()"},
		{"spaces into tabs", "package a\n\nfunc f() {\n\tx()", "if a {\n    b()\n\n    c() // d\n}", "\treturn\n}", "", "\tif a {\n\t\tb()\n\n\t\tc() // d\n\t}"},
		{"tabs into spaces", "def f():\n    a()", "if b:\n\tc()", "    d()", "", "    if b:\n        c()"},
		{"a case", "package a\n\nfunc f() {\n\tswitch a {\n\tcase 1:\n\t\tb()", "case 2:\n\tc()", "\t}\n}", "", "\tcase 2:\n\t\tc()"},
		{"a closer", "package a\n\nfunc f() {\n\tif a {\n\t\tb()", "}", "\tc()\n}", "", "\t}"},
		{"an entry", "a:\n  - b: 1\n    c: 2", "- b: 2\n  c: 3", "d: 4", "", "  - b: 2\n    c: 3"},
		{"a key of an entry", "a:\n  - b: 1", "c: 2", "  - b: 2\n    c: 3", "", "    c: 2"},
		{"as the lines that went", "def f():\n    if a:\n        b()", "c()\nd()", "e()", "    c()\n    d()\n    x()", "    c()\n    d()"},
		{"blank lines are empty", "def f():\n    a()", "b()\n   \nc()", "    d()", "", "    b()\n\n    c()"},
		{"an empty file", "", "a:\n  b", "", "", "a:\n  b"},
		{"nothing", "a", "", "b", "", ""},
	} {
		got := strings.Join(reindent(linesOf(c.lines), linesOf(c.before), linesOf(c.after), linesOf(c.broken), nil), "\n")
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestReindentLevel(t *testing.T) {
	spaces, tabs := []string{"if a:", "    b()"}, []string{"func f() {", "\tb()"}
	for _, c := range []struct {
		before []string
		level  int
		lines  string
		want   string
	}{
		{spaces, 0, "    x:\n        y", "x:\n    y"},
		{spaces, 6, "  x\n y", "       x\n      y"},
		{tabs, 8, "x {\n    y\n}", "\t\tx {\n\t\t\ty\n\t\t}"},
		{tabs, 6, "x", "      x"},
		{tabs, 10, "x", "\t  x"},
	} {
		got := strings.Join(reindent(linesOf(c.lines), c.before, nil, nil, &c.level), "\n")
		if got != c.want {
			t.Errorf("level %d: %q, want %q", c.level, got, c.want)
		}
	}
}

// TestReindentMendsPython is seed 5's own test: a file with an IndentationError
// runs when its broken line is sent again, however that is indented.
func TestReindentMendsPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not here")
	}
	file := linesOf("class A:\n    def f(self, x):\n        if x:\n      return 1\n        return 2\n\nassert A().f(3) == 1")
	run := func(lines []string) ([]byte, error) {
		cmd := exec.CommandContext(t.Context(), "python3", "-I", "-")
		cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
		return cmd.CombinedOutput()
	}
	if out, err := run(file); err == nil || !strings.Contains(string(out), "IndentationError") {
		t.Fatalf("it was not broken: %v %s", err, out)
	}
	for _, content := range []string{"return 1", "    return 1", "            return 1", "\treturn 1"} {
		mended := slices.Concat(file[:3], reindent([]string{content}, file[:3], file[4:], file[3:4], nil), file[4:])
		if out, err := run(mended); err != nil {
			t.Errorf("%q: %v\n%s", content, err, out)
		}
	}
}

// FuzzReindent holds that only the indentation of lines changes.
func FuzzReindent(f *testing.F) {
	f.Add("if a:\n\tb(", "x:\n  y", "\\", "'''")
	f.Add("a:\n- b: |", "- &c !d", "}]", "{ [ `")
	f.Fuzz(func(t *testing.T, before, lines, after, broken string) {
		in := linesOf(lines)
		got := reindent(in, linesOf(before), linesOf(after), linesOf(broken), nil)
		if len(got) != len(in) {
			t.Fatalf("%d lines of %d", len(got), len(in))
		}
		for i := range in {
			if strings.TrimLeft(got[i], " \t") != strings.TrimLeft(in[i], " \t") && strings.TrimSpace(in[i]) != "" {
				t.Errorf("%q became %q", in[i], got[i])
			}
		}
	})
}

// BenchmarkReindent is of three lines in a file of 6,000.
func BenchmarkReindent(b *testing.B) {
	unit := []string{"def f(a):", "    if a:", "        return [a,", "                b]", "    return c(a)", ""}
	var file []string
	for range 1000 {
		file = append(file, unit...)
	}
	for b.Loop() {
		reindent(unit[1:4], file[:3001], file[3004:], file[3001:3004], nil)
	}
}
