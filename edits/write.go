package edits

// replace writes the delta of a block at the place found, from its end to its
// beginning, and gives the line, from 0, at which the first change stands.
func (f *file) replace(s spot) int {
	in := newIndenter(f.now, s)
	steps := s.steps()
	first := s.at
	for end := len(steps); end > 0; {
		if steps[end-1].kind == keep {
			end--
			continue
		}
		from := end
		for from > 0 && steps[from-1].kind != keep {
			from--
		}
		at, n, near := s.target(steps, from, end)
		var lines []string
		for _, step := range steps[from:end] {
			if step.kind == insert {
				lines = append(lines, in.line(s.new[step.new], near))
			}
		}
		f.edit().replace(at, n, lines)
		first, end = at, from
	}
	return first
}

// edit gives the file's text for changing; what it was before the reply stays.
func (f *file) edit() *text {
	if f.now == f.orig {
		f.now = f.orig.clone()
		f.orig.where = nil // it goes with the version that changes
	}
	return f.now
}

// target says which lines of the file a stretch of drops and inserts,
// steps[from:to], replaces: n lines from at. near is the old line beside which
// new ones come.
func (s *spot) target(steps []op, from, to int) (at, n, near int) {
	for _, step := range steps[from:to] {
		if step.kind == drop {
			if n == 0 {
				at = s.line(step.old)
			}
			n, near = n+1, step.old
		}
	}
	switch {
	case n > 0:
		return at, n, near
	case from > 0 && s.line(steps[from-1].old) >= 0:
		return s.line(steps[from-1].old) + 1, 0, steps[from-1].old
	case to < len(steps):
		return s.line(steps[to].old), 0, steps[to].old
	}
	return s.at, 0, 0
}

// change gives the file's new content or its end, if it is not what it was.
func (f *file) change() (Change, bool) {
	c := Change{Path: f.path, Before: f.before, Existed: f.exists}
	if !f.there {
		c.Delete = true
		return c, f.exists
	}
	c.After = f.now.String()
	if f.from != f.path {
		c.From = f.from
	}
	return c, !f.exists || c.After != f.before
}
