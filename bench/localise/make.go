package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// making is what make is told by its flags.
type making struct {
	cache, out string
	language   string
	want, each int // cases in all, and of one module
	builds     int // faults that do not compile, of one module
	slow       time.Duration
	seed       uint64
	errs       io.Writer
}

// run makes cases until there are enough, a module at a time. What a command
// printed is kept in the cache, so that a run that was ended goes on where it was.
func (m *making) run(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Join(m.cache, "outputs"), 0o755); err != nil {
		return fmt.Errorf("make the cache: %w", err)
	}
	origins, err := m.places(ctx)
	if err != nil {
		return err
	}
	var cases []faultCase
	modules := 0
	for _, o := range origins {
		if count(cases) >= m.want {
			break
		}
		got, why, err := m.module(ctx, o, min(m.each, m.want-count(cases)))
		if err != nil {
			return err
		}
		if why != "" {
			fmt.Fprintf(m.errs, "skipped %s: %s\n", o.name, why)
			continue
		}
		modules++
		cases = append(cases, got...)
		fmt.Fprintf(m.errs, "%4d cases of %d modules, last %s: %d\n", count(cases), modules, o.name, count(got))
		if err := writeCases(m.out, cases); err != nil {
			return err
		}
	}
	if n := count(cases); n < m.want {
		return fmt.Errorf("only %d of %d cases could be made", n, m.want)
	}
	return nil
}

// count leaves out the cases beside the main figure.
func count(cases []faultCase) (n int) {
	for _, c := range cases {
		if !c.Build {
			n++
		}
	}
	return n
}

// places lists what trees can be made of, in an order drawn by the seed.
func (m *making) places(ctx context.Context) ([]origin, error) {
	if m.language == "python" {
		return pythonOrigins(ctx)
	}
	all, err := cachedModules(ctx)
	if err != nil {
		return nil, err
	}
	std, err := stdPackages(ctx)
	if err != nil {
		return nil, err
	}
	all = append(all, std...)
	slices.SortFunc(all, func(a, b origin) int { return strings.Compare(a.name, b.name) })
	rand.New(rand.NewPCG(m.seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	slices.SortStableFunc(all, func(a, b origin) int { return cmp.Compare(rank(a), rank(b)) })
	return all, nil
}

// rank puts real modules before packages that were made one.
func rank(o origin) int {
	if o.std {
		return 1
	}
	return 0
}

// module makes up to most cases of one module; why says why it has none.
func (m *making) module(ctx context.Context, o origin, most int) (cases []faultCase, why string, err error) {
	dir := filepath.Join(m.cache, "trees")
	var t tree
	if m.language == "python" {
		t, why, err = pythonTree(ctx, o, dir)
	} else {
		t, why, err = goTree(o, dir)
	}
	if why != "" || err != nil {
		return nil, why, err
	}
	if why, err := m.baseline(ctx, &t); why != "" || err != nil {
		return nil, why, err
	}
	if err := commit(ctx, t.Dir); err != nil {
		return nil, "", err
	}
	cases, err = m.faults(ctx, t, most)
	if err == nil && count(cases) == 0 {
		why = "its tests see none of the faults"
	}
	return cases, why, err
}

// baseline says why a tree's check is of no use without a fault: it must pass
// twice (a test that fails now and then proves nothing), the second time soon.
// Go packages whose tests fail offline are left out of the check.
func (m *making) baseline(ctx context.Context, t *tree) (why string, err error) {
	first, err := m.printed(ctx, *t, fresh(t.Check), 6*m.slow, "first")
	if err != nil || first.Over {
		return fmt.Sprintf("its check takes longer than %v", 6*m.slow), err
	}
	if !first.Passed && !t.narrow(first.Output) {
		return "its check fails offline: " + firstTrouble(first.Output), nil
	}
	second, err := m.printed(ctx, *t, fresh(t.Check), m.slow, "second")
	switch {
	case err != nil || second.Over:
		return fmt.Sprintf("its check takes longer than %v", m.slow), err
	case !second.Passed:
		return "its check fails offline: " + firstTrouble(second.Output), nil
	}
	return "", nil
}

// fresh is the check without what Go remembers of earlier runs.
func fresh(check string) string { return strings.Replace(check, "go test", "go test -count=1", 1) }

// firstTrouble is the line of an output that tells most.
func firstTrouble(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines {
		if strings.Contains(line, "FAIL") || strings.Contains(line, "error") || strings.Contains(line, ": cannot ") || strings.Contains(line, "disabled by") {
			return strings.TrimSpace(line)
		}
	}
	return lines[0]
}

// printed runs a command in a tree, unless the cache has what it printed. key
// tells apart what the module's name and the command do not.
func (m *making) printed(ctx context.Context, t tree, line string, limit time.Duration, key string) (p printed, err error) {
	sum := sha256.Sum256([]byte(strings.Join([]string{t.Module, line, key}, "\x00")))
	at := filepath.Join(m.cache, "outputs", hex.EncodeToString(sum[:12])+".json")
	if b, err := os.ReadFile(at); err == nil && json.Unmarshal(b, &p) == nil {
		return p, nil
	}
	if p, err = (shell{dir: t.Dir, limit: limit, env: t.Env}).run(ctx, line); err != nil {
		return p, err
	}
	b, err := json.Marshal(p)
	if err != nil {
		return p, err
	}
	return p, os.WriteFile(at, b, 0o644)
}
