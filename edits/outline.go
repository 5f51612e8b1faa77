package edits

import "strings"

// Outline gives the lines of content that say what is where: those that are not
// indented and open something, at most most of them.
func Outline(content string, most int) []string {
	var out []string
	for _, l := range newText(content).lines {
		if l == "" || !isLetter(l[0]) || !strings.ContainsAny(l, "({:=") {
			continue
		}
		if out = append(out, l); len(out) == most {
			break
		}
	}
	return out
}

func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '@' || c >= 0x80
}
