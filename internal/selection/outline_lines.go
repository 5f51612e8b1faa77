package selection

import "strings"

// The languages here are read line by line.

// outlineRuby lists classes, modules and methods wherever they stand. One ends
// with the next "end" of its own indentation.
func outlineRuby(text string) []Symbol {
	var symbols []Symbol
	open := map[int]int{} // symbols by their indentation
	eachLine(text, func(number int, line string) {
		code := strings.TrimLeft(line, " \t")
		indent := len(line) - len(code)
		word := firstName(code)
		rest := strings.TrimLeft(code[len(word):], " ")
		switch word {
		case "end":
			if i, found := open[indent]; found {
				symbols[i].End = number
				delete(open, indent)
			}
			return
		case "private", "protected", "public", "private_class_method", "module_function":
			if firstName(rest) != "def" {
				return
			}
			rest = strings.TrimLeft(rest[len("def"):], " ")
			word = "def"
		}
		s := rubySymbol(word, rest)
		if s.Name == "" {
			return
		}
		s.Signature, _, _ = strings.Cut(oneLine(code), ";")
		s.Line = number
		open[indent] = len(symbols)
		symbols = append(symbols, s)
	})
	return symbols
}

func rubySymbol(word, rest string) Symbol {
	switch word {
	case "class", "module":
		id := rest
		if i := strings.IndexAny(id, " <;"); i >= 0 {
			id = id[:i]
		}
		return Symbol{Name: lastName(id), Kind: kindOr(word, "class", "mod")}
	case "def":
		id := strings.TrimPrefix(rest, "self.")
		if i := strings.IndexAny(id, " (;"); i >= 0 {
			id = id[:i]
		}
		return Symbol{Name: id, Kind: "method"}
	}
	return Symbol{}
}

// outlineShell lists functions in both spellings. One ends with the next closing
// brace of its own indentation.
func outlineShell(text string) []Symbol {
	var symbols []Symbol
	open := map[int]int{}
	eachLine(text, func(number int, line string) {
		code := strings.TrimLeft(line, " \t")
		indent := len(line) - len(code)
		if strings.HasPrefix(code, "}") || strings.HasPrefix(code, ")") {
			if i, found := open[indent]; found {
				symbols[i].End = number
				delete(open, indent)
			}
			return
		}
		id, brackets := shellName(code)
		if id == "" {
			return
		}
		s := Symbol{Name: id, Kind: "func", Signature: id + brackets, Line: number}
		if tail := strings.TrimRight(code, " \t"); strings.HasSuffix(tail, "}") {
			s.End = number
		} else {
			open[indent] = len(symbols)
		}
		symbols = append(symbols, s)
	})
	return symbols
}

func shellName(code string) (id, brackets string) {
	declared, keyword := strings.CutPrefix(code, "function ")
	declared = strings.TrimLeft(declared, " ")
	i := strings.IndexAny(declared, " \t({;&|<>=$\"'`)")
	if i < 0 {
		i = len(declared)
	}
	id, rest := declared[:i], strings.TrimLeft(declared[i:], " \t")
	if !keyword && (!strings.HasPrefix(rest, "(") || !strings.HasPrefix(strings.TrimLeft(rest[1:], " \t"), ")")) {
		return "", ""
	}
	return id, "()"
}

// outlineMarkdown lists headings outside fences; a section ends before the next.
func outlineMarkdown(text string) []Symbol {
	var symbols []Symbol
	fence, before, last := "", "", 0
	eachLine(text, func(number int, line string) {
		last = number
		code := strings.TrimSpace(line)
		heading := ""
		switch {
		case fence != "":
			if strings.HasPrefix(code, fence) {
				fence = ""
			}
		case strings.HasPrefix(code, "```"), strings.HasPrefix(code, "~~~"):
			fence = code[:3]
		case strings.HasPrefix(line, "#"):
			if title := strings.TrimLeft(code, "#"); strings.HasPrefix(title, " ") && len(code)-len(title) <= 6 {
				heading = code
			}
		case before != "" && (strings.Trim(code, "=") == "" || strings.Trim(code, "-") == "") && len(code) > 2:
			heading, number = map[byte]string{'=': "# ", '-': "## "}[code[0]]+before, number-1
		}
		before = code
		if fence != "" || strings.HasPrefix(code, "- ") || strings.HasPrefix(code, "|") || heading != "" {
			before = ""
		}
		title := strings.Trim(heading, "# ")
		if title == "" {
			return
		}
		if len(symbols) > 0 {
			symbols[len(symbols)-1].End = number - 1
		}
		symbols = append(symbols, Symbol{Name: title, Kind: "heading", Signature: heading, Line: number})
	})
	if len(symbols) > 0 {
		symbols[len(symbols)-1].End = last
	}
	return symbols
}

// eachLine counts lines from 1, and gives them without their ending.
func eachLine(text string, do func(number int, line string)) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		do(number, strings.TrimRight(line, "\r\n"))
	}
}
