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
// are deeper by, or in proportion their brackets, unless the file has such, too;
// without any, what makes their steps such as the file has.
func (s style) unitOf(rows []row) int {
	block, hang, even := 0, 0, true
	for i, r := range rows {
		switch step, hangs := blockStep(rows, i, s.manner); {
		case step == 0:
		case hangs:
			hang = least(hang, step)
		default:
			block = least(block, step)
		}
		even = even && (!r.starts() || r.at%4 == 0)
	}
	switch {
	case s.tabs && !s.mixed && least(block, hang) > 1:
		return least(block, hang)
	case s.tabs && !s.mixed && even:
		return 4
	case s.tabs && !s.mixed:
		return 2
	case block > 0:
		return s.foreign(block, s.blocks, s.unit)
	case hang > 0:
		return s.foreign(hang, s.hangs, s.hang)
	}
	best, most := s.unit, 4*s.fits(rows, s.unit)
	for _, from := range []int{2, 4} {
		if fits := s.fits(rows, from); fits > most {
			best, most = from, fits
		}
	}
	return best
}

// foreign gives the unit of lines that have a step where the file mostly has the
// usual one; the file's own if it has both.
func (s style) foreign(step int, in [9]int, usual int) int {
	if step == 1 || step >= len(in) || in[step]*4 > in[usual] {
		return s.unit
	}
	return max(1, step*s.unit/usual)
}

// least gives the lesser of two steps, of which 0 is none.
func least(a, b int) int {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
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
// i and opens it, 0 if it opens none. In Python brackets are none: they hang.
// What is below an entry of a list that opens a block is no measure, since the
// dash counts or does not.
func blockStep(rows []row, i int, m manner) (step int, hangs bool) {
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
	return max(0, rows[next].at-rows[from].at), bracket && m == colons
}
