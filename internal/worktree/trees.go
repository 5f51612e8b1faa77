package worktree

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// moves gives the files that differ between two commits, without their content,
// in git's order.
func (o *objects) moves(ctx context.Context, from, to string) ([]move, error) {
	a, err := o.tree(from)
	if err != nil {
		return nil, err
	}
	b, err := o.tree(to)
	if err != nil {
		return nil, err
	}
	var moves []move
	err = o.compare(ctx, "", a, b, &moves)
	slices.SortFunc(moves, func(a, b move) int { return strings.Compare(a.path, b.path) })
	return moves, err
}

// full is moves, with their content.
func (o *objects) full(ctx context.Context, from, to string) ([]move, error) {
	moves, err := o.moves(ctx, from, to)
	if err != nil {
		return nil, err
	}
	return moves, o.load(ctx, sides(moves))
}

// tree gives the tree of a commit; "" has none.
func (o *objects) tree(rev string) (plumbing.Hash, error) {
	if rev == "" {
		return plumbing.ZeroHash, nil
	}
	if len(rev) != 40 || !plumbing.IsHash(rev) {
		return plumbing.ZeroHash, errOnlyGit
	}
	commit, err := object.GetCommit(o.store, plumbing.NewHash(rev))
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return commit.TreeHash, nil
}

// compare reads only trees that differ. go-git's own DiffTree reads the children
// of every folder next to a changed one.
func (o *objects) compare(ctx context.Context, dir string, a, b plumbing.Hash, found *[]move) error {
	if a == b {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	from, err := o.entries(a)
	if err != nil {
		return err
	}
	to, err := o.entries(b)
	if err != nil {
		return err
	}
	var none object.TreeEntry
	for name, was := range from {
		if is := to[name]; is != was {
			if err := o.pair(ctx, dir+name, was, is, found); err != nil {
				return err
			}
		}
	}
	for name, is := range to {
		if from[name] == none {
			if err := o.pair(ctx, dir+name, none, is, found); err != nil {
				return err
			}
		}
	}
	return nil
}

// pair compares what one path stands for in two trees. A folder and a file of
// one name are both, the one's files and the other.
func (o *objects) pair(ctx context.Context, path string, was, is object.TreeEntry, found *[]move) error {
	var from, to plumbing.Hash
	if was.Mode == filemode.Dir {
		from, was = was.Hash, object.TreeEntry{}
	}
	if is.Mode == filemode.Dir {
		to, is = is.Hash, object.TreeEntry{}
	}
	if was != is {
		*found = append(*found, move{path, sideOf(was), sideOf(is)})
	}
	return o.compare(ctx, path+"/", from, to, found)
}

func sideOf(e object.TreeEntry) side {
	return side{mode: fmt.Sprintf("%06o", uint32(e.Mode)), blob: e.Hash.String()}
}

func (o *objects) entries(tree plumbing.Hash) (map[string]object.TreeEntry, error) {
	if tree == plumbing.ZeroHash {
		return nil, nil
	}
	t, err := object.GetTree(o.store, tree)
	if err != nil {
		return nil, err
	}
	entries := make(map[string]object.TreeEntry, len(t.Entries))
	for _, e := range t.Entries {
		entries[e.Name] = e
	}
	if t.Hash != tree || len(entries) != len(t.Entries) {
		return nil, errOnlyGit // damaged
	}
	return entries, nil
}
