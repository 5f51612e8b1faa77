package syntax

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Programs that read a list of texts and write which of them the language's own
// parser takes.
const (
	pythonJudge = `
import ast, json, sys, warnings
warnings.simplefilter("ignore")
def ok(text):
    try: ast.parse(text.encode("utf-8", "surrogatepass"))
    except (SyntaxError, ValueError): return False
    return True
json.dump([ok(t) for t in json.load(sys.stdin)], sys.stdout)`
	nodeJudge = `
const vm = require("vm"), fs = require("fs");
const ok = t => { try { new vm.Script("(function(){" + t.replace(/^#!.*/, "") + "\n})"); return true } catch (e) { return false } };
console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(ok)));`
)

// ask runs a judge over texts, in one process.
func ask(t *testing.T, program, judge string, texts []string) []bool {
	t.Helper()
	if len(texts) == 0 {
		return nil
	}
	flag := map[string]string{"python3": "-c", "node": "-e"}[program]
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, flag, judge)
	cmd.Stdin, cmd.Stderr = strings.NewReader(string(in)), os.Stderr
	out, err := cmd.Output()
	var ok []bool
	if err != nil || json.Unmarshal(out, &ok) != nil || len(ok) != len(texts) {
		t.Fatalf("%s: %v, %d bytes", program, err, len(out))
	}
	return ok
}

// break1 makes one fault of the kinds that edits make.
func break1(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	at := r.IntN(len(lines))
	for range 50 { // a line that says something
		if s := strings.TrimSpace(lines[at]); s != "" && s[0] != '#' && !strings.HasPrefix(s, "//") {
			break
		}
		at = r.IntN(len(lines))
	}
	l := lines[at]
	switch r.IntN(6) {
	case 0:
		lines[at] = without(r, l, "()[]{}")
	case 1:
		lines[at] = without(r, l, "\"'`")
	case 2: // deeper
		lines[at] = strings.Repeat(" ", 1+r.IntN(4)) + l
	case 3: // less deep
		lines[at] = strings.TrimPrefix(strings.TrimPrefix(l, " "), strings.Repeat(" ", r.IntN(4)))
	case 4: // the line's end is lost
		if n := len(l); n > 2 {
			lines[at] = l[:1+r.IntN(n-2)] + "\n"
		}
	case 5: // lines are lost
		end := min(at+1+r.IntN(3), len(lines))
		lines = append(lines[:at:at], lines[end:]...)
	}
	return strings.Join(lines, "")
}

// without takes out one of some characters.
func without(r *rand.Rand, line, chars string) string {
	var places []int
	for i := range len(line) {
		if strings.IndexByte(chars, line[i]) >= 0 {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return line
	}
	at := places[r.IntN(len(places))]
	return line[:at] + line[at+1:]
}

// TestFaults breaks real files and counts how many of the faults that the
// reference parser rejects are found, and that none is that it takes.
func TestFaults(t *testing.T) {
	goParser := func(t *testing.T, texts []string) (ok []bool) {
		for _, text := range texts {
			_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
			ok = append(ok, err == nil)
		}
		return ok
	}
	by := func(program, judge string) func(*testing.T, []string) []bool {
		return func(t *testing.T, texts []string) []bool { return ask(t, program, judge, texts) }
	}
	for _, c := range []struct {
		name, ext string
		folder    func(t *testing.T) string
		judge     func(*testing.T, []string) []bool
	}{
		{"Go", ".go", func(t *testing.T) string { return goRoot(t) }, goParser},
		{"Python", ".py", folder("python3", "-c", "import os; print(os.path.dirname(os.__file__))"), by("python3", pythonJudge)},
		{"Python by python3", ".py", folder("python3", "-c", "import os; print(os.path.dirname(os.__file__))"), by("python3", pythonJudge)},
		{"JavaScript", ".js", folder("node", "-e", "console.log(require('path').resolve(process.execPath, '../../lib/node_modules'))"), by("node", nodeJudge)},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := 120
			if long() {
				want = 500
			}
			v, least := strict(t), 90
			if c.name == "Python by python3" {
				v.Feed, least = fed(t), 100
			}
			found, faults, wrong := 0, 0, 0
			r := rand.New(rand.NewPCG(5, 2))
			var before, after []string
			for _, file := range sources(t, c.folder(t), 4*want, c.ext) {
				if text := content(t, file); len(text) < 200_000 && strings.Count(text, "\n") > 5 {
					before, after = append(before, text), append(after, break1(r, text))
				}
			}
			if len(before) < want/2 {
				t.Skipf("only %d files are here", len(before))
			}
			was, is := c.judge(t, before), c.judge(t, after)
			for i := range after {
				if !was[i] || before[i] == after[i] {
					continue
				}
				p := v.Validate(t.Context(), "a"+c.ext, before[i], after[i], true)
				switch {
				case is[i] && p != nil:
					wrong++
					t.Errorf("refused, and taken by the reference: %s\n%s", p, around(after[i], p.Line))
				case !is[i] && faults < want:
					faults++
					if p != nil {
						found++
					}
				}
			}
			t.Logf("%d of %d faults found, %d wrong refusals", found, faults, wrong)
			if found*100 < faults*least {
				t.Errorf("%d of %d faults found", found, faults)
			}
		})
	}
}

// folder asks a program where its sources are.
func folder(program string, args ...string) func(t *testing.T) string {
	return func(t *testing.T) string {
		out, err := exec.CommandContext(t.Context(), program, args...).Output()
		if err != nil {
			t.Skip(program + " is not here")
		}
		return strings.TrimSpace(string(out))
	}
}

// around quotes the lines about a place.
func around(text string, line int) string {
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(line-4, 0):min(line+2, len(lines))], "\n")
}
