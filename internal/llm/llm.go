// Package llm asks a language model behind an OpenAI-compatible HTTP API. It is
// the only package that sends HTTP to models, and a loop.Model.
//
// From top to bottom a request passes
//
//	Client.Complete   tries until a reply is whole; one count, one policy (retry.go)
//	go-openai         the words of the API
//	call.Do           patches the request's JSON; below, in the other direction,
//	replyBody         re-frames the stream, so that go-openai sees only clean events,
//	                  and puts tool calls together, which it would damage
//	retryablehttp     repeats tries that got no response of success
//	call.RoundTrip    one try: reserved, counted, under its deadlines
//	Client.Transport  net/http, or a recording
//
// Invariants:
//   - A reply is whole (a finish reason or [DONE] came) or it is no Reply.
//   - Every wait has a deadline and everything that is read has a cap.
//   - The Reserve hook sees every request before it leaves.
//   - No redirect is followed, and no error text holds a key.
//   - Reasoning never reaches Reply.Text or the Chunk hook, nor do tool calls.
//   - What a server refuses by name is left out from then on: options, tools
//     (the model then answers in words), its own thoughts sent back.
//
// Not here: prices, budgets, prompts, what a tool does, other APIs than chat
// completions, and the parsing of <think> tags within the text.
package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/sashabaranov/go-openai"

	"github.com/agentloop/agentloop/loop"
)

// Client is a model behind an API. Only Model is needed; the zero value of any
// other field means its default. It builds nothing until Complete is called, may
// be used by several goroutines, and must not be changed or copied after that.
type Client struct {
	BaseURL        string // "": https://api.openai.com/v1; may hold a query, no user
	AllowPlainHTTP bool   // http:// beyond this machine
	Key            Secret // "": no Authorization header
	Model          string

	Temperature     *float64
	Seed            *int
	ReasoningEffort string
	Headers         map[string]string // extra HTTP headers; their values are kept out of errors like the key
	Fields          map[string]any    // extra JSON fields of the request; win over the options above

	HeaderTimeout  time.Duration // from the request to the header of the response; 300 s
	IdleTimeout    time.Duration // longest silence after that; any byte breaks it; 120 s
	RequestTimeout time.Duration // one try; 15 min
	MaxElapsed     time.Duration // one Complete, waits included; 15 min
	MaxAttempts    int           // requests in one Complete; 6
	MaxRetryWait   time.Duration // longest wait that a server may ask for; 10 min
	MaxReplyBytes  int64         // text, reasoning and tool calls of a reply; 16 MiB

	Backoff   func(tries int) time.Duration // wait after so many tries, from 1; nil: full jitter below 2, 4, 8 … 60 s
	Transport http.RoundTripper             // nil: net/http with the proxy of the environment

	once    sync.Once
	own     *http.Transport
	learned learned
}

// limits are the client's bounds with the defaults filled in.
type limits struct {
	header, idle, request, elapsed, retryWait time.Duration
	attempts                                  int
	reply                                     int64
}

func (c *Client) limits() limits {
	return limits{
		header:    cmp.Or(c.HeaderTimeout, 300*time.Second),
		idle:      cmp.Or(c.IdleTimeout, 120*time.Second),
		request:   cmp.Or(c.RequestTimeout, 15*time.Minute),
		elapsed:   cmp.Or(c.MaxElapsed, 15*time.Minute),
		retryWait: cmp.Or(c.MaxRetryWait, 10*time.Minute),
		attempts:  cmp.Or(c.MaxAttempts, 6),
		reply:     cmp.Or(c.MaxReplyBytes, 16<<20),
	}
}

// Complete asks the model and waits for its whole reply. Errors are
// *loop.ModelError, the context's, or the Reserve hook's own; with the latter
// two the Reply holds nothing but what the tries have cost.
func (c *Client) Complete(ctx context.Context, req loop.Request) (loop.Reply, error) {
	base, err := c.check()
	if err != nil {
		return loop.Reply{}, &loop.ModelError{Kind: loop.TroubleBadAddress, Detail: c.scrub(err.Error(), 2<<10)}
	}
	k := &call{client: c, req: req, limits: c.limits(), transport: c.transport(), query: base.RawQuery}
	late := &fault{kind: loop.TroubleUnavailable, sent: true, detail: fmt.Sprintf("no whole reply within %v", k.limits.elapsed)}
	limited, cancel := context.WithTimeoutCause(ctx, k.limits.elapsed, late)
	defer cancel()
	k.ctx = limited

	config := openai.DefaultConfig(string(c.Key))
	base.RawQuery = ""
	config.BaseURL = base.String()
	config.HTTPClient = k
	reply, err := k.run(openai.NewClientWithConfig(config))
	if err == nil {
		reply.Usage = k.usage
		return reply, nil
	}
	return loop.Reply{Usage: k.usage}, k.final(ctx, err)
}

// final turns what ended the call into the caller's error.
func (k *call) final(ctx context.Context, err error) error {
	var stop *refused
	var f *fault
	switch {
	case errors.As(err, &stop):
		return stop.err
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &f), errors.As(context.Cause(k.ctx), &f):
	default: // go-openai itself, before anything left
		f = &fault{kind: loop.TroubleBadRequest, detail: err.Error()}
	}
	return &loop.ModelError{Kind: f.kind, Status: f.status, Detail: k.client.explain(f, k.tries), Usage: k.usage}
}

func (c *Client) transport() http.RoundTripper {
	if c.Transport != nil {
		return c.Transport
	}
	c.once.Do(func() { c.own = newTransport() })
	return c.own
}

// Close drops connections that are kept for the next request.
func (c *Client) Close() {
	c.once.Do(func() { c.own = newTransport() })
	c.own.CloseIdleConnections()
}
