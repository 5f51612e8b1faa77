package standin

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// pick chooses one of the draft's steps that fit, -1 if none does.
func (d *draft) pick(rng *rand.Rand, fits func(i int, s step) bool) int {
	var at []int
	for i, s := range d.steps {
		if fits(i, s) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return -1
	}
	return at[rng.IntN(len(at))]
}

// quoted fits the lines of the old side that have something on them.
func quoted(_ int, s step) bool { return s.op != insert && !blank(s.text) }

func (d *draft) trailing(rng *rand.Rand) bool {
	i := d.pick(rng, quoted)
	if i < 0 {
		return false
	}
	d.steps[i].text += []string{" ", "  ", "\t"}[rng.IntN(3)]
	return true
}

// blankLine leaves an empty context line out, or puts one between two context lines.
func (d *draft) blankLine(rng *rand.Rand) bool {
	if i := d.pick(rng, func(_ int, s step) bool { return s.op == keep && blank(s.text) }); i >= 0 {
		d.steps = slices.Delete(d.steps, i, i+1)
		return true
	}
	i := d.pick(rng, d.afterContext)
	if i < 0 {
		return false
	}
	d.steps = slices.Insert(d.steps, i, step{keep, ""})
	return true
}

// afterContext fits a context line that follows another.
func (d *draft) afterContext(i int, s step) bool {
	return i > 0 && s.op == keep && d.steps[i-1].op == keep
}

// fancy is what a word processor makes of these characters.
func fancy(c byte) string {
	switch c {
	case '\'':
		return "’"
	case '"':
		return "”"
	}
	return "–"
}

// uniFile puts one typographic character into a context line of the file.
func (d *draft) uniFile(rng *rand.Rand) bool {
	i := d.pick(rng, func(_ int, s step) bool { return s.op == keep && strings.ContainsAny(s.text, `'"-`) })
	if i < 0 {
		return false
	}
	line := d.steps[i].text
	var at []int
	for k := range len(line) {
		if strings.IndexByte(`'"-`, line[k]) >= 0 {
			at = append(at, k)
		}
	}
	k := at[rng.IntN(len(at))]
	return d.change(i, line[:k]+fancy(line[k])+line[k+1:])
}

// uniModel makes all quotes of one context line of the block curly.
func (d *draft) uniModel(rng *rand.Rand) bool {
	i := d.pick(rng, func(_ int, s step) bool { return s.op == keep && strings.ContainsAny(s.text, `'"`) })
	if i < 0 {
		return false
	}
	d.steps[i].text = strings.NewReplacer("'", fancy('\''), `"`, fancy('"')).Replace(d.steps[i].text)
	return true
}

func (d *draft) htmlEscape() bool {
	was, _ := sides(d.steps)
	escaper := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	for i, s := range d.steps {
		d.steps[i].text = escaper.Replace(s.text)
	}
	is, _ := sides(d.steps)
	return !slices.Equal(was, is)
}

// literalNewline writes each side as one line.
func (d *draft) literalNewline() bool {
	old, new := sides(d.steps)
	if len(old) < 2 {
		return false
	}
	d.old, d.new = []string{strings.Join(old, `\n`)}, nil
	if len(new) > 0 {
		d.new = []string{strings.Join(new, `\n`)}
	}
	return true
}

// linePrefix numbers the lines of the old side, in half the cases of both.
func (d *draft) linePrefix(rng *rand.Rand) bool {
	d.old, d.new = sides(d.steps)
	form := []string{"%d| %s", "%4d | %s", "%d: %s"}[rng.IntN(3)]
	number := func(lines []string) {
		for i, line := range lines {
			lines[i] = fmt.Sprintf(form, d.top+1+i, line)
		}
	}
	number(d.old)
	if rng.IntN(2) == 0 {
		number(d.new)
	}
	return true
}

// diffMarkers writes a diff's first column before every line.
func (d *draft) diffMarkers() bool {
	for i, s := range d.steps {
		d.steps[i].text = string(s.op) + s.text
	}
	return true
}
