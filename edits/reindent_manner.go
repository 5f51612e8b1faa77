package edits

import "strings"

// manner is how a language shows what belongs together.
type manner int

const (
	braces manner = iota // Go, C, JavaScript, JSON …
	colons               // Python
	keys                 // YAML
)

// mannerOf guesses by how lines begin and end.
func mannerOf(lines []string) manner {
	var n [3]int
	for _, l := range lines {
		l = strings.TrimSpace(l)
		word, rest, _ := strings.Cut(l, " ")
		switch {
		case l == "" || l[0] == '#':
		case strings.HasSuffix(l, ":") && isWord(strings.TrimSuffix(word, ":"), "def class if elif else for while with try except finally"),
			isWord(word, "import from def") && !strings.HasSuffix(l, ";"):
			n[colons]++
		case strings.ContainsAny(l[len(l)-1:], "{};") || strings.HasPrefix(l, "//") || strings.HasSuffix(l, "},"):
			n[braces]++
		case word == "-", strings.HasSuffix(word, ":") && strings.IndexByte(word, '(') < 0 && !strings.HasSuffix(rest, ","):
			n[keys]++
		}
	}
	switch {
	case n[colons] > n[braces] && n[colons] > n[keys]:
		return colons
	case n[keys] > n[braces]:
		return keys
	}
	return braces
}

// opens reports whether the lines below one that ends so are its block.
func (s *rowScanner) opens(text string) bool {
	switch s.manner {
	case keys:
		text, last := bare(text), text[strings.LastIndexByte(text, ' ')+1:]
		return strings.HasSuffix(text, ":") ||
			last != "" && (last[0] == '|' || last[0] == '>') && len(last) <= 3
	case colons:
		return strings.HasSuffix(text, ":") && len(s.open) == 0
	}
	return strings.HasSuffix(text, ":")
}

// bare takes off anchors and tags (YAML) at the end.
func bare(text string) string {
	for {
		i := strings.LastIndexByte(text, ' ')
		if i < 0 || text[i+1] != '&' && text[i+1] != '!' {
			return text
		}
		text = strings.TrimRight(text[:i], " ")
	}
}

func words(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return !inWord(c) })
}

func firstWord(text string) string {
	if i := strings.IndexFunc(text, func(c rune) bool { return !inWord(c) }); i >= 0 {
		return text[:i]
	}
	return text
}

func inWord(c rune) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isWord reports whether a word is one of a list, parted by spaces.
func isWord(word, list string) bool {
	return word != "" && strings.Contains(" "+list+" ", " "+word+" ")
}
