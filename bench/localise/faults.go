package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// tries is how many faults are seeded for one that the tests see, at most.
const tries = 4

// perFile keeps one large file from giving all cases of a module.
const perFile = 3

// faults seeds faults into a tree, one at a time, until most of them made its
// tests fail. The kinds take turns.
func (m *making) faults(ctx context.Context, t tree, most int) (cases []faultCase, err error) {
	var ran lines
	if t.Language == "go" {
		if ran, err = m.covered(ctx, t); err != nil {
			return nil, err
		}
	}
	byKind, err := m.drawn(t, ran)
	if err != nil {
		return nil, err
	}
	fails, builds, inFile := 0, 0, map[string]int{}
	for try := 0; fails < most && try < most*tries; try++ {
		kind := kinds[try%len(kinds)]
		list := byKind[kind]
		next := slices.IndexFunc(list, func(f mutation) bool { return inFile[f.File] < perFile })
		if next < 0 {
			continue
		}
		fault := list[next]
		byKind[kind] = list[next+1:]
		c, err := m.seen(ctx, t, fault)
		switch {
		case err != nil:
			return nil, err
		case c.Output == "" || c.Build && builds >= m.builds:
			continue
		case c.Build:
			builds++
		default:
			fails++
			inFile[fault.File]++
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// drawn lists the faults of a tree in lines that run (nil: anywhere) by kind, in an order drawn by the seed.
func (m *making) drawn(t tree, ran lines) (map[string][]mutation, error) {
	byKind := map[string][]mutation{}
	for _, file := range t.Files {
		found, err := t.list(file)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if ran == nil || ran[file][f.Line] {
				byKind[f.Kind] = append(byKind[f.Kind], f)
			}
		}
	}
	r := rand.New(rand.NewPCG(m.seed, 1))
	for _, kind := range kinds {
		list := byKind[kind]
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return byKind, nil
}

// noBuild tells that a compiler, a vet or an import refused the fault, so no test
// could see it.
var noBuild = regexp.MustCompile(`\[(build|setup) failed\]|(?m)^(SyntaxError|IndentationError): `)

// seen runs the check with the fault in the tree. The case has no output if the
// check passes or was ended.
func (m *making) seen(ctx context.Context, t tree, fault mutation) (c faultCase, err error) {
	name := filepath.Join(t.Dir, filepath.FromSlash(fault.File))
	text, err := os.ReadFile(name)
	if err != nil {
		return c, fmt.Errorf("seed a fault: %w", err)
	}
	faulty, ok := fault.in(string(text))
	if !ok {
		return c, fmt.Errorf("seed a fault: %s is not as it was", name)
	}
	if err := os.WriteFile(name, []byte(faulty), 0o644); err != nil {
		return c, fmt.Errorf("seed a fault: %w", err)
	}
	defer func() {
		if back := os.WriteFile(name, text, 0o644); err == nil && back != nil {
			err = fmt.Errorf("undo a fault: %w", back)
		}
	}()
	id := fmt.Sprintf("%s:%s:%d-%d:%s", t.Module, fault.File, fault.From, fault.To, fault.Kind)
	// A test that no longer ends is what the user's own limit would end, only sooner.
	line := strings.Replace(t.Check, "go test", "go test -timeout="+m.slow.String(), 1)
	p, err := m.printed(ctx, t, line, 3*m.slow, id+fault.New)
	if err != nil || p.Passed || p.Over {
		return c, err
	}
	return faultCase{
		ID: id, Language: t.Language, Module: t.Module, Tree: t.Dir, mutation: fault,
		Build: noBuild.MatchString(p.Output), Check: t.Check, Output: p.Output,
	}, nil
}
