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
