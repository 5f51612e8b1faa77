package loop

import (
	"context"

	"github.com/agentloop/agentloop/edits"
)

// Tree is the files that a run may edit. Paths are relative, with slashes.
//
// Implementations: the git work tree; an overlay that keeps changes in memory
// (dry run, replay).
type Tree interface {
	// Read gives a file's content. A path that may not be used gives
	// *edits.Refusal, one that does not exist fs.ErrNotExist.
	Read(path string) (string, error)
	// Write makes all changes or none. A file that is no longer as
	// Change.Before says gives *edits.Refusal with reason changed-on-disk.
	Write(ctx context.Context, changes []edits.Change) error
	// Snapshot keeps the tree as it is after round n (0: before the first) and
	// names it.
	Snapshot(ctx context.Context, n int) (rev string, err error)
}
