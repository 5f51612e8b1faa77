package edits

import "strings"

// shellWords cuts a line into words as a shell does, quotes read. Not ok where a
// shell would do more than that, or may: it is not for us to guess what.
func shellWords(line string) (words []string, ok bool) {
	var word strings.Builder
	open, quote := false, byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case c == 0 || c == '\n' || c == '\r' || strings.IndexByte("\\`*?", c) >= 0:
			return nil, false // also in quotes: git has globs of its own
		case quote != 0:
			if c == '$' && quote == '"' || c == '!' && quote == '"' {
				return nil, false
			}
			if c == quote {
				quote = 0
			} else {
				word.WriteByte(c)
			}
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t':
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		case strings.IndexByte("$&|;<>(){}[]!#~=", c) >= 0:
			return nil, false
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	return words, quote == 0
}

// shellWord writes a word so that a shell reads it as it is.
func shellWord(s string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./+,@%^:", r) || r > 0x7f
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !safe(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
