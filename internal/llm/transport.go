package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/agentloop/agentloop/loop"
)

const (
	maxErrorBody   = 64 << 10  // bytes read of a response that is no success
	maxHeaderBytes = 256 << 10 // bytes of a response's header
	errorBodyTime  = 10 * time.Second
	rawFactor      = 8 // bytes of the stream, decompressed, for one byte of reply
)

// newTransport connects to a model. Its own deadlines are only a net below the
// try's.
func newTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    30 * time.Second,
		ForceAttemptHTTP2:      true,
		MaxResponseHeaderBytes: maxHeaderBytes,
		IdleConnTimeout:        60 * time.Second,
	}
}

// Do sends go-openai's request, patched, as often as it takes to get a response
// of success, and gives its body re-framed. It makes call an openai.HTTPDoer.
func (k *call) Do(plain *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(plain.Body)
	if err != nil {
		return nil, err
	}
	options := k.options()
	messages := k.messages(options)
	k.offered = slices.Collect(maps.Keys(options))
	if k.echoed != "" {
		k.offered = append(k.offered, k.echoed)
	}
	if body, err = patch(body, map[string]any{"messages": messages}, options, k.client.Fields); err != nil {
		return nil, err
	}
	url := *plain.URL
	url.RawQuery = k.query
	req, err := retryablehttp.NewRequestWithContext(k.ctx, http.MethodPost, url.String(), body)
	if err != nil {
		return nil, err
	}
	req.Header = plain.Header
	req.Header.Set("User-Agent", "agentloop")
	for name, value := range k.client.Headers {
		req.Header.Set(name, value)
	}
	resp, err := k.retrying().Do(req)
	if err != nil {
		return nil, err
	}
	timed := resp.Body.(*timedBody)
	k.heard = &heard{limit: k.limits.reply}
	resp.Body = newReplyBody(timed, resp.Header.Get("Content-Type"), timed.patient, k.heard)
	return resp, nil
}

// retrying makes the layer that repeats tries which got no response of success.
// It decides nothing itself: call.next does.
func (k *call) retrying() *retryablehttp.Client {
	var wait time.Duration
	return &retryablehttp.Client{
		HTTPClient: &http.Client{Transport: k},
		RetryMax:   k.limits.attempts,
		CheckRetry: func(_ context.Context, _ *http.Response, err error) (bool, error) {
			var f *fault
			if !errors.As(err, &f) {
				return false, nil
			}
			next, end := k.next(f)
			if end != nil {
				return false, end
			}
			k.announce(f, next)
			wait = next
			return true, nil
		},
		Backoff:      func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return wait },
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
}

// RoundTrip makes one try: reserved, counted and under its deadlines. A response
// that is no success becomes a *fault here, redirects among them, so no layer
// above ever follows one or loses its words.
func (k *call) RoundTrip(req *http.Request) (*http.Response, error) {
	if k.ctx.Err() != nil {
		req.Body.Close()
		return nil, context.Cause(k.ctx)
	}
	if k.req.Reserve != nil {
		if err := k.req.Reserve(); err != nil {
			req.Body.Close()
			return nil, &refused{err}
		}
	}
	k.tries++
	k.usage.Requests++
	ctx, cancel := context.WithCancelCause(k.ctx)
	ends := func(after time.Duration, what string) *time.Timer {
		return time.AfterFunc(after, func() {
			cancel(&fault{kind: loop.TroubleUnavailable, again: true, sent: true, detail: fmt.Sprintf("%s within %v", what, after)})
		})
	}
	whole := ends(k.limits.request, "no whole reply")
	header := ends(k.limits.header, "no answer")
	resp, err := k.transport.RoundTrip(req.WithContext(ctx))
	header.Stop()
	if err != nil {
		err = netFault(ctx, err)
		whole.Stop()
		cancel(nil)
		k.charge(err, loop.Usage{}, 0)
		return nil, err
	}
	body := &timedBody{ReadCloser: resp.Body, ctx: ctx, cancel: cancel, whole: whole, idle: k.limits.idle, usual: k.limits.idle, left: k.limits.reply * rawFactor}
	resp.Body = body
	if resp.StatusCode/100 == 2 {
		return resp, nil
	}
	defer body.Close()
	body.patient(min(errorBodyTime, body.usual))
	text, _ := io.ReadAll(io.LimitReader(body, maxErrorBody)) // the status counts; its words are a help
	return nil, statusFault(resp, text, k.offered)
}

// timedBody ends a try whose server falls silent, and bounds how much is read.
type timedBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	whole  *time.Timer
	idle   time.Duration // longest time that a read may take now
	usual  time.Duration
	left   int64 // bytes that may still come
}

// patient sets how long a read may take; 0: as long as usual.
func (b *timedBody) patient(idle time.Duration) {
	if b.idle = idle; idle == 0 {
		b.idle = b.usual
	}
}

// Read is the body's; once it was ended by a deadline, the error is its *fault.
func (b *timedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, &fault{kind: loop.TroubleTooLarge, sent: true, detail: "the server sends without end"}
	}
	idle := b.idle
	silence := time.AfterFunc(idle, func() {
		b.cancel(&fault{kind: loop.TroubleUnavailable, again: true, sent: true, detail: fmt.Sprintf("the stream fell silent for %v", idle)})
	})
	n, err := b.ReadCloser.Read(p)
	silence.Stop()
	b.left -= int64(n)
	if cause := context.Cause(b.ctx); err != nil && err != io.EOF && cause != nil {
		err = cause
	}
	return n, err
}

func (b *timedBody) Close() error {
	b.whole.Stop()
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}
