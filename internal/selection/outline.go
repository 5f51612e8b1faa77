package selection

import (
	"path"
	"strings"
	"unicode/utf8"
)

// Bounds of an outline, whatever the file holds.
const (
	maxOutlined  = 4 << 20 // bytes of a file that are looked at
	maxSymbols   = 10_000  // per file
	maxSignature = 200     // bytes
)

// Outline gives a file's symbols in the order of their lines, at most 1,000.
// Which language it is, the path's extension says, else a #! line; of others
// there are none. Text that does not parse is outlined as far as it can be. It
// takes time in proportion to the text's length.
//
// A declaration starts with its annotations, except in Python, and ends with its
// body. Go is parsed. The others are read by their lines and braces alone, which may
// miss what macros make, and what stands behind a string that never ends.
func Outline(path, text string) []Symbol {
	outline := outliner(path, text)
	if outline == nil {
		return nil
	}
	if len(text) > maxOutlined {
		text = text[:maxOutlined]
	}
	symbols := outline(text)
	if len(symbols) > maxSymbols {
		symbols = symbols[:maxSymbols]
	}
	for i := range symbols {
		symbols[i].Signature = clip(symbols[i].Signature)
		symbols[i].Name = clip(symbols[i].Name)
	}
	return symbols
}

// outliner is the table of languages; nil for one that it lacks.
func outliner(name, text string) func(string) []Symbol {
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return outlineGo
	case ".py", ".pyi":
		return outlinePython
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		return javaScript.outline
	case ".java":
		return java.outline
	case ".cs":
		return cSharp.outline
	case ".rs":
		return rust.outline
	case ".c", ".cc", ".cpp", ".cxx":
		return cSource.outline
	case ".h", ".hh", ".hpp", ".hxx":
		return cHeader.outline
	case ".rb", ".rake":
		return outlineRuby
	case ".sh", ".bash", ".zsh", ".ksh":
		return outlineShell
	case ".md", ".markdown":
		return outlineMarkdown
	case "":
		return interpreted(text)
	}
	return nil
}

// interpreted goes by the #! line.
func interpreted(text string) func(string) []Symbol {
	first, _, _ := strings.Cut(text[:min(len(text), 200)], "\n")
	switch {
	case !strings.HasPrefix(first, "#!"):
		return nil
	case strings.Contains(first, "python"):
		return outlinePython
	case strings.Contains(first, "ruby"):
		return outlineRuby
	case strings.Contains(first, "node"):
		return javaScript.outline
	case strings.Contains(first, "sh"):
		return outlineShell
	}
	return nil
}

// clip bounds one line of text.
func clip(line string) string {
	if len(line) <= maxSignature {
		return line
	}
	const mark = "…"
	cut := maxSignature - len(mark)
	for cut > 0 && !utf8.RuneStart(line[cut]) {
		cut--
	}
	return line[:cut] + mark
}

// firstName gives the identifier that text starts with, "" if with none.
func firstName(text string) string {
	for i := range len(text) {
		if !wordByte(text[i]) {
			return text[:i]
		}
	}
	return text
}

// lastName gives the identifier that text ends with, "" if with none.
func lastName(text string) string {
	for i := len(text); i > 0; i-- {
		if !wordByte(text[i-1]) {
			return text[i:]
		}
	}
	return text
}

// wordByte takes every byte of a character beyond ASCII for a letter.
func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// oneLine folds white space, and drops it at both ends.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
