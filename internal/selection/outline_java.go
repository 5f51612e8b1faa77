package selection

import "strings"

var (
	java   = &braces{judge: judgeJava, quotes: `"'`, long: textBlock}
	cSharp = &braces{judge: judgeJava, quotes: `"'`, long: verbatim, hash: true}
)

// judgeJava judges C# too: where they differ, neither takes the other's for something else.
func judgeJava(head string, end byte, in string) (Symbol, bool) {
	head = annotated(head)
	before, _, called := strings.Cut(head, "(")
	if s, found := javaType(head, strings.ReplaceAll(before, "@interface", "interface")); found {
		return s, end == '{'
	}
	if in == "" {
		return Symbol{}, false
	}
	if !called {
		return property(head, end, in), false
	}
	before = unGeneric(before)
	id := lastName(before)
	kind := strings.TrimSpace(strings.TrimSuffix(before, id))
	switch {
	case id == "", isControl(id), isControl(firstName(before)), strings.Contains(before, "="),
		kind == "" && id != in, strings.HasSuffix(kind, "."), strings.HasSuffix(kind, ","):
		return Symbol{}, false
	}
	head, _, _ = strings.Cut(head, " =>")
	return Symbol{Name: id, Kind: "method", Signature: head}, false
}

// javaType looks for the keyword of a type among a head's words. A namespace is
// found, and declares nothing itself.
func javaType(head, before string) (s Symbol, found bool) {
	for before != "" {
		word := firstName(before)
		id := firstName(strings.TrimLeft(before[len(word):], " "))
		switch word {
		case "class", "interface", "enum", "struct", "record":
			if id != "" && id != "struct" && id != "class" { // record struct
				return Symbol{Name: id, Kind: word, Signature: head}, true
			}
		case "delegate":
			return Symbol{Name: lastName(unGeneric(before)), Kind: "type", Signature: head}, true
		case "namespace":
			return Symbol{}, true
		}
		_, before, _ = strings.Cut(before, " ")
	}
	return Symbol{}, false
}

// property is C#'s: a type and a name before braces. Java has constructors of
// records that look like it.
func property(head string, end byte, in string) Symbol {
	declared, _, arrow := strings.Cut(head, " =>")
	id := lastName(declared)
	switch {
	case end != '{' && !arrow, id == "", strings.Contains(declared, "="):
		return Symbol{}
	case id == in:
		return Symbol{Name: id, Kind: "method", Signature: declared}
	case id == declared:
		return Symbol{}
	}
	return Symbol{Name: id, Kind: "property", Signature: declared}
}

// textBlock gives the length of a """ literal.
func textBlock(text string, _ byte) int {
	if !strings.HasPrefix(text, `"""`) {
		return 0
	}
	return after(text, 3, `"""`)
}

// verbatim gives the length of C#'s literals that may hold line feeds.
func verbatim(text string, before byte) int {
	if n := textBlock(text, before); n > 0 {
		return n
	}
	if text[0] != '@' || !strings.HasPrefix(text, `@"`) {
		return 0
	}
	for i := 2; i < len(text); i++ {
		if text[i] == '"' {
			if !strings.HasPrefix(text[i:], `""`) {
				return i + 1
			}
			i++
		}
	}
	return len(text)
}
