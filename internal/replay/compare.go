package replay

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/agentloop/agentloop/edits"
)

// Old holds what an earlier engine made of cases, in short.
type Old map[string]digest // by id

type digest struct {
	ok    bool // every block is in
	files [sha256.Size]byte
}

// Difference says how today's result of a case differs from the old one.
type Difference string

// The differences; "" is none.
const (
	Rescued Difference = "rescued" // a block failed, now all are in
	Broken  Difference = "broken"  // all were in, now a block fails
	Changed Difference = "changed" // other bytes
	New     Difference = "new"     // the old results do not have the case
)

// ReadOld reads the lines that `replay --json` printed earlier.
func ReadOld(in *bufio.Reader) (Old, error) {
	old := Old{}
	for line := 1; ; line++ {
		raw, err := in.ReadBytes('\n')
		if len(raw) > 1 {
			var r Result
			if bad := json.Unmarshal(raw, &r); bad != nil || r.ID == "" {
				return nil, &BadCase{line, "not a result of agentloop replay --json"}
			}
			old[r.ID] = r.digest()
		}
		if errors.Is(err, io.EOF) {
			return old, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading old results: %w", err)
		}
	}
}

// Compare says how r differs from the old result of its case.
func (o Old) Compare(r Result) Difference {
	was, known := o[r.ID]
	is := r.digest()
	switch {
	case !known:
		return New
	case is.ok && !was.ok:
		return Rescued
	case was.ok && !is.ok:
		return Broken
	case was.files != is.files:
		return Changed
	}
	return ""
}

func (r Result) digest() digest {
	d := digest{ok: len(r.Malformed) == 0 && len(r.Outcomes) > 0}
	for _, o := range r.Outcomes {
		d.ok = d.ok && (o.Status == edits.Applied || o.Status == edits.WouldApply)
	}
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(r.Files)) {
		fmt.Fprintf(h, "%q ", path)
		if text := r.Files[path]; text != nil {
			fmt.Fprintf(h, "%d %s", len(*text), *text)
		}
	}
	h.Sum(d.files[:0])
	return d
}
