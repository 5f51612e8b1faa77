package edits

// grams counts the two-byte pieces of a line, by a hash. Two pieces in one place
// make lines a little more alike than they are, which does no harm.
type grams struct {
	n     int // pieces
	count [1024]uint8
	taken []uint16 // scratch
}

func hashGram(a, b byte) uint16 { return (uint16(a)*31 + uint16(b)) & 1023 }

func newGrams(s string) *grams {
	g := &grams{}
	for i := 0; i+2 <= len(s); i++ {
		if h := hashGram(s[i], s[i+1]); g.count[h] < 255 {
			g.count[h]++
			g.n++
		}
	}
	return g
}

// like is the share of pieces that s has in common with the line of g: 0 to 1.
func (g *grams) like(s string) float64 {
	if len(s) < 2 || g.n == 0 {
		return 0
	}
	g.taken = g.taken[:0]
	for i := 0; i+2 <= len(s); i++ {
		if h := hashGram(s[i], s[i+1]); g.count[h] > 0 {
			g.count[h]--
			g.taken = append(g.taken, h)
		}
	}
	for _, h := range g.taken {
		g.count[h]++
	}
	return 2 * float64(len(g.taken)) / float64(g.n+len(s)-1)
}

// alikeness is how much two lines have in common: 0 to 1.
func alikeness(a, b string) float64 {
	switch {
	case a == b:
		return 1
	case len(a) > 4*len(b) || len(b) > 4*len(a):
		return 0
	}
	return newGrams(a).like(b)
}
