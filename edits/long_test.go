//go:build long

package edits

import (
	"os"
	"os/exec"
	"testing"
)

// TestLong looks for what the short runs do not meet: 10 minutes a fuzz target,
// and each law with 100,000 checks. What is found is kept by "go test" in
// testdata/fuzz and testdata/rapid.
//
//	go test -tags long -run TestLong -timeout 2h ./edits
func TestLong(t *testing.T) {
	for name, args := range map[string][]string{
		"FuzzParse": {"-run", "^$", "-fuzz", "^FuzzParse$", "-fuzztime", "10m"},
		"FuzzApply": {"-run", "^$", "-fuzz", "^FuzzApply$", "-fuzztime", "10m"},
		"laws":      {"-timeout", "1h", "-rapid.checks", "100000"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("go", append([]string{"test", "."}, args...)...)
			cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
