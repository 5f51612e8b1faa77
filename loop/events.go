package loop

import (
	"time"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
)

// Event is something that happened in a run. Name is stable: it stands in
// `--json` and in transcripts.
type Event interface{ Name() string }

// The events of a run, in the order in which they can come.
type (
	// RunStarted comes first.
	RunStarted struct {
		Task   string   `json:"task"`
		Format string   `json:"format"`
		Files  []string `json:"files"`
		Checks []string `json:"checks"`
		Rounds int      `json:"rounds"`
		DryRun bool     `json:"dry_run,omitempty"`
	}
	// RoundStarted opens a round.
	RoundStarted struct {
		Round int `json:"round"`
	}
	// FileChosen tells of a file, or parts of one, that the prompt shows from now on.
	FileChosen struct {
		Round int    `json:"round"`
		Path  string `json:"path"`
		Why   string `json:"why"`
		Spans []Span `json:"spans,omitempty"`
	}
	// PromptSent holds a prompt whole; for transcripts.
	PromptSent struct {
		Round  int    `json:"round"`
		System string `json:"system"`
		User   string `json:"user"`
		Tokens int    `json:"tokens_estimated"`

		// How well a provider's prefix cache can hit: bytes before what happened
		// last, how many of them are as in the prompt before, and the line in which
		// that ends.
		Stable int    `json:"stable_bytes"`
		Same   int    `json:"same_bytes"`
		Broke  string `json:"broke,omitempty"`
	}
	// ReplyDelta is a piece of a reply as it comes; opt-in.
	ReplyDelta struct {
		Round int    `json:"round"`
		Text  string `json:"text"`
	}
	// BlockClosed tells of a block while the reply is still coming. A Retried
	// after it makes it void.
	BlockClosed struct {
		Round  int          `json:"round"`
		Path   string       `json:"path"`
		Format edits.Format `json:"format"`
		Line   int          `json:"reply_line"`
	}
	// Retried tells that a request is given up and will be sent again.
	Retried struct {
		Round   int    `json:"round"`
		Attempt int    `json:"attempt"`
		WaitMS  int64  `json:"wait_ms"`
		Why     string `json:"why"`
	}
	// ReplyReceived holds a reply whole; for transcripts.
	ReplyReceived struct {
		Round int `json:"round"`
		Reply
	}
	// CallAnswered holds a call of a tool and what was answered; for transcripts.
	CallAnswered struct {
		Round     int    `json:"round"`
		Tool      string `json:"tool"`
		Arguments string `json:"arguments"`
		Answer    string `json:"answer"`
	}
	// EditOutcome tells what became of a block.
	EditOutcome struct {
		Round  int          `json:"round"`
		Path   string       `json:"path"`
		To     string       `json:"to,omitempty"`     // of a rename: the new path
		Delete bool         `json:"delete,omitempty"` // the block deletes the file
		Format edits.Format `json:"format"`
		Status edits.Status `json:"status"`
		Tier   edits.Tier   `json:"tier,omitempty"`
		Reason edits.Reason `json:"reason,omitempty"`
		Detail string       `json:"detail,omitempty"`
		Line   int          `json:"line,omitempty"`
		Anchor string       `json:"anchor,omitempty"`
		Old    string       `json:"old,omitempty"`
		New    string       `json:"new,omitempty"`
	}
	// Warned tells of a file that is written although it no longer parses, or that
	// could not be judged.
	Warned struct {
		Round int    `json:"round"`
		Path  string `json:"path"`
		Why   string `json:"why"`
	}
	// CheckStarted tells that a check runs. Round 0 is before the first.
	CheckStarted struct {
		Round   int    `json:"round"`
		Command string `json:"command"`
	}
	// CheckCompleted tells how it ended.
	CheckCompleted struct {
		Round  int  `json:"round"`
		Passed bool `json:"passed"`
		feedback.CheckRun
	}
	// RoundCompleted closes a round.
	RoundCompleted struct {
		Round    int      `json:"round"`
		Applied  int      `json:"applied"`
		Failed   int      `json:"failed"`
		Skipped  int      `json:"skipped"`
		Changed  []string `json:"changed"`
		Rev      string   `json:"rev,omitempty"`
		Usage    Usage    `json:"usage"` // of the run so far
		Cost     *float64 `json:"cost_usd"`
		Feedback string   `json:"feedback,omitempty"`
	}
	// RunCompleted comes last.
	RunCompleted struct {
		Verdict Verdict       `json:"verdict"`
		Changed []string      `json:"changed"`
		Suggest []string      `json:"suggestions,omitempty"`
		Usage   Usage         `json:"usage"`
		Cost    *float64      `json:"cost_usd"` // null: the price is unknown
		Elapsed time.Duration `json:"elapsed_ns"`
	}
)

// Name gives the event's stable name.
func (RunStarted) Name() string     { return "run.started" }
func (RoundStarted) Name() string   { return "round.started" }
func (FileChosen) Name() string     { return "file.chosen" }
func (PromptSent) Name() string     { return "prompt.sent" }
func (ReplyDelta) Name() string     { return "reply.delta" }
func (BlockClosed) Name() string    { return "block.closed" }
func (Retried) Name() string        { return "retry" }
func (ReplyReceived) Name() string  { return "reply.received" }
func (CallAnswered) Name() string   { return "call.answered" }
func (EditOutcome) Name() string    { return "edit.outcome" }
func (Warned) Name() string         { return "edit.warning" }
func (CheckStarted) Name() string   { return "check.started" }
func (CheckCompleted) Name() string { return "check.completed" }
func (RoundCompleted) Name() string { return "round.completed" }
func (RunCompleted) Name() string   { return "run.completed" }
