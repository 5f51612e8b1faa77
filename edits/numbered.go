package edits

import (
	"fmt"
	"strings"
)

// LineMost is how many bytes of a line Numbered writes; more is left out.
const LineMost = 2000

// Lines cuts a file into the lines that blocks and calls count, without their
// endings and a byte order mark.
func Lines(content string) []string {
	content = strings.TrimPrefix(strings.ReplaceAll(content, "\r\n", "\n"), bom)
	if content == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(content, "\n"), "\n")
}

// Numbered writes lines[from:to] with their numbers, as edit_lines counts them.
// No line begins with what a line of a file holds, so none can open a block.
func Numbered(lines []string, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		line := lines[i]
		if len(line) > LineMost {
			line = strings.ToValidUTF8(line[:LineMost], "") + fmt.Sprintf("… (%d bytes more)", len(line)-LineMost)
		}
		fmt.Fprintf(&b, "%5d: %s\n", i+1, line)
	}
	return b.String()
}
