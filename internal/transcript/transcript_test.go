package transcript_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentloop/agentloop/internal/transcript"
	"github.com/agentloop/agentloop/loop"
)

// TestLines holds the shape of a line, which others read.
func TestLines(t *testing.T) {
	var b strings.Builder
	enc := transcript.NewEncoder(&b)
	for _, e := range []loop.Event{loop.RoundStarted{Round: 1}, empty{}, loop.ReplyReceived{Round: 1, Reply: loop.Reply{Text: "a\n<b>"}}} {
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for i, want := range [][2]string{
		{`{"schema":1,"seq":1,"time":"`, `Z","event":"round.started","round":1}`},
		{`{"schema":1,"seq":2,"time":"`, `Z","event":"empty"}`},
		{`{"schema":1,"seq":3,"time":"`, `Z","event":"reply.received","round":1,"text":"a\n\u003cb\u003e","finish":"","usage":{"requests":0,"prompt_tokens":0,"completion_tokens":0}}`},
	} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want[0]) || !strings.HasSuffix(lines[i], want[1]) {
			t.Errorf("line %d should be %s…%s:\n%s", i+1, want[0], want[1], b.String())
		}
	}
}

type empty struct{}

func (empty) Name() string { return "empty" }

// TestRead holds what a transcript may hold: whole lines of this schema, and a
// torn one at the end, as a kill leaves it.
func TestRead(t *testing.T) {
	const one, two = `{"schema":1,"seq":1,"event":"a"}` + "\n", `{"schema":1,"seq":2,"event":"b","x":3}` + "\n"
	for _, c := range []struct {
		name, text string
		events     string
		wrong      string
	}{
		{"whole", one + two, "a b", ""},
		{"nothing yet", "", "", ""},
		{"torn at the end", one + two[:20], "a", ""},
		{"torn before its newline", one + strings.TrimSuffix(two, "\n"), "a", ""},
		{"torn in the middle", one[:10] + "\n" + two, "", ":1: not a line of a transcript"},
		{"not JSON", one + "hello\n" + two, "a", ":2: not a line of a transcript"},
		{"no event", one + "{}\n", "a", ":2: not a line of a transcript"},
		{"of another schema", one + `{"schema":2,"seq":2,"event":"b"}` + "\n", "a", ":2: schema 2, but this version reads 1"},
		{"a long line", one + `{"schema":1,"seq":2,"event":"b","text":"` + strings.Repeat("x", 1<<20) + "\"}\n", "a b", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "r1", c.text)
			var events []string
			err := transcript.Read(dir, "r1", func(l transcript.Line) (bool, error) {
				events = append(events, l.Event)
				if l.Seq != len(events) {
					t.Errorf("line %d has the number %d", len(events), l.Seq)
				}
				return true, nil
			})
			if got := strings.Join(events, " "); got != c.events {
				t.Errorf("read %q, want %q", got, c.events)
			}
			if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.HasSuffix(err.Error(), c.wrong)) {
				t.Errorf("error %v, want …%s", err, c.wrong)
			}
		})
	}
}

// TestReadStops holds that a reader can stop, and that its error comes back.
func TestReadStops(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "r1", strings.Repeat(`{"schema":1,"seq":1,"event":"a"}`+"\n", 3))
	n := 0
	if err := transcript.Read(dir, "r1", func(transcript.Line) (bool, error) { n++; return n < 2, nil }); err != nil || n != 2 {
		t.Errorf("%d lines were read, %v", n, err)
	}
	if err := transcript.Read(dir, "r1", func(transcript.Line) (bool, error) { return true, io.ErrShortWrite }); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("error %v", err)
	}
	if err := transcript.Read(dir, "r2", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such run: %v", err)
	}
}

// TestCreate holds that a run's folder is the user's alone, and that no run is
// written over another.
func TestCreate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "runs")
	f, err := transcript.Create(dir, "r1")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "r1"): 0o700, f.Name(): 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
	if _, err := transcript.Create(dir, "r1"); !errors.Is(err, os.ErrExist) {
		t.Errorf("a second run of the same name: %v", err)
	}
}

// TestNames holds that names sort by time, even within a second, and differ.
func TestNames(t *testing.T) {
	now := time.Date(2026, 11, 21, 23, 59, 59, 0, time.FixedZone("", 3600))
	var names []string
	for range 200 {
		names = append(names, transcript.NewID(now))
		now = now.Add(17 * time.Millisecond)
	}
	if !slices.IsSorted(names) {
		t.Errorf("not in order: %v", names)
	}
	if !strings.HasPrefix(names[0], "20261121-225959-0000") || len(names[0]) != len(names[199]) {
		t.Errorf("names such as %s and %s", names[0], names[199])
	}
	if a, b := transcript.NewID(now), transcript.NewID(now); a == b {
		t.Errorf("two runs of one moment are both named %s", a)
	}

	dir := t.TempDir()
	if runs, err := transcript.List(filepath.Join(dir, "none")); err != nil || len(runs) != 0 {
		t.Errorf("a folder that is not there: %v, %v", runs, err)
	}
	for _, name := range []string{"b", "c", "a", ".hidden"} {
		write(t, dir, name, "")
	}
	write(t, dir, ".", "") // a file, not a run
	if runs, err := transcript.List(dir); err != nil || strings.Join(runs, "") != "cba" {
		t.Errorf("listed as %v, %v", runs, err)
	}
}

func write(t *testing.T, dir, run, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, run), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, run, "events.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
