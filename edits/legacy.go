package edits

import "strings"

// legacy reads the formats of seed 3 that are read only where a reply holds no
// other kind: diffs, then files behind a FILE: marker, then whole files in a
// fence that names them.
func legacy(lines []loose, reply string) []Block {
	for _, read := range [...]func([]loose, string) []Block{unifiedDiffs, fileMarkers, wholeFiles} {
		if blocks := read(lines, reply); len(blocks) > 0 {
			return blocks
		}
	}
	return nil
}

func isLegacy(f Format) bool { return f == UnifiedDiff || f == FileMarker || f == WholeFile }

// raw gives the reply's text from one loose line to before another.
func raw(lines []loose, reply string, from, to int) string {
	if to >= len(lines) {
		return reply[lines[from].offset:]
	}
	return reply[lines[from].offset:lines[to].offset]
}

// fence is an opened fence: its character, length, and what stands behind it.
type fence struct {
	char byte
	n    int
	info string
}

// openFence reads the line that opens a fence.
func openFence(line string) (fence, bool) {
	t := strings.TrimSpace(line)
	if len(t) < 3 || t[0] != '`' && t[0] != '~' {
		return fence{}, false
	}
	n := run(t, t[0])
	if n < 3 {
		return fence{}, false
	}
	return fence{t[0], n, strings.TrimSpace(t[n:])}, true
}

// body gives the lines of the fence that lines[at] opens, and the index behind
// its end. A fence inside that names a language opens another one, which ends
// first. Without an end closed is false.
func (f fence) body(lines []loose, at int) (text []string, next int, closed bool) {
	depth := 0
	for i := at + 1; i < len(lines); i++ {
		if g, ok := openFence(lines[i].text); ok && g.char == f.char {
			switch {
			case g.info == "" && g.n >= f.n && depth == 0:
				return text, i + 1, true
			case g.info == "" && depth > 0:
				depth--
			case g.info != "" && g.n >= f.n:
				depth++
			}
		}
		text = append(text, lines[i].text)
	}
	return text, len(lines), false
}

// Format file-marker (seed 3, legacy):
//
//	file = "FILE:" path NL fence NL {line NL} fence NL
func fileMarkers(lines []loose, reply string) []Block {
	var out []Block
	for i := 0; i < len(lines); i++ {
		name, ok := strings.CutPrefix(strings.TrimLeft(lines[i].text, "#* "), "FILE:")
		if !ok || i+1 >= len(lines) {
			continue
		}
		f, ok := openFence(lines[i+1].text)
		if !ok {
			continue
		}
		text, next, closed := f.body(lines, i+1)
		b := Block{Format: FileMarker, Path: cleanPath(name), New: text, Whole: true, Line: lines[i].line, Raw: raw(lines, reply, i, next)}
		if !closed {
			b.Fault, b.open = "the fence is not closed: the file is not complete", true
		}
		out = append(out, b)
		i = next - 1
	}
	return out
}

// Format whole-file (seed 3, legacy): a fence tagged with a language and a path,
// or a path alone on the line right above a fence.
//
//	file = fence lang ":" path NL {line NL} fence NL
//	     | path NL fence [lang] NL {line NL} fence NL
//
// A path must look like one: a slash or an extension, no spaces. Other fences
// are passed over whole, so that their content names no file.
func wholeFiles(lines []loose, reply string) []Block {
	var out []Block
	for i := 0; i < len(lines); i++ {
		f, ok := openFence(lines[i].text)
		if !ok {
			continue
		}
		text, next, closed := f.body(lines, i)
		from, path := i, ""
		if _, name, ok := strings.Cut(f.info, ":"); ok && f.info[0] != '{' {
			path = cleanPath(name)
		} else if i > 0 && looksLikePath(cleanPath(lines[i-1].text)) {
			from, path = i-1, cleanPath(lines[i-1].text)
		}
		if path != "" {
			b := Block{Format: WholeFile, Path: path, New: text, Whole: true, Line: lines[from].line, Raw: raw(lines, reply, from, next)}
			if !closed {
				b.Fault, b.open = "the fence is not closed: the file is not complete", true
			}
			out = append(out, b)
		}
		i = next - 1
	}
	return out
}

// looksLikePath is stricter than cleanPath: a word of prose is none.
func looksLikePath(s string) bool {
	return s != "" && !strings.ContainsAny(s, " \t()[]{},;=") && (endsInExtension(s) || strings.Contains(s, "/"))
}
