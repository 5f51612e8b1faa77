// Package replay applies archived replies again, with today's engine: no model
// is called and nothing is written. It answers what a change of the engine
// rescues or breaks.
//
// A case is one reply and the files that it met. Paths are judged lexically
// only: nothing is written, so nothing is protected. A reply that ends inside a
// block is taken for one whose stream was cut: nothing of it is applied.
package replay

import (
	"io/fs"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
	"github.com/agentloop/agentloop/prompts"
)

// Case is one archived reply. Other keys of its JSON are ignored.
type Case struct {
	ID       string             `json:"id"`
	Response string             `json:"response"`
	Files    map[string]*string `json:"files"` // path to content; null: not there
}

// Result is what became of it.
type Result struct {
	ID        string             `json:"id"`
	Files     map[string]*string `json:"files"` // only what changed; null: deleted
	Outcomes  []Outcome          `json:"outcomes"`
	Malformed []Malformed        `json:"malformed"`
	Feedback  string             `json:"feedback"` // what the next round would open with
}

// Outcome is what became of one block that was well formed.
type Outcome struct {
	Path   string       `json:"path"`
	Format edits.Format `json:"format"`
	Status edits.Status `json:"status"`
	Tier   edits.Tier   `json:"tier,omitempty"`
	Reason edits.Reason `json:"reason,omitempty"`
	Line   int          `json:"line,omitempty"`
}

// Malformed is a block that could not be read.
type Malformed struct {
	Line int    `json:"line"` // of the reply, from 1
	Why  string `json:"why"`
}

// Engine replays cases. The zero value has the formats' defaults and no path rules.
type Engine struct {
	Settings edits.Settings
	Path     func(path string) error // says *edits.Refusal to paths that no tree could hold; may be nil
	Prompts  prompts.Set
}

// Run replays one case.
func (e Engine) Run(c Case) (Result, error) {
	parser := edits.Parser{Commands: e.Settings.FileOps == edits.OpsApply}
	parser.Feed(c.Response)
	blocks := parser.Close()
	if edits.Cut(c.Response, blocks) {
		blocks = blocks[len(blocks)-1:] // as the loop discards a reply whose stream was cut
	}
	res, err := edits.Apply(blocks, func(path string) (string, error) {
		if e.Path != nil {
			if err := e.Path(path); err != nil {
				return "", err
			}
		}
		if content := c.Files[path]; content != nil {
			return *content, nil
		}
		return "", fs.ErrNotExist
	}, e.Settings)
	if err != nil {
		return Result{}, err
	}
	out := Result{ID: c.ID, Files: map[string]*string{}, Outcomes: []Outcome{}, Malformed: []Malformed{}}
	after := map[string]*string{}
	for _, ch := range res.Changes {
		after[ch.Path] = &ch.After
		if ch.Delete {
			after[ch.Path] = nil
		}
		out.Files[ch.Path] = after[ch.Path]
	}
	for _, o := range res.Outcomes {
		if o.Reason == edits.Malformed && o.Block.Fault != "" {
			out.Malformed = append(out.Malformed, Malformed{o.Block.Line, o.Block.Fault})
			continue
		}
		out.Outcomes = append(out.Outcomes, Outcome{o.Block.Path, o.Block.Format, o.Status, o.Tier, o.Reason, o.Line})
	}
	out.Feedback, err = feedback.Message(feedback.Round{Outcomes: res.Outcomes, Read: func(path string) (string, bool) {
		content, changed := after[path]
		if !changed {
			content = c.Files[path]
		}
		if content == nil {
			return "", false
		}
		return *content, true
	}}, e.Prompts)
	return out, err
}
