package edits

import (
	"slices"
	"strings"
)

// text is one version of a file, cut into lines. A line's ending is kept beside
// it, so that untouched lines come out as they went in, whatever mixture of
// endings the file has. Bytes that are not UTF-8 pass through.
type text struct {
	source string // what it was cut from; "" in a version that came of edits
	bom    bool
	lines  []string
	ends   []ending // of each line
	from   []int    // number of the line in the version before the reply, from 0; less: it came since, by the call of that origin or -1

	usually ending // how most lines ended when all of them went
	unended bool   // the last of them lacked its newline

	folded map[Tier][]string // lines as a tier compares them, made when first asked for
	where  *lookup           // where lines stand, for files that many blocks go to; or nil
}

// ending is how a line ends.
type ending uint8

const (
	endNone ending = iota // last line without a newline
	endLF
	endCRLF
)

const bom = "\ufeff"

func newText(content string) *text {
	t := &text{source: content}
	if rest, ok := strings.CutPrefix(content, bom); ok {
		t.bom, content = true, rest
	}
	n := strings.Count(content, "\n") + 1
	t.lines, t.ends, t.from = make([]string, 0, n), make([]ending, 0, n), make([]int, 0, n)
	for content != "" {
		line, rest, found := strings.Cut(content, "\n")
		end := endLF
		if !found {
			end = endNone
		} else if strings.HasSuffix(line, "\r") {
			line, end = line[:len(line)-1], endCRLF
		}
		t.from = append(t.from, len(t.lines))
		t.lines, t.ends = append(t.lines, line), append(t.ends, end)
		content = rest
	}
	return t
}

func (t *text) String() string {
	n := len(bom)
	for _, l := range t.lines {
		n += len(l) + 2
	}
	var b strings.Builder
	b.Grow(n)
	if t.bom {
		b.WriteString(bom)
	}
	for i, l := range t.lines {
		b.WriteString(l)
		switch t.ends[i] {
		case endLF:
			b.WriteByte('\n')
		case endCRLF:
			b.WriteString("\r\n")
		}
	}
	return b.String()
}

// clone gives a version that may be changed.
func (t *text) clone() *text {
	return &text{bom: t.bom, lines: slices.Clone(t.lines), ends: slices.Clone(t.ends), from: slices.Clone(t.from), where: t.where, usually: t.usually, unended: t.unended}
}

// replace puts new in place of lines[at:at+n]. New lines end as their neighbours
// do; a missing final newline stays missing.
func (t *text) replace(at, n int, new []string) {
	ends := make([]ending, len(new))
	from := make([]int, len(new))
	for i := range new {
		ends[i], from[i] = t.endingAt(at, n, i), -1
	}
	unended := t.unended
	if len(t.ends) > 0 {
		unended = t.ends[len(t.ends)-1] == endNone
	}
	if n == len(t.ends) {
		t.usually, t.unended = t.usual(), unended
	}
	if t.where != nil {
		t.where.replace(t, at, n, new)
	}
	t.lines = slices.Replace(t.lines, at, at+n, new...)
	t.ends = slices.Replace(t.ends, at, at+n, ends...)
	t.from = slices.Replace(t.from, at, at+n, from...)
	t.folded = nil
	// Only the last line may lack its newline, and it does if the last one did.
	last := len(t.ends) - 1
	for i := max(0, at-1); i < min(last, at+len(new)); i++ {
		if t.ends[i] == endNone {
			t.ends[i] = t.usual()
		}
	}
	switch {
	case last < 0 || !unended:
	case t.lines[last] != "":
		t.ends[last] = endNone
	case t.ends[last] == endNone:
		t.ends[last] = t.usual() // without an ending it would be no line at all
	}
}

// endingAt chooses the ending of the i-th line that comes for n lines at at.
func (t *text) endingAt(at, n, i int) ending {
	for _, j := range [...]int{at + min(i, n-1), at - 1, at + n} {
		if j >= 0 && j < len(t.ends) && (n > 0 || j != at+min(i, n-1)) && t.ends[j] != endNone {
			return t.ends[j]
		}
	}
	return t.usual()
}

// usual is the ending of most of the file's lines, or of those that it had; LF
// where there never was one.
func (t *text) usual() ending {
	if len(t.ends) == 0 && t.usually != endNone {
		return t.usually
	}
	lf, crlf := 0, 0
	for _, e := range t.ends {
		switch e {
		case endLF:
			lf++
		case endCRLF:
			crlf++
		}
	}
	if crlf > lf {
		return endCRLF
	}
	return endLF
}

// isBinary reports a NUL byte within the first 8 KiB: git's own rule.
func isBinary(content string) bool {
	return strings.IndexByte(content[:min(len(content), 8192)], 0) >= 0
}
