package standin

import (
	"maps"
	"slices"
	"testing"
)

func TestCompare(t *testing.T) {
	start := tree("a", "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n", "b", "x\n")
	after := tree("a", "one\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\nnine\r\n", "b", "x\n", "new", "n\n")
	p := NewPlan(start, after, Options{})
	with := func(path, content string) map[string]string {
		m := maps.Clone(p.Start)
		if m[path] = content; content == "" {
			delete(m, path)
		}
		return m
	}
	for _, test := range []struct {
		name  string
		tree  map[string]string
		open  int
		stray []string
		wrong int
	}{
		{"gold", p.Gold, 0, nil, 0},
		{"start", p.Start, 3, nil, 0},
		{"half", with("a", "one\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n"), 2, nil, 0},
		{"created", with("new", "n\n"), 2, nil, 0},
		{"created wrongly", with("new", "n\nm\n"), 2, []string{"new"}, 2},
		{"another file", with("c", "some\n"), 3, []string{"c"}, 5},
		{"a file gone", with("b", ""), 3, []string{"b"}, 2},
		{"wrong ending", with("a", "one\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n"), 2, []string{"a"}, 4},
		{"a line gone", with("a", "1\r\n2\r\n3\r\n5\r\n6\r\n7\r\n8\r\n9\r\n"), 3, []string{"a"}, 3},
		{"a line twice", with("a", "1\r\n2\r\n3\r\n4\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n"), 3, []string{"a"}, 3},
	} {
		d := p.Compare(test.tree)
		if len(d.Open) != test.open || !slices.Equal(d.Stray, test.stray) || d.Wrong != test.wrong || d.None() != (test.name == "gold") {
			t.Errorf("%s: %+v", test.name, d)
		}
	}
}
