package standin

import "math/rand/v2"

// rename alters one name in a line a little; false where it has none.
func rename(rng *rand.Rand, line string) (string, bool) {
	var from, to []int
	for i := 0; i < len(line); {
		n := 0
		for i+n < len(line) && nameByte(line[i+n], n > 0) {
			n++
		}
		if n >= 3 {
			from, to = append(from, i), append(to, i+n)
		}
		for i += max(1, n); n == 0 && i < len(line) && nameByte(line[i], true) && nameByte(line[i-1], true); i++ {
		}
	}
	if len(from) == 0 {
		return line, false
	}
	k := rng.IntN(len(from))
	word := line[from[k]:to[k]]
	other := word + []string{"s", "2", "_id", "Value"}[rng.IntN(4)]
	if n := len(word); n > 3 {
		switch rng.IntN(3) {
		case 0:
			other = word[:n-1]
		case 1:
			if swapped := word[:1] + word[2:3] + word[1:2] + word[3:]; swapped != word {
				other = swapped
			}
		}
	}
	return line[:from[k]] + other + line[to[k]:], true
}

// nameByte reports whether c may stand in a name, at its start or later.
func nameByte(c byte, later bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || later && '0' <= c && c <= '9'
}
