package worktree

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"time"
)

// The layout is git's Documentation/gitformat-index: a head, entries, and
// extensions, of which those in small letters change what the entries mean.
const (
	indexHead    = 12      // "DIRC", version, number of entries
	indexStat    = 40      // what stat said, before the blob's name
	indexHash    = 20      // of a blob's name, and of what ends the file
	flagExtended = 1 << 14 // two more bytes of flags follow
	flagStage    = 3 << 12
	flagSkip     = 1 << 14 // of those: not checked out
)

var errIndex = errors.New("not an index that is read here")

// parseIndex reads versions 2 to 4. written is when the index was.
func parseIndex(data []byte, written time.Time) ([]Entry, error) {
	p := indexParser{data: data, written: written}
	if len(data) < indexHead+indexHash || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	p.version = binary.BigEndian.Uint32(data[4:])
	n := int(binary.BigEndian.Uint32(data[8:]))
	if p.version < 2 || p.version > 4 || n > len(data)/(indexStat+indexHash) {
		return nil, errIndex
	}
	p.text = string(data) // paths are parts of it
	p.names = make([]byte, 0, n*2*indexHash)
	p.at = indexHead
	entries := make([]Entry, 0, n)
	for range n {
		e, listed, err := p.entry()
		if err != nil {
			return nil, err
		}
		if listed {
			entries = append(entries, e)
		}
	}
	return p.named(entries), p.extensions()
}

type indexParser struct {
	data    []byte
	text    string
	at      int
	version uint32
	written time.Time
	path    string // of the entry before
	names   []byte // of the blobs, in hexadecimal
}

// entry reads one entry; its blob's name goes to p.names.
func (p *indexParser) entry() (e Entry, listed bool, err error) {
	begun := p.at
	fixed := indexStat + indexHash + 2
	if len(p.data)-p.at < fixed+2 {
		return e, false, errIndex
	}
	d := p.data[p.at:]
	flags := binary.BigEndian.Uint16(d[fixed-2:])
	skipped := false
	if flags&flagExtended != 0 {
		skipped = binary.BigEndian.Uint16(d[fixed:])&flagSkip != 0
		fixed += 2
	}
	p.at += fixed
	if e.Path, err = p.name(begun); err != nil {
		return e, false, err
	}
	mode := binary.BigEndian.Uint32(d[24:])
	if mode>>12 == 0o4 {
		return e, false, errIndex // a whole folder: the index is sparse
	}
	if mode>>12 != 0o10 || skipped || flags&flagStage != 0 {
		return e, false, nil
	}
	e.Size = int64(binary.BigEndian.Uint32(d[36:]))
	changed := time.Unix(int64(binary.BigEndian.Uint32(d[8:])), int64(binary.BigEndian.Uint32(d[12:])))
	if changed.Unix() < p.written.Unix() {
		e.changed = changed
	}
	p.names = hex.AppendEncode(p.names, d[indexStat:indexStat+indexHash])
	return e, true, nil
}

// name reads the path of the entry that began there, and what pads it.
func (p *indexParser) name(begun int) (string, error) {
	kept := ""
	if p.version == 4 {
		n, ok := p.offset()
		if !ok || n > len(p.path) {
			return "", errIndex
		}
		kept = p.path[:len(p.path)-n]
	}
	length := strings.IndexByte(p.text[p.at:], 0)
	if length < 0 {
		return "", errIndex
	}
	p.path = p.text[p.at : p.at+length]
	p.at += length + 1
	if p.version == 4 {
		p.path = kept + p.path
	} else if p.at = begun + (p.at-1-begun+8)&^7; p.at > len(p.data) {
		return "", errIndex
	}
	return p.path, nil
}

// offset reads a number in git's variable encoding.
func (p *indexParser) offset() (n int, ok bool) {
	for i := p.at; i < len(p.data) && i < p.at+4; i++ {
		c := int(p.data[i])
		n = n<<7 | c&127
		if c < 128 {
			p.at = i + 1
			return n, true
		}
		n++
	}
	return 0, false
}

// named gives the entries the names of their blobs.
func (p *indexParser) named(entries []Entry) []Entry {
	names, n := string(p.names), 2*indexHash
	for i := range entries {
		entries[i].Blob = names[i*n : (i+1)*n]
	}
	return entries
}

// extensions looks for one that must be understood, and for the end.
func (p *indexParser) extensions() error {
	end := len(p.data) - indexHash
	for p.at < end {
		if end-p.at < 8 || p.data[p.at] >= 'a' {
			return errIndex
		}
		p.at += 8 + int(binary.BigEndian.Uint32(p.data[p.at+4:]))
	}
	if p.at != end {
		return errIndex
	}
	return nil
}
