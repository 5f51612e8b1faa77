package selection

import (
	"slices"
	"strings"
)

// skipWords drops those words from the start of head, in any order and number.
func skipWords(head string, words ...string) string {
	for {
		head = strings.TrimLeft(head, " ")
		word := firstName(head)
		if word == "" || len(word) == len(head) || head[len(word)] != ' ' || !slices.Contains(words, word) {
			return head
		}
		head = head[len(word):]
	}
}

// annotated drops what stands before a declaration: @firstName(…), [firstName(…)],
// #[firstName(…)], #![firstName(…)].
func annotated(head string) string {
	for {
		head = strings.TrimLeft(head, " ")
		switch {
		case strings.HasPrefix(head, "@") && !strings.HasPrefix(head, "@interface"):
			rest := strings.TrimLeft(head[1:], ".")
			for id := firstName(rest); id != ""; id = firstName(rest) {
				rest = strings.TrimPrefix(rest[len(id):], ".")
			}
			if inner := strings.TrimLeft(rest, " "); strings.HasPrefix(inner, "(") {
				rest = inner[bracketed(inner):]
			}
			head = rest
		case strings.HasPrefix(head, "["), strings.HasPrefix(head, "#["), strings.HasPrefix(head, "#!["):
			head = head[strings.IndexByte(head, '['):]
			head = head[bracketed(head):]
		default:
			return head
		}
	}
}

// bracketed gives the length of what text's first byte, a bracket, encloses with
// it; the whole text if that never closes.
func bracketed(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{', '<':
			depth++
		case '>':
			if i > 0 && (text[i-1] == '-' || text[i-1] == '=') { // an arrow
				continue
			}
			fallthrough
		case ')', ']', '}':
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// unGeneric drops a list in angle brackets from the end of text.
func unGeneric(text string) string {
	text = strings.TrimRight(text, " ")
	if !strings.HasSuffix(text, ">") {
		return text
	}
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return strings.TrimRight(text[:i], " ")
			}
		}
	}
	return text
}

// isControl tells words that stand before brackets or a name without declaring
// anything, in any of the languages.
func isControl(word string) bool {
	switch word {
	case "if", "else", "for", "foreach", "while", "do", "switch", "case", "catch", "try", "finally", "return", "throw", "new",
		"delete", "sizeof", "await", "yield", "super", "this", "base", "goto", "using", "lock", "typeof", "import", "package",
		"assert", "static_assert", "_Static_assert", "synchronized", "friend", "__attribute__", "__declspec", "alignas", "decltype", "defined":
		return true
	}
	return false
}

// kindOr gives the word if it is known, else another.
func kindOr(word, known, other string) string {
	if word == known {
		return word
	}
	return other
}
