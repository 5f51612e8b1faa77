package selection

import (
	"fmt"
	"slices"
	"strings"
)

// When to stop although the budget is not spent: few files are better than many.
const (
	maxFiles  = 8    // beyond those that are named exactly
	floor     = 0.10 // of the best file's points
	softShare = 0.70 // of the budget; beyond it only files with half of the best's points
)

// fill takes files, the best first, while the budget lasts.
func (t *tree) fill(sum tally, shown []string, budget int) Choice {
	f := filling{tree: t, sum: sum, budget: budget, left: budget, best: sum.best()}
	for _, p := range shown {
		if c, ok := f.fit(p, true); ok {
			c.Why = "shown already"
			f.take(c)
		}
	}
	for _, p := range sum.ranked() {
		if !slices.Contains(shown, p) {
			f.try(p)
		}
	}
	return Choice{Files: f.files, Left: f.summary()}
}

// filling is a choice being made.
type filling struct {
	*tree
	sum          tally
	budget, left int
	best         float64
	files        []Chosen
	over         int // files that evidence points to and the budget does not hold
	cut          []string
}

// try takes a file if enough speaks for it and the budget holds it.
func (f *filling) try(p string) {
	points := f.sum[p].points()
	strong := points >= f.best/2 || f.best < plain
	switch {
	case f.best >= plain && points < f.best*floor:
		return
	case len(f.files) >= maxFiles && (points < named || len(f.files) >= 2*maxFiles):
		f.over++
		return
	case !strong && f.left < int(float64(f.budget)*(1-softShare)):
		f.over++
		return
	}
	c, ok := f.fit(p, false)
	switch {
	case ok:
		f.take(c)
	case f.Read == nil || f.texts[p] != nil: // it is text, but too large
		f.over++
	}
}

func (f *filling) take(c Chosen) {
	f.left -= c.Tokens
	f.files = append(f.files, c)
	if c.Spans != nil {
		shown := 0
		for _, s := range c.Spans {
			shown += s.To - s.From + 1
		}
		all := strings.Count(f.texts[c.Path].body, "\n") + 1
		f.cut = append(f.cut, fmt.Sprintf("%d of the %d lines of %s", all-shown, all, c.Path))
	}
}

// fit gives a file whole, or as regions if it is large; ok is false if it is no
// text, or too large for what is left and need not be shown.
func (f *filling) fit(p string, must bool) (c Chosen, ok bool) {
	at, found := f.find(p)
	if !found {
		return Chosen{}, false
	}
	c = Chosen{Path: p, Tokens: tokens(p, f.tree.files[at].Size)}
	e := f.sum[p]
	if e != nil {
		c.Why = e.why
	}
	if f.Read == nil {
		return c, must || c.Tokens <= f.left
	}
	got := f.text(p)
	if got == nil {
		return Chosen{}, false
	}
	c.Tokens = tokens(p, len(got.body))
	share := f.budget / 4
	if c.Tokens > share || strings.Count(got.body, "\n") > maxWhole {
		var marks []mark
		if e != nil {
			marks = e.marks
		}
		if !must {
			share = min(share, f.left)
		}
		c.Spans, c.Tokens = regions(p, got.body, f.symbols(p), marks, share)
	}
	return c, must || c.Tokens <= f.left
}

// summary says what is left out.
func (f *filling) summary() []string {
	out := f.cut
	if f.over > 0 {
		out = append(out, fmt.Sprintf("%d more files that the evidence points to", f.over))
	}
	if rest := len(f.tree.files) - len(f.files) - f.over; rest > 0 {
		out = append(out, fmt.Sprintf("%d more files of the repository", rest))
	}
	return out
}
