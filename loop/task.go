package loop

import (
	"time"

	"github.com/agentloop/agentloop/edits"
)

// Task is what is to be done, and how far one may go for it.
type Task struct {
	Text     string
	Files    []string // paths whose content the model is shown, sorted
	ReadOnly []string // paths that are shown and may not be edited
	Checks   []string // commands that must succeed, in order

	Format string   // edit format that the prompt teaches
	Tools  []string // that the model may call; none: it answers in text
	Extra  string   // further rules for the prompt
	Guide  string   // the repository's own guide (AGENTS.md)
	Looks  int      // how often, in all, the model may ask for more files in text mode

	Edits  edits.Settings
	Budget Budget
	DryRun bool // ask the model, write nothing, run no check
}

// maxCalls is how many calls a round answers.
func (t *Task) maxCalls() int {
	if t.Budget.Calls > 0 {
		return t.Budget.Calls
	}
	return 50
}

// Budget is what a run may use. A zero means no limit, but for Rounds.
type Budget struct {
	Rounds   int           // 1 or more
	Time     time.Duration // from the start of the run
	Tokens   int           // both directions, all requests
	Cost     float64       // US dollars; needs Prices
	Requests int           // HTTP requests to the model
	Window   int           // tokens that the model takes; 0: unknown
	Calls    int           // of tools in one round; 0: 50
	Output   int           // most tokens of one reply
	Prices   *Prices       // nil: unknown, never 0
}

// Prices are US dollars for a million tokens.
type Prices struct{ Prompt, Cached, Completion float64 }

// Cost gives the dollars for a usage.
func (p Prices) Cost(u Usage) float64 {
	return (float64(u.Prompt-u.Cached)*p.Prompt + float64(u.Cached)*p.Cached + float64(u.Completion)*p.Completion) / 1e6
}
