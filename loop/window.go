package loop

import "slices"

const (
	// aroundEdit is how many lines are shown on both sides of what changed in a
	// file that is shown in parts.
	aroundEdit = 20
	// mostPlaces caps the changed places of one file that are shown: together
	// they come to about a page.
	mostPlaces = 20
)

// kept is a run of lines that two versions of a file share: where it begins in
// each, from 0, and how many lines it has.
type kept struct{ was, now, n int }

// alike pairs the lines that stay from one version of a file to another, as runs
// in order. The first and the last run may be empty; what is between two runs
// changed. It takes n log n time, and may take too much for changed, never too
// little.
func alike(was, now []string) []kept {
	head, tail := unchanged(was, now)
	end := kept{len(was) - tail, len(now) - tail, tail}
	runs := []kept{{0, 0, head}}
	for _, p := range rising(pairs(was, now, head, end)) {
		last := &runs[len(runs)-1]
		i, j := last.was+last.n, last.now+last.n
		if p.was < i || p.now < j {
			continue
		}
		for p.was > i && p.now > j && was[p.was-1] == now[p.now-1] {
			p.was, p.now, p.n = p.was-1, p.now-1, p.n+1
		}
		for p.was+p.n < end.was && p.now+p.n < end.now && was[p.was+p.n] == now[p.now+p.n] {
			p.n++
		}
		if p.was == i && p.now == j {
			last.n += p.n
		} else {
			runs = append(runs, p)
		}
	}
	return append(runs, end)
}

// pairs matches the lines between head and end that both versions hold equally
// often, the first with the first and so on, in the order of the old version.
func pairs(was, now []string, head int, end kept) (out []kept) {
	type places struct {
		was  int
		now  []int
		next int
	}
	of := map[string]*places{}
	for _, line := range was[head:end.was] {
		if of[line] == nil {
			of[line] = &places{}
		}
		of[line].was++
	}
	for j, line := range now[head:end.now] {
		if p := of[line]; p != nil {
			p.now = append(p.now, head+j)
		}
	}
	for i, line := range was[head:end.was] {
		if p := of[line]; p.was == len(p.now) {
			out = append(out, kept{head + i, p.now[p.next], 1})
			p.next++
		}
	}
	return out
}

// rising gives the longest row of pairs that stand in the same order in both versions.
func rising(all []kept) []kept {
	var ends []int // of the rows of n+1 pairs, at n: the last pair of the one that ends first
	before := make([]int, len(all))
	for i, p := range all {
		n, _ := slices.BinarySearchFunc(ends, p.now, func(e, now int) int { return all[e].now - now })
		if n == len(ends) {
			ends = append(ends, i)
		}
		if ends[n] = i; n > 0 {
			before[i] = ends[n-1]
		}
	}
	if ends == nil {
		return nil
	}
	out := make([]kept, len(ends))
	for n, i := len(ends)-1, ends[len(ends)-1]; n >= 0; n, i = n-1, before[i] {
		out[n] = all[i]
	}
	return out
}

// changes gives the places of the new version where lines came or went, with
// those around them. They may overlap, and reach beyond the file.
func changes(runs []kept) (out []Span) {
	for i, next := range runs[1:] {
		last := runs[i]
		from, to := last.now+last.n, next.now
		if from < to || last.was+last.n < next.was {
			out = append(out, Span{from + 1 - aroundEdit, to + aroundEdit})
		}
	}
	return out
}

// moved carries spans of the old version over to the new one, with their lines. A
// span that ends in a changed place gets all of it; one of lines that are all
// gone is left out, or gets what stands there now.
func moved(spans []Span, runs []kept) (out []Span) {
	end := runs[len(runs)-1]
	for _, s := range spans {
		s.From, s.To = max(s.From, 1), min(s.To, end.was+end.n)
		from := slices.IndexFunc(runs, func(r kept) bool { return s.From <= r.was+r.n })
		to := slices.IndexFunc(runs, func(r kept) bool { return s.To <= r.was+r.n })
		if from < 0 || s.From > s.To {
			continue
		}
		if r := runs[from]; s.From > r.was {
			s.From += r.now - r.was
		} else {
			s.From = runs[from-1].now + runs[from-1].n + 1
		}
		if r := runs[to]; s.To > r.was {
			s.To += r.now - r.was
		} else {
			s.To = r.now
		}
		out = append(out, s)
	}
	return out
}

// merged puts spans in order, within 1 to n, and makes one of those that touch.
func merged(spans []Span, n int) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return a.From - b.From })
	var out []Span
	for _, s := range spans {
		s.From, s.To = max(s.From, 1), min(s.To, n)
		switch {
		case s.From > s.To:
		case len(out) > 0 && s.From <= out[len(out)-1].To+1:
			out[len(out)-1].To = max(out[len(out)-1].To, s.To)
		default:
			out = append(out, s)
		}
	}
	return out
}
