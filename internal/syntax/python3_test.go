package syntax

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// feed runs a program as the sandbox does; that has tests of its own.
func feed(ctx context.Context, program string, args []string, text string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	return string(out), err
}

// fed gives feed for the interpreter itself, which what PATH has may only stand
// for, at six times the cost.
func fed(t testing.TB) func(context.Context, string, []string, string) (string, error) {
	itself, err := exec.CommandContext(t.Context(), "python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skip("python3 is not here")
	}
	return func(ctx context.Context, _ string, args []string, text string) (string, error) {
		return feed(ctx, strings.TrimSpace(string(itself)), args, text)
	}
}

// asking gives a validator that asks python3, skipping the test without one.
func asking(t testing.TB) *Validator {
	return &Validator{Limit: time.Minute, Feed: fed(t), Note: func(path, why string) { t.Errorf("%s: %s", path, why) }}
}

func TestPython3(t *testing.T) {
	v := asking(t)
	for _, c := range []struct {
		before, after string
		line, column  int
		why           string
	}{
		{"x = 1\n", "x = 2\n", 0, 0, ""},
		{"x = 1\n", "x = 2\nf(a=1, 2)\n", 2, 9, "positional argument follows keyword argument"},
		{"x = 1\n", "é = 'é'; f() = 3\n", 1, 0, "cannot assign to function call"},
		{"x = 1\n", "\ufeffx() = 1\n", 1, 0, "cannot assign"},
		{"x = 1\n", "x = '\\x'\n", 1, -1, "truncated"},
		{"f() = 3\n", "f() = 4\n", 0, 0, ""}, // as before
		{"x = 1\n", "x = '\\d'\n", 0, 0, ""},
		{"x = 1\n", "__import__('os').abort()\nraise SystemExit(3)\n", 0, 0, ""},
		{"x = 1\n", "# -*- coding: latin-1 -*-\nx = '\xe9'\n", 0, 0, ""},
	} {
		p := v.Validate(t.Context(), "a.py", c.before, c.after, true)
		switch {
		case (p == nil) != (c.why == ""):
			t.Errorf("%q: %v", c.after, p)
		case p != nil && (p.Line != c.line || p.Column != c.column && c.column >= 0 || !strings.Contains(p.Message, c.why) || p.Language != "Python"):
			t.Errorf("%q: %+v", c.after, p)
		}
	}
	without := &Validator{}
	if p := without.Validate(t.Context(), "a.py", "", "f(a=1, 2)\n", false); p != nil {
		t.Errorf("the layout check alone: %s", p)
	}
}

// TestPython3IsAskedLast holds that no program is started without need.
func TestPython3IsAskedLast(t *testing.T) {
	asked := 0
	v := &Validator{Feed: func(context.Context, string, []string, string) (string, error) { asked++; return "ok", nil }}
	for _, c := range []struct {
		path, before, after string
		existed             bool
		asks                int
	}{
		{"a.py", "", "x = (\n", false, 0},
		{"a.py", "x\n", "x\n", true, 0},
		{"a.go", "", "package a\n", false, 0},
		{"a.py", "", "\n", false, 0},
		{"a.py", "", "x\n", false, 1},
		{"a.py", "y\n", "x\n", true, 1},
	} {
		asked = 0
		if v.Validate(t.Context(), c.path, c.before, c.after, c.existed); asked != c.asks {
			t.Errorf("%+v: asked %d times", c, asked)
		}
	}
}

// TestPython3IsNotThere holds that edits pass then, and that it is said once.
func TestPython3IsNotThere(t *testing.T) {
	for _, c := range []struct {
		out  string
		err  error
		says string
	}{
		{"", errors.New("python3 is not installed"), "python3 is not installed"},
		{"", nil, `it wrote ""`},
		{"1 2", nil, `it wrote "1 2"`},
		{"a b c d", nil, `it wrote "a b c d"`},
	} {
		var notes []string
		v := &Validator{
			Feed: func(context.Context, string, []string, string) (string, error) { return c.out, c.err },
			Note: func(path, why string) { notes = append(notes, path+": "+why) },
		}
		for i := range 3 {
			if p := v.Validate(t.Context(), fmt.Sprintf("%d.py", i), "x\n", "f(a=1, 2)\n", true); p != nil {
				t.Errorf("%+v: %s", c, p)
			}
		}
		if len(notes) != 1 || !strings.HasPrefix(notes[0], "0.py: python3 did not judge: "+c.says) {
			t.Errorf("%+v: %q", c, notes)
		}
		if p := v.Validate(t.Context(), "a.py", "x\n", "f(\n", true); p == nil {
			t.Error("the layout is not checked")
		}
	}
}

// TestPython3Sources adds a comment to files of the standard library: none is
// refused, whatever it says.
func TestPython3Sources(t *testing.T) {
	v := asking(t)
	most := 60
	if long() {
		most = 1 << 20
	}
	n := 0
	for _, file := range sources(t, folder("python3", "-c", "import os; print(os.path.dirname(os.__file__))")(t), most, ".py") {
		n++
		text := content(t, file)
		if p := v.Validate(t.Context(), file, text, text+"\n# more\n", true); p != nil {
			t.Errorf("%s: %s", file, p)
		}
	}
	t.Logf("%d files", n)
}

func BenchmarkPython3(b *testing.B) {
	v := asking(b)
	for _, lines := range []int{1, 6000} {
		text := strings.Repeat("x = f(a, [b, 'c'], d=1)\n", lines)
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			for b.Loop() {
				if p := v.Validate(b.Context(), "a.py", "", text, false); p != nil {
					b.Fatal(p)
				}
			}
		})
	}
}
