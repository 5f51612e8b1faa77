package worktree_test

import (
	"crypto/sha1"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agentloop/agentloop/internal/worktree"
)

// listing is what git says the regular files of the index are.
func listing(r *repo) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(r.git("ls-files", "--stage", "-t", "-z"), "\x00"), "\x00") {
		meta, path, _ := strings.Cut(line, "\t")
		if words := strings.Fields(meta); len(words) == 4 && words[0] != "S" && words[3] == "0" && strings.HasPrefix(words[1], "100") {
			fmt.Fprintf(&b, "%s %s\n", words[2], path)
		}
	}
	return b.String()
}

func entries(r *repo) string {
	r.Helper()
	var b strings.Builder
	found, err := r.repo.Entries(r.Context())
	must(r, err)
	for _, e := range found {
		fmt.Fprintf(&b, "%s %s\n", e.Blob, e.Path)
	}
	return b.String()
}

func TestEntries(t *testing.T) {
	files := map[string]string{"a": "1", "b/c d.go": "22", "b/c/d.go": "22", "b/é\n.go": "", strings.Repeat("long/", 60) + "x": "3"}
	for name, change := range map[string]func(r *repo){
		"as it is":    func(*repo) {},
		"version 4":   func(r *repo) { r.git("update-index", "--index-version=4") },
		"links":       func(r *repo) { must(r, os.Symlink("a", r.path("link"))); r.git("add", "link") },
		"to be added": func(r *repo) { r.write(map[string]string{"new": "n"}); r.git("add", "-N", "new") },
		"split":       func(r *repo) { r.git("update-index", "--split-index") },
		"untracked":   func(r *repo) { r.write(map[string]string{"u": ""}); r.git("update-index", "--untracked-cache") },
		"sparse": func(r *repo) {
			r.git("sparse-checkout", "set", "--cone", "--sparse-index", "long")
		},
		"left out": func(r *repo) { r.git("update-index", "--skip-worktree", "b/c/d.go") },
		"a merge": func(r *repo) {
			r.git("checkout", "-qb", "other")
			r.write(map[string]string{"a": "x"})
			r.git("commit", "-qam", "x")
			r.git("checkout", "-q", "main")
			r.write(map[string]string{"a": "y"})
			r.git("commit", "-qam", "y")
			if _, err := r.tryGit("merge", "other"); err == nil {
				r.Fatal("no conflict")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := committed(t, files)
			change(r)
			r.open()
			if diff := cmp.Diff(listing(r), entries(r)); diff != "" {
				t.Errorf("-git +entries:\n%s", diff)
			}
		})
	}
}

func TestEntriesWithSHA256(t *testing.T) {
	r := newRepo(t, "--object-format=sha256")
	r.write(map[string]string{"a": "1", "b/c": "2"})
	r.git("add", "-A")
	r.open()
	if diff := cmp.Diff(listing(r), entries(r)); diff != "" {
		t.Errorf("-git +entries:\n%s", diff)
	}
}

// TestEntriesOfADamagedIndex cuts it everywhere, and changes each byte: whatever
// comes of that, no panic.
func TestEntriesOfADamagedIndex(t *testing.T) {
	r := committed(t, map[string]string{"a": "1", "b/c": "2"})
	r.git("update-index", "--index-version=4")
	r.open()
	whole := []byte(r.read(".git/index"))
	for i := range whole {
		cut := append([]byte{}, whole[:i]...)
		if found, err := worktree.ParseIndex(cut); err == nil && len(found) != 2 { // without its extensions it is whole
			t.Errorf("cut to %d bytes it is read: %v", i, found)
		}
		wrong := append([]byte{}, whole...)
		wrong[i] ^= 0xff
		worktree.ParseIndex(wrong)
	}
	must(t, os.Remove(r.path(".git/index")))
	if got := entries(r); got != "" {
		t.Errorf("without an index: %q", got)
	}
}

func TestEntryUnmodified(t *testing.T) {
	r := committed(t, map[string]string{"old": "1", "young": "2", "edited": "3"})
	past := time.Now().Add(-time.Hour)
	for _, name := range []string{"old", "edited"} {
		must(t, os.Chtimes(r.path(name), past, past))
	}
	// In time with the index, or later: git itself does not trust such a file.
	later := time.Now().Add(time.Hour)
	must(t, os.Chtimes(r.path("young"), later, later))
	r.git("update-index", "-q", "--refresh")
	r.open()
	r.write(map[string]string{"edited": "4"})
	found, err := r.repo.Entries(t.Context())
	must(t, err)
	for _, e := range found {
		info, err := os.Lstat(r.path(e.Path))
		must(t, err)
		if got, want := e.Unmodified(info), e.Path == "old"; got != want {
			t.Errorf("%s: unmodified %v", e.Path, got)
		}
		text := r.read(e.Path)
		if same := e.Blob == fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))); same != (e.Path != "edited") {
			t.Errorf("%s: the blob is the content's: %v", e.Path, same)
		}
		if e.Size != 1 {
			t.Errorf("%s: size %d", e.Path, e.Size)
		}
	}
}
