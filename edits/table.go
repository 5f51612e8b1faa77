package edits

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
