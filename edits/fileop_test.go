package edits

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// play parses and applies a reply to a tree in memory, and words what came of it.
func play(t *testing.T, reply string, tree map[string]string, set Settings) (outcomes string, after map[string]string, res Result) {
	t.Helper()
	p := Parser{Commands: set.FileOps == OpsApply}
	p.Feed(reply)
	res, err := Apply(p.Close(), func(path string) (string, error) {
		if strings.HasPrefix(path, ".git/") {
			return "", &Refusal{path, PathRefused, "is git's own"}
		}
		if text, ok := tree[path]; ok {
			return text, nil
		}
		return "", fs.ErrNotExist
	}, set)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, o := range res.Outcomes {
		words = append(words, strings.TrimSpace(fmt.Sprint(o.Status, " ", o.Reason)))
	}
	after = maps.Clone(tree)
	for _, c := range res.Changes {
		if _, there := tree[c.Path]; there != c.Existed || c.Before != tree[c.Path] {
			t.Errorf("change %+v is not of the tree", c)
		}
		delete(after, c.Path)
		if !c.Delete {
			after[c.Path] = c.After
			if c.From != "" {
				after[c.Path] = "from " + c.From + ": " + c.After
			}
		}
	}
	return strings.Join(words, ", "), after, res
}

func renames(from, to string) string {
	return from + "\n<<<<<<< RENAME\n" + to + "\n>>>>>>> RENAME\n"
}

func replaces(path, old, new string) string {
	return path + "\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n"
}

func TestFileOps(t *testing.T) {
	tree := map[string]string{"a": "one\ntwo\n", "b": "bee\n", "raw": "\x00\x01", "new": "mine\n"}
	tracked := func(path string) (bool, error) { return path != "new", nil }
	for _, c := range []struct {
		name, reply, outcomes string
		after                 map[string]string // what differs; "" is gone
	}{
		{"delete", "`git rm a`", "applied", map[string]string{"a": ""}},
		{"rename", renames("a", "x/y"), "applied", map[string]string{"a": "", "x/y": "from a: one\ntwo\n"}},
		{"edit, rename, edit the new path", replaces("a", "one\n", "1\n") + renames("a", "c") + replaces("c", "two\n", "2\n"), "applied, applied, applied", map[string]string{"a": "", "c": "from a: 1\n2\n"}},
		{"the file of the block before is the renamed one", renames("a", "c") + "\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n", "applied, applied", map[string]string{"a": "", "c": "from a: one\n2\n"}},
		{"the old path is gone", renames("a", "c") + replaces("a", "two\n", "2\n"), "applied, failed file-not-found", map[string]string{"a": "", "c": "from a: one\ntwo\n"}},
		{"the old path is made anew", renames("a", "c") + replaces("a", "", "2\n"), "applied, applied", map[string]string{"a": "2\n", "c": "from a: one\ntwo\n"}},
		{"there is a file", renames("a", "b"), "failed file-exists", nil},
		{"no file", renames("z", "b"), "failed file-not-found", nil},
		{"the same path", renames("a", "a"), "applied no-change", nil},
		{"another case", renames("a", "A"), "applied", map[string]string{"a": "", "A": "from a: one\ntwo\n"}},
		{"make room first", "`git rm b`\n" + renames("a", "b"), "applied, applied", map[string]string{"a": "", "b": "from a: one\ntwo\n"}},
		{"swap", renames("a", "t") + renames("b", "a") + renames("t", "b"), "applied, applied, applied", map[string]string{"a": "from b: bee\n", "b": "from a: one\ntwo\n"}},
		{"there and back", renames("a", "t") + renames("t", "a"), "applied, applied", nil},
		{"edit after a failed rename", renames("a", "b") + replaces("a", "one\n", "1\n"), "failed file-exists, applied", map[string]string{"a": "1\ntwo\n"}},
		{"new path after a failed rename", replaces("a", "nine\n", "9\n") + renames("a", "c") + replaces("c", "one\n", "1\n"), "failed not-found, skipped, skipped", nil},
		{"created and renamed", replaces("n", "", "x\n") + renames("n", "m"), "applied, applied", map[string]string{"m": "x\n"}},
		{"created and deleted", replaces("n", "", "x\n") + "`git rm n`", "applied, applied", nil},
		{"twice", renames("a", "c") + renames("a", "c"), "applied, applied already-applied", map[string]string{"a": "", "c": "from a: one\ntwo\n"}},
		{"an earlier round did it", "`git rm old`\n`git mv was is`\n`git rm was`", "applied already-applied, applied already-applied, failed file-not-found", nil},
		{"binary files, too", renames("raw", "cooked"), "applied", map[string]string{"raw": "", "cooked": "from raw: \x00\x01"}},
		{"git's own", "`git rm .git/x`\n" + renames("a", ".git/x"), "failed path-refused, failed path-refused", nil},
		{"not tracked", "`git rm new`\n" + renames("new", "x"), "failed path-refused, failed path-refused", nil},
		{"a patch that moves", "*** Begin Patch\n*** Update File: a\n*** Move to: c\n@@\n-one\n+1\n two\n*** Update File: b\n@@\n-bee\n+be\n*** End Patch\n", "applied, applied, applied", map[string]string{"a": "", "c": "from a: 1\ntwo\n", "b": "be\n"}},
		{"a diff that deletes", "--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-bee\n", "applied", map[string]string{"b": ""}},
		{"a diff that deletes another file", "--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-be\n", "failed hunk-mismatch", nil},
		{"lines count as before the reply", renames("a", "c") + "```json\n" + `{"tool":"edit_lines","path":"c","start_line":2,"end_line":2,"content":"2"}` + "\n```\n", "applied, applied", map[string]string{"a": "", "c": "from a: one\n2\n"}},
		{"a conflict across a rename", replaces("a", "one\n", "1\n") + renames("a", "c") + replaces("c", "one\n", "uno\n"), "failed conflict, skipped, failed conflict", nil},
	} {
		set := Settings{FileOps: OpsApply, Tracked: tracked, Gone: map[string]string{"old": "", "was": "is"}}
		outcomes, after, _ := play(t, c.reply, tree, set)
		want := maps.Clone(tree)
		for path, text := range c.after {
			if want[path] = text; text == "" {
				delete(want, path)
			}
		}
		if diff := cmp.Diff(want, after); outcomes != c.outcomes || diff != "" {
			t.Errorf("%s: %s, want %s (-want +got):\n%s", c.name, outcomes, c.outcomes, diff)
		}
	}
}

// By default nothing is deleted or renamed, and a wish says what would have to be.
func TestFileOpsAreWishes(t *testing.T) {
	tree := map[string]string{"a": "one\n", "b c.md": "two\n"}
	reply := renames("a", "x y.md") + "*** Begin Patch\n*** Delete File: b c.md\n*** End Patch\n`git rm a`\n" + renames("a", "b c.md") + replaces("a", "one\n", "1\n")
	outcomes, after, res := play(t, reply, tree, Settings{})
	if outcomes != "applied no-change, applied no-change, failed file-exists, applied" {
		t.Error(outcomes)
	}
	if diff := cmp.Diff(map[string]string{"a": "1\n", "b c.md": "two\n"}, after); diff != "" {
		t.Error(diff)
	}
	got := Pending(Suggestions(reply), res.Outcomes)
	if diff := cmp.Diff([]string{"git rm a", "git mv a 'x y.md'", "git rm 'b c.md'"}, got); diff != "" {
		t.Error(diff)
	}
}

// What is done is no suggestion any more; what failed is.
func TestPending(t *testing.T) {
	tree := map[string]string{"a": "one\n", "b": "two\n"}
	reply := "`git rm -f 'a'`\n`git mv b a/`, `mkdir -p x`\n```bash\ngit mv gone x\n```\nAs I said, `git rm a`.\n"
	outcomes, _, res := play(t, reply, tree, Settings{FileOps: OpsApply})
	if outcomes != "applied, failed file-not-found" {
		t.Error(outcomes)
	}
	if diff := cmp.Diff([]string{"git mv b a/", "mkdir -p x", "git mv gone x"}, Pending(Suggestions(reply), res.Outcomes)); diff != "" {
		t.Error(diff)
	}
}

// A rename stands or falls whole, with the edits on both sides of it.
func TestRefuseRename(t *testing.T) {
	tree := map[string]string{"a": "one\n", "b": "two\n"}
	reply := replaces("a", "one\n", "1\n") + renames("a", "c") + replaces("c", "1\n", "I\n") + replaces("b", "two\n", "2\n")
	for _, path := range []string{"a", "c"} {
		_, _, res := play(t, reply, tree, Settings{FileOps: OpsApply})
		if !res.Refuse(&Refusal{path, ChangedOnDisk, "was changed"}) || len(res.Changes) != 1 || res.Changes[0].Path != "b" {
			t.Errorf("%s refused: %+v", path, res.Changes)
		}
		for i, o := range res.Outcomes {
			if (o.Status == Failed) != (i < 3) {
				t.Errorf("%s refused: block %d is %s", path, i, o.Status)
			}
		}
		_, _, res = play(t, reply, tree, Settings{FileOps: OpsApply})
		at := slices.IndexFunc(res.Changes, func(c Change) bool { return c.Path == path })
		if res.Invalid(res.Changes[at], Problem{Line: 1}); len(res.Changes) != 1 {
			t.Errorf("%s invalid: %+v", path, res.Changes)
		}
	}
}
