package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agentloop/agentloop/loop"
)

// report words how a run ended: what changed, how it ended, what to do next.
func (p *program) report(id string, run loop.Run, end ending) {
	var b strings.Builder
	v := run.Verdict
	fmt.Fprintf(&b, "%s: %s\n", v.Status, oneLined(v.Why))
	changed := slices.Sorted(slices.Values(run.Changed))
	if len(changed) > 0 {
		fmt.Fprintf(&b, "changed:\n")
		for _, path := range changed {
			fmt.Fprintf(&b, "  %s\n", oneLined(path))
		}
	}
	if len(run.Suggest) > 0 {
		fmt.Fprintf(&b, "the model suggests, not run:\n")
		for _, cmd := range run.Suggest {
			fmt.Fprintf(&b, "  %s\n", oneLined(cmd))
		}
	}
	if run.Usage.Requests > 0 {
		cost := "cost unknown"
		if run.Priced {
			cost = fmt.Sprintf("$%.4f", run.Cost)
		}
		fmt.Fprintf(&b, "%s, %d tokens, %s, %s\n", plural(v.Rounds, "round"), run.Usage.Total(), cost, run.Elapsed.Round(10*time.Millisecond))
	}
	switch {
	case end.forgotten:
	case end.committed:
		fmt.Fprintf(&b, "committed; take it back: agentloop undo %s\n", id)
	case len(changed) > 0:
		where := "in the work tree"
		if end.staged {
			where = "staged"
		}
		fmt.Fprintf(&b, "%s; look: git diff HEAD; take it back: agentloop undo %s\n", where, id)
	}
	if v.Exit != 0 && run.Usage.Requests > 0 && !end.forgotten {
		fmt.Fprintf(&b, "what was said: agentloop show %s\n", id)
	}
	if end.diff != "" {
		b.WriteString("\n" + safe(end.diff))
	}
	p.term.print(b.String())
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
