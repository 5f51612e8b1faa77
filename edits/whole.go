package edits

import (
	"fmt"
	"slices"
	"strings"
)

// shrinkMost is the share of its lines that a file may lose to a whole-file
// block; beyond that the model left something out (faults SI-07).
const (
	shrinkMost  = 0.6
	shrinkLeast = 10 // files shorter than that may shrink as they like
)

// whole makes a file what a whole-file block says. Lines that stay keep their
// endings, a byte order mark and a missing final newline survive.
func (f *file) whole(o *Outcome, set Settings) {
	b := &o.Block
	if !f.there {
		f.create(o, set)
		return
	}
	if i := slices.IndexFunc(b.New, func(l string) bool { return (isElision(l) || leavesOut(l)) && !slices.Contains(f.now.lines, l) }); i >= 0 && !stubBody(b, i) {
		o.fail(Elided, &Failure{Detail: strings.TrimSpace(b.New[i])})
		return
	}
	if was, is := len(f.now.lines), len(b.New); was >= shrinkLeast && float64(was-is) > shrinkMost*float64(was) {
		o.fail(Elided, &Failure{Detail: fmt.Sprintf("the file would shrink from %d lines to %d", was, is)})
		return
	}
	s := spot{at: 0, n: len(f.now.lines), tier: Exact, old: f.now.lines, new: b.New}
	if slices.Equal(s.old, s.new) {
		o.done(NoChange, set)
		return
	}
	o.done("", set)
	o.Tier = Exact
	if len(s.old) == 0 {
		f.edit().replace(0, 0, s.new)
		o.Line = 1
		return
	}
	o.Line = f.replace(s) + 1
}

// leavesOut reports whether a line is a comment that says that code follows
// which is not written out.
func leavesOut(line string) bool {
	s := strings.TrimSpace(line)
	comment := false
	for _, open := range [...]string{"//", "#", "/*", "<!--", "--", ";", "%", "{/*", "*", "'", "REM "} {
		if rest, ok := strings.CutPrefix(s, open); ok {
			s, comment = strings.ToLower(strings.TrimSpace(rest)), true
			break
		}
	}
	if !comment || len(s) > 100 {
		return false
	}
	for _, w := range [...]string{"rest of the ", "rest of your ", "rest of file", "rest remains", "remains the same", "remain the same", "remains unchanged", "remain unchanged", "unchanged code", "existing code", "same as before", "code omitted", "previous code here", "other methods unchanged"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// lineRange replaces lines by their numbers in the file as it was before the
// reply, so that the order of a reply's calls does not matter.
func (f *file) lineRange(o *Outcome, set Settings, done *takes, i int) {
	b := &o.Block
	total := len(f.orig.lines)
	if b.End > total || b.Start > total+1 {
		o.fail(NotFound, &Failure{Detail: fmt.Sprintf("%d to %d, but the file has %d", b.Start, b.End, total)})
		return
	}
	if no, fail := f.check(b, set); fail != nil {
		o.fail(no, fail)
		return
	}
	if no, detail := f.clean(b); no != "" {
		o.fail(no, &Failure{Detail: detail})
		return
	}
	f.fit(b)
	r := claimOf(i, b)
	same, ok := done.call(r)
	if ok {
		o.apart(same, set)
		return
	}
	at, ok := f.find(r.from, r.to)
	if !ok {
		_, same, ok := done.clashRange(r)
		o.apart(ok && same, set)
		return
	}
	n := r.to - r.from
	if slices.Equal(f.now.lines[at:at+n], b.New) {
		o.done(NoChange, set)
		o.Line = at + 1
		return
	}
	done.takeRange(r)
	f.edit().replace(at, n, b.New)
	for line := range b.New {
		f.now.from[at+line] = origin(len(done.calls) - 1)
	}
	o.done("", set)
	if o.Tier, o.Line = Exact, at+1; b.cleaned {
		o.Tier = Cleaned
	}
}

// apart settles a call whose lines another has taken: it is done, if that does the
// same with the same lines.
func (o *Outcome) apart(same bool, set Settings) {
	if same {
		o.done(AlreadyApplied, set)
		return
	}
	o.fail(Conflict, &Failure{Detail: "another call of this reply changes the same lines"})
}
