package loop

import (
	"fmt"

	"github.com/agentloop/agentloop/edits"
)

const (
	excerptAround = 2  // lines shown on both sides of a change
	excerptMost   = 40 // lines of a change that are shown whole
)

// excerpt tells of a file's new version: its tag, and the lines that changed.
func excerpt(c edits.Change) string {
	if c.Delete {
		return c.Path + " is deleted"
	}
	was, now := edits.Lines(c.Before), edits.Lines(c.After)
	same, tail := unchanged(was, now)
	from, to := max(0, same-excerptAround), min(len(now), len(now)-tail+excerptAround)
	head := fmt.Sprintf("%s has %s now, tag %s\n", c.Path, count(len(now), "line"), edits.Tag(c.After))
	if to-from <= excerptMost {
		return head + edits.Numbered(now, from, to)
	}
	half := excerptMost / 2
	return head + edits.Numbered(now, from, from+half) + fmt.Sprintf("[%d lines]\n", to-from-2*half) + edits.Numbered(now, to-half, to)
}

// unchanged counts the lines that two versions begin with, and those of the rest
// that they end with.
func unchanged(was, now []string) (head, tail int) {
	for head < min(len(was), len(now)) && was[head] == now[head] {
		head++
	}
	for tail < min(len(was), len(now))-head && was[len(was)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	return head, tail
}

func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
