package worktree

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// move is one file's way from one snapshot to another.
type move struct {
	path     string
	from, to side
}

type side struct{ mode, blob, content string }

func (s side) exists() bool { return s.mode != "000000" }

// holds reports whether the file on the disk is this side of a move.
func (s side) holds(now file) bool {
	if !s.exists() {
		return now.gone
	}
	return !now.gone && !now.strange && now.content == s.content
}

// moves gives the files that differ between two snapshots, with their content.
func (r *Repo) moves(ctx context.Context, from, to string) ([]move, error) {
	return read(r, func(o *objects) ([]move, error) { return o.full(ctx, from, to) },
		func() ([]move, error) { return r.movesByGit(ctx, from, to) })
}

func (r *Repo) movesByGit(ctx context.Context, from, to string) ([]move, error) {
	out, err := r.git(ctx, nil, "diff-tree", "-r", "-z", "--no-renames", "--end-of-options", from, to, "--")
	if err != nil {
		return nil, err
	}
	var moves []move
	for lines := fields(out); len(lines) >= 2; lines = lines[2:] {
		words := strings.Fields(strings.TrimPrefix(lines[0], ":"))
		if len(words) != 5 {
			return nil, fmt.Errorf("git diff-tree: cannot read %q", lines[0])
		}
		moves = append(moves, move{lines[1], side{mode: words[0], blob: words[2]}, side{mode: words[1], blob: words[3]}})
	}
	return moves, r.load(ctx, sides(moves))
}

// sides gives those that have a content to load.
func sides(moves []move) (wanted []*side) {
	for i := range moves {
		for _, s := range []*side{&moves[i].from, &moves[i].to} {
			if s.exists() {
				wanted = append(wanted, s)
			}
		}
	}
	return wanted
}

// load fills in the contents of blobs.
func (r *Repo) load(ctx context.Context, sides []*side) error {
	if len(sides) == 0 {
		return nil
	}
	var names strings.Builder
	for _, s := range sides {
		names.WriteString(s.blob + "\n")
	}
	out, err := r.git(ctx, strings.NewReader(names.String()), "cat-file", "--batch")
	if err != nil {
		return err
	}
	rest := string(out)
	for _, s := range sides {
		head, body, _ := strings.Cut(rest, "\n")
		words := strings.Fields(head) // "oid blob size"
		if len(words) != 3 || words[0] != s.blob {
			return fmt.Errorf("git cat-file: cannot read %q", head)
		}
		size, err := strconv.Atoi(words[2])
		if err != nil || size+1 > len(body) {
			return fmt.Errorf("git cat-file: cannot read %q", head)
		}
		s.content, rest = body[:size], body[size+1:]
	}
	return nil
}

// Touched gives the files that differ between a run's first and newest
// snapshot, sorted.
func (r *Repo) Touched(ctx context.Context, s Snapshots) ([]string, error) {
	return read(r, func(o *objects) (paths []string, err error) {
		moves, err := o.moves(ctx, s.Rounds[0], s.Last)
		for _, m := range moves {
			paths = append(paths, m.path)
		}
		return paths, err
	}, func() ([]string, error) { return r.touchedByGit(ctx, s) })
}

func (r *Repo) touchedByGit(ctx context.Context, s Snapshots) ([]string, error) {
	out, err := r.git(ctx, nil, "diff-tree", "-r", "-z", "--no-renames", "--name-only", "--end-of-options", s.Rounds[0], s.Last, "--")
	return fields(out), err
}
