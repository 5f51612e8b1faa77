//go:build unix

package guard

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// A file with a second name may be shown but not edited, until that name is gone.
func TestHardLinksAreNotEdited(t *testing.T) {
	root, outside := t.TempDir(), filepath.Join(t.TempDir(), "outside")
	g := &Guard{Root: root}
	if err := os.WriteFile(filepath.Join(root, "a"), []byte("a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(root, "a"), outside); err != nil {
		t.Skip(err)
	}
	var no *edits.Refusal
	if text, err := g.Read("a"); !errors.As(err, &no) || no.Reason != edits.PathRefused {
		t.Errorf("read to be edited: %q, %v", text, err)
	}
	if text, err := g.Show("a"); err != nil || text != "a\n" {
		t.Errorf("shown: %q, %v", text, err)
	}
	if err := os.Remove(outside); err != nil {
		t.Fatal(err)
	}
	if text, err := g.Read("a"); err != nil || text != "a\n" {
		t.Errorf("without the link: %q, %v", text, err)
	}
}
