package selection

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
)

const (
	cacheVersion = "agentloop facts 1\n" // another version is ignored: change it with what facts gives
	cacheFile    = "facts"
	maxCache     = 64 << 20 // bytes of the file
)

// Cache keeps what is known of files by their content, so that a second run
// reads only what changed. It is for one repository, and one goroutine.
//
// One file holds it: version, checksum, a table of keys in order with the end of
// each one's facts, and the facts, as facts gives them. It is replaced as a
// whole, so that of two programs which save at once one wins and neither sees
// half a file. What is damaged or of another version counts as empty.
type Cache struct {
	Dir string // the repository's folder under the state directory; it is made when needed

	loaded bool
	table  []byte // of rows
	data   string
}

// cacheKey is a blob's name, its first 20 bytes, and the language it is read in.
type cacheKey [21]byte

const row = len(cacheKey{}) + 4 // of the table: key, end in data

// keyOf is false for a file of which there are no facts.
func keyOf(f MapFile) (k cacheKey, ok bool) {
	k[20] = language(f.Path)
	if k[20] == 0 || f.Size > maxFactText || len(f.Blob) < 40 {
		return k, false
	}
	_, err := hex.Decode(k[:20], []byte(f.Blob[:40]))
	return k, err == nil
}

func (c *Cache) load() {
	if c.loaded {
		return
	}
	c.loaded = true
	file, err := os.ReadFile(filepath.Join(c.Dir, cacheFile))
	rest, current := bytes.CutPrefix(file, []byte(cacheVersion))
	if err != nil || !current || len(rest) < 8 || binary.LittleEndian.Uint32(rest) != crc32.Checksum(rest[4:], castagnoli()) {
		return
	}
	n := int(binary.LittleEndian.Uint32(rest[4:]))
	if rest = rest[8:]; n > len(rest)/row {
		return
	}
	c.table, c.data = rest[:n*row], string(rest[n*row:])
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func (c *Cache) len() int { return len(c.table) / row }

func (c *Cache) key(i int) cacheKey { return cacheKey(c.table[i*row:]) }

// end gives where the facts of key i end.
func (c *Cache) end(i int) int {
	if i < 0 {
		return 0
	}
	return min(int(binary.LittleEndian.Uint32(c.table[(i+1)*row-4:])), len(c.data))
}

func (c *Cache) facts(i int) string { return c.data[min(c.end(i-1), c.end(i)):c.end(i)] }

func (c *Cache) find(k cacheKey) (facts string, found bool) {
	i, found := sort.Find(c.len(), func(i int) int { return bytes.Compare(k[:], c.table[i*row:i*row+len(k)]) })
	if !found {
		return "", false
	}
	return c.facts(i), true
}

// add puts new facts beside the old ones and saves all. Where that is too much,
// those that keep does not name are dropped, and then as many as need be.
func (c *Cache) add(found map[cacheKey]string, keep func(cacheKey) bool) error {
	size := len(c.table) + len(c.data)
	for _, facts := range found {
		size += row + len(facts)
	}
	type record struct {
		key   cacheKey
		facts string
	}
	all := make([]record, 0, c.len()+len(found))
	for i := range c.len() {
		k := c.key(i)
		if _, again := found[k]; !again && (size <= maxCache || keep(k)) {
			all = append(all, record{k, c.facts(i)})
		}
	}
	for k, facts := range found {
		all = append(all, record{k, facts})
	}
	slices.SortFunc(all, func(a, b record) int { return bytes.Compare(a.key[:], b.key[:]) })
	next := &Cache{Dir: c.Dir, loaded: true, table: make([]byte, 0, len(all)*row)}
	var data strings.Builder
	data.Grow(min(size, maxCache))
	for _, one := range all {
		if len(next.table)+data.Len()+len(one.facts) > maxCache {
			break
		}
		data.WriteString(one.facts)
		next.table = binary.LittleEndian.AppendUint32(append(next.table, one.key[:]...), uint32(data.Len()))
	}
	next.data = data.String()
	*c = *next
	return c.save()
}

func (c *Cache) save() error {
	body := binary.LittleEndian.AppendUint32(nil, uint32(c.len()))
	body = append(append(body, c.table...), c.data...)
	sum := crc32.Checksum(body, castagnoli())
	head := binary.LittleEndian.AppendUint32([]byte(cacheVersion), sum)
	return c.replace(cacheFile, head, body)
}

// replace writes a file as a whole, for nobody else to read.
func (c *Cache) replace(name string, parts ...[]byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("save the cache of the repository's symbols: %w", err)
		}
	}()
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return err
	}
	c.sweep()
	f, err := os.CreateTemp(c.Dir, name+".*.tmp") // mode 0600
	if err != nil {
		return err
	}
	for _, part := range parts {
		if _, err = f.Write(part); err != nil {
			break
		}
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(c.Dir, name))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// sweep removes what a killed save left an hour ago or earlier.
func (c *Cache) sweep() {
	left, _ := filepath.Glob(filepath.Join(c.Dir, "*.tmp"))
	for _, file := range left {
		if info, err := os.Lstat(file); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.Remove(file)
		}
	}
}
