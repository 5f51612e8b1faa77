package selection

import "strings"

var (
	rust     = &braces{judge: judgeRust, long: rustLiteral}
	brokenGo = &braces{judge: judgeGo, quotes: `"'`, long: rawGo, newline: endsInGo}
)

func judgeRust(head string, end byte, in string) (Symbol, bool) {
	head = annotated(head)
	rest := skipWords(head, "pub")
	if strings.HasPrefix(rest, "pub(") {
		_, rest, _ = strings.Cut(rest, ") ")
	}
	if r := skipWords(rest, "async", "unsafe", "default", "const", "extern", "auto"); firstName(r) == "fn" || !strings.HasPrefix(rest, "const ") {
		rest = r
	}
	if strings.HasPrefix(rest, `"`) { // extern "C"
		_, rest, _ = strings.Cut(rest[1:], `"`)
		if rest = strings.TrimSpace(rest); rest == "" {
			return Symbol{}, end == '{'
		}
	}
	word := firstName(rest)
	id := firstName(strings.TrimLeft(rest[len(word):], " "))
	if id == "mut" {
		id = firstName(strings.TrimPrefix(rest, "static mut "))
	}
	switch word {
	case "fn":
		return Symbol{Name: id, Kind: "func", Signature: head}.methodIn(in), false
	case "struct", "enum", "union", "type":
		return Symbol{Name: id, Kind: word, Signature: head}, false
	case "const", "static":
		head, _, _ = strings.Cut(head, " = ")
		return Symbol{Name: id, Kind: "const", Signature: head}, false
	case "trait", "mod":
		return Symbol{Name: id, Kind: word, Signature: head}, end == '{'
	case "impl":
		return Symbol{Name: implemented(rest), Kind: word, Signature: head}, end == '{'
	case "macro_rules":
		return Symbol{Name: firstName(strings.TrimLeft(rest[len(word):], "! ")), Kind: "macro", Signature: head}, false
	}
	return Symbol{}, false
}

// methodIn makes a method of what is declared inside something with a name.
func (s Symbol) methodIn(in string) Symbol {
	if in != "" {
		s.Kind = "method"
	}
	return s
}

// implemented gives the name of the type that an impl is for.
func implemented(head string) string {
	head, _, _ = strings.Cut(head, " where ")
	head = strings.TrimPrefix(head, "impl")
	if strings.HasPrefix(head, "<") {
		head = head[bracketed(head):]
	}
	if _, target, found := strings.Cut(head, " for "); found {
		head = target
	}
	return lastName(unGeneric(head))
}

// rustLiteral gives the length of a string, raw or not, which may hold line
// feeds, or of a character, which a lifetime is not.
func rustLiteral(text string, before byte) int {
	switch c := text[0]; {
	case c == '"':
		return longQuoted(text)
	case c == 'r' && !wordByte(before):
		hashes := len(text[1:min(len(text), 20)]) - len(strings.TrimLeft(text[1:min(len(text), 20)], "#"))
		if strings.HasPrefix(text[1+hashes:], `"`) {
			return after(text, 2+hashes, `"`+text[1:1+hashes])
		}
	case c == '\'' && strings.HasPrefix(text, `'\`):
		return quoted(text)
	case c == '\'' && len(text) > 2:
		for i := 2; i < min(len(text), 6); i++ {
			if text[i] == '\'' {
				return i + 1
			}
			if text[i] < 0x80 {
				break
			}
		}
	}
	return 0
}

// longQuoted is quoted over any number of lines.
func longQuoted(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case text[0]:
			return i + 1
		case '\\':
			i++
		}
	}
	return len(text)
}

// judgeGo is for Go that does not parse.
func judgeGo(head string, _ byte, _ string) (Symbol, bool) {
	word := firstName(head)
	rest := strings.TrimLeft(head[len(word):], " ")
	switch word {
	case "func":
		kind := "func"
		if strings.HasPrefix(rest, "(") {
			kind, rest = "method", strings.TrimLeft(rest[bracketed(rest):], " ")
		}
		return Symbol{Name: firstName(rest), Kind: kind, Signature: head}, false
	case "type":
		id := firstName(rest)
		kind := firstName(lastName(head))
		if kind != "struct" && kind != "interface" {
			kind = "type"
		}
		return Symbol{Name: id, Kind: kind, Signature: head}, false
	}
	return Symbol{}, false
}

func endsInGo(head, _ string) bool {
	head = strings.TrimRight(head, " ")
	return head != "" && (wordByte(head[len(head)-1]) || strings.IndexByte(")]}", head[len(head)-1]) >= 0)
}

func rawGo(text string, _ byte) int {
	if text[0] != '`' {
		return 0
	}
	return after(text, 1, "`")
}
