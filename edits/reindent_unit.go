package edits

import "strings"

// translate writes lines with the file's blanks and unit, as deep as they are.
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
			if r := rows[i]; r.hangs() && !s.tabs {
				at = s.aligned(at, r.at-rows[r.within].at-r.beside, len(indentOf(out[r.within]))+r.beside, from)
			}
			out[i] = s.blanks(at) + text
		}
	}
	return out
}

// unitOf guesses what one level is in rows indented by spaces: what their blocks
// are deeper by, unless the file has such blocks too; without any blocks, what
// makes their steps such as the file has.
func (s style) unitOf(rows []row) int {
	least, even := 0, true
	for i, r := range rows {
		if step, ok := blockStep(rows, i, s.manner); ok && (least == 0 || step < least) {
			least = step
		}
		even = even && (!r.starts() || r.at%4 == 0)
	}
	switch {
	case s.tabs && !s.mixed && least > 1:
		return least
	case s.tabs && !s.mixed && even:
		return 4
	case s.tabs && !s.mixed:
		return 2
	case least > 8 || least == 1 || least > 0 && s.blocks[least]*4 > s.blocks[s.unit]:
		return s.unit
	case least > 0:
		return least
	}
	best, most := s.unit, 4*s.fits(rows, s.unit)
	for _, from := range []int{2, 4} {
		if fits := s.fits(rows, from); fits > most {
			best, most = from, fits
		}
	}
	return best
}

// fits says how frequent in the file the steps of rows would be if their unit
// were from. A line that would be aligned with an open bracket says most.
func (s style) fits(rows []row, from int) (sum int) {
	last := -1
	for _, r := range rows {
		at := s.column(r.at, from)
		switch step := at - last; {
		case !r.starts():
		case r.hangs():
			opener := rows[r.within].at
			if beside := s.column(opener, from) + r.beside; s.aligned(at, r.at-opener-r.beside, beside, from) == beside {
				sum += 1000
			}
		default:
			if last >= 0 && step > 0 && step < len(s.steps) {
				sum += s.steps[step]
			}
			last = at
		}
	}
	return sum
}

// column gives where column at is if a level is not from columns but the unit.
func (s style) column(at, from int) int { return at/from*s.unit + at%from }

// aligned chooses between column at and that beside an open bracket, from which
// the line was off columns away. A line that is aligned loses its place with
// smaller levels, and all columns that became the same one are tried.
func (s style) aligned(at, off, beside, from int) int {
	if off == 0 {
		return beside
	}
	for other, rest := at, at%s.unit; rest < s.unit; rest += from {
		if other == beside {
			return beside
		}
		other -= s.unit - from
	}
	return at
}

// blockStep gives how much deeper a block is than the statement that ends in row
// i and opens it. What is below an entry of a list that opens a block is no
// measure, since the dash counts or does not.
func blockStep(rows []row, i int, m manner) (step int, ok bool) {
	r := rows[i]
	entry := m == keys && strings.HasPrefix(r.text, "- ")
	bracket := m != keys && r.text != "" && strings.IndexByte("([{", r.text[len(r.text)-1]) >= 0
	if r.inside || !bracket && entry == (r.opens || r.scalar) {
		return 0, false
	}
	from := i
	for from > 0 && rows[from].joins {
		from--
	}
	if w := rows[from].within; w >= 0 && !bracket {
		from = w
	}
	next := indexFrom(rows, i+1, func(next row) bool { return next.starts() || r.scalar && !next.blank() })
	if next < 0 {
		return 0, false
	}
	step = rows[next].at - rows[from].at
	return step, step > 0
}
