package edits

// op is one step of a delta: what becomes of one line of the old side, or a
// line that comes.
type op struct {
	kind opKind
	old  int // index into the old side, for keep and drop
	new  int // index into the new side, for keep and insert
}

type opKind uint8

const (
	keep opKind = iota
	drop
	insert
)

// maxCells caps the table that delta fills between the two sides' common ends.
// Sides that need more are a replacement of everything between these ends:
// the same bytes at the exact tier, a refusal risk below it.
const maxCells = 4 << 20

// delta gives a shortest list of steps that makes new out of old, drops before
// inserts where both stand at one place.
func delta(old, new []string) []op {
	pre := commonPrefix(old, new)
	post := 0
	for post < len(old)-pre && post < len(new)-pre && old[len(old)-1-post] == new[len(new)-1-post] {
		post++
	}
	ops := make([]op, 0, len(old)+len(new)-pre-post)
	for i := range pre {
		ops = append(ops, op{keep, i, i})
	}
	ops = middle(ops, old[:len(old)-post], new[:len(new)-post], pre)
	for i := range post {
		ops = append(ops, op{keep, len(old) - post + i, len(new) - post + i})
	}
	return ops
}

// middle appends the steps between the common ends: a longest common
// subsequence, read out of the usual table.
func middle(ops []op, old, new []string, pre int) []op {
	n, m := len(old)-pre, len(new)-pre
	if n == 0 || m == 0 || n*m > maxCells {
		for i := range n {
			ops = append(ops, op{drop, pre + i, 0})
		}
		for j := range m {
			ops = append(ops, op{insert, 0, pre + j})
		}
		return ops
	}
	w := m + 1
	longest := make([]int32, (n+1)*w) // longest[i*w+j]: of old[pre+i:] and new[pre+j:]
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if old[pre+i] == new[pre+j] {
				longest[i*w+j] = longest[(i+1)*w+j+1] + 1
			} else {
				longest[i*w+j] = max(longest[(i+1)*w+j], longest[i*w+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && old[pre+i] == new[pre+j]:
			ops = append(ops, op{keep, pre + i, pre + j})
			i, j = i+1, j+1
		case i < n && longest[(i+1)*w+j] == longest[i*w+j]:
			ops = append(ops, op{drop, pre + i, 0})
			i++
		default:
			ops = append(ops, op{insert, 0, pre + j})
			j++
		}
	}
	return ops
}
