package selection

import (
	"encoding/hex"
	"slices"
	"sort"
	"strings"
)

// Definers gives for each name the files that declare it, sorted, at most 100;
// names that none declares are not in it. It knows what Survey has read: of a
// file that was edited since it was staged, the staged text.
func (c *Cache) Definers(files []MapFile, names []string) map[string][]string {
	c.load()
	declared := map[string][]string{} // names by blob
	for _, n := range names {
		for _, i := range c.mentioning(n) {
			k := c.key(i)
			blob := hex.EncodeToString(k[:20])
			declared[blob] = append(declared[blob], n)
		}
	}
	found := map[string][]string{}
	for _, f := range files {
		for _, n := range declared[f.Blob[:min(40, len(f.Blob))]] {
			if list := found[n]; len(list) < 100 && language(f.Path) != 0 && !slices.Contains(list, f.Path) {
				found[n] = append(list, f.Path)
			}
		}
	}
	for _, list := range found {
		slices.Sort(list)
	}
	return found
}

// mentioning gives the indexes of the facts that have a symbol's line.
func (c *Cache) mentioning(symbol string) (found []int) {
	if symbol == "" || !declarable(symbol) || strings.Contains(symbol, "\n") {
		return nil
	}
	line := "\n" + symbol + "\n"
	for at := 0; ; {
		i := strings.Index(c.data[at:], line)
		if i < 0 {
			return found
		}
		at += i + 1 // the line's own end starts the next one
		found = append(found, sort.Search(c.len(), func(k int) bool { return c.end(k) > at }))
	}
}
