package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Longest path and longest name in it, in bytes: what Linux and git allow.
const (
	maxPath = 4095
	maxName = 255
)

// Lexical judges a path by its text alone, with the same answer on every
// system: it must be relative, clean (as path.Clean gives it), stay below its
// root, and name a file that could exist on Linux, macOS and Windows. It gives
// *edits.Refusal or nil. Protected names are Guard.Check's concern.
func Lexical(path string) error {
	why := shape(path)
	if why == "" {
		why = unportable(path)
	}
	if why != "" {
		return refuse(path, why)
	}
	return nil
}

// shape says why path can never be used, whatever is on the disk; "" if it can.
func shape(path string) string {
	switch {
	case path == "":
		return "is empty"
	case len(path) > maxPath:
		return "is too long"
	case !utf8.ValidString(path):
		return "is not UTF-8"
	case strings.HasPrefix(path, "/"):
		return "is absolute: write it relative to the repository's root"
	case path == "~", path[0] == '~' && strings.Contains(path, "/"):
		return "starts in a home folder: write it relative to the repository's root"
	case strings.HasSuffix(path, "/"):
		return "names a folder, not a file"
	case strings.Contains(path, `\`):
		return `holds a \: write / between folders`
	}
	for name := range strings.SplitSeq(path, "/") {
		switch {
		case name == "..":
			return "leads out of its folder (..)"
		case name == "" || name == ".":
			return "is not clean: no //, no ./"
		case len(name) > maxName:
			return "holds a name that is too long"
		}
	}
	for _, r := range path {
		if hidden(r) {
			return "holds an invisible or control character"
		}
	}
	return ""
}

// hidden reports characters that make a name look like another one or that
// steer a terminal. The two joiners are kept: scripts and emoji need them, and
// protection ignores them.
func hidden(r rune) bool {
	if r < 0x7f {
		return r < 0x20
	}
	const zwnj, zwj = 0x200c, 0x200d
	switch r {
	case zwnj, zwj:
		return false
	case 0x2028, 0x2029, 0x115f, 0x1160, 0x3164, 0xffa0, 0x034f: // separators, blank letters
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co)
}

// unportable says why path must not be created: a name that another system
// cannot hold or reads as something else. Files that are there already and bear
// such a name (the Linux kernel has its aux.c) may be edited, except on Windows.
func unportable(path string) string {
	if len(path) > 2 && path[1] == ':' {
		return "is absolute: it starts with a drive letter"
	}
	for name := range strings.SplitSeq(path, "/") {
		last := name[len(name)-1]
		switch {
		case strings.ContainsAny(name, `:`):
			return "holds a colon, which on Windows names a stream or drive"
		case strings.ContainsAny(name, `<>"|?*`):
			return "holds a character that Windows does not allow in names"
		case last == '.' || last == ' ' || name[0] == ' ':
			return "holds a name that begins or ends in a space, or ends in a dot"
		case device(name):
			return "holds a name that is a device on Windows"
		case escaped(name):
			return "holds percent-encoded path characters"
		}
	}
	return ""
}

// device reports the names that Windows takes for a device in any folder, with
// any extension.
func device(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.TrimRight(stem, " ")
	if len(stem) < 3 || len(stem) > 7 {
		return false
	}
	stem = strings.ToLower(stem)
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	digit, numbered := strings.CutPrefix(stem, "com")
	if !numbered {
		digit, numbered = strings.CutPrefix(stem, "lpt")
	}
	return numbered && (len(digit) == 1 && digit >= "0" && digit <= "9" || digit == "¹" || digit == "²" || digit == "³")
}

// escaped reports %2e, %2f, %5c and %00: nobody here decodes them, but whoever
// wrote them meant a path that leads elsewhere.
func escaped(name string) bool {
	for i := strings.IndexByte(name, '%'); i >= 0 && i+3 <= len(name); i++ {
		if name[i] == '%' {
			switch strings.ToLower(name[i+1 : i+3]) {
			case "2e", "2f", "5c", "00":
				return true
			}
		}
	}
	return false
}
