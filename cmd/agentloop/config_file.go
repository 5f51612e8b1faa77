package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

const maxConfigBytes = 1 << 20

// usageError is a mistake of the user's: main prints it and exits with 2.
type usageError struct {
	msg    string // one line
	hint   string // what to do; may be empty
	detail string // lines to show below, such as a diff; may be empty
}

func (e usageError) Error() string { return e.msg }

// configFile is a file read once: what is parsed, hashed and trusted are the
// same bytes.
type configFile struct {
	path string // as messages name it
	data []byte
	doc  map[string]toml.Primitive
	meta toml.MetaData
}

// readConfigFile reads a regular file. Where links is false the file itself may
// not be one. A file that is not there gives fs.ErrNotExist.
func readConfigFile(path, shown string, links bool) (*configFile, error) {
	stat := os.Lstat
	if links {
		stat = os.Stat
	}
	before, err := stat(path)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, usageError{msg: shown + ": must be a regular file, not a " + fileKind(before.Mode())}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(before, now) {
		return nil, usageError{msg: shown + ": was replaced while it was read"}
	}
	data, err := io.ReadAll(io.LimitReader(f, maxConfigBytes+1))
	if err != nil {
		return nil, err
	}
	return parseConfigFile(shown, data)
}

func fileKind(mode os.FileMode) string {
	switch {
	case mode&os.ModeSymlink != 0:
		return "link"
	case mode.IsDir():
		return "folder"
	}
	return "device or pipe"
}

// parseConfigFile parses without looking at names or types.
func parseConfigFile(shown string, data []byte) (*configFile, error) {
	if len(data) > maxConfigBytes {
		return nil, usageError{msg: fmt.Sprintf("%s: is larger than %d bytes", shown, maxConfigBytes)}
	}
	if line := tooDeep(string(data)); line > 0 {
		return nil, usageError{msg: fmt.Sprintf("%s:%d: nested deeper than %d", shown, line, maxConfigDepth)}
	}
	f := &configFile{path: shown, data: data}
	meta, err := toml.Decode(string(data), &f.doc)
	f.meta = meta
	var bad toml.ParseError
	if errors.As(err, &bad) {
		return nil, usageError{msg: fmt.Sprintf("%s:%d: %s", shown, bad.Position.Line, oneLine(bad.Message))}
	}
	if err != nil {
		return nil, usageError{msg: shown + ": " + oneLine(err.Error())}
	}
	return f, nil
}

// hash is the SHA-256 of the file, in hexadecimal digits.
func (f *configFile) hash() string {
	sum := sha256.Sum256(f.data)
	return hex.EncodeToString(sum[:])
}

// names lists the top of the document in the order in which it was written.
func (f *configFile) names() []string {
	var names []string
	seen := make(map[string]bool)
	for _, path := range f.meta.Keys() {
		if !seen[path[0]] {
			seen[path[0]] = true
			names = append(names, path[0])
		}
	}
	return names
}

// find gives what stands at a path of names.
func (f *configFile) find(path ...string) (found toml.Primitive, ok bool) {
	table := f.doc
	for i, name := range path {
		if found, ok = table[name]; !ok {
			return found, false
		}
		if i+1 < len(path) {
			if table, ok = f.table(found); !ok {
				return found, false
			}
		}
	}
	return found, ok
}

// value gives the plain value of an entry.
func (f *configFile) value(p toml.Primitive) (value any, err error) {
	err = f.meta.PrimitiveDecode(p, &value)
	return value, err
}

// table gives the entries of a table; ok is false where it is none, which the
// decoder leaves as nil instead of refusing it.
func (f *configFile) table(p toml.Primitive) (table map[string]toml.Primitive, ok bool) {
	err := f.meta.PrimitiveDecode(p, &table)
	return table, err == nil && table != nil
}

// located is decoded only to hear from the parser where a value stands.
type located struct{}

func (located) UnmarshalTOML(any) error { return errors.New("here") }

// line gives the line at which a path of names first stands, 0 if unknown. A
// table that only its entries imply stands where the first of them does.
func (f *configFile) line(path ...string) int {
	for _, full := range f.meta.Keys() {
		if len(full) < len(path) || !slices.Equal([]string(full[:len(path)]), path) {
			continue
		}
		entry, _ := f.find(full...)
		var here toml.ParseError
		if err := f.meta.PrimitiveDecode(entry, &located{}); errors.As(err, &here) {
			return here.Position.Line
		}
		return 0
	}
	return 0
}

// at names a place of the file, for messages and for where a value came from.
func (f *configFile) at(path ...string) string {
	if line := f.line(path...); line > 0 {
		return f.path + ":" + strconv.Itoa(line)
	}
	return f.path
}

func oneLine(text string) string {
	return strings.TrimSuffix(strings.Join(strings.Fields(strings.TrimPrefix(text, "toml: ")), " "), ".")
}
