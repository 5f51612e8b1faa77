package selection

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	rankVersion  = "agentloop ranks 1\n"
	rankFile     = "ranks"
	maxRanked    = 2000
	maxGenerated = 10_000
)

// treeName is one for all of their paths and contents.
func treeName(files []MapFile) [sha256.Size]byte {
	h := sha256.New()
	var lines []byte
	for _, f := range files {
		lines = append(append(append(append(lines, f.Path...), 0), f.Blob...), '\n')
		if len(lines) > 32<<10 {
			h.Write(lines)
			lines = lines[:0]
		}
	}
	h.Write(lines)
	return [sha256.Size]byte(h.Sum(nil))
}

// most keeps the files with most references, the first ones where they have as many.
func most(files []MapFile, counts []int) map[string]int {
	var used []int
	for i, n := range counts {
		if n > 0 {
			used = append(used, i)
		}
	}
	slices.SortFunc(used, func(a, b int) int { return cmp.Or(counts[b]-counts[a], a-b) })
	kept := make(map[string]int, maxRanked)
	for _, i := range used[:min(len(used), maxRanked)] {
		kept[files[i].Path] = counts[i]
	}
	return kept
}

// ranked gives the paths, those counted most first.
func ranked(refs map[string]int) []string {
	paths := make([]string, 0, len(refs))
	for p := range refs {
		paths = append(paths, p)
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(refs[b]-refs[a], strings.Compare(a, b)) })
	return paths
}

func marked(files []MapFile, facts []string) map[string]bool {
	found := map[string]bool{}
	for i, text := range facts {
		if isMarked(text) && len(found) < maxGenerated {
			found[files[i].Path] = true
		}
	}
	return found
}

// ranks reads what saveRanks kept, if it is of this tree: a line for each file,
// "!" or how often it is referenced, a space, its path and a zero byte.
func (c *Cache) ranks(tree [sha256.Size]byte) (Survey, bool) {
	file, err := os.ReadFile(filepath.Join(c.Dir, rankFile))
	rest, current := bytes.CutPrefix(file, append([]byte(rankVersion), tree[:]...))
	if err != nil || !current || len(rest) < sha256.Size || sha256.Sum256(rest[sha256.Size:]) != [sha256.Size]byte(rest) {
		return Survey{}, false
	}
	s := Survey{Refs: map[string]int{}, Generated: map[string]bool{}}
	for line := range strings.SplitSeq(string(rest[sha256.Size:]), "\x00") {
		sign, p, _ := strings.Cut(line, " ")
		switch {
		case sign == factGenerated:
			s.Generated[p] = true
		case p != "":
			s.Refs[p], _ = strconv.Atoi(sign)
		}
	}
	return s, true
}

func (c *Cache) saveRanks(tree [sha256.Size]byte, s Survey) error {
	var lines []byte
	for _, p := range ranked(s.Refs) {
		lines = fmt.Appendf(lines, "%d %s\x00", s.Refs[p], p)
	}
	for p := range s.Generated {
		lines = fmt.Appendf(lines, "%s %s\x00", factGenerated, p)
	}
	sum := sha256.Sum256(lines)
	return c.replace(rankFile, []byte(rankVersion), tree[:], sum[:], lines)
}
