package selection

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// When to stop although the budget is not spent: few files are better than many.
const (
	maxFiles = 12   // that evidence chooses; the task may name twice as many
	minNew   = 4    // that new evidence may add, however many are shown
	maxTests = 2    // of them
	fewFiles = 6    // until there are so many, files with less than the floor are taken
	floor    = 0.27 // of the best file's points
	lowest   = 0.05 // of them, for the first few
	spent    = 0.8  // of the budget, unless what must be shown takes more
	least    = 350  // tokens that are worth showing of a file
)

// fill takes files, the best first, while the budget lasts.
func (t *tree) fill(sum tally, shown []string, budget int) Choice {
	f := filling{tree: t, sum: sum, budget: budget}
	for _, p := range shown {
		if c, ok := f.fit(p, budget/4); ok {
			c.Why = "shown already"
			f.take(c)
		}
	}
	end := min(f.used+int(float64(budget)*spent), budget)
	picked := f.pick(shown)
	for i := range picked {
		f.allot(picked[i:], end-f.used)
	}
	return Choice{Files: f.files, Left: f.summary()}
}

// filling is a choice being made.
type filling struct {
	*tree
	sum    tally
	budget int
	used   int // tokens
	files  []Chosen
	over   int      // files that evidence points to and that are not shown
	cut    []string // what large files lack
}

// pick gives the files to show, best first: those with enough points, and not
// too many of them, nor of tests.
func (f *filling) pick(shown []string) []string {
	var out []string
	tests, best := 0, f.sum.best()
	for _, p := range f.sum.ranked() {
		points := f.sum[p].points()
		_, isNamed := f.sum[p].kinds["task"]
		switch {
		case best >= plain && (points < best*lowest || points < best*floor && len(out) >= fewFiles):
			continue
		case slices.Contains(shown, p):
			continue
		case !f.shows(p):
			continue
		case isNamed && len(out) < 2*maxFiles:
		case len(out) >= max(maxFiles-len(shown), minNew), isTest(p) && tests >= maxTests:
			f.over++
			continue
		}
		if isTest(p) {
			tests++
		}
		out = append(out, p)
	}
	return out
}

// shows reports whether a file is there and is text.
func (f *filling) shows(p string) bool {
	_, found := f.find(p)
	return found && (f.Read == nil || f.text(p) != nil)
}

// allot shows the first of the files with its share of the room, which goes by
// the points of those to come; what one leaves is the next one's.
func (f *filling) allot(files []string, room int) {
	all := 0.0
	for _, p := range files {
		all += f.weight(p)
	}
	share := int(float64(room) * f.weight(files[0]) / all)
	if _, isNamed := f.sum[files[0]].kinds["task"]; isNamed {
		share = max(share, min(room, f.budget/4))
	}
	share = max(share, min(room, least))
	if c, ok := f.fit(files[0], share); ok && c.Tokens <= room {
		f.take(c)
	} else {
		f.over++
	}
}

// weight is a file's claim on the room.
func (f *filling) weight(p string) float64 {
	w := math.Sqrt(f.sum[p].points())
	if isTest(p) {
		w *= 0.5
	}
	return w
}

func (f *filling) take(c Chosen) {
	f.used += c.Tokens
	f.files = append(f.files, c)
	if c.Spans != nil {
		shown := 0
		for _, s := range c.Spans {
			shown += s.To - s.From + 1
		}
		all := strings.Count(strings.TrimSuffix(f.texts[c.Path].body, "\n"), "\n") + 1
		f.cut = append(f.cut, fmt.Sprintf("%d of the %d lines of %s", all-shown, all, c.Path))
	}
}

// fit gives a file whole if it is not much larger than its share in tokens, else
// as regions; ok is false if it is no text, or nothing of it fits.
func (f *filling) fit(p string, share int) (c Chosen, ok bool) {
	at, found := f.find(p)
	if !found {
		return Chosen{}, false
	}
	c = Chosen{Path: p, Tokens: tokens(p, f.tree.files[at].Size)}
	var marks []mark
	if e := f.sum[p]; e != nil {
		c.Why, marks = e.why, e.marks
	}
	if f.Read == nil {
		return c, true
	}
	got := f.text(p)
	if got == nil {
		return Chosen{}, false
	}
	c.Tokens = tokens(p, len(got.body))
	if c.Tokens > share+share/4 || strings.Count(got.body, "\n") > maxWhole {
		c.Spans, c.Tokens = regions(p, got.body, f.symbols(p), marks, share)
		if over := c.Tokens - share; over > 0 { // by the gaps that were closed
			c.Spans, c.Tokens = regions(p, got.body, f.symbols(p), marks, share-over)
		}
		ok = len(c.Spans) > 0
		return c, ok
	}
	return c, true
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
