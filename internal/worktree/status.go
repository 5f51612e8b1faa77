package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// status is what git status says.
type status struct {
	head    string // HEAD's commit; "" on an unborn branch
	entries []entry
}

// entry is one file that differs from HEAD on the disk or in the index.
type entry struct {
	path    string
	tracked bool
	gone    bool // not on the disk
}

// status compares the tree with HEAD. It takes no lock and does not touch the
// index. Submodules are not looked into.
func (r *Repo) status(ctx context.Context) (status, error) {
	settings, err := r.noLocalFilters(ctx)
	if err != nil {
		return status{}, err
	}
	out, err := r.start(ctx, call{settings: settings, args: []string{
		"status", "--porcelain=v2", "-z", "--branch", "--no-ahead-behind", "--untracked-files=all", "--no-renames", "--ignore-submodules=all",
	}})
	if err != nil {
		return status{}, err
	}
	return parseStatus(fields(out))
}

func parseStatus(lines []string) (status, error) {
	var s status
	for _, line := range lines {
		if line == "" {
			return status{}, fmt.Errorf("git status: an empty line")
		}
		// Words before the path: "1 XY sub mH mI mW hH hI path", "u XY sub m1 m2 m3 mW h1 h2 h3 path".
		words := map[byte]int{'1': 8, 'u': 10, '?': 1}[line[0]]
		if line[0] == '#' {
			if oid, ok := strings.CutPrefix(line, "# branch.oid "); ok && oid != "(initial)" {
				s.head = oid
			}
			continue
		}
		parts := strings.SplitN(line, " ", words+1)
		if words == 0 || len(parts) <= words {
			return status{}, fmt.Errorf("git status: cannot read %q", line)
		}
		path := parts[words]
		if strings.HasSuffix(path, "/") || line[0] != '?' && strings.HasPrefix(parts[2], "S") {
			continue // a repository inside this one
		}
		gone := line[0] == '1' && parts[5] == "000000" || line[0] == 'u' && parts[6] == "000000"
		s.entries = append(s.entries, entry{path, line[0] != '?', gone})
	}
	return s, nil
}

// among gives those of the paths that the status names, sorted.
func (s status) among(paths []string) []string {
	var found []string
	for _, e := range s.entries {
		if slices.Contains(paths, e.path) {
			found = append(found, e.path)
		}
	}
	slices.Sort(found)
	return found
}

// noLocalFilters gives settings that switch off every filter that the
// repository itself configures: they are programs, and git runs them when it
// compares or stages files. Filters of the user's own configuration stay.
func (r *Repo) noLocalFilters(ctx context.Context) ([]string, error) {
	drivers, err := r.localFilters(ctx)
	return filtersOff(drivers), err
}

func filtersOff(drivers []string) []string {
	var settings []string
	for _, driver := range drivers {
		key := "filter." + driver
		settings = append(settings, key+".clean", "", key+".smudge", "", key+".process", "", key+".required", "false")
	}
	return settings
}

// localFilters names the filters that are configured in the repository.
func (r *Repo) localFilters(ctx context.Context) ([]string, error) {
	if !r.configMentions("filter", "include") {
		return nil, nil
	}
	out, err := r.git(ctx, nil, "config", "--show-scope", "--name-only", "-z", "--get-regexp", `^filter\..*\.(clean|smudge|process)$`)
	if failed(err, 1) {
		return nil, nil // no such key
	}
	if err != nil {
		return nil, err
	}
	var drivers []string
	lines := fields(out)
	for i := 0; i+1 < len(lines); i += 2 {
		key := lines[i+1]
		if scope := lines[i]; scope != "local" && scope != "worktree" {
			continue
		}
		driver := key[len("filter."):strings.LastIndexByte(key, '.')]
		if !slices.Contains(drivers, driver) {
			drivers = append(drivers, driver)
		}
	}
	return drivers, nil
}

// configMentions reports whether a word stands anywhere in the repository's own
// configuration: where not even that is so, git need not be asked. A file that
// cannot be read counts as one that mentions it.
func (r *Repo) configMentions(words ...string) bool {
	for _, file := range []string{filepath.Join(r.CommonDir, "config"), filepath.Join(r.GitDir, "config.worktree")} {
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		lower := strings.ToLower(string(text))
		if err != nil || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, w) }) {
			return true
		}
	}
	return false
}
