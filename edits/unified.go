package edits

import (
	"strconv"
	"strings"
)

// Format unified-diff (seed 3, legacy):
//
//	diff = "--- " path NL "+++ " path NL {hunk}
//	hunk = "@@" … "@@" [text] NL {(" " | "+" | "-") line NL}
//
// Each hunk is a block. Its context decides; the line numbers, which models
// often get wrong, are hints, and the counts are not used. Leniencies: "@@ ... @@"
// without numbers; an empty line for a blank context line; git's headers;
// a/ and b/ before paths, a time behind them. /dev/null on the left creates the
// file; on the right it wishes the file away. A header that is followed by no
// hunk is a malformed block: nothing else could be meant than an edit.
func unifiedDiffs(lines []loose, reply string) []Block {
	var out []Block
	for i := 0; i < len(lines); i++ {
		switch {
		case diffHeader(lines, i):
			d := diff{lines: lines, reply: reply, old: diffPath(lines[i].text), path: diffPath(lines[i+1].text), at: i + 2}
			out = d.hunks(i, out)
			i = d.at - 1
		case strings.HasPrefix(lines[i].text, "diff --git ") && !headerFollows(lines, i):
			out = append(out, Block{Format: UnifiedDiff, Line: lines[i].line, Raw: lines[i].text, Fault: "the diff changes no line"})
		}
	}
	return out
}

const (
	devNull   = "/dev/null"
	noNewline = `\ No newline` // belongs to the line above; a file's last newline is kept as it is
)

// diffHeader reports whether lines[i] and the next name the files of a diff.
func diffHeader(lines []loose, i int) bool {
	return i+1 < len(lines) && strings.HasPrefix(lines[i].text, "--- ") && strings.HasPrefix(lines[i+1].text, "+++ ")
}

// headerFollows looks for the files of a diff below git's own header.
func headerFollows(lines []loose, i int) bool {
	for j := i + 1; j < len(lines) && j < i+10 && !strings.HasPrefix(lines[j].text, "diff --git "); j++ {
		if diffHeader(lines, j) {
			return true
		}
	}
	return false
}

func diffPath(line string) string {
	name, _, _ := strings.Cut(line[4:], "\t")
	name = strings.TrimSpace(name)
	if name == devNull {
		return name
	}
	if rest, ok := strings.CutPrefix(name, "a/"); ok {
		name = rest
	} else if rest, ok := strings.CutPrefix(name, "b/"); ok {
		name = rest
	}
	return cleanPath(name)
}

// diff reads the hunks of one file, from lines[at] on.
type diff struct {
	lines     []loose
	reply     string
	old, path string
	at        int
}

// hunks adds the hunks of the file whose header stands at lines[header].
func (d *diff) hunks(header int, out []Block) []Block {
	before := len(out)
	for d.at < len(d.lines) && strings.HasPrefix(d.lines[d.at].text, "@@") {
		from := d.at
		b := Block{Format: UnifiedDiff, Path: d.path, Delete: d.path == devNull, Line: d.lines[from].line, Hint: hunkStart(d.lines[from].text)}
		end := from + 1
		for end < len(d.lines) && d.inHunk(end) {
			end++
		}
		sides := make([]string, 2*(end-from)) // one allocation for both
		b.Old, b.New = sides[:0:end-from], sides[end-from:][:0]
		for d.at = from + 1; d.at < end; d.at++ {
			if !strings.HasPrefix(d.lines[d.at].text, noNewline) {
				b.diffLine(d.lines[d.at].text, false)
			}
		}
		b.Raw = raw(d.lines, d.reply, from, d.at)
		b.trim()
		if b.Delete {
			b.Path = d.old
		}
		switch {
		case b.Fault != "":
		case len(b.Old)+len(b.New) == 0:
			b.Fault = "the hunk is empty"
		case d.old == devNull && len(b.Old) > 0:
			b.Fault = "the hunk has old lines, but the diff says that the file is new"
		}
		out = append(out, b)
	}
	if len(out) == before {
		b := Block{Format: UnifiedDiff, Path: d.path, Line: d.lines[header].line, Raw: raw(d.lines, d.reply, header, d.at), Fault: "no @@ line: the diff has no hunk"}
		out = append(out, b)
	}
	return out
}

// inHunk reports whether lines[i] can be a line of a hunk.
func (d *diff) inHunk(i int) bool {
	l := d.lines[i].text
	switch {
	case l == "":
		// A blank context line, or the end of the diff: what comes tells.
		for i++; i < len(d.lines) && d.lines[i].text == ""; i++ {
		}
		return i < len(d.lines) && d.lines[i].text != "" && strings.IndexByte(" +-", d.lines[i].text[0]) >= 0 && !diffHeader(d.lines, i)
	case diffHeader(d.lines, i):
		return false
	}
	return strings.IndexByte(" +-", l[0]) >= 0 || strings.HasPrefix(l, noNewline)
}

// trim takes blank lines off the end that stand for no line of the file: those
// between a diff and the next fence.
func (b *Block) trim() {
	for len(b.Old) > 1 && len(b.New) > 1 && b.Old[len(b.Old)-1] == "" && b.New[len(b.New)-1] == "" && strings.HasSuffix(b.Raw, "\n\n") {
		b.Raw = b.Raw[:len(b.Raw)-1]
		b.Old, b.New = b.Old[:len(b.Old)-1], b.New[:len(b.New)-1]
	}
}

// hunkStart gives the line at which a hunk stands once those before it are in:
// N of "+N,M". 0: the header has no numbers.
func hunkStart(header string) int {
	_, rest, ok := strings.Cut(header, "+")
	if !ok {
		return 0
	}
	i := 0
	for i < len(rest) && rest[i] >= '0' && rest[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(rest[:i])
	if err != nil {
		return 0
	}
	return n
}
