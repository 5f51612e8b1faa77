package edits

import (
	"strings"
)

// indenter turns the indentation of the lines that come into that of the file,
// by what the lines that both have teach. One odd line teaches nothing: models
// misquote single lines more often than whole blocks.
type indenter struct {
	off      bool // lines are written as they stand in the block
	pairs    []pair
	tabWidth int               // spaces on one side that stand for a tab on the other
	up, down int               // up columns of the file for down columns of the block, in steps deeper
	tabs     bool              // the file is indented by tabs
	prefix   string            // what the block puts before every line's own indentation
	lacks    string            // what it leaves out before every line's own indentation
	moved    map[string]string // old lines that the file has in another form, by how the block has them
	plain    string            // typographic characters of the block that are plain in the file
}

// pair is how old line at is indented in the block and in the file.
type pair struct {
	at          int
	block, file string
}

// line gives a line that comes as the file would have it; near is the index of
// the old line beside which it comes.
func (in *indenter) line(s string, near int) string {
	if l, ok := in.moved[s]; ok {
		return l
	}
	if in.plain != "" {
		s = foldOnly(s, in.plain)
	}
	have := indentOf(s)
	if in.off || len(have) == len(s) {
		return s
	}
	if rest, ok := strings.CutPrefix(have, in.prefix); ok && in.prefix != "" {
		return rest + s[len(have):]
	}
	if in.lacks != "" && in.alike(have, in.lacks) {
		return in.lacks + s
	}
	return in.translate(have, in.nearest(have, near)) + s[len(have):]
}

// nearest chooses the pair to go by: one indented just so in the block, the
// nearest of these; else the one whose indentation is closest in width.
func (in *indenter) nearest(have string, near int) pair {
	best, bestCost := pair{}, -1
	for _, p := range in.pairs {
		cost := abs(p.at - near)
		if p.block != have {
			cost += 1_000_000 * (1 + abs(in.width(p.block)-in.width(have)))
		}
		if bestCost < 0 || cost < bestCost {
			best, bestCost = p, cost
		}
	}
	return best
}

// translate gives the file's form of indentation have, by what pair ref shows.
func (in *indenter) translate(have string, ref pair) string {
	if have == ref.block {
		return ref.file
	}
	steps := (in.width(have) - in.width(ref.block)) * in.up / in.down
	if steps >= 0 {
		if rest, ok := strings.CutPrefix(have, ref.block); ok && in.alike(rest, ref.file) && in.up == in.down {
			return ref.file + rest
		}
		return ref.file + in.columns(steps, ref.file)
	}
	if s, ok := strings.CutSuffix(ref.file, in.columns(-steps, ref.file)); ok {
		return s
	}
	return in.columns(max(0, in.width(ref.file)+steps), ref.file)
}

// alike reports whether blanks that come are of the kind that the file uses
// where the line like is indented so.
func (in *indenter) alike(blanks, like string) bool {
	tabs := strings.Contains(like, "\t") || like == "" && in.tabs
	return blanks == "" || strings.Contains(blanks, "\t") == tabs
}

// columns writes n columns with the blanks that like is made of; where that is
// none, those that the file's other lines here are made of.
func (in *indenter) columns(n int, like string) string {
	if strings.Contains(like, "\t") || like == "" && in.tabs {
		return strings.Repeat("\t", n/in.tabWidth) + strings.Repeat(" ", n%in.tabWidth)
	}
	return strings.Repeat(" ", n)
}

func (in *indenter) width(indent string) int {
	return len(indent) + strings.Count(indent, "\t")*(in.tabWidth-1)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// tabs reports whether more lines of t are indented by a tab than by spaces.
func (t *text) tabs() bool {
	n := 0
	for _, l := range t.lines {
		switch {
		case strings.HasPrefix(l, "\t"):
			n++
		case strings.HasPrefix(l, "  "):
			n--
		}
	}
	return n > 0
}
