package standin

import (
	"slices"
	"strings"
)

// part is the text of the feedback that speaks of this block. A failure is told
// from a line that begins with its file's path, with the start of the block's
// first line on it. The parts with both, else those with the path, else all.
func (r repair) part(feedback []string) string {
	preview := ""
	for _, line := range slices.Concat(r.said.old, r.said.new) {
		if preview = strings.TrimSpace(line); preview != "" {
			break
		}
	}
	if short := []rune(preview); len(short) > 40 {
		preview = string(short[:40])
	}
	var ours, near strings.Builder
	var into []*strings.Builder
	open := ""
	for _, line := range feedback {
		fence := fenceOf(line)
		switch {
		case open == "" && fence != "":
			open = fence
		case open != "" && fence == open:
			open = ""
		case open == "" && strings.HasPrefix(line, r.file.path):
			into = []*strings.Builder{&near}
			if strings.Contains(line, preview) {
				into = append(into, &ours)
			}
		case open == "" && line == "":
			into = nil
		}
		for _, b := range into {
			b.WriteString(line + "\n")
		}
	}
	switch {
	case ours.Len() > 0:
		return ours.String()
	case near.Len() > 0:
		return near.String()
	}
	return strings.Join(feedback, "\n")
}

// names reports whether a message names a fault, in whatever words.
func names(message string, f Fault) bool {
	var words []string
	switch f {
	case Ambiguous:
		words = []string{"ambiguous", "places", "times", "more than one", "several", "twice", "unique", "both"}
	case TrailingWS, IndentShift, TabsSpaces, IndentOne, BlankLine:
		words = []string{"white space", "whitespace", "indent", "tabs", "blank", "empty line"}
	case UniFile, UniModel:
		words = []string{"typograph", "quote", "unicode", "character", "ascii", "dash"}
	case HTMLEsc:
		words = []string{"html", "entit", "escap"}
	case LitNewline:
		words = []string{"literal", `\n`, "newline", "line break"}
	case LinePrefix:
		words = []string{"line number", "gutter", "prefix", "number"}
	case DiffMarkers:
		words = []string{"diff", "marker", "column"}
	case Elided:
		words = []string{"placeholder", "elid", "stands for", "left out"}
	case RangeOff:
		words = []string{"guard", "elsewhere"}
	case StaleTag:
		words = []string{"tag", "version"}
	case PastEnd:
		words = []string{"beyond", "end", "has only", "the file has"}
	case CutArguments:
		words = []string{"json", "malformed"}
	case MissingPart:
		words = []string{"need", "required"}
	case StaleTarget, StaleContext:
		words = []string{"changed", "stale", "current", "now", "outdated"}
	}
	if f != Ambiguous {
		words = append(words, "not found", "not in the file", "nowhere", "no longer", "not exist", "no such", "missing", "differ", "not match", "mismatch", "does not hold", "does not have")
	}
	message = strings.ToLower(message)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(message, w) })
}
