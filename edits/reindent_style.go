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
	hang   int  // columns by which what is in a bracket is deeper

	blocks [9]int  // how many blocks are so much deeper than what opens them
	hangs  [9]int  // how many brackets' first lines are, where these are no blocks (Python)
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
	switch {
	case s.tabs && !s.mixed:
		s.unit = 8
	case mostOf(s.blocks) > 0:
		s.unit = mostOf(s.blocks)
	default:
		s.unit = s.unshown(before, after, lines)
	}
	s.hang = s.unit
	if most := mostOf(s.hangs); most > 0 && (!s.tabs || s.mixed) {
		s.hang = most
	}
	return s
}

// unshown gives the unit of a file in which no block shows it: what its least
// indented statement shows, else YAML's 2, a block of the lines, or 4.
func (s style) unshown(before, after, lines []string) (unit int) {
	for _, part := range [][]string{before, after} {
		for _, r := range scanRows(part, s.manner) {
			if r.starts() && r.within < 0 && r.at > 1 {
				unit = least(unit, r.at)
			}
		}
	}
	s.measure(lines)
	switch most := mostOf(s.blocks); {
	case unit > 0 && unit <= 8:
		return unit
	case s.manner == keys:
		return 2
	case most > 0:
		return most
	}
	return 4
}

// mostOf gives the step that is most frequent, 0 if there is none.
func mostOf(steps [9]int) (most int) {
	for step, n := range steps {
		if n > steps[most] {
			most = step
		}
	}
	return most
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
		switch step, hangs := blockStep(rows, i, s.manner); {
		case step >= len(s.blocks):
		case hangs:
			s.hangs[step]++
		case step > 0:
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
