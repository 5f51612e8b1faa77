package selection

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// MapFile is a file of the index.
type MapFile struct {
	Path string
	Blob string // its content's name, in hexadecimal
	Size int64  // bytes; 0 if not known
}

// Survey is what the files of a tree say of each other.
type Survey struct {
	Refs      map[string]int  // how often the most referenced files are, at most 2,000 of them
	Generated map[string]bool // files that say so, or look so; at most 10,000
	Read      int             // files that had to be read
	Unread    int             // files that were left out, since ctx ended
}

// Survey counts references among files, which are sorted by path. What it needs
// of files that the cache does not know it gets from read: a file's text, and
// whether that is sure to be the content that Blob names; if not, the text's own
// hash is asked. A file that cannot be read counts as empty.
//
// The result depends on the files alone, unless ctx ends, or a file was changed
// whose staged content was never seen; only then it is not kept, and the next
// survey does it again. The error is about saving: the survey holds anyway.
func (c *Cache) Survey(ctx context.Context, files []MapFile, read func(path string) (text string, sure bool, err error)) (Survey, error) {
	tree := treeName(files)
	if s, ok := c.ranks(tree); ok {
		return s, nil
	}
	c.load()
	facts := make([]string, len(files))
	keys := make(map[cacheKey]bool, len(files))
	var missing []int
	for i, f := range files {
		k, ok := keyOf(f)
		if !ok {
			continue
		}
		keys[k] = true
		if text, found := c.find(k); found {
			facts[i] = text
		} else {
			missing = append(missing, i)
		}
	}
	g := gathering{files: files, facts: facts, read: read, found: map[cacheKey]string{}}
	g.all(ctx, missing)
	s := Survey{Refs: most(files, countReferences(files, facts)), Generated: marked(files, facts), Read: int(g.done), Unread: len(missing) - int(g.done)}
	var err error
	if len(g.found) > 0 {
		err = c.add(g.found, func(k cacheKey) bool { return keys[k] })
	}
	if s.Unread == 0 && !g.unsure {
		err = errors.Join(err, c.saveRanks(tree, s))
	}
	return s, err
}

// gathering reads files on all processors.
type gathering struct {
	files []MapFile
	facts []string
	read  func(path string) (string, bool, error)
	next  atomic.Int64
	done  int64

	mu     sync.Mutex
	found  map[cacheKey]string
	unsure bool
}

func (g *gathering) all(ctx context.Context, missing []int) {
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(missing)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				n := int(g.next.Add(1)) - 1
				if n >= len(missing) {
					return
				}
				g.one(missing[n])
			}
		})
	}
	wg.Wait()
}

func (g *gathering) one(i int) {
	f := g.files[i]
	text, sure, err := g.read(f.Path)
	if err == nil && !sure {
		sure = blobName(text) == f.Blob
	}
	known := ""
	if err == nil && !hasNUL(text) {
		known = facts(f.Path, text)
	}
	g.facts[i] = known
	k, _ := keyOf(f)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done++
	switch {
	case err == nil && sure:
		g.found[k] = known
	case err == nil, errors.Is(err, fs.ErrNotExist):
		g.unsure = true
	}
}

func hasNUL(text string) bool { return strings.IndexByte(text[:min(len(text), 8<<10)], 0) >= 0 }

// blobName is git's name for a content, where it uses SHA-1.
func blobName(text string) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00%s", len(text), text)
	return hex.EncodeToString(h.Sum(nil))
}
