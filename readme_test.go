package agentloop_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/loop"
)

// TestReadmeNamesRealTests holds that every test which the README names as a
// promise's proof is there.
func TestReadmeNamesRealTests(t *testing.T) {
	readme := regexp.MustCompile("(?s)\n```.*?\n```\n").ReplaceAllString(read(t, "README.md"), "\n") // the session names tests of the demo's
	var tests strings.Builder
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case strings.HasSuffix(file, "_test.go"):
			tests.WriteString(read(t, file))
		case strings.HasSuffix(file, ".txtar"):
			fmt.Fprintln(&tests, filepath.Base(file))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`\b(Test|Fuzz)[A-Z][A-Za-z0-9]+\b`).FindAllString(readme, -1)
	if len(names) < 20 {
		t.Fatalf("the README names %d tests; is the expression wrong?", len(names))
	}
	for _, name := range names {
		if !strings.Contains(tests.String(), "\nfunc "+name+"(") {
			t.Errorf("README.md names %s, which is not there", name)
		}
	}
	for _, name := range regexp.MustCompile(`[a-z_]+\.txtar\b`).FindAllString(readme, -1) {
		if !strings.Contains(tests.String(), "\n"+name+"\n") {
			t.Errorf("README.md names %s, which is not there", name)
		}
	}
}

// TestReadmeTellsEveryExit holds the README's table against the program.
func TestReadmeTellsEveryExit(t *testing.T) {
	readme := read(t, "README.md")
	for _, s := range []loop.Status{
		loop.Done, loop.Internal, loop.Usable, loop.EditsOpen, loop.CheckFails, loop.OverBudget,
		loop.NoProgress, loop.Policy, loop.TryLater, loop.TimedOut, loop.Interrupted,
	} {
		if row := fmt.Sprintf("\n| %d | %s | ", s.Exit(), s); !strings.Contains(readme, row) {
			t.Errorf("README.md has no row %q", row)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
