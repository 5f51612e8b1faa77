package main

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/agentloop/agentloop/internal/sandbox"
	"github.com/bmatcuk/doublestar/v4"
)

// The functions here make a key's wants: each looks at the field after it was
// set and says what is wrong with the value, or "".

func between[T cmp.Ordered](field *T, least, most T) func() string {
	return func() string {
		if *field >= least && *field <= most {
			return ""
		}
		return fmt.Sprintf("must be from %v to %v, not %v", shown(least), shown(most), shown(*field))
	}
}

// shown writes durations as users do (30m, not 30m0s) and floats without exponent.
func shown(value any) any {
	switch v := value.(type) {
	case time.Duration:
		text := v.String()
		if strings.HasSuffix(text, "m0s") {
			text = strings.TrimSuffix(text, "0s")
		}
		if strings.HasSuffix(text, "h0m") {
			text = strings.TrimSuffix(text, "0m")
		}
		return text
	case float64:
		return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.6f", v), "0"), ".")
	}
	return value
}

func optional(field **float64, least, most float64) func() string {
	return func() string {
		if *field == nil {
			return ""
		}
		return between(*field, least, most)()
	}
}

func oneOf(field *string, allowed ...string) func() string {
	return func() string {
		if slices.Contains(allowed, *field) {
			return ""
		}
		return fmt.Sprintf("must be one of %s, not %q", strings.Join(allowed, ", "), short(*field))
	}
}

// someOf wants a list of one or more of these, each once.
func someOf(field *[]string, allowed ...string) func() string {
	return func() string {
		seen := map[string]bool{}
		for _, name := range *field {
			if !slices.Contains(allowed, name) {
				return fmt.Sprintf("must hold some of %s, not %q", strings.Join(allowed, ", "), short(name))
			}
			if seen[name] {
				return fmt.Sprintf("holds %s twice", name)
			}
			seen[name] = true
		}
		if len(*field) == 0 {
			return "must hold some of " + strings.Join(allowed, ", ")
		}
		return ""
	}
}

func atMost(field *string, bytes int) func() string {
	return func() string {
		if len(*field) <= bytes && !strings.ContainsRune(*field, 0) {
			return ""
		}
		return fmt.Sprintf("must be a text of at most %d bytes without NUL", bytes)
	}
}

func printable(field *string, bytes int) func() string {
	return func() string {
		if len(*field) <= bytes && strings.IndexFunc(*field, unicode.IsControl) < 0 {
			return ""
		}
		return fmt.Sprintf("must be one line of at most %d bytes", bytes)
	}
}

func word(field *string) func() string {
	return func() string {
		if len(*field) <= 32 && strings.Trim(*field, "abcdefghijklmnopqrstuvwxyz0123456789_-") == "" {
			return ""
		}
		return fmt.Sprintf("must be a word in small letters, such as low, medium or high, not %q", short(*field))
	}
}

// httpURL never quotes what was given: an address may carry a password.
func httpURL(field *string) func() string {
	return func() string {
		u, err := url.Parse(*field)
		switch {
		case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "":
			return `must be an address such as "https://api.openai.com/v1"`
		case u.User != nil:
			return "must not hold a user name or password; keys come from the environment or key_file"
		case u.RawQuery != "" || u.Fragment != "":
			return `must end with its path, without "?" or "#"`
		}
		return ""
	}
}

func commands(field *[]string) func() string {
	return func() string {
		for _, command := range *field {
			if strings.TrimSpace(command) == "" || len(command) > 64<<10 || strings.ContainsRune(command, 0) {
				return "must hold commands that are not blank, without NUL, of at most 64 KiB"
			}
		}
		return tooMany(*field, 100)
	}
}

func globs(field *[]string) func() string {
	return func() string {
		for _, glob := range *field {
			if glob == "" || len(glob) > 4096 || !doublestar.ValidatePattern(glob) {
				return fmt.Sprintf("holds %q, which is no glob", short(glob))
			}
		}
		return tooMany(*field, 10_000)
	}
}

func tooMany(list []string, most int) string {
	if len(list) > most {
		return fmt.Sprintf("must hold at most %d entries, not %d", most, len(list))
	}
	return ""
}

func envName(field *string) func() string {
	return func() string {
		if isEnvName(*field) {
			return ""
		}
		// What stands here may be the key itself, so it is not quoted.
		return "must be the name of an environment variable, such as MY_PROVIDER_KEY, not the key itself"
	}
}

func isEnvName(name string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
	return name != "" && len(name) <= 128 && strings.IndexByte(letters, name[0]) >= 0 &&
		strings.Trim(name, letters+"0123456789") == ""
}

// passable keeps secrets and what makes programs run foreign code out of checks.
func passable(field *[]string) func() string {
	return func() string {
		for _, name := range *field {
			if !isEnvName(name) {
				return fmt.Sprintf("holds %q, which is no variable's name", short(name))
			}
			if sandbox.Forbidden(name) {
				return fmt.Sprintf("holds %s, which a check never gets to see", name)
			}
		}
		return tooMany(*field, 1000)
	}
}
