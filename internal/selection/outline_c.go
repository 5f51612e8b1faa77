package selection

import "strings"

var (
	cSource = &braces{judge: judgeC, quotes: `"'`, long: rawC, hash: true, goesOn: "typedef"}
	cHeader = &braces{judge: judgeHeader, quotes: `"'`, long: rawC, hash: true, goesOn: "typedef"}
)

// judgeHeader takes prototypes too.
func judgeHeader(head string, end byte, in string) (Symbol, bool) {
	if s, opens := judgeC(head, end, in); s.Name != "" || opens || end == '{' || firstName(head) == "typedef" {
		return s, opens
	}
	return function(untemplated(head), ';', in), false
}

// judgeC judges C++ too.
func judgeC(head string, end byte, in string) (Symbol, bool) {
	head = untemplated(head)
	switch word := firstName(head); word {
	case "extern":
		if strings.HasSuffix(head, `"`) && end == '{' {
			return Symbol{}, true
		}
	case "namespace", "inline":
		if strings.Contains(head, "namespace") && end == '{' {
			return Symbol{}, true
		}
	case "typedef":
		if end == '{' {
			return Symbol{}, false
		}
		return Symbol{Name: typedefName(head), Kind: "type", Signature: head}, false
	case "using":
		if id := firstName(strings.TrimSpace(head[len(word):])); strings.Contains(head, "=") {
			return Symbol{Name: id, Kind: "type", Signature: head}, false
		}
		return Symbol{}, false
	case "struct", "class", "union", "enum":
		if s := compound(word, head); s.Name != "" {
			if end == ';' {
				s = Symbol{}
			}
			return s, end == '{' && word != "enum"
		}
	}
	if end == ';' && in == "" {
		return Symbol{}, false
	}
	return function(head, end, in), false
}

// isLabel tells C++'s labels of access.
func isLabel(head string) bool {
	return head == "public:" || head == "private:" || head == "protected:"
}

// untemplated drops what stands before a declaration: attributes and a
// template's parameters.
func untemplated(head string) string {
	for {
		head = annotated(head)
		rest, found := strings.CutPrefix(head, "template")
		if rest = strings.TrimLeft(rest, " "); !found || !strings.HasPrefix(rest, "<") {
			return head
		}
		head = rest[bracketed(rest):]
	}
}

// compound is a struct, class, union or enum with its members.
func compound(kind, head string) Symbol {
	declared, _, _ := strings.Cut(strings.ReplaceAll(head, "::", "\x00"), ":")
	declared = strings.TrimSuffix(strings.TrimSpace(strings.ReplaceAll(declared, "\x00", "::")), " final")
	if strings.ContainsAny(declared, "=*") || strings.HasSuffix(declared, ")") || strings.Contains(declared, "(") && !strings.Contains(declared, "((") {
		return Symbol{}
	}
	id := lastName(unGeneric(declared))
	if id == kind || id == "" {
		return Symbol{}
	}
	return Symbol{Name: id, Kind: kind, Signature: head}
}

// typedefName takes the last name, or the one in the first brackets where a
// function's parameters follow those: typedef int (*name)(int).
func typedefName(head string) string {
	if at := strings.IndexByte(head, '('); at >= 0 {
		close := at + bracketed(head[at:])
		if rest := strings.TrimLeft(head[close:], " "); strings.HasPrefix(rest, "(") {
			return lastName(strings.TrimRight(head[:close], ") "))
		} else if rest == "" {
			return lastName(strings.TrimRight(head[:at], " "))
		}
	}
	head, _, _ = strings.Cut(head, "[")
	return lastName(strings.TrimRight(head, " "))
}

// function finds the first brackets with a name before them that has a type, a
// class or a macro before it.
func function(head string, end byte, in string) Symbol {
	for at := strings.IndexByte(head, '('); at >= 0; {
		before := strings.TrimRight(head[:at], " ")
		close := at + bracketed(strings.NewReplacer("<", " ", ">", " ").Replace(head[at:]))
		id := lastName(before)
		kind := strings.TrimRight(before[:len(before)-len(id)], " ")
		next := strings.IndexByte(head[close:], '(')
		if i := strings.LastIndex(before, "operator"); i > 0 && id == "" {
			id, kind = before[i:], before[:i]
		}
		switch {
		case strings.Contains(kind, "=") || strings.HasSuffix(kind, ",") || strings.HasSuffix(kind, "."):
			return Symbol{}
		case id == "" || isControl(id) || strings.HasPrefix(head[at:], "(*"):
		case next >= 0 && (kind == "" && id != in || strings.HasPrefix(strings.TrimLeft(head[close:], " "), "*")): // a macro
		case kind == "" && id != in && end == ';', isControl(firstName(head)) && !strings.HasPrefix(head, "__"):
			return Symbol{}
		default:
			return declaredFunction(id, head, close, in)
		}
		if next < 0 {
			return Symbol{}
		}
		at = close + next
	}
	return Symbol{}
}

func declaredFunction(id, head string, close int, in string) Symbol {
	tail, _, _ := strings.Cut(head[close:], " : ") // what a constructor initialises
	kind := "func"
	if in != "" {
		kind = "method"
	}
	return Symbol{Name: id, Kind: kind, Signature: head[:close] + strings.TrimSuffix(tail, " = 0")}
}

// rawC gives the length of R"x(…)x".
func rawC(text string, before byte) int {
	if !strings.HasPrefix(text, `R"`) || wordByte(before) {
		return 0
	}
	open := strings.IndexByte(text[:min(len(text), 20)], '(')
	if open < 0 {
		return 0
	}
	return after(text, open, ")"+text[2:open]+`"`)
}
