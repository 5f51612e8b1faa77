//go:build unix

package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// feed runs a script of the shell over a text.
func (s *Shell) feed(t *testing.T, script, text string) (string, error) {
	t.Helper()
	return s.Feed(t.Context(), "sh", []string{"-c", script}, text)
}

func TestFeed(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, c := range []struct{ name, script, text, out, err string }{
		{"copies", "cat", "a\nb", "a\nb", ""},
		{"reads nothing", "echo yes", long, "yes\n", ""},
		{"reads much", "wc -c | tr -d ' '", long, "1048576\n", ""},
		{"error output is not output", "echo no >&2; echo yes", "", "yes\n", ""},
		{"fails", "echo yes; exit 3", "", "", "sh ended with status 3"},
		{"is killed", "kill -9 $$", "", "", "sh was ended by SIGKILL"},
		{"writes too much", "cat", long, "", "sh wrote more than is kept of it"},
		{"floods", "yes", "", "", "sh wrote more than is kept of it"},
		{"hangs", "sleep 60", "", "", "sh took longer than 300ms"},
		{"hangs in a child", "sleep 60 & wait", "", "", "sh took longer than 300ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &Shell{Dir: t.TempDir(), Timeout: 20 * time.Second, Keep: 1 << 10, Flood: 8 << 20, Grace: 100 * time.Millisecond}
			if strings.HasPrefix(c.name, "hangs") {
				s.Timeout = 300 * time.Millisecond
			}
			out, err := s.feed(t, c.script, c.text)
			if out != c.out || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("%.50q, %v", out, err)
			}
		})
	}
}

func TestFeedEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	s := &Shell{Dir: t.TempDir(), Grace: 100 * time.Millisecond}
	begin := time.Now()
	_, err := s.Feed(ctx, "sh", []string{"-c", "trap '' TERM; sleep 60"}, "")
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	if _, err := s.Feed(ctx, "sh", []string{"-c", "echo"}, ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// The tree has no part in what is run: not by PATH, not by a link, not as the
// folder that it runs in.
func TestFeedKeepsOutOfTheTree(t *testing.T) {
	t.Setenv("FEED_KEY", "sk-canary-91c2")
	tree, links := t.TempDir(), t.TempDir()
	planted := filepath.Join(tree, "judge")
	if err := os.WriteFile(planted, []byte("#!/bin/sh\necho planted\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(planted, filepath.Join(links, "judge")); err != nil {
		t.Fatal(err)
	}
	path := os.Getenv("PATH")
	list := func(dirs ...string) string { return strings.Join(dirs, string(os.PathListSeparator)) }
	s := &Shell{Dir: tree, Timeout: 20 * time.Second}
	t.Chdir(tree)
	t.Setenv("PATH", list(".", "", tree, links, path))
	if out, err := s.Feed(t.Context(), "judge", nil, ""); !errors.Is(err, ErrNoProgram) {
		t.Errorf("%q, %v", out, err)
	}
	honest := t.TempDir()
	script := "#!/bin/sh\npwd -P; echo \"$PWD\"; env; command -v planted\n:\n"
	if err := os.WriteFile(filepath.Join(honest, "judge"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tree, "planted"), []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", list(".", tree, links, honest, path))
	out, err := s.Feed(t.Context(), "judge", nil, "")
	if err != nil || !strings.HasPrefix(out, honest+"\n"+honest+"\n") {
		t.Errorf("%q, %v", out, err)
	}
	if strings.Contains(out, "canary") || strings.Contains(out, tree) {
		t.Errorf("it sees too much: %s", out)
	}
}
