package worktree_test

import (
	"fmt"
	"testing"
)

func TestRecent(t *testing.T) {
	r := newRepo(t)
	if got, err := r.open().repo.Recent(t.Context(), 3); err != nil || len(got) != 0 {
		t.Errorf("before the first commit: %v, %v", got, err)
	}
	for i, files := range []map[string]string{{"old.txt": "0"}, {"a.txt": "1", "gone.txt": "1"}, {"b c.txt": "2", "a.txt": "2"}, {"d/e.txt": "3"}} {
		r.write(files)
		if i == 3 {
			r.git("rm", "-q", "gone.txt")
		}
		r.git("add", "-A")
		r.git("commit", "-q", "-m", fmt.Sprint(i))
	}
	got, err := r.open().repo.Recent(t.Context(), 3)
	if err != nil || fmt.Sprintf("%q", got) != `["d/e.txt" "a.txt" "b c.txt" "gone.txt"]` {
		t.Errorf("%q, %v", got, err)
	}
}

func TestIgnoredByOwnRules(t *testing.T) {
	r := committed(t, map[string]string{"a.txt": "", "gen/b.txt": "", "gen/keep.txt": "", ".agentloopignore": "gen/*\n!gen/keep.txt\nc*\n"})
	r.write(map[string]string{"c.txt": "", "d.txt": ""})
	got, err := r.open().repo.Ignored(t.Context(), ".agentloopignore")
	if err != nil || fmt.Sprintf("%q", got) != `["c.txt" "gen/b.txt"]` {
		t.Errorf("%q, %v", got, err)
	}
}
