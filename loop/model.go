package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/agentloop/agentloop/prompts"
)

// Model answers prompts. A call may try several times; what each try cost is in
// the reply's usage, beside an error too. Errors that a run can end well on are
// *ModelError.
type Model interface {
	Complete(ctx context.Context, req Request) (Reply, error)
}

// Request is one prompt and what is to happen while it is answered. The hooks
// may be nil and are called from one goroutine, in order.
type Request struct {
	System, User string
	Steps        []Step         // what was said since then, oldest first
	Tools        []prompts.Tool // that the model may call
	MaxOutput    int            // most tokens to answer with; 0: the model's own limit

	// Reserve is called before each try leaves; an error ends the call with it.
	Reserve func() error
	// Chunk is given the reply's text as it comes, reasoning left out.
	Chunk func(text string)
	// Retry is called when a try is given up and before the wait for the next
	// one: whatever Chunk was given so far is void.
	Retry func(Retry)
}

// Retry tells of a try that is about to be repeated.
type Retry struct {
	Attempt int           `json:"attempt"` // the one that failed, from 1
	Wait    time.Duration `json:"-"`
	Why     string        `json:"why"`
}

// Reply is a whole answer; one that was cut never becomes a Reply.
type Reply struct {
	Text      string `json:"text"`
	Reasoning string `json:"reasoning,omitempty"` // never parsed for edits
	Calls     []Call `json:"calls,omitempty"`     // of tools, in the order in which they were made
	Finish    Finish `json:"finish"`
	Model     string `json:"model,omitempty"` // as the server named it
	Usage     Usage  `json:"usage"`
}

// Call is one call of a tool.
type Call struct {
	ID        string          `json:"id"`              // names the call in the answer to it
	Name      string          `json:"name"`            // of the tool, as the model wrote it
	Arguments string          `json:"arguments"`       // as the model wrote them: an object in JSON, or meant to be one
	Extra     json.RawMessage `json:"extra,omitempty"` // what the server wants to be sent back with the call
}

// Step is an earlier reply of the same round and what was answered to it.
type Step struct {
	Reply   Reply
	Answers []string // one for each call, in order; to a reply without calls a single one, as the user's words
}

// Finish says why the model stopped.
type Finish string

// Other values are passed on as they came.
const (
	FinishStop   Finish = "stop"
	FinishLength Finish = "length" // out of tokens: the last block may be cut
	FinishFilter Finish = "content_filter"
)

// Usage counts tokens and requests. Cached is part of Prompt, Reasoning part of
// Completion.
type Usage struct {
	Requests   int  `json:"requests"`
	Prompt     int  `json:"prompt_tokens"`
	Cached     int  `json:"cached_tokens,omitempty"`
	Completion int  `json:"completion_tokens"`
	Reasoning  int  `json:"reasoning_tokens,omitempty"`
	Estimated  bool `json:"estimated,omitempty"` // the server did not say, at least once
}

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		u.Requests + v.Requests, u.Prompt + v.Prompt, u.Cached + v.Cached,
		u.Completion + v.Completion, u.Reasoning + v.Reasoning, u.Estimated || v.Estimated,
	}
}

// Total is the number of tokens in both directions.
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Trouble classifies what went wrong between us and a model.
type Trouble string

// The kinds of trouble. Each but Unavailable is final: asking again would not help.
const (
	TroubleAuth        Trouble = "auth"        // 401, 403
	TroubleNotFound    Trouble = "not-found"   // 404: model or path unknown
	TroubleBadRequest  Trouble = "bad-request" // other 4xx
	TroubleContext     Trouble = "context"     // the prompt is longer than the model's window
	TroubleQuota       Trouble = "quota"       // money or quota used up
	TroubleRateLimit   Trouble = "rate-limit"  // 429 to the end, or a longer wait than is allowed
	TroubleUnavailable Trouble = "unavailable" // 5xx, refused, reset, cut or silent to the end
	TroubleNotAModel   Trouble = "not-a-model" // 200, but HTML or another thing that is no chat API
	TroubleTooLarge    Trouble = "too-large"   // the answer passed a size cap
	TroubleBadAnswer   Trouble = "bad-answer"  // a stream that makes no sense to the end
	TroubleBadAddress  Trouble = "bad-address" // base URL, DNS, TLS
)

// misconfigured reports whether only the user can help: by another key, address,
// model name or a smaller prompt.
func (t Trouble) misconfigured() bool {
	switch t {
	case TroubleAuth, TroubleNotFound, TroubleBadRequest, TroubleContext, TroubleNotAModel, TroubleBadAddress:
		return true
	}
	return false
}

// ModelError is the end of all tries.
type ModelError struct {
	Kind   Trouble
	Status int    // HTTP status, 0 for none
	Detail string // the server's words or ours, printable, at most 2 KiB, never a key
	Usage  Usage  // what the failed tries cost
}

func (e *ModelError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("model: %s (HTTP %d): %s", e.Kind, e.Status, e.Detail)
	}
	return fmt.Sprintf("model: %s: %s", e.Kind, e.Detail)
}
