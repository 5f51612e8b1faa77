package standin

import (
	"strings"

	"github.com/agentloop/agentloop/edits"
)

// The headings by which agentloop's prompts are read.
const (
	formatLine      = "Edit format:"
	fileHeading     = "## File:"
	feedbackHeading = "# What happened in the last round"
)

// fileNotes are what may follow a path in a file's heading.
func fileNotes() []string { return []string{" (changed by you)", " (created by you)"} }

// prompt is what the stand-in understands of a chat.
type prompt struct {
	format   edits.Format
	files    map[string][]string // path → lines, of the files that are shown whole
	feedback []string            // lines of the section on the last round; nil in the first
}

// readPrompt finds the parts of a chat that matter. Later ones replace earlier
// ones of the same name, so that a chat that keeps its history reads the same.
func readPrompt(c Chat) prompt {
	p := prompt{format: formatOf(c.System()), files: map[string][]string{}}
	var path string
	var shown []string
	open, last := "", strings.Split(c.LastUser(), "\n")
	for _, line := range strings.Split(c.Users(), "\n") {
		fence := fenceOf(line)
		switch {
		case open != "" && fence != "" && strings.HasPrefix(fence, open) && fence == strings.TrimSpace(line):
			if path != "" {
				p.files[path] = shown
			}
			open, path, shown = "", "", nil
		case open != "":
			if path != "" {
				shown = append(shown, bare(line))
			}
		case fence != "":
			open = fence
		case strings.HasPrefix(line, fileHeading):
			path = strings.TrimSpace(line[len(fileHeading):])
			for _, note := range fileNotes() {
				path = strings.TrimSuffix(path, note)
			}
		case strings.HasPrefix(line, "#"):
			path = ""
		}
	}
	p.feedback = section(last, feedbackHeading)
	return p
}

// formatOf reads the format that the system message asks for.
func formatOf(system string) edits.Format {
	for line := range strings.Lines(system) {
		if name, ok := strings.CutPrefix(line, formatLine); ok {
			return edits.Format(strings.Trim(name, " \t\r\n.`"))
		}
	}
	return edits.SearchReplace
}

// section gives the lines under a heading of the first level, up to the next
// one that stands outside of a fence; nil where there is none.
func section(lines []string, heading string) []string {
	var out []string
	open := ""
	for _, line := range lines {
		fence := fenceOf(line)
		switch {
		case out == nil:
			if strings.HasPrefix(line, heading) {
				out = []string{}
			}
			continue
		case open == "" && fence != "":
			open = fence
		case open != "" && strings.HasPrefix(fence, open) && fence == strings.TrimSpace(line):
			open = ""
		case open == "" && strings.HasPrefix(line, "# "):
			return out
		}
		out = append(out, bare(line))
	}
	return out
}

// fenceOf gives the run of backticks or tildes that opens or closes a fence.
func fenceOf(line string) string {
	if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
		return ""
	}
	return line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
}

// bare is a shown line as the file has it: without the backslash that keeps
// a quoted marker line from opening a block, and without a carriage return.
func bare(line string) string {
	line = strings.TrimSuffix(line, "\r")
	if !strings.HasPrefix(line, `\`) {
		return line
	}
	rest := strings.TrimLeft(line, `\`)
	for _, mark := range []string{"<<<<<", "=====", ">>>>>", "«««", "═══════", "»»»", "───────"} {
		if strings.HasPrefix(rest, mark) {
			return line[1:]
		}
	}
	return line
}
