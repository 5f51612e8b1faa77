package llm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/agentloop/agentloop/loop"
)

// next says how long to wait before the try that follows f, or with which error
// to end. Both retrying layers ask it, so that there is one count and one
// policy, whatever went wrong.
func (k *call) next(f *fault) (time.Duration, error) {
	if !f.again || k.tries >= k.limits.attempts {
		return 0, f
	}
	longest := k.limits.retryWait
	if end, ok := k.ctx.Deadline(); ok {
		longest = min(longest, time.Until(end))
	}
	if longest <= 0 {
		return 0, f
	}
	if f.after > longest {
		return 0, &fault{
			kind: loop.TroubleRateLimit, status: f.status, quoted: f.quoted,
			detail: fmt.Sprintf("%s: the server asks to wait %v, more than the %v allowed", f.detail, f.after.Round(time.Second), longest.Round(time.Second)),
		}
	}
	wait := f.after
	if wait <= 0 {
		wait = k.backoff(k.tries)
	}
	if wait > longest {
		return 0, f
	}
	return wait, nil
}

// announce tells the Retry hook that the try is given up.
func (k *call) announce(f *fault, wait time.Duration) {
	if k.req.Retry == nil {
		return
	}
	why := k.client.describe(f, 200)
	if f.status != 0 {
		why = fmt.Sprintf("HTTP %d: %s", f.status, why)
	}
	k.req.Retry(loop.Retry{Attempt: k.tries, Wait: wait, Why: why})
}

// backoff is the wait after the given number of tries, from 1: full jitter
// below 2, 4, 8 … 60 s.
func (k *call) backoff(tries int) time.Duration {
	if k.client.Backoff != nil {
		return k.client.Backoff(tries)
	}
	ceiling := min(time.Minute, time.Second<<min(tries, 10))
	return rand.N(ceiling) + 1
}

// retryAfter reads the wait that a server asks for: retry-after-ms,
// Retry-After (seconds, fractions, the date forms of HTTP; by the server's own
// clock where it sends one), then the x-ratelimit-reset of a bucket that is
// empty. Not ok: none, or nonsense. A moment in the past counts as none.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if d, ok := seconds(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d, true
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	value := h.Get("Retry-After")
	if d, ok := seconds(value, time.Second); ok {
		return d, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return at.Sub(now), at.After(now)
	}
	if value != "" {
		return 0, false
	}
	for _, bucket := range []string{"", "-Requests", "-Tokens"} {
		empty := strings.TrimSpace(h.Get("X-Ratelimit-Remaining"+bucket)) == "0"
		if d, ok := resetTime(h.Get("X-Ratelimit-Reset"+bucket), now); ok && empty {
			return d, true
		}
	}
	return 0, false
}

// resetTime reads "1m30s", "250ms", seconds from now, or a moment: RFC 3339 or
// seconds or milliseconds since 1970.
func resetTime(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if d, err := time.ParseDuration(value); err == nil {
		return d, d > 0
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		n, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil || !(n > 0) || n > 1e14:
			return 0, false
		case n < 1e9:
			return seconds(value, time.Second)
		case n < 1e11:
			n *= 1000
		}
		at = time.UnixMilli(int64(n))
	}
	return at.Sub(now), at.After(now)
}

// seconds reads a positive decimal number of units; one that is too large for a
// Duration gives the longest there is.
func seconds(value string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(n > 0) || math.IsInf(n, 0) {
		return 0, false
	}
	if n *= float64(unit); n >= math.MaxInt64 {
		return math.MaxInt64, true
	}
	return time.Duration(n), true
}
