package syntax

// steep says why a text could lead a parser that calls itself too deep, "" if
// it could not. The stack of a goroutine that overflows ends the program, and
// esbuild takes 2.4 KB for one parenthesis: 220,000 are enough, and a model that
// repeats itself can write them. Strings and comments are counted, too: a wrong
// answer here only means that a strange file is not judged.
//
// Two bounds hold the depth: brackets that are open, and for what nests without
// brackets (!!!x, a=b=c, if a if b) the words and operators between the commas,
// semicolons and closing braces that end such chains.
func steep(text string) string {
	const maxOpen, maxChain = 3_000, 50_000
	open, chain, inWord := 0, 0, false
	for i := range len(text) {
		c := text[i]
		switch word := letter(c) || digit(c); {
		case word && inWord, c == ' ', c == '\t', c == '\n', c == '\r':
			inWord = word
			continue
		default:
			inWord = word
			chain++
		}
		switch c {
		case '(', '[', '{':
			open++
		case ')', ']':
			open = max(open-1, 0)
		case '}':
			open, chain = max(open-1, 0), 0
		case ',', ';':
			chain = 0
		}
		if open > maxOpen || chain > maxChain {
			return "is not given files that may be nested this deeply"
		}
	}
	return ""
}
