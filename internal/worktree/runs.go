package worktree

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Snapshots is what a repository holds of one run.
type Snapshots struct {
	Run    string
	Began  time.Time
	Rounds []string // revs, by round; 0 is the tree before the run; a round without a snapshot changed nothing and has the rev before
	Last   string   // the newest rev
	Undone bool     // Undo has been here
	made   []string // folders that were not there before
	tree   string   // name of the work tree
}

const maxRounds = 100_000 // a ref with a higher number is not ours

// Runs gives the runs in this work tree that have snapshots, the newest first.
func (r *Repo) Runs(ctx context.Context) ([]Snapshots, error) {
	all, err := r.snapshots(ctx, refRoot)
	return slices.DeleteFunc(all, func(s Snapshots) bool { return s.tree != r.name() }), err
}

// Snapshots gives those of one run; an error where there are none, or where the
// run was in another work tree of the repository.
func (r *Repo) Snapshots(ctx context.Context, id string) (Snapshots, error) {
	if !isRunID(id) {
		return Snapshots{}, fmt.Errorf("run %q: no id of a run", id)
	}
	found, err := r.snapshots(ctx, refRoot+id+"/")
	switch {
	case err != nil:
		return Snapshots{}, err
	case len(found) == 0:
		return Snapshots{}, fmt.Errorf("run %s: no snapshots in this repository; \"agentloop runs\" lists what there is", id)
	case found[0].tree != r.name():
		return Snapshots{}, fmt.Errorf("run %s: it was in another work tree of this repository (%s)", id, found[0].tree)
	}
	return found[0], nil
}

func (r *Repo) snapshots(ctx context.Context, prefix string) ([]Snapshots, error) {
	out, err := r.git(ctx, nil, "for-each-ref", "--format=%(refname)%00%(objectname)%00%(committerdate:unix)%00%(contents:body)%00", prefix)
	if err != nil {
		return nil, err
	}
	runs := map[string]*Snapshots{}
	rounds := map[string]map[int]string{}
	for words := strings.Split(string(out), "\x00"); len(words) > 4; words = words[4:] {
		id, name, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(words[0]), refRoot), "/")
		if !ok {
			continue
		}
		s := runs[id]
		if s == nil {
			s = &Snapshots{Run: id}
			runs[id], rounds[id] = s, map[int]string{}
		}
		n, err := strconv.Atoi(name)
		switch {
		case err == nil && n >= 0 && n < maxRounds:
			rounds[id][n] = words[1]
		case name == "end":
			s.Last = words[1]
		case name == undoneName:
			s.Undone = true
		}
		if name == "0" {
			seconds, _ := strconv.ParseInt(words[2], 10, 64)
			s.Began, s.made = time.Unix(seconds, 0), trailers(words[3], folderTrailer)
			s.tree = strings.Join(trailers(words[3], treeTrailer), "")
		}
	}
	var all []Snapshots
	for id, s := range runs {
		if rounds[id][0] == "" {
			continue
		}
		for _, n := range slices.Sorted(maps.Keys(rounds[id])) {
			for len(s.Rounds) < n {
				s.Rounds = append(s.Rounds, s.Rounds[len(s.Rounds)-1])
			}
			s.Rounds = append(s.Rounds, rounds[id][n])
		}
		if s.Last == "" {
			s.Last = s.Rounds[len(s.Rounds)-1]
		}
		all = append(all, *s)
	}
	slices.SortFunc(all, func(a, b Snapshots) int {
		if c := b.Began.Compare(a.Began); c != 0 {
			return c
		}
		return strings.Compare(b.Run, a.Run)
	})
	return all, nil
}

// trailers gives the quoted values of one trailer.
func trailers(body, key string) []string {
	var values []string
	for line := range strings.Lines(body) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), key); ok {
			if value, err := strconv.Unquote(text); err == nil {
				values = append(values, value)
			}
		}
	}
	return values
}

// readRef gives the commit that a ref names, "" for none. It takes whole names.
func (r *Repo) readRef(ctx context.Context, ref string) (string, error) {
	return read(r, func(o *objects) (string, error) { return o.ref(ref) },
		func() (string, error) { return r.refByGit(ctx, ref) })
}

func (r *Repo) refByGit(ctx context.Context, ref string) (string, error) {
	out, err := r.git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if failed(err, 1) {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}
