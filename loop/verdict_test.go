package loop

import "testing"

// TestForemost holds which of several reasons to end is told: for every two that
// hold together, the one that stands first here.
func TestForemost(t *testing.T) {
	all := []struct {
		status Status
		exit   int
	}{
		{Interrupted, 130}, {TimedOut, 124}, {Policy, 7}, {TryLater, 75}, {OverBudget, 5}, {NoProgress, 6}, {EditsOpen, 3}, {CheckFails, 4},
	}
	for i, first := range all {
		if got := first.status.Exit(); got != first.exit {
			t.Errorf("%s exits with %d, want %d", first.status, got, first.exit)
		}
		for _, second := range all[i:] {
			got, why := foremost(map[Status]string{first.status: string(first.status), second.status: string(second.status)})
			if got != first.status || why != string(first.status) {
				t.Errorf("%s and %s: %s, because %s", first.status, second.status, got, why)
			}
		}
	}
	if got, _ := foremost(nil); got != Internal {
		t.Errorf("no reason at all is %s", got)
	}
	for status, exit := range map[Status]int{Done: 0, Internal: 1, Usable: 2, "made up": 1} {
		if got := status.Exit(); got != exit {
			t.Errorf("%s exits with %d, want %d", status, got, exit)
		}
	}
}
