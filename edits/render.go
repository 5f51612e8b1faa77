package edits

import "strings"

// Render writes a block in its format, path line included: the inverse of
// Parse for the formats that have blocks of their own (search-replace,
// anchored, anchored-4). Other formats give "".
func Render(b Block) string {
	var w strings.Builder
	lines := func(ls []string, marker func(string) bool) {
		for _, l := range ls {
			w.WriteString(escape(l, marker))
			w.WriteByte('\n')
		}
	}
	w.WriteString(b.Path)
	switch b.Format {
	case SearchReplace:
		if b.MoveTo != "" {
			w.WriteString("\n<<<<<<< RENAME\n" + b.MoveTo + "\n>>>>>>> RENAME\n")
			break
		}
		w.WriteString("\n<<<<<<< SEARCH\n")
		lines(b.Old, srMarker)
		w.WriteString("=======\n")
		lines(b.New, srMarker)
		w.WriteString(">>>>>>> REPLACE\n")
	case Anchored:
		w.WriteString("\n««« EDIT\n")
		lines(b.Old, anchoredMarker)
		w.WriteString("═══════ REPL\n")
		lines(b.New, anchoredMarker)
		w.WriteString("»»» EDIT END\n")
	case Anchored4:
		o, n := b.Old[b.Anchor:len(b.Old)-b.Trail], b.New[b.Anchor:len(b.New)-b.Trail]
		w.WriteString("\n««« EDIT\n")
		lines(b.Old[:b.Anchor], anchoredMarker)
		w.WriteString("───────\n")
		lines(o, anchoredMarker)
		w.WriteString("═══════\n")
		lines(n, anchoredMarker)
		w.WriteString("───────\n")
		lines(b.Old[len(b.Old)-b.Trail:], anchoredMarker)
		w.WriteString("»»»\n")
	default:
		return ""
	}
	return w.String()
}

// Quote makes text safe to be shown to a model inside a message: marker lines
// in it get a backslash, so that an echo of the message opens no block. Blocks
// that copy such a line keep the backslash; the parser takes it off.
func Quote(text string) string {
	if !strings.Contains(text, "<<<<<") && !strings.Contains(text, "=====") && !strings.Contains(text, ">>>>>") &&
		!strings.Contains(text, "««« EDIT") && !strings.Contains(text, "═══════") && !strings.Contains(text, "»»»") && !strings.Contains(text, "───────") {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		bare := strings.TrimRight(l, "\r\n")
		lines[i] = escape(bare, anyMarker) + l[len(bare):]
	}
	return strings.Join(lines, "")
}

func anyMarker(line string) bool { return srMarker(line) || anchoredMarker(line) }
