package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// lines tells which lines of which files something holds for.
type lines map[string]map[int]bool

// profiled is one line of Go's coverage profile: a block that ran. Files of other
// modules do not end up in the tree's lines, as their paths are not the module's.
var profiled = regexp.MustCompile(`(?m)^(\S+):(\d+)\.\d+,(\d+)\.\d+ \d+ [1-9]\d*$`)

// covered gives the lines that any test of a Go tree runs: elsewhere no test can
// see a fault, and to seed it would only take time. Nil where that is not known.
func (m *making) covered(ctx context.Context, t tree) (lines, error) {
	at := filepath.Join(m.cache, "outputs", filepath.Base(t.Dir)+".cover")
	if !exists(at) {
		packages := strings.TrimPrefix(t.Check, "go test ")
		line := "go test -count=1 -coverpkg=" + strings.ReplaceAll(packages, " ", ",") + " -coverprofile=" + at + ".new " + packages
		if p, err := (shell{dir: t.Dir, limit: 6 * m.slow, env: t.Env}).run(ctx, line); err != nil || !p.Passed {
			return nil, err
		}
		if err := os.Rename(at+".new", at); err != nil {
			return nil, fmt.Errorf("keep the coverage: %w", err)
		}
	}
	profile, err := os.ReadFile(at)
	if err != nil {
		return nil, fmt.Errorf("read the coverage: %w", err)
	}
	return ran(string(profile), t.path()+"/"), nil
}

// ran reads a profile; prefix is what its paths begin with.
func ran(profile, prefix string) lines {
	all := lines{}
	for _, block := range profiled.FindAllStringSubmatch(profile, -1) {
		file := strings.TrimPrefix(block[1], prefix)
		from, _ := strconv.Atoi(block[2])
		to, _ := strconv.Atoi(block[3])
		if all[file] == nil {
			all[file] = map[int]bool{}
		}
		for n := from; n <= to; n++ {
			all[file][n] = true
		}
	}
	return all
}
