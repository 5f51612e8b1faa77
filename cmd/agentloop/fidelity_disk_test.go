package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFidelityLinks edits files that have another name: nothing is written
// through a link, and no link is parted.
func TestFidelityLinks(t *testing.T) {
	const text = "a\nb\n"
	links := map[string]struct {
		link func(r *fidelityRepo) error
		is   os.FileMode
	}{
		"hard link inside the tree":  {func(r *fidelityRepo) error { return os.Link(r.at("sub/other.txt"), r.at("sub/file.txt")) }, 0},
		"hard link outside the tree": {func(r *fidelityRepo) error { return os.Link(filepath.Join(r.box, "outside"), r.at("sub/file.txt")) }, 0},
		"symlink inside the tree":    {func(r *fidelityRepo) error { return os.Symlink("other.txt", r.at("sub/file.txt")) }, os.ModeSymlink},
		"symlink outside the tree": {func(r *fidelityRepo) error {
			return os.Symlink(filepath.Join(r.box, "outside"), r.at("sub/file.txt"))
		}, os.ModeSymlink},
	}
	for name, c := range links {
		for _, command := range []string{"apply", "run"} {
			t.Run(name+"/"+command, func(t *testing.T) {
				r := emptyFidelity(t, t.TempDir())
				outside := filepath.Join(r.box, "outside")
				r.check(os.WriteFile(outside, []byte(text), 0o644))
				r.write("sub/other.txt", text, 0o644)
				if err := c.link(r); err != nil {
					t.Skip("this system makes no such links:", err)
				}
				r.commit()
				before, err := os.Stat(r.at("sub/file.txt"))
				r.check(err)

				reply := fidelityBlock("sub/file.txt", "b", "B")
				var exit int
				var out string
				if command == "apply" {
					exit, out = r.agentloop(reply, "apply", "-")
				} else {
					exit, out, _ = r.run([]string{reply}, "--rounds", "2")
				}
				if exit == 0 || !strings.Contains(out, "path-refused") {
					t.Errorf("exit status %d:\n%s", exit, out)
				}
				for _, path := range []string{"sub/file.txt", "sub/other.txt", "../outside"} {
					r.holds(path, text)
				}
				at, err := os.Lstat(r.at("sub/file.txt"))
				r.check(err)
				through, err := os.Stat(r.at("sub/file.txt"))
				r.check(err)
				if at.Mode().Type() != c.is || !os.SameFile(before, through) {
					t.Errorf("the link is parted: %v", at.Mode())
				}
				r.clean()
			})
		}
	}
}
