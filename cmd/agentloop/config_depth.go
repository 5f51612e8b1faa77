package main

import "strings"

// maxConfigDepth limits brackets within brackets, and dots in one name.
const maxConfigDepth = 64

// tooDeep gives the line at which brackets or dotted names nest too deep for a
// recursive parser, 0 if none does. Strings and comments do not count.
func tooDeep(text string) int {
	line, depth, dots := 1, 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			line, dots = line+1, 0
		case '#':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			end := stringEnd(text, i)
			line += strings.Count(text[i:end], "\n")
			i = end - 1
		case '[', '{':
			depth, dots = depth+1, 0
		case ']', '}':
			depth--
		case ',', '=':
			dots = 0
		case '.':
			dots++
		}
		if depth > maxConfigDepth || dots > maxConfigDepth {
			return line
		}
	}
	return 0
}

// stringEnd gives the index after the TOML string that begins at i; a string of
// one line that is not closed ends with its line.
func stringEnd(text string, i int) int {
	quote := text[i : i+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(text[i:], long) {
		quote = long
	}
	for j := i + len(quote); j < len(text); j++ {
		switch {
		case text[j] == '\\' && quote[0] == '"':
			j++
		case text[j] == '\n' && len(quote) == 1:
			return j
		case strings.HasPrefix(text[j:], quote):
			return j + len(quote)
		}
	}
	return len(text)
}
