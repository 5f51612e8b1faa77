package worktree

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// What the index held of the files that a run staged is kept in a commit beside
// the run's snapshots, so that Undo can give back what the user had staged: each
// file twice, below before/ and below after/, as far as the index held it.
const (
	indexName   = "index"
	indexBefore = "before/"
	indexAfter  = "after/"
)

// indexEntry is what the index holds of one file; the zero value: nothing.
type indexEntry struct {
	mode, blob string
	unmerged   bool
}

func (r *Repo) indexed(ctx context.Context, paths []string) (map[string]indexEntry, error) {
	found := make(map[string]indexEntry, len(paths))
	lines, err := r.listed(ctx, paths, "--stage")
	if err != nil {
		return nil, err
	}
	for _, line := range lines {
		meta, path, _ := strings.Cut(line, "\t")
		words := strings.Fields(meta)
		if len(words) != 3 {
			return nil, fmt.Errorf("git ls-files: cannot read %q", line)
		}
		found[path] = indexEntry{words[0], words[1], words[2] != "0"}
	}
	return found, nil
}

// recordIndex keeps both states. Of a file that was staged before only the later
// state after is new.
func (r *Repo) recordIndex(ctx context.Context, id string, paths []string, before, after map[string]indexEntry) error {
	ref := refRoot + id + "/" + indexName
	rev, err := r.readRef(ctx, ref)
	if err != nil {
		return err
	}
	known, err := r.recordedIndex(ctx, rev)
	if err != nil {
		return err
	}
	commit := snapshot{ref: ref, from: rev, message: snapshotMessage(id, indexName)}
	_, err = r.record(ctx, commit, func(s *stream) error {
		for _, p := range paths {
			set := func(state string, entries map[string]indexEntry) {
				if e, ok := entries[p]; ok {
					s.name(state+p, e.mode, e.blob)
				} else {
					s.drop(state + p)
				}
			}
			_, was := known[indexBefore+p]
			_, is := known[indexAfter+p]
			if !was && !is {
				set(indexBefore, before)
			}
			set(indexAfter, after)
		}
		return nil
	})
	return err
}

// recordedIndex reads what recordIndex wrote; nothing where rev is "".
func (r *Repo) recordedIndex(ctx context.Context, rev string) (map[string]indexEntry, error) {
	if rev == "" {
		return nil, nil
	}
	return read(r, func(o *objects) (map[string]indexEntry, error) { return o.recorded(ctx, rev) },
		func() (map[string]indexEntry, error) { return r.recordedByGit(ctx, rev) })
}

func (o *objects) recorded(ctx context.Context, rev string) (map[string]indexEntry, error) {
	entries := map[string]indexEntry{}
	moves, err := o.moves(ctx, "", rev)
	for _, m := range moves {
		entries[m.path] = indexEntry{mode: m.to.mode, blob: m.to.blob}
	}
	return entries, err
}

func (r *Repo) recordedByGit(ctx context.Context, rev string) (map[string]indexEntry, error) {
	out, err := r.git(ctx, nil, "ls-tree", "-r", "-z", "--end-of-options", rev)
	if err != nil {
		return nil, err
	}
	entries := map[string]indexEntry{}
	for _, line := range fields(out) {
		meta, path, _ := strings.Cut(line, "\t")
		words := strings.Fields(meta) // mode, type, object
		if len(words) != 3 {
			return nil, fmt.Errorf("git ls-tree: cannot read %q", line)
		}
		entries[path] = indexEntry{mode: words[0], blob: words[2]}
	}
	return entries, nil
}

// unstage gives the index back what Stage replaced, where it still holds what
// Stage put there.
func (r *Repo) unstage(ctx context.Context, id string) error {
	rev, err := r.readRef(ctx, refRoot+id+"/"+indexName)
	if err != nil || rev == "" {
		return err
	}
	recorded, err := r.recordedIndex(ctx, rev)
	if err != nil {
		return err
	}
	var paths []string
	for name := range recorded {
		path, after := strings.CutPrefix(name, indexAfter)
		if !after {
			path = strings.TrimPrefix(name, indexBefore)
		}
		if recorded[indexBefore+path] != recorded[indexAfter+path] && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	now, err := r.indexed(ctx, paths)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, path := range paths {
		before, after := recorded[indexBefore+path], recorded[indexAfter+path]
		if now[path] != after {
			continue // somebody staged since
		}
		if before.mode == "" {
			before = indexEntry{mode: "0", blob: strings.Repeat("0", len(after.blob))}
		}
		fmt.Fprintf(&list, "%s %s\t%s\x00", before.mode, before.blob, path)
	}
	if list.Len() == 0 {
		return nil
	}
	settings, err := r.noLocalFilters(ctx)
	if err != nil {
		return err
	}
	return r.locked(ctx, settings, list.String(), "update-index", "-z", "--index-info")
}
