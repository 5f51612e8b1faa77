package replay_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/replay"
)

func block(path, old, new string) string {
	return path + "\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n"
}

func lines(t *testing.T, cases ...replay.Case) *bufio.Reader {
	t.Helper()
	var b strings.Builder
	for _, c := range cases {
		raw, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(raw, '\n'))
	}
	return bufio.NewReader(strings.NewReader(b.String()))
}

func files(path, text string) map[string]*string { return map[string]*string{path: &text} }

// TestEach holds that results come in the order of the cases, say what changed
// and what was malformed, and carry the next round's message.
func TestEach(t *testing.T) {
	var cases []replay.Case
	for i := range 50 {
		cases = append(cases, replay.Case{ID: fmt.Sprint(i), Response: block("a.txt", "one\n", fmt.Sprint(i, "\n")), Files: files("a.txt", "one\ntwo\n")})
	}
	cases = append(cases,
		replay.Case{ID: "fails", Response: block("a.txt", "nothing of it\n", "x\n"), Files: files("a.txt", "one\n")},
		replay.Case{ID: "cut", Response: block("a.txt", "one\n", "1\n") + "a.txt\n<<<<<<< SEARCH\ntwo\n", Files: files("a.txt", "one\ntwo\n")},
		replay.Case{ID: "outside", Response: block("../a.txt", "one\n", "1\n"), Files: files("a.txt", "one\n")},
	)
	var got []replay.Result
	engine := replay.Engine{Path: func(path string) error {
		if strings.HasPrefix(path, "..") {
			return &edits.Refusal{Path: path, Reason: edits.PathRefused, Why: "outside"}
		}
		return nil
	}}
	if err := engine.Each(lines(t, cases...), func(r replay.Result) error { got = append(got, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(cases) {
		t.Fatalf("%d results for %d cases", len(got), len(cases))
	}
	for i, r := range got[:50] {
		if r.ID != fmt.Sprint(i) || *r.Files["a.txt"] != fmt.Sprintf("%d\ntwo\n", i) || r.Outcomes[0].Status != edits.Applied {
			t.Errorf("case %d: %+v", i, r)
		}
	}
	if r := got[50]; len(r.Files) != 0 || r.Outcomes[0].Reason != edits.NotFound || !strings.Contains(r.Feedback, "not in the file") {
		t.Errorf("a block that fails: %+v", r)
	}
	if r := got[51]; len(r.Files) != 0 || len(r.Malformed) != 1 || r.Malformed[0].Line != 8 {
		t.Errorf("a reply that is cut: %+v", r)
	}
	if r := got[52]; r.Outcomes[0].Reason != edits.PathRefused {
		t.Errorf("a path that leads out: %+v", r)
	}
}

// TestBadCase names the line, and stops there.
func TestBadCase(t *testing.T) {
	in := bufio.NewReader(strings.NewReader(`{"id":"a","response":"","files":{}}` + "\n{nonsense\n"))
	n := 0
	err := replay.Engine{}.Each(in, func(replay.Result) error { n++; return nil })
	var bad *replay.BadCase
	if !errors.As(err, &bad) || bad.Line != 2 || n != 1 {
		t.Errorf("%v after %d results", err, n)
	}
	stop := errors.New("enough")
	if err := (replay.Engine{}).Each(lines(t, make([]replay.Case, 100)...), func(replay.Result) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the giver's error is lost: %v", err)
	}
}

// TestCompare tells what a change of the engine did.
func TestCompare(t *testing.T) {
	one, two := "1\n", "2\n"
	result := func(id string, status edits.Status, text *string) replay.Result {
		return replay.Result{ID: id, Files: map[string]*string{"a": text}, Outcomes: []replay.Outcome{{Status: status}}}
	}
	var b strings.Builder
	for _, r := range []replay.Result{
		result("same", edits.Applied, &one), result("saved", edits.Failed, nil), result("lost", edits.Applied, &one), result("other", edits.Applied, &one),
	} {
		raw, _ := json.Marshal(r)
		b.Write(append(raw, '\n'))
	}
	old, err := replay.ReadOld(bufio.NewReader(strings.NewReader(b.String())))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		r    replay.Result
		want replay.Difference
	}{
		{result("same", edits.Applied, &one), ""},
		{result("saved", edits.Applied, &one), replay.Rescued},
		{result("lost", edits.Failed, nil), replay.Broken},
		{result("other", edits.Applied, &two), replay.Changed},
		{result("fresh", edits.Applied, &one), replay.New},
	} {
		if got := old.Compare(c.r); got != c.want {
			t.Errorf("%s: %q, want %q", c.r.ID, got, c.want)
		}
	}
}
