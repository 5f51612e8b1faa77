package edits

import "slices"

// lookup says where lines stand in a file that many blocks of one reply go to:
// made once from the file before the reply, and kept up to date by every change.
// It answers what a search through all lines would, in the time of a few lines.
type lookup struct {
	first map[string]int // the first place of each line in the file before the reply
	next  []int          // of each line there: the next place of an equal one, or -1
	moves []move         // sorted by line
	fresh map[string]int // lines that came since, and how often
}

// move says that the lines of the file before the reply from line on stand by
// lines further down.
type move struct{ line, by int }

const (
	lookupWork  = 200_000 // blocks times lines from which a lookup pays
	lookupCheap = 64      // places of a line up to which it is looked up
)

func newLookup(t *text) *lookup {
	w := &lookup{first: make(map[string]int, len(t.lines)), next: make([]int, len(t.lines)), fresh: map[string]int{}}
	for i := len(t.lines) - 1; i >= 0; i-- {
		w.next[i] = -1
		if p, ok := w.first[t.lines[i]]; ok {
			w.next[i] = p
		}
		w.first[t.lines[i]] = i
	}
	return w
}

// positions gives the first most places of needle in t; not ok if only a search
// through all lines can tell: a line of it came with this reply, or all of them
// stand too often.
func (w *lookup) positions(t *text, needle []string, most int) (at []int, ok bool) {
	rare, count := -1, lookupCheap+1
	for i, l := range needle {
		if w.fresh[l] > 0 {
			return nil, false
		}
		if n := w.count(l, count); n < count {
			rare, count = i, n
		}
	}
	if count > lookupCheap {
		return nil, false
	}
	p, ok := w.first[needle[rare]]
	for ; ok && p >= 0; p = w.next[p] {
		start := w.now(p) - rare
		if start < 0 || start+len(needle) > len(t.lines) || t.from[start+rare] != p {
			continue // gone
		}
		if slices.Equal(t.lines[start:start+len(needle)], needle) {
			if at = append(at, start); len(at) == most {
				break
			}
		}
	}
	return at, true
}

// count says how often a line stood before the reply, up to most.
func (w *lookup) count(l string, most int) int {
	p, ok := w.first[l]
	if !ok {
		return 0
	}
	n := 0
	for ; p >= 0 && n < most; p = w.next[p] {
		n++
	}
	return n
}

// now gives where a line of the file before the reply stands, if it still does.
func (w *lookup) now(line int) int {
	at := line
	for _, m := range w.moves {
		if m.line > line {
			break
		}
		at += m.by
	}
	return at
}

// replace takes a change in: new comes for t.lines[at:at+n].
func (w *lookup) replace(t *text, at, n int, new []string) {
	for _, l := range new {
		w.fresh[l]++
	}
	for i := at; i < at+n; i++ {
		if t.from[i] < 0 {
			w.fresh[t.lines[i]]--
		}
	}
	by := len(new) - n
	for i := at + n; i < len(t.from) && by != 0; i++ {
		if line := t.from[i]; line >= 0 {
			k, found := slices.BinarySearchFunc(w.moves, line, func(m move, line int) int { return m.line - line })
			if found {
				w.moves[k].by += by
			} else {
				w.moves = slices.Insert(w.moves, k, move{line, by})
			}
			return
		}
	}
}
