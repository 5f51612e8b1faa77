package feedback

import (
	"context"
	"time"
)

// Shell runs a check command in the tree. The context ends it early; its own
// deadline is the implementation's. A command that ran and failed is a
// CheckRun, never an error; an error means that nothing could be run.
type Shell interface {
	Run(ctx context.Context, command string) (CheckRun, error)
}

// CheckRun is one run of one check command.
type CheckRun struct {
	Command  string        `json:"command"`
	Exit     int           `json:"exit"`             // exit status; -1 if a signal ended it
	Signal   string        `json:"signal,omitempty"` // name of that signal, "" for none
	TimedOut bool          `json:"timed_out,omitempty"`
	Elapsed  time.Duration `json:"elapsed_ns"`

	// Output holds standard output and standard error as they came: the first
	// bytes in Head, the last ones in Tail, and how many were dropped between.
	Head    string `json:"head"`
	Tail    string `json:"tail,omitempty"`
	Omitted int64  `json:"omitted_bytes,omitempty"`
}

// Passed reports whether the command succeeded.
func (c CheckRun) Passed() bool { return c.Exit == 0 && c.Signal == "" && !c.TimedOut }

// Unstartable reports whether a shell could not start the command: 126 (not
// executable) or 127 (not found), by POSIX.
func (c CheckRun) Unstartable() bool { return c.Exit == 126 || c.Exit == 127 }
