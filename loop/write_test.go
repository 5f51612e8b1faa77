package loop_test

import (
	"context"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/loop"
)

// TestWholeFileMeanwhile holds that a file which somebody wrote while the model
// answered is not replaced by what it was made from, and that a block of lines
// still goes into it.
func TestWholeFileMeanwhile(t *testing.T) {
	whole := "a.txt\n```\n2\nthree\n```\n"
	for name, c := range map[string]struct {
		reply  string
		write  bool // somebody does
		status edits.Status
		want   string
	}{
		"whole file, nobody wrote":  {whole, false, edits.Applied, "2\nthree\n"},
		"whole file, somebody did":  {whole, true, edits.Failed, "two\nthree of somebody\n"},
		"lines, somebody elsewhere": {edit("a.txt", "two", "2"), true, edits.Applied, "2\nthree of somebody\n"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"a.txt": "two\nthree\n"}
			model := played{func(ctx context.Context, req loop.Request) (loop.Reply, error) {
				if c.write {
					files["a.txt"] = "two\nthree of somebody\n"
				}
				return says(c.reply)(ctx, req)
			}}
			under := tree(files)
			r := loop.Runner{Model: &model, Tree: under}
			do := task(1)
			do.Files = []string{"a.txt"}
			run, err := r.Run(t.Context(), do)
			if err != nil || len(run.Rounds) != 1 || len(run.Rounds[0].Outcomes) != 1 {
				t.Fatalf("%+v, %v", run, err)
			}
			round := run.Rounds[0]
			if o := round.Outcomes[0]; o.Status != c.status || (o.Status == edits.Failed) != (o.Reason == edits.ChangedOnDisk) {
				t.Errorf("%s %s", o.Status, o.Reason)
			}
			if told := strings.Contains(round.Feedback, "changed the file meanwhile"); told != (c.status == edits.Failed) {
				t.Errorf("feedback:\n%s", round.Feedback)
			}
			if got, err := under.Read("a.txt"); err != nil || got != c.want {
				t.Errorf("a.txt holds %q, %v; want %q", got, err, c.want)
			}
		})
	}
}
