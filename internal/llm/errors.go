package llm

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/agentloop/agentloop/loop"
)

// fault is a try that gave no reply.
type fault struct {
	kind   loop.Trouble
	status int    // HTTP status, 0 for none
	detail string // anybody's words, whole and not scrubbed yet
	quoted string // the beginning of what the server sent, the same
	again  bool   // asking again may help
	sent   bool   // the server may have worked, so the try may cost
	after  time.Duration
	option string // the optional request field that the server does not take
}

func (f *fault) Error() string { return string(f.kind) + ": " + f.detail }

// refused carries the Reserve hook's error through the layers.
type refused struct{ err error }

func (r *refused) Error() string { return r.err.Error() }

// errorFault reads an error out of JSON; nil if there is none in it. A status
// of 0 means that it came within a stream or with a status of 200.
func errorFault(data []byte, status int) *fault {
	r, ok := readReport(data)
	if !ok {
		return nil
	}
	f := &fault{status: status, detail: r.text, after: r.after, sent: status == 0}
	if status == 0 {
		f.status = r.status
	}
	judged := f.status
	if judged == 0 {
		judged = guessStatus(r.codes)
	}
	f.kind, f.again = judge(judged, strings.ToLower(r.text+" "+r.codes))
	return f
}

// statusFault is the fault of a response that is no success.
func statusFault(resp *http.Response, body []byte, options []string) *fault {
	f := errorFault(body, resp.StatusCode)
	if f == nil {
		kind, again := judge(resp.StatusCode, strings.ToLower(string(body)))
		f = &fault{kind: kind, again: again, status: resp.StatusCode, quoted: quote(body)}
	}
	if strings.TrimSpace(f.detail) == "" {
		f.detail = cmp.Or(http.StatusText(resp.StatusCode), "no reason given")
	}
	if wait, ok := retryAfter(resp.Header, time.Now()); ok {
		f.after = wait
	}
	if f.option = refusal(f.kind, body, options); f.option != "" {
		f.again = false // not as it was
	}
	if f.status/100 == 3 {
		f.detail = "the server redirects elsewhere, which is never followed"
		if u, err := resp.Location(); err == nil {
			f.detail += "; it names host " + u.Host
		}
	}
	return f
}

// netFault is the fault of a request that got no response, or the context's own
// error if the caller ended it.
func netFault(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	f := &fault{kind: loop.TroubleUnavailable, again: true, sent: true, detail: spoken(err)}
	var op *net.OpError
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &dns):
		f.kind, f.again, f.sent = loop.TroubleBadAddress, !dns.IsNotFound, false
	case errors.As(err, &cert):
		f.kind, f.again, f.sent = loop.TroubleBadAddress, false, false
		var invalid x509.CertificateInvalidError
		if errors.As(err, &invalid) && invalid.Reason == x509.Expired {
			f.detail += " (or this machine's clock is wrong)"
		}
	case errors.As(err, &record):
		f.kind, f.again, f.sent = loop.TroubleBadAddress, false, false
		f.detail += " (is it http:// there?)"
	case errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect" || op.Op == "remote error"):
		f.sent = false
	case strings.Contains(err.Error(), "malformed HTTP"):
		f.kind, f.again = loop.TroubleNotAModel, false
	case strings.Contains(err.Error(), "response headers exceeded"):
		f.kind, f.again = loop.TroubleTooLarge, false
	case strings.Contains(err.Error(), "unsupported protocol scheme"), strings.Contains(err.Error(), "Proxy Authentication Required"):
		f.kind, f.again, f.sent = loop.TroubleBadAddress, false, false
	}
	return f
}

// readFault is the fault of a body that ended before the reply was whole.
// Faults and the caller's cancellation pass as they are.
func readFault(err error) error {
	var f *fault
	switch {
	case errors.As(err, &f), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, errTooLong):
		return &fault{kind: loop.TroubleTooLarge, sent: true, detail: err.Error()}
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		return &fault{kind: loop.TroubleUnavailable, again: true, sent: true, detail: "the stream was cut: neither a finish reason nor [DONE] came"}
	}
	return &fault{kind: loop.TroubleUnavailable, again: true, sent: true, detail: "the stream broke: " + spoken(err)}
}

// spoken words a connection's error without the ports, which differ each time.
func spoken(err error) string {
	var op *net.OpError
	switch {
	case errors.Is(err, io.EOF):
		return "the connection was closed before the answer"
	case errors.As(err, &op) && (op.Op == "read" || op.Op == "write"):
		return op.Err.Error()
	}
	return err.Error()
}

// hint says what the user can do.
func hint(kind loop.Trouble) string {
	switch kind {
	case loop.TroubleAuth:
		return "check the API key for this base URL"
	case loop.TroubleNotFound:
		return "check the model's name and the base URL"
	case loop.TroubleBadAddress:
		return "check the base URL, the proxy and the network"
	case loop.TroubleNotAModel:
		return "check the base URL; most end in /v1"
	case loop.TroubleQuota:
		return "check the account's plan and balance"
	case loop.TroubleRateLimit:
		return "try later"
	}
	return ""
}

// explain words a fault for the caller: scrubbed, with the hint, at most 2 KiB.
func (c *Client) explain(f *fault, tries int) string {
	text := c.describe(f, 1500)
	if tries > 1 {
		text += fmt.Sprintf(" (after %d tries)", tries)
	}
	if h := hint(f.kind); h != "" {
		text += "; " + h
	}
	return text
}

// describe is a fault's detail and what it quotes. Each is scrubbed before it is
// cut: half a key is found only at the end of a text.
func (c *Client) describe(f *fault, limit int) string {
	text := c.scrub(f.detail, limit)
	if quoted := c.scrub(f.quoted, 200); quoted != "" {
		text += ": " + quoted
	}
	return text
}

// quote keeps the beginning of what a server sent.
func quote(data []byte) string { return string(data[:min(len(data), 4096)]) }
