package llm

import (
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Secret is a value that never prints: not by fmt with any verb, slog, JSON or
// TOML. A conversion to string gives it away, and so does its use as the key of
// a map.
type Secret string

const redacted = "[redacted]"

func (Secret) String() string               { return redacted }
func (Secret) GoString() string             { return redacted }
func (Secret) LogValue() slog.Value         { return slog.StringValue(redacted) }
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// Format covers the verbs for which fmt does not ask String, such as %d.
func (Secret) Format(w fmt.State, _ rune) { io.WriteString(w, redacted) }

// scrub makes foreign text fit to be shown: one line, printable, without the
// client's secrets, at most limit bytes. Invisible characters go first, so that
// a key with one inside does not slip through; the cut comes last, so that no
// half key stays.
func (c *Client) scrub(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	text = strings.TrimSpace(text)
	for _, secret := range c.secrets() {
		text = strings.ReplaceAll(text, secret, redacted)
		text = trimPartial(text, secret)
	}
	return shorten(text, limit)
}

// secrets lists what must not be shown: the key, what stands in the base URL's
// query, and what stands in the extra headers, with and without a scheme such as
// "Bearer".
func (c *Client) secrets() []string {
	all := []string{string(c.Key)}
	for _, value := range c.Headers {
		if fields := strings.Fields(value); len(fields) > 1 {
			all = append(all, fields[len(fields)-1])
		}
		all = append(all, value)
	}
	if u, err := url.Parse(c.baseURL()); err == nil {
		for _, values := range u.Query() {
			all = append(all, values...)
		}
	}
	var long []string
	for _, s := range all {
		if len(s) >= 8 { // shorter ones would eat common words
			long = append(long, s)
		}
	}
	return long
}

// trimPartial removes the beginning of a secret from the end of a text that was
// cut while it was read.
func trimPartial(text, secret string) string {
	for n := len(secret) - 1; n >= 4; n-- {
		if rest, ok := strings.CutSuffix(text, secret[:n]); ok {
			return rest + redacted
		}
	}
	return text
}

// shorten cuts a text to limit bytes, between characters.
func shorten(text string, limit int) string {
	const dots = "…"
	if len(text) <= limit {
		return text
	}
	end := max(limit-len(dots), 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + dots
}
