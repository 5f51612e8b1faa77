package edits

import (
	"slices"
	"strings"
)

// style is how a file is indented.
type style struct {
	manner manner
	tabs   bool // by tabs; the unit is one tab, which is 8 columns here
	mixed  bool // 8 columns are a tab, less are spaces
	unit   int  // columns of one level
	lists  int
	flat   bool    // lists stand in their keys' column (YAML)
	steps  [9]int  // how often a block stands so much deeper than the line that opens it
	all    [17]int // how often a line stands so much deeper than the one above
}

// reindent gives lines (without endings) the indentation that the place between
// before and after asks for …
func reindent(lines []string, before, after []string, broken []string, level *int) []string {
	s := styleOf(before, after, lines)
	p := newGap(s, lines, before, after, broken)
	if p.first < 0 {
		return make([]string, len(lines))
	}
	by := p.choose() - p.rows[p.first].at
	if level != nil {
		by = s.level(*level) - p.least()
	}
	out := make([]string, len(lines))
	for i, l := range p.lines {
		if strings.TrimSpace(l) != "" {
			out[i] = s.shift(l, by)
		}
	}
	return out
}

// level gives the columns that a number of spaces stands for.
func (s style) level(spaces int) int {
	if s.tabs && !s.mixed {
		return spaces * 2 // 4 spaces a tab
	}
	return spaces
}

// shift moves a line that is in the file's style already.
func (s style) shift(line string, by int) string {
	have := indentOf(line)
	text := line[len(have):]
	if s.tabs && !s.mixed && by%8 == 0 {
		if by >= 0 {
			return strings.Repeat("\t", by/8) + line
		}
		if rest, ok := strings.CutPrefix(have, strings.Repeat("\t", -by/8)); ok {
			return rest + text
		}
	}
	return s.blanks(max(0, columnsOf(have)+by)) + text
}

// blanks writes an indentation.
func (s style) blanks(columns int) string {
	if s.tabs || s.mixed {
		return strings.Repeat("\t", columns/8) + strings.Repeat(" ", columns%8)
	}
	return strings.Repeat(" ", columns)
}

func styleOf(before, after, lines []string) style {
	all := slices.Concat(before, after)
	s := style{manner: mannerOf(slices.Concat(all, lines))}
	s.measure(before)
	s.measure(after)
	if s.lists == 0 {
		s.lists = listsOf(scanRows(lines, s.manner))
	}
	s.flat = s.lists > 0
	tabs, spaces := 0, 0
	for _, l := range all {
		switch {
		case strings.HasPrefix(l, "\t"):
			tabs++
		case strings.HasPrefix(l, "  "):
			spaces++
		}
	}
	s.tabs = tabs > spaces
	s.mixed = min(tabs, spaces)*10 > tabs+spaces
	s.unit = s.usual()
	if s.tabs && !s.mixed {
		s.unit = 8
	}
	if tabs+spaces == 0 {
		s.tabs = slices.ContainsFunc(slices.Concat(lines, all), func(l string) bool {
			return strings.HasPrefix(l, "\t") || strings.HasPrefix(l, "package ") && !strings.HasSuffix(l, ";")
		})
		if s.unit = s.usual(); s.tabs {
			s.unit = 8
		}
	}
	return s
}

// measure counts how much deeper blocks are.
func (s *style) measure(lines []string) {
	rows := scanRows(lines, s.manner)
	last := -1
	for i, r := range rows {
		if !r.blank() {
			if step := r.at - last; last >= 0 && step > 0 && step < len(s.all) && r.starts() {
				s.all[step]++
			}
			last = r.at
		}
		if step, ok := stepAt(rows, i, s.manner); ok && step < len(s.steps) {
			s.steps[step]++
		}
	}
	if s.manner == keys {
		s.lists += listsOf(rows)
	}
}

// listsOf counts lists in their keys' column, less those that are deeper (YAML).
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

// stepAt gives how much deeper than the statement that ends in row i, and opens
// a block, that block is.
func stepAt(rows []row, i int, m manner) (step int, ok bool) {
	r := rows[i]
	item := m == keys && strings.HasPrefix(r.text, "- ")
	bracket := m != keys && r.text != "" && strings.IndexByte("([{", r.text[len(r.text)-1]) >= 0
	if r.inside || item == (r.opens || r.scalar) && !bracket {
		return 0, false // what an entry that opens a block is as deep as says little
	}
	from := i
	for from > 0 && rows[from].joins {
		from--
	}
	if w := rows[from].within; w >= 0 && !bracket {
		from = w
	}
	for _, next := range rows[i+1:] {
		if next.starts() || r.scalar && !next.blank() {
			step = next.at - rows[from].at
			return step, step > 0
		}
	}
	return 0, false
}

func (s *style) usual() int {
	best := 0
	for step, n := range s.steps {
		if n > s.steps[best] {
			best = step
		}
	}
	switch {
	case best > 0:
		return best
	case s.tabs:
		return 8
	case s.manner == keys:
		return 2
	}
	return 4
}

// translate writes lines with the file's blanks and units, depths as they are.
func (s style) translate(lines []string) []string {
	rows := scanRows(lines, s.manner)
	tabbed := false
	for i, r := range rows {
		tabbed = tabbed || !r.inside && strings.HasPrefix(lines[i], "\t")
	}
	from := s.unitOf(rows)
	out := make([]string, len(lines))
	for i, l := range lines {
		have := indentOf(l)
		text := l[len(have):]
		switch {
		case text == "":
		case s.mixed, s.tabs && tabbed:
			out[i] = l
		case tabbed: // into spaces
			out[i] = strings.ReplaceAll(have, "\t", strings.Repeat(" ", s.unit)) + text
		default:
			at := s.column(len(have), from)
			if r := rows[i]; r.within >= 0 && r.beside >= 0 && !s.tabs && !s.mixed {
				at = s.aligned(at, len(have)-rows[r.within].at-r.beside, len(indentOf(out[r.within]))+r.beside, from)
			}
			out[i] = s.blanks(at) + text
		}
	}
	return out
}

// unitOf guesses what one level is in lines indented by spaces: by their blocks
// if they have any, else what makes their steps such as are frequent in the file.
func (s style) unitOf(rows []row) int {
	if s.tabs && !s.mixed {
		return s.unitForTabs(rows)
	}
	least := 0
	for i := range rows {
		if step, ok := stepAt(rows, i, s.manner); ok && (least == 0 || step < least) {
			least = step
		}
	}
	switch {
	case least > 8 || least == 1 || least > 0 && s.steps[least]*4 > s.steps[s.unit]:
		return s.unit
	case least > 0:
		return least
	}
	best, most := s.unit, 4*s.fits(rows, s.unit)
	for _, from := range []int{2, 4} {
		if fits := s.fits(rows, from); from != s.unit && fits > most {
			best, most = from, fits
		}
	}
	return best
}

// column gives where column at is if a level is not from columns but the file's.
func (s style) column(at, from int) int { return at/from*s.unit + at%from }

// fits says how frequent in the file the steps of rows are if their unit is from.
func (s style) fits(rows []row, from int) (sum int) {
	last := -1
	for _, r := range rows {
		if !r.starts() {
			continue
		}
		at := s.column(r.at, from)
		if r.within >= 0 && r.beside >= 0 {
			beside := s.column(rows[r.within].at, from) + r.beside
			if s.aligned(at, r.at-rows[r.within].at-r.beside, beside, from) == beside {
				sum += 1000
			}
			continue
		}
		if step := at - last; last >= 0 && step > 0 && step < len(s.all) {
			sum += s.all[step]
		}
		last = at
	}
	return sum
}

func (s style) unitForTabs(rows []row) int {
	least, odd := 0, false
	for i, r := range rows {
		if step, ok := stepAt(rows, i, s.manner); ok && (least == 0 || step < least) {
			least = step
		}
		odd = odd || r.starts() && r.at%4 != 0
	}
	switch {
	case least > 1:
		return least
	case odd:
		return 2
	}
	return 4
}

// aligned chooses between column at and that beside an open bracket, from which
// the line was off columns away. Levels of another unit do not keep such a line
// in its place, but all that become the same column are known.
func (s style) aligned(at, off, beside, from int) int {
	guess := at
	if off == 0 {
		return beside
	}
	for rest := at % s.unit; rest < s.unit; rest += from {
		if at == beside {
			return beside
		}
		at -= s.unit - from
	}
	return guess
}
