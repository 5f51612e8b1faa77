package edits

import (
	"slices"
	"strings"
)

// style is how a file is indented.
type style struct {
	manner manner
	tabs   bool   // by tabs; the unit is one tab, which is 8 columns here
	mixed  bool   // 8 columns are a tab, less are spaces
	unit   int    // columns of one level
	steps  [9]int // how often a line stands so much deeper than the one above that opens a block
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
		s.measure(lines)
		s.tabs = slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "\t") })
		s.unit = s.usual()
	}
	return s
}

// measure counts how much deeper blocks are.
func (s *style) measure(lines []string) {
	rows := scanRows(lines, s.manner)
	for i := range rows {
		if step, ok := stepAt(rows, i, s.manner); ok && step < len(s.steps) {
			s.steps[step]++
		}
	}
}

// stepAt gives how much deeper than row i, which opens a block, that block is.
func stepAt(rows []row, i int, m manner) (step int, ok bool) {
	r := rows[i]
	opener := r.opens || m == braces && strings.HasSuffix(r.text, "{") || m == keys && strings.HasPrefix(r.text, "- ")
	if !opener || r.inside {
		return 0, false
	}
	for _, next := range rows[i+1:] {
		if next.starts() {
			return next.at - r.at, next.at > r.at
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
	tabbed := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "\t") })
	from := s.unitOf(lines)
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
			out[i] = s.blanks(len(have)/from*s.unit+len(have)%from) + text
		}
	}
	return out
}

// unitOf guesses what one level is in lines indented by spaces.
func (s style) unitOf(lines []string) int {
	rows := scanRows(lines, s.manner)
	least, widths := 0, 0
	for i, r := range rows {
		if step, ok := stepAt(rows, i, s.manner); ok && (least == 0 || step < least) {
			least = step
		}
		if r.starts() && r.at%4 != 0 {
			widths++
		}
	}
	total := 0
	for _, n := range s.steps {
		total += n
	}
	switch {
	case s.tabs && least > 0:
		return least
	case s.tabs && widths > 0:
		return 2
	case s.tabs:
		return 4
	case least == 0 || least > 8 || s.steps[least]*10 > total:
		return s.unit
	}
	return least
}
