package standin

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// long fits lines that say enough to be told apart.
func long(o op) func(int, step) bool {
	return func(_ int, s step) bool { return s.op == o && len(strings.TrimSpace(s.text)) > 8 }
}

// change lets the start's line of the i-th step be another one.
func (d *draft) change(i int, line string) bool {
	at := d.top
	for _, s := range d.steps[:i] {
		if s.op != insert {
			at++
		}
	}
	if d.file.start.lines[at] != d.steps[i].text {
		return false // an earlier fault changed it
	}
	d.alter[at] = line
	return true
}

// stale lets a line of the file that the block keeps, or removes, change after
// it was read.
func (d *draft) stale(rng *rand.Rand, o op) bool {
	i := d.pick(rng, long(o))
	if i < 0 {
		return false
	}
	line, ok := rename(rng, d.steps[i].text)
	return ok && d.change(i, line)
}

// halluc quotes a context line with another name in it.
func (d *draft) halluc(rng *rand.Rand) bool {
	i := d.pick(rng, long(keep))
	if i < 0 {
		return false
	}
	line, ok := rename(rng, d.steps[i].text)
	d.steps[i].text = line
	return ok
}

// missing leaves out a context line that has others of the old side around it.
func (d *draft) missing(rng *rand.Rand) bool {
	first, last := -1, -1
	for i, s := range d.steps {
		if s.op != insert {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	i := d.pick(rng, func(i int, s step) bool { return s.op == keep && !blank(s.text) && first < i && i < last })
	if i < 0 {
		return false
	}
	d.steps = slices.Delete(d.steps, i, i+1)
	return true
}

// made puts a line between two context lines that is like one of the file's.
func (d *draft) made(rng *rand.Rand) bool {
	i := d.pick(rng, d.afterContext)
	var like []string
	for _, line := range d.file.start.lines {
		if len(strings.TrimSpace(line)) > 12 {
			like = append(like, line)
		}
	}
	if i < 0 || len(like) == 0 {
		return false
	}
	line, ok := rename(rng, like[rng.IntN(len(like))])
	d.steps = slices.Insert(d.steps, i, step{keep, line})
	return ok
}

// elide quotes up to six more lines above and writes a placeholder for three
// context lines inside the block.
func (d *draft) elide(rng *rand.Rand) bool {
	lo, _ := d.file.room(d.index)
	top := max(lo, d.top-6)
	var above []step
	for _, line := range d.file.start.lines[top:d.top] {
		above = append(above, step{keep, line})
	}
	d.top, d.steps = top, append(above, d.steps...)
	i := d.pick(rng, func(i int, s step) bool {
		return i > 0 && i+3 < len(d.steps) && s.op == keep && d.steps[i+1].op == keep && d.steps[i+2].op == keep
	})
	if i < 0 {
		return false
	}
	words := "// ... existing code ..."
	if strings.HasSuffix(d.file.path, ".py") {
		words = "# ... existing code ..."
	}
	mark := []string{"...", "    ...", words}[rng.IntN(3)]
	d.steps = slices.Replace(d.steps, i, i+3, step{keep, mark})
	return true
}

// reflow quotes two context lines as one.
func (d *draft) reflow(rng *rand.Rand) bool {
	i := d.pick(rng, func(i int, s step) bool {
		return d.afterContext(i, s) && !blank(s.text) && !blank(d.steps[i-1].text)
	})
	if i < 0 {
		return false
	}
	d.steps[i-1].text += " " + strings.TrimSpace(d.steps[i].text)
	d.steps = slices.Delete(d.steps, i, i+1)
	return true
}

// commentDrop quotes a context line without the comment at its end.
func (d *draft) commentDrop(rng *rand.Rand) bool {
	i := d.pick(rng, func(_ int, s step) bool { return s.op == keep && comment(s.text) > 0 })
	if i < 0 {
		return false
	}
	line := d.steps[i].text
	d.steps[i].text = strings.TrimRight(line[:comment(line)], " \t")
	return true
}

// comment finds where a comment begins that follows code, 0 if none does.
func comment(line string) int {
	for _, mark := range []string{" // ", "\t// ", " # ", "\t# "} {
		if i := strings.Index(line, mark); i >= 0 && !blank(line[:i]) {
			return i
		}
	}
	return 0
}

// ambiguous quotes only the lines that change, or only the line above an
// insertion.
func (d *draft) ambiguous() bool {
	h, lines := d.file.hunks[d.index], d.file.start.lines
	_, inserted := sides(h.steps)
	switch {
	case h.at < h.end:
		d.old, d.new = sides(h.steps)
	case h.at > 0 && !blank(lines[h.at-1]):
		d.old = []string{lines[h.at-1]}
		d.new = append([]string{lines[h.at-1]}, inserted...)
	default:
		return false
	}
	return true
}
