package worktree_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agentloop/agentloop/internal/guard"
	"github.com/agentloop/agentloop/internal/journal"
	"github.com/agentloop/agentloop/internal/worktree"
)

// BenchmarkLargeRepository measures one run in a repository of 50,000 files
// (AGENTLOOP_BENCH_FILES for another number), one file a round.
func BenchmarkLargeRepository(b *testing.B) {
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("no git on this machine")
	}
	files := 50_000
	fmt.Sscan(os.Getenv("AGENTLOOP_BENCH_FILES"), &files)
	dir := largeRepository(b, files)
	var open, begin, base, write, snapshot, list, staging, undoing time.Duration
	step := func(sum *time.Duration, do func() error) {
		began := time.Now()
		must(b, do())
		*sum += time.Since(began)
	}
	n := 0
	for b.Loop() {
		n++
		r := &repo{dir: dir}
		step(&open, func() (err error) { r.repo, err = worktree.Open(b.Context(), dir+"/mod00"); return err })
		r.guard = &guard.Guard{Root: dir}
		r.journal = &journal.Journal{Folders: r.guard}
		id := fmt.Sprintf("bench-%d-%d", os.Getpid(), n)
		step(&begin, func() (err error) { r.run, err = r.repo.Begin(b.Context(), id, r.guard); return err })
		step(&base, func() error { _, err := r.run.Base(b.Context()); return err })
		path := fmt.Sprintf("mod00/pkg01/file%02d.go", n%50)
		old, err := r.guard.Read(path)
		must(b, err)
		change := edit(path, old, old+"// more\n")
		step(&write, func() error { return r.run.Write(b.Context(), change, r.journal) })
		step(&snapshot, func() error { _, err := r.run.Snapshot(b.Context(), 1); return err })
		step(&list, func() error { _, err := r.repo.Files(b.Context()); return err })
		step(&staging, func() error { _, err := r.repo.Stage(b.Context(), id, r.run.Paths()); return err })
		step(&undoing, func() error { _, err := r.repo.Undo(b.Context(), id, r.guard, r.journal); return err })
	}
	for name, sum := range map[string]time.Duration{
		"open": open, "begin": begin, "base": base, "write": write, "snapshot": snapshot, "files": list, "stage": staging, "undo": undoing,
	} {
		b.ReportMetric(float64(sum.Microseconds())/1000/float64(n), name+"-ms")
	}
}

func largeRepository(b *testing.B, files int) string {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	must(b, err)
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("mod%02d/pkg%02d/file%02d.go", i/2000, i/50%40, i%50))
		if i%50 == 0 {
			must(b, os.MkdirAll(filepath.Dir(name), 0o777))
		}
		must(b, os.WriteFile(name, []byte(strings.Repeat(fmt.Sprintf("// line %d\n", i), 10)), 0o666))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "gc.auto=0", "-c", "user.name=U", "-c", "user.email=u@localhost", "commit", "-qm", "first"}, {"gc", "-q"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	return dir
}
