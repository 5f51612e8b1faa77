package standin

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// margin is a line's white space before its first word.
func margin(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// unit is what the file indents by, as far as a glance tells.
func (d *draft) unit() string {
	for _, line := range d.file.start.lines {
		if strings.HasPrefix(line, "\t") {
			return "\t"
		}
	}
	if strings.HasSuffix(d.file.path, ".py") {
		return "    "
	}
	return "  "
}

// shift moves every line of the block by the same margin: out as far as it goes,
// or in by a unit.
func (d *draft) shift(rng *rand.Rand) bool {
	least := -1
	for _, s := range d.steps {
		if n := len(margin(s.text)); !blank(s.text) && (least < 0 || n < least) {
			least = n
		}
	}
	if least < 0 {
		return false
	}
	out := least > 0 && rng.IntN(2) == 0
	for i, s := range d.steps {
		switch {
		case blank(s.text):
		case out:
			d.steps[i].text = s.text[least:]
		default:
			d.steps[i].text = d.unit() + s.text
		}
	}
	return true
}

// tabs writes the margins with tabs where the file has blanks, or with four
// blanks a tab.
func (d *draft) tabs() bool {
	was, _ := sides(d.steps)
	unit := d.unit()
	for i, s := range d.steps {
		m := margin(s.text)
		rest := s.text[len(m):]
		if unit == "\t" {
			m = strings.ReplaceAll(m, "\t", "    ")
		} else {
			n := len(m) / len(unit)
			m = strings.Repeat("\t", n) + m[n*len(unit):]
		}
		d.steps[i].text = m + rest
	}
	is, _ := sides(d.steps)
	return !slices.Equal(was, is)
}

// indentOne moves one line by a blank or two.
func (d *draft) indentOne(rng *rand.Rand) bool {
	old, _ := sides(d.steps)
	i := d.pick(rng, quoted)
	if i < 0 || len(old) < 2 {
		return false
	}
	line := d.steps[i].text
	by := 1 + rng.IntN(2)
	if rng.IntN(2) == 0 && len(margin(line)) >= by {
		d.steps[i].text = line[by:]
	} else {
		d.steps[i].text = strings.Repeat(" ", by) + line
	}
	return true
}
