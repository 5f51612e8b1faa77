package edits

import "strings"

// Alignment is the last tier: some of the block's context lines are not those
// of the file, are missing, extra, or elided. What the block changes must be
// certain all the same:
//
//   - every line that it drops is found, one below the other; where more lines
//     come than go, the file holds nothing unknown beside them;
//   - a pure insertion has both its neighbours found, adjacent in the file;
//     at the block's edge, or beside an elision, one;
//   - of the other lines, blank ones apart, at most one is not found, and not
//     without another that is: two false beliefs are no slip any more;
//   - no other place does as well, or nearly.
//
// Lines count as found if the indentation tier calls them equal.
const (
	alignSlack  = 4   // lines of the file that may be extra or missing around
	alignElided = 400 // lines that an elision may stand for
	alignStarts = 64  // places tried: of the rarest line that must be found
	alignCells  = 1 << 20

	scoreMatch = 10 // a line found
	scoreBlank = 3  // a blank line found
	scoreSkip  = -1 // a line passed over, on either side
)

// align gives the best place for a block, and others that are as good.
func (t *text) align(f form) []spot {
	want := foldAll(f.old, Indentation)
	hay := t.fold(Indentation)
	steps := delta(f.old, f.new)
	must := required(f.old, steps)
	if len(must) == 0 || len(f.old) == 1 {
		return nil
	}
	pivot, starts := t.rarest(want, must)
	if len(starts) == 0 || len(starts) > alignStarts {
		return nil
	}
	var all, whole []candidate
	for _, p := range starts {
		match, score := alignAt(hay, want, f.old, pivot, p)
		if match == nil || !enough(match, want, f.old) || !placed(match, hay, want, steps) {
			continue
		}
		c := candidate{spot: spot{tier: Alignment, old: f.old, new: f.new, match: match}, score: score}
		c.at, c.n = extent(match)
		c.certain = certain(match, hay, steps, f)
		if all = append(all, c); complete(match, want, f.old) {
			whole = append(whole, c)
		}
	}
	if len(whole) == 1 {
		return settled(whole)
	}
	return settled(leaders(all))
}

// candidate is a place that an alignment found. One where it is not certain what
// changes cannot be chosen, but stands in the way of others.
type candidate struct {
	spot
	score   int
	certain bool
}

// settled gives the places that are left: none where the only one is uncertain.
func settled(all []candidate) []spot {
	var out []spot
	for _, c := range all {
		if len(all) > 1 || c.certain {
			out = append(out, c.spot)
		}
	}
	return out
}

// complete reports whether every line that is not blank is found: no place that
// lacks one can be meant instead.
func complete(match []int, want, old []string) bool {
	for i, l := range want {
		if l != "" && match[i] < 0 || isElision(old[i]) {
			return false
		}
	}
	return true
}

// leaders keeps the places that score best, and those that come within one line of it.
func leaders(all []candidate) []candidate {
	top := 0
	for _, c := range all {
		top = max(top, c.score)
	}
	var out []candidate
	for _, c := range all {
		if c.score > top-scoreMatch-scoreMatch/2 && len(out) < maxPlaces {
			out = append(out, c)
		}
	}
	return out
}

// required lists the old lines that must be found: those that go, and the
// neighbours of what comes.
func required(old []string, steps []op) []int {
	var must []int
	add := func(i int) {
		if i >= 0 && i < len(old) && !isElision(old[i]) && (len(must) == 0 || must[len(must)-1] != i) {
			must = append(must, i)
		}
	}
	for i := 0; i < len(steps); i++ {
		switch steps[i].kind {
		case drop:
			add(steps[i].old)
		case insert:
			if i > 0 && steps[i-1].kind == keep {
				add(steps[i-1].old)
			}
			if i+1 < len(steps) && steps[i+1].kind == keep && pureInsert(steps, i) {
				add(steps[i+1].old)
			}
		}
	}
	return must
}

// pureInsert reports whether step i stands in a stretch that drops nothing.
func pureInsert(steps []op, i int) bool {
	for i > 0 && steps[i-1].kind == insert {
		i--
	}
	return i == 0 || steps[i-1].kind == keep
}

// rarest gives the required line that stands least often in the file, and where.
// Blank lines do not qualify, and nothing is told of lines that stand too often.
func (t *text) rarest(want []string, must []int) (pivot int, at []int) {
	places := map[string][]int{}
	for _, i := range must {
		if want[i] != "" {
			places[want[i]] = nil
		}
	}
	for p, l := range t.fold(Indentation) {
		if known, ok := places[l]; ok && len(known) <= alignStarts {
			places[l] = append(known, p)
		}
	}
	pivot = -1
	for _, i := range must {
		if want[i] == "" {
			continue
		}
		here := places[want[i]]
		if pivot < 0 || len(here) < len(at) || len(here) == len(at) && len(want[i]) > len(want[pivot]) {
			pivot, at = i, here
		}
	}
	return pivot, at
}

// alignAt aligns want with the lines around hay[p], where want[pivot] stands:
// the lines below the pivot downwards, those above it upwards.
func alignAt(hay, want, old []string, pivot, p int) (match []int, score int) {
	down, s1 := alignOn(hay[p+1:], want[pivot+1:], old[pivot+1:])
	up, s2 := alignOn(reversed(hay[max(0, p-reach(old[:pivot])):p]), reversed(want[:pivot]), reversed(old[:pivot]))
	if down == nil || up == nil {
		return nil, 0
	}
	match = make([]int, len(want))
	match[pivot] = p
	for i, m := range up {
		match[pivot-1-i] = -1
		if m >= 0 {
			match[pivot-1-i] = p - 1 - m
		}
	}
	for i, m := range down {
		match[pivot+1+i] = -1
		if m >= 0 {
			match[pivot+1+i] = p + 1 + m
		}
	}
	return match, s1 + s2 + scoreMatch
}

// reach is how many lines of the file may belong to lines of a block.
func reach(old []string) int {
	n := len(old) + alignSlack
	for _, l := range old {
		if isElision(l) {
			n += alignElided
		}
	}
	return n
}

func reversed(s []string) []string {
	out := make([]string, len(s))
	for i, l := range s {
		out[len(s)-1-i] = l
	}
	return out
}

// alignOn aligns all of want with the beginning of hay: the usual table, with
// lines passed over on either side at a small cost, by an elision at none. It
// gives the line of hay for each line of want, -1 for none; nil if the table
// would be too large.
func alignOn(hay, want, old []string) ([]int, int) {
	n := len(want)
	hay = hay[:min(len(hay), reach(old))]
	w := len(hay) + 1
	if (n+1)*w > alignCells {
		return nil, 0
	}
	// best[i*w+j]: of want[i:] with hay[j:]. Lines of hay behind the last match are free.
	best := make([]int32, (n+1)*w)
	for i := n - 1; i >= 0; i-- {
		free := isElision(old[i])
		for j := w - 1; j >= 0; j-- {
			b := best[(i+1)*w+j]
			if !free {
				b += scoreSkip
			}
			if j < len(hay) {
				if free {
					b = max(b, best[i*w+j+1])
				} else {
					b = max(b, best[i*w+j+1]+scoreSkip)
				}
				if s := same(want[i], hay[j]); s > 0 && !free {
					b = max(b, best[(i+1)*w+j+1]+s)
				}
			}
			best[i*w+j] = b
		}
	}
	match := make([]int, n)
	for i, j := 0, 0; i < n; i++ {
		match[i] = -1
		for j < len(hay) {
			free := isElision(old[i])
			b := best[i*w+j]
			if s := same(want[i], hay[j]); s > 0 && !free && b == best[(i+1)*w+j+1]+s {
				match[i] = j
				j++
				break
			}
			if free && b == best[(i+1)*w+j] || !free && b == best[(i+1)*w+j]+scoreSkip {
				break
			}
			j++
		}
	}
	return match, int(best[0])
}

// same scores a line of a block against one of the file; 0: they differ.
func same(a, b string) int32 {
	switch {
	case a != b:
		return 0
	case a == "":
		return scoreBlank
	}
	return scoreMatch
}

// certain checks the first two conditions.
func certain(match []int, hay []string, steps []op, f form) bool {
	for i := 0; i < len(steps); {
		if steps[i].kind == keep {
			i++
			continue
		}
		from := i
		for i < len(steps) && steps[i].kind != keep {
			i++
		}
		if !certainRun(match, hay, steps, from, i, f) {
			return false
		}
	}
	return true
}

// certainRun checks one stretch of drops and inserts, steps[from:to].
func certainRun(match []int, hay []string, steps []op, from, to int, f form) bool {
	old := f.old
	last, first, comes := -1, -1, 0
	firstNew, lastNew := "-", "-"
	for _, s := range steps[from:to] {
		if s.kind != drop {
			if comes++; firstNew == "-" {
				firstNew = f.new[s.new]
			}
			lastNew = f.new[s.new]
			continue
		}
		if first < 0 {
			first = s.old
		}
		comes--
		if match[s.old] < 0 || last >= 0 && match[s.old] != last+1 {
			return false
		}
		last = match[s.old]
	}
	if last >= 0 {
		// What comes in addition must have no other place to go: the file has no
		// lines at this end that the block does not know of.
		end := first + last - match[first]
		return comes <= 0 || tight(match, hay, old, first, -1, isBlank(firstNew)) && tight(match, hay, old, end, 1, isBlank(lastNew))
	}
	before, after := -1, -1 // where the neighbours stand
	open := 0               // neighbours that there need not be: the block's edge, an elision
	if from == 0 || isElision(old[steps[from-1].old]) {
		open++
	} else if before = match[steps[from-1].old]; before < 0 {
		return false
	}
	if to == len(steps) || isElision(old[steps[to].old]) {
		open++
	} else if after = match[steps[to].old]; after < 0 {
		return false
	}
	return open == 1 || open == 0 && after == before+1
}

// tight reports whether from old line i on, in direction d, as many lines stand
// in the file as in the block up to the next one that is found. Blank lines
// count only if a blank line comes there too.
func tight(match []int, hay, old []string, i, d int, blanks bool) bool {
	lines := 0 // of the block, less those of the file
	for j := i + d; j >= 0 && j < len(match); j += d {
		if isElision(old[j]) {
			return true
		}
		if match[j] < 0 {
			if blanks || !isBlank(old[j]) {
				lines++
			}
			continue
		}
		for at := match[i] + d; at != match[j]; at += d {
			if blanks || hay[at] != "" {
				lines--
			}
		}
		return lines == 0
	}
	return true
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// enough checks the third condition: one line may be lacking, if others are not.
func enough(match []int, want, old []string) bool {
	lost, found := 0, 0
	for i, l := range want {
		switch {
		case l == "" || isElision(old[i]):
		case match[i] < 0:
			lost++
		default:
			found++
		}
	}
	return lost <= 1 && found >= lost && found > 0
}

// placed reports whether the context speaks for the place: one telling line of
// it is found, or nearly so the only one there is; context without any such line
// must be there whole.
func placed(match []int, hay, want []string, steps []op) bool {
	telling, near, whole := 0, false, true
	for _, s := range steps {
		i := s.old
		if s.kind != keep || want[i] == "" || isElision(want[i]) {
			continue
		}
		whole = whole && match[i] >= 0
		if isTelling(want[i]) {
			if match[i] >= 0 {
				return true
			}
			telling++
			near = nearlyAt(match, hay, want, i)
		}
	}
	return telling == 1 && near || telling == 0 && whole
}

// nearlyAt reports whether the line of the file where old line i should stand,
// by its neighbours, is nearly the same.
func nearlyAt(match []int, hay, want []string, i int) bool {
	for _, d := range [...]int{-1, 1} {
		if j := i + d; j >= 0 && j < len(match) && match[j] >= 0 {
			if at := match[j] - d; at >= 0 && at < len(hay) && alikeness(want[i], hay[at]) >= 0.8 {
				return true
			}
		}
	}
	return false
}

// extent gives the range of lines that a match covers.
func extent(match []int) (at, n int) {
	first, last := -1, -1
	for _, m := range match {
		if m >= 0 {
			if first < 0 {
				first = m
			}
			last = m
		}
	}
	return first, last - first + 1
}
