package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The bench starts itself to run one program; here that is the test.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == runFlag {
		os.Exit(runOne(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// TestScenes plays every scene once, in a small repository: each row is there
// with a figure that can be true.
func TestScenes(t *testing.T) {
	for _, program := range []string{"git", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("the bench needs", program)
		}
	}
	set, err := parse([]string{"--times", "1", "--files", "50", "--json", "--work", t.TempDir()}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if _, err := run(t.Context(), set, &out, &errs); err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, one := range r.Rows {
		seen[one.Scene]++
		costs := strings.Contains(one.Name, "more") || strings.Contains(one.Name, "and memory") // may be nothing
		if len(one.Values) == 0 || one.Median <= 0 && !costs || one.Median > 60_000 || one.Met != (one.Bar == 0 || one.Median <= one.Bar) {
			t.Errorf("%+v", one)
		}
	}
	for _, name := range sceneNames() {
		if seen[name] == 0 {
			t.Errorf("the scene %s has no rows", name)
		}
	}
	r.print(&out)
	if !strings.Contains(out.String(), "start to first request") {
		t.Errorf("the table:\n%s", out.String())
	}
}

// TestMissedBar holds that a row beyond its bar is told and fails --need.
func TestMissedBar(t *testing.T) {
	var r report
	identity := func(v float64) float64 { return v }
	r.add("scene", []row{of("met", "ms", 10, []float64{30, 10, 9}, identity), of("none", "ms", 0, []float64{99}, identity)})
	if !r.met() {
		t.Errorf("%+v", r.Rows)
	}
	r.add("scene", []row{of("missed", "ms", 10, []float64{11, 1, 12}, identity)})
	var out strings.Builder
	r.print(&out)
	if r.met() || strings.Count(out.String(), "SHORT") != 1 {
		t.Errorf("%s", out.String())
	}
}

func TestWrongFlags(t *testing.T) {
	for _, args := range [][]string{{"--only", "nothing"}, {"--times", "0"}, {"--files", "0"}, {"more"}} {
		if _, err := parse(args, new(bytes.Buffer)); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}
