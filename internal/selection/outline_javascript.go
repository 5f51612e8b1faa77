package selection

import "strings"

// javaScript is TypeScript too.
var javaScript = &braces{judge: judgeJavaScript, quotes: `"'`, long: template, regexps: true, newline: endsByItself}

// endsByItself follows the language's rule of automatic semicolons, roughly.
func endsByItself(head, next string) bool {
	head = strings.TrimRight(head, " ")
	if head == "" || strings.IndexByte("=,+-*/&|?:<>.!%^~", head[len(head)-1]) >= 0 {
		return false
	}
	next = strings.TrimLeft(next, " \t\r\n")
	switch firstName(next) {
	case "":
		return next == "" || strings.IndexByte("@#*[", next[0]) >= 0
	case "extends", "implements", "instanceof", "in", "of", "as", "satisfies":
		return false
	}
	return true
}

func judgeJavaScript(head string, _ byte, in string) (Symbol, bool) {
	head = annotated(head)
	rest := skipWords(head, "export", "default", "declare", "abstract", "async")
	word := firstName(rest)
	id := firstName(strings.TrimLeft(rest[len(word):], "* "))
	switch word {
	case "function":
		return Symbol{Name: orDefault(id), Kind: "func", Signature: head}, false
	case "class":
		if id == "extends" {
			id = ""
		}
		return Symbol{Name: orDefault(id), Kind: word, Signature: head}, true
	case "namespace", "module":
		if strings.HasPrefix(rest[len(word):], " ") {
			return Symbol{Name: id, Kind: "namespace", Signature: head}, true
		}
	case "interface", "enum", "type":
		return Symbol{Name: id, Kind: word, Signature: head}, false
	case "const", "let", "var":
		if id == "enum" {
			return Symbol{Name: firstName(strings.TrimSpace(rest[len("const enum"):])), Kind: "enum", Signature: head}, false
		}
		return assigned(id, head, strings.HasPrefix(head, "export"))
	}
	if in != "" {
		return member(head)
	}
	target, _, found := strings.Cut(head, "=")
	if target = strings.TrimSpace(target); found && strings.Contains(target, ".") && !strings.ContainsAny(target, " ([") {
		return assigned(lastName(target), head, false)
	}
	return Symbol{}, false
}

// assigned is a variable that holds a function, or any that is exported.
func assigned(id, head string, exported bool) (Symbol, bool) {
	target, value, _ := strings.Cut(head, " =")
	value = skipWords(value, "async")
	if arrow := strings.Index(value, "=>"); arrow >= 0 && (value[0] == '(' || value[0] == '<' || strings.TrimSpace(value[:arrow]) == firstName(value)) {
		return Symbol{Name: id, Kind: "func", Signature: head[:strings.LastIndex(head, value)+arrow] + "=>"}, false
	}
	if firstName(value) == "function" {
		return Symbol{Name: id, Kind: "func", Signature: head}, false
	}
	if firstName(value) == "class" {
		return Symbol{Name: id, Kind: "class", Signature: head}, true
	}
	if exported && id != "" {
		return Symbol{Name: id, Kind: "const", Signature: strings.TrimSpace(target)}, false
	}
	return Symbol{}, false
}

// member is a method, or a property that holds a function.
func member(head string) (Symbol, bool) {
	rest := skipWords(head, "public", "private", "protected", "static", "readonly", "override", "abstract", "async", "get", "set")
	rest = strings.TrimLeft(rest, "*# ")
	id := firstName(rest)
	behind := strings.TrimLeft(rest[len(id):], " ?!")
	switch {
	case id == "" || behind == "" || isControl(id):
		return Symbol{}, false
	case behind[0] == '(' || behind[0] == '<':
		return Symbol{Name: id, Kind: "method", Signature: head}, false
	case strings.Contains(behind, "=>") && strings.ContainsAny(behind, "="):
		s, _ := assigned(id, head, false)
		return s.methodIn(id), false
	}
	return Symbol{}, false
}

func orDefault(id string) string {
	if id == "" {
		return "default"
	}
	return id
}

// template gives the length of a template literal. Those within its
// substitutions belong to it.
func template(text string, _ byte) int {
	if text[0] != '`' {
		return 0
	}
	var depth []int // braces open in each substitution that is
	inside := true  // in the literal itself, not in a substitution
	for i := 1; i < len(text); i++ {
		top := len(depth) - 1
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '`' && inside && top < 0:
			return i + 1
		case c == '`':
			inside = !inside
		case inside && c == '$' && strings.HasPrefix(text[i:], "${"):
			depth, inside, i = append(depth, 0), false, i+1
		case inside:
		case c == '{':
			depth[top]++
		case c == '}' && depth[top] == 0:
			depth, inside = depth[:top], true
		case c == '}':
			depth[top]--
		}
	}
	return len(text)
}
