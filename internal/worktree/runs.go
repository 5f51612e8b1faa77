package worktree

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Snapshots is what a repository holds of one run.
type Snapshots struct {
	Run    string
	Began  time.Time
	Rounds []string // revs, by round; 0 is the tree before the run
	Last   string   // the newest rev
	made   []string // folders that were not there before
}

// Runs gives the runs that have snapshots, the newest first.
func (r *Repo) Runs(ctx context.Context) ([]Snapshots, error) {
	return r.snapshots(ctx, refRoot)
}

// Snapshots gives those of one run; an error where there are none.
func (r *Repo) Snapshots(ctx context.Context, id string) (Snapshots, error) {
	if !isRunID(id) {
		return Snapshots{}, fmt.Errorf("run %q: no id of a run", id)
	}
	found, err := r.snapshots(ctx, refRoot+id+"/")
	if err == nil && (len(found) == 0 || len(found[0].Rounds) == 0) {
		err = fmt.Errorf("run %s: no snapshots in this repository; \"agentloop runs\" lists what there is", id)
	}
	if err != nil {
		return Snapshots{}, err
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
		case err == nil:
			rounds[id][n] = words[1]
		case name == "end":
			s.Last = words[1]
		}
		if name == "0" {
			seconds, _ := strconv.ParseInt(words[2], 10, 64)
			s.Began, s.made = time.Unix(seconds, 0), newFolders(words[3])
		}
	}
	var all []Snapshots
	for id, s := range runs {
		for n := 0; rounds[id][n] != ""; n++ {
			s.Rounds = append(s.Rounds, rounds[id][n])
		}
		if s.Last == "" && len(s.Rounds) > 0 {
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

func newFolders(body string) []string {
	var dirs []string
	for line := range strings.Lines(body) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), folderTrailer); ok {
			if dir, err := strconv.Unquote(text); err == nil {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// readRef gives the commit that a ref names, "" for none.
func (r *Repo) readRef(ctx context.Context, ref string) (string, error) {
	out, err := r.git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	if failed(err, 1) {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}
