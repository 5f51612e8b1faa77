package selection_test

import (
	"strings"
	"testing"

	"github.com/agentloop/agentloop/internal/selection"
)

func TestMatch(t *testing.T) {
	all := []string{"Makefile", "a.go", "cmd/a.go", "cmd/x/b.go", "cmdx/c.go", "odd [1].txt"}
	for _, c := range []struct{ arg, want string }{
		{"a.go", "a.go"},
		{"./a.go", "a.go"},
		{"cmd", "cmd/a.go cmd/x/b.go"},
		{"cmd/", "cmd/a.go cmd/x/b.go"},
		{".", "Makefile a.go cmd/a.go cmd/x/b.go cmdx/c.go odd [1].txt"},
		{"*.go", "a.go"},
		{"**/*.go", "a.go cmd/a.go cmd/x/b.go cmdx/c.go"},
		{"cmd/*", "cmd/a.go"},
		{"odd [1].txt", "odd [1].txt"}, // a path before it is a glob
		{"none", ""},
		{"[", ""},
	} {
		if got := strings.Join(selection.Match(all, c.arg), " "); got != c.want {
			t.Errorf("%q means %q, want %q", c.arg, got, c.want)
		}
	}
}

func TestChoose(t *testing.T) {
	all := []selection.File{
		{Path: "big.go", Size: 3000},
		{Path: "small.go", Size: 100},
		{Path: "sub/named.go", Size: 2500},
		{Path: "sub/other.go", Size: 200},
		{Path: "go.sum", Size: 10},
		{Path: "vendor/v.go", Size: 10},
		{Path: ".hidden", Size: 10},
		{Path: "made.pb.go", Size: 10},
	}
	for _, c := range []struct {
		name, evidence string
		tokens         int
		want, left     string
	}{
		{"all fit", "", 10_000, "big.go made.pb.go small.go sub/named.go sub/other.go", ""},
		{"the small ones first", "", 200, "made.pb.go small.go sub/other.go", "2 more files of the repository"},
		{"what is named by its path goes first", "fix sub/named.go", 750, "made.pb.go sub/named.go", "3 more files of the repository"},
		{"what is named by its last part too", "fix named.go", 750, "made.pb.go sub/named.go", "3 more files of the repository"},
		{"nothing fits", "", 1, "", "5 more files of the repository"},
	} {
		got := selection.Choose(all, nil, c.evidence, c.tokens)
		if strings.Join(got.Files, " ") != c.want || strings.Join(got.Left, "; ") != c.left {
			t.Errorf("%s: %v, left out %v", c.name, got.Files, got.Left)
		}
	}
	got := selection.Choose(all, []string{"**/*.pb.go", "sub/**"}, "", 10_000)
	if strings.Join(got.Files, " ") != "big.go small.go" || len(got.Left) != 0 {
		t.Errorf("ignored files: %v, %v", got.Files, got.Left)
	}
}
