package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/loop"
)

// watcher shows a run's events on the terminal while they happen.
type watcher struct {
	*term
	started time.Time
}

// show writes the lines for one event.
func (w *watcher) show(e loop.Event) {
	switch e := e.(type) {
	case loop.RunStarted:
		w.progress("%s %s", w.paint(dim, "task"), clipped(oneLined(e.Task), 100))
	case loop.RoundStarted:
		w.progress("%s %d", w.paint(dim, "round"), e.Round)
	case loop.PromptSent:
		if w.verbose {
			w.progress("  prompt of about %d tokens", e.Tokens)
		}
	case loop.BlockClosed:
		if w.verbose {
			w.progress("  block for %s", oneLined(orNone(e.Path)))
		}
	case loop.FileChosen:
		if w.verbose {
			w.progress("  %s %s: %s", w.paint(dim, "shows"), oneLined(e.Path), oneLined(e.Why))
		}
	case loop.CallAnswered:
		if w.verbose {
			w.progress("  %s %s", w.paint(dim, "call "+oneLined(e.Tool)), clipped(oneLined(e.Arguments), 100))
		}
	case loop.Retried:
		w.progress("  %s, again in %s: %s", w.paint(yellow, "no answer"), time.Duration(e.WaitMS)*time.Millisecond, clipped(oneLined(e.Why), 200))
	case loop.EditOutcome:
		w.outcome(e)
	case loop.Warned:
		w.progress("  %s %s: %s", w.paint(yellow, "warning"), oneLined(e.Path), clipped(oneLined(e.Why), 160))
	case loop.CheckStarted:
		w.progress("  %s %s", w.paint(dim, "check"), oneLined(e.Command))
	case loop.CheckCompleted:
		w.check(e)
	case loop.RoundCompleted:
		w.progress("  %s", w.paint(dim, fmt.Sprintf("%d tokens, %s, %s", e.Usage.Total(), dollars(e.Cost), time.Since(w.started).Round(100*time.Millisecond))))
	}
}

func (w *watcher) outcome(e loop.EditOutcome) {
	mark, color := "applied", green
	switch e.Status {
	case edits.Failed:
		mark, color = "failed", red
	case edits.Skipped:
		mark, color = "skipped", yellow
	case edits.WouldApply:
		mark = "would apply"
	}
	line := fmt.Sprintf("  %s %s", w.paint(color, mark), oneLined(subjectOf(e)))
	if e.Line > 0 {
		line += fmt.Sprintf(":%d", e.Line)
	}
	if e.Reason != "" {
		line += " " + string(e.Reason)
	}
	if e.Tier != "" && e.Tier != edits.Exact {
		line += fmt.Sprintf(" (by %s)", e.Tier)
	}
	if e.Detail != "" {
		line += ": " + clipped(oneLined(e.Detail), 120)
	}
	w.progress("%s", line)
}

func (w *watcher) check(e loop.CheckCompleted) {
	how, color := "passed", green
	if !e.Passed {
		color = red
		switch {
		case e.TimedOut:
			how = "timed out"
		case e.Signal != "":
			how = "ended by " + e.Signal
		default:
			how = fmt.Sprintf("failed with exit status %d", e.Exit)
		}
	}
	if e.Round == 0 {
		how += " before round 1"
	}
	w.progress("  %s after %s", w.paint(color, how), e.Elapsed.Round(10*time.Millisecond))
	if w.verbose && !e.Passed {
		tail := strings.Split(strings.TrimRight(e.Head+e.Tail, "\n"), "\n")
		for _, l := range tail[max(0, len(tail)-12):] {
			w.progress("    %s", clipped(safe(l), 160))
		}
	}
}

// subjectOf names what a block is about: a file, its end, or its way to a new path.
func subjectOf(e loop.EditOutcome) string {
	switch {
	case e.To != "":
		return e.Path + " → " + e.To
	case e.Delete:
		return orNone(e.Path) + " (delete)"
	}
	return orNone(e.Path)
}

func orNone(path string) string {
	if path == "" {
		return "(no path)"
	}
	return path
}

func dollars(cost *float64) string {
	if cost == nil {
		return "cost unknown"
	}
	return fmt.Sprintf("$%.4f", *cost)
}

func clipped(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
