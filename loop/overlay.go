package loop

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/agentloop/agentloop/edits"
)

// Overlay is a tree in memory over another one that is only read: for replays,
// for tests, and for whoever wants to see what a reply would do. The zero value
// is an empty tree.
type Overlay struct {
	Under func(path string) (string, error) // may be nil: nothing is there
	files map[string]*string                // nil: deleted
}

// Read gives a file as written last, else as it is underneath.
func (o *Overlay) Read(path string) (string, error) {
	if content, ok := o.files[path]; ok {
		if content == nil {
			return "", fmt.Errorf("%s: %w", path, fs.ErrNotExist)
		}
		return *content, nil
	}
	if o.Under == nil {
		return "", fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return o.Under(path)
}

// Write keeps the changes in memory, all or none.
func (o *Overlay) Write(_ context.Context, changes []edits.Change) error {
	for _, c := range changes {
		if now, err := o.Read(c.Path); (err == nil) != c.Existed || now != c.Before {
			return &edits.Refusal{Path: c.Path, Reason: edits.ChangedOnDisk, Why: "it is no longer as it was read"}
		}
	}
	if o.files == nil {
		o.files = map[string]*string{}
	}
	for _, c := range changes {
		o.files[c.Path] = &c.After
		if c.Delete {
			o.files[c.Path] = nil
		}
	}
	return nil
}

// Snapshot names the state after a round; nothing is kept of earlier ones.
func (o *Overlay) Snapshot(_ context.Context, n int) (string, error) {
	return fmt.Sprintf("memory-%d", n), nil
}
