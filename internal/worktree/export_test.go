package worktree

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// ParseIndex reads the bytes of an index file.
func ParseIndex(data []byte) ([]Entry, error) { return parseIndex(data, time.Now()) }

// Answers gives what one of the two readers says of two commits, of the tree of
// the second and of some refs, up to its first error.
func (r *Repo) Answers(ctx context.Context, goGit bool, from, to string, refs ...string) (string, error) {
	var said strings.Builder
	var failed error
	ask := func(what string, fast func(*objects) (any, error), git func() (any, error)) {
		if failed != nil {
			return
		}
		var answer any
		if goGit {
			answer, failed = without(r, fast)
		} else {
			answer, failed = git()
		}
		fmt.Fprintf(&said, "%s: %+q\n", what, answer)
	}
	ask("moves", func(o *objects) (any, error) { return o.full(ctx, from, to) }, func() (any, error) { return r.movesByGit(ctx, from, to) })
	ask("tree", func(o *objects) (any, error) { return o.recorded(ctx, to) }, func() (any, error) { return r.recordedByGit(ctx, to) })
	for _, ref := range refs {
		ask(ref, func(o *objects) (any, error) { return o.ref(ref) }, func() (any, error) { return r.refByGit(ctx, ref) })
	}
	return said.String(), failed
}
