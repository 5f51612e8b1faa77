package edits

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
	telling := false
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
		telling = telling || isTelling(old[s.old])
		last = match[s.old]
	}
	if last >= 0 {
		end := first + last - match[first]
		if up, down := beside(match, old, first, -1), beside(match, old, end, 1); !up && !down || !telling && !(up && down) {
			return false
		}
		// What comes in addition must have no other place to go: the file has no
		// lines at this end that the block does not know of.
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

// beside reports whether the line next to old line i, in direction d, is the one
// next to it in the file, too: a brace alone may be any brace.
func beside(match []int, old []string, i, d int) bool {
	j := i + d
	return j < 0 || j >= len(match) || isBlank(old[j]) || match[j] == match[i]+d
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
