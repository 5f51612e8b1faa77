package worktree

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// ref gives the commit that HEAD, a branch or a ref of ours names, "" for none.
func (o *objects) ref(name string) (rev string, err error) {
	for range 5 { // as far as git follows symbolic refs
		if err := o.sound(name); err != nil {
			return "", err
		}
		ref, err := o.store.Reference(plumbing.ReferenceName(name))
		switch {
		case errors.Is(err, plumbing.ErrReferenceNotFound):
			return "", nil
		case err != nil:
			return "", err
		case ref.Type() == plumbing.SymbolicReference:
			name = ref.Target().String()
			continue
		}
		commit, err := object.GetCommit(o.store, ref.Hash())
		if err == nil && commit.Hash != ref.Hash() {
			err = errOnlyGit // damaged
		}
		return ref.Hash().String(), err
	}
	return "", errOnlyGit
}

// sound looks at the file of a ref. Where it is broken, go-git would answer with
// the packed ref, an older one. Refs that each work tree has for itself go-git
// looks for in the wrong place.
func (o *objects) sound(ref string) error {
	if ref != "HEAD" && !strings.HasPrefix(ref, "refs/heads/") && !strings.HasPrefix(ref, refRoot) {
		return errOnlyGit
	}
	f, err := o.files.Open(ref)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Read(make([]byte, 1))
	return err
}

// load fills in the contents of blobs, as many bytes as would be taken from git.
func (o *objects) load(ctx context.Context, sides []*side) error {
	room := int64(gitOutput)
	for _, s := range sides {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name := plumbing.NewHash(s.blob)
		blob, err := object.GetBlob(o.store, name)
		if err != nil {
			return err
		}
		if room -= blob.Size; room < 0 {
			return errOnlyGit
		}
		content, err := blob.Reader()
		if err != nil {
			return err
		}
		var text strings.Builder
		text.Grow(int(blob.Size))
		_, err = io.Copy(&text, content)
		if err = errors.Join(err, content.Close()); err != nil {
			return err
		}
		if s.content = text.String(); blob.Hash != name || int64(len(s.content)) != blob.Size {
			return errOnlyGit // damaged
		}
	}
	return nil
}
