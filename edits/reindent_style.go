package edits

import (
	"slices"
	"strings"
)

// style is how a file is indented. Columns count a tab as up to 8.
type style struct {
	manner manner
	tabs   bool // by tabs: the unit is one
	mixed  bool // by both: 8 columns are a tab, less are spaces
	flat   bool // lists stand in their keys' column (YAML)
	unit   int  // columns of one level

	blocks [9]int  // how many blocks are so much deeper than what opens them
	steps  [17]int // how many lines are so much deeper than the one above
}

func styleOf(before, after, lines []string) style {
	all := slices.Concat(before, after)
	s := style{manner: mannerOf(slices.Concat(all, lines))}
	lists := s.measure(before) + s.measure(after)
	if s.manner == keys && lists == 0 {
		lists = listsOf(scanRows(lines, s.manner))
	}
	s.flat = lists > 0
	tabs, spaces := 0, 0
	for _, l := range all {
		switch {
		case strings.HasPrefix(l, "\t"):
			tabs++
		case strings.HasPrefix(l, "  "):
			spaces++
		}
	}
	s.tabs, s.mixed = tabs > spaces, min(tabs, spaces)*10 > tabs+spaces
	if tabs+spaces == 0 { // then as the lines are, and Go by tabs
		s.tabs = slices.ContainsFunc(slices.Concat(lines, all), func(l string) bool {
			return strings.HasPrefix(l, "\t") || strings.HasPrefix(l, "package ") && !strings.HasSuffix(l, ";")
		})
	}
	s.unit = s.usual()
	return s
}

// usual gives the unit: what most blocks are deeper by, else the language's.
func (s *style) usual() int {
	best := 0
	for step, n := range s.blocks {
		if n > s.blocks[best] {
			best = step
		}
	}
	switch {
	case s.tabs && !s.mixed:
		return 8
	case best > 0:
		return best
	case s.manner == keys:
		return 2
	}
	return 4
}

// measure counts blocks and steps, and gives what listsOf does.
func (s *style) measure(lines []string) (lists int) {
	rows := scanRows(lines, s.manner)
	last := -1
	for i, r := range rows {
		if !r.blank() {
			if step := r.at - last; last >= 0 && step > 0 && step < len(s.steps) && r.starts() {
				s.steps[step]++
			}
			last = r.at
		}
		if step, ok := blockStep(rows, i, s.manner); ok && step < len(s.blocks) {
			s.blocks[step]++
		}
	}
	if s.manner == keys {
		lists = listsOf(rows)
	}
	return lists
}

// listsOf counts lists in their keys' column, less those that are deeper.
func listsOf(rows []row) (n int) {
	for i, r := range rows {
		if !r.opens || i+1 == len(rows) || !strings.HasPrefix(rows[i+1].text, "- ") {
			continue
		}
		if n++; rows[i+1].at > r.at {
			n -= 2
		}
	}
	return n
}

// level gives the columns that a level asked for in spaces is.
func (s style) level(spaces int) int {
	if s.tabs && !s.mixed && spaces%4 == 0 {
		return spaces * 2
	}
	return spaces
}

// shift moves a line that is in the file's style already. What is behind its
// tabs, to align something, stays.
func (s style) shift(line string, by int) string {
	have := indentOf(line)
	switch rest, ok := strings.CutPrefix(have, strings.Repeat("\t", max(0, -by/8))); {
	case by == 0:
		return line
	case s.tabs && !s.mixed && by%8 == 0 && by > 0:
		return strings.Repeat("\t", by/8) + line
	case s.tabs && !s.mixed && by%8 == 0 && ok:
		return rest + line[len(have):]
	}
	return s.blanks(max(0, columnsOf(have)+by)) + line[len(have):]
}

// blanks writes an indentation.
func (s style) blanks(columns int) string {
	if s.tabs || s.mixed {
		return strings.Repeat("\t", columns/8) + strings.Repeat(" ", columns%8)
	}
	return strings.Repeat(" ", columns)
}

// columnsOf measures blanks, with tab stops every 8 columns.
func columnsOf(blanks string) (n int) {
	for i := range len(blanks) {
		if n++; blanks[i] == '\t' {
			n = (n + 7) / 8 * 8
		}
	}
	return n
}
