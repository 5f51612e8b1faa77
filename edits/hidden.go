package edits

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// hidden finds on the new side of a block a character that a reviewer does not
// see as it is: a NUL, a byte that is no UTF-8, a control of text direction
// ("Trojan Source", CVE-2021-42574) or a tag character. What the file has
// already may come again.
func (f *file) hidden(b *Block) (detail string, found bool) {
	for _, line := range b.New {
		for at, r := range line {
			kind := ""
			switch {
			case r == 0:
				return "the new lines hold a NUL character: write it as an escape", true
			case r < utf8.RuneSelf:
				continue
			case r == utf8.RuneError:
				if _, size := utf8.DecodeRuneInString(line[at:]); size == 1 && utf8.ValidString(f.orig.source) {
					return fmt.Sprintf("the new lines hold the byte 0x%02X, which is no UTF-8", line[at]), true
				}
			case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
				kind = "a control of text direction"
			case r >= 0xE0000 && r <= 0xE007F:
				kind = "a tag character"
			}
			if kind != "" && !strings.ContainsRune(f.orig.source, r) {
				return fmt.Sprintf("the new lines hold U+%04X, %s, and the file has none: write it as an escape", r, kind), true
			}
		}
	}
	return "", false
}
