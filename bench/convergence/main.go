// Command convergence measures the whole loop against the stand-in model: real
// changes become tasks, the stand-in answers over real HTTP with seeded faults,
// and the built program has three rounds to reach the wanted tree, byte for byte.
//
//	go run ./bench/convergence                    # both mixes, a table
//	go run ./bench/convergence --json > now.json
//	go run ./bench/convergence --mix api --id commit-… --keep /tmp/one
//
// How: each task gets a git repository, a home and a server of its own, so tasks
// do not know of each other; a task's faults depend on the seed and its id only,
// so one can be repeated alone. The program is run as a user would, and judged by
// the tree it leaves.
//
// What not: it is no test. It fails (exit 1) only for a task that hung or left
// wrong bytes, or, with --need, for too few tasks that converged.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentloop/agentloop/internal/standin"
)

// settings are what the flags say.
type settings struct {
	bin, tasks, id, keep, format, validate string
	mixes                                  []string
	seed                                   uint64
	limit, rounds, parallel                int
	timeout                                time.Duration
	need                                   float64
	asJSON                                 bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	set, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "convergence:", err)
		os.Exit(2)
	}
	ok, err := run(ctx, set, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "convergence:", err)
	}
	if !ok || err != nil {
		os.Exit(1)
	}
}

func parse(args []string, errs io.Writer) (settings, error) {
	var s settings
	var mixes string
	f := flag.NewFlagSet("convergence", flag.ContinueOnError)
	f.SetOutput(errs)
	f.StringVar(&s.bin, "bin", "", "the agentloop program; without it, it is built")
	f.StringVar(&s.tasks, "tasks", "", "folder of txtar pairs, or file of commits; without it, the shared corpus or else testdata/pairs")
	f.StringVar(&mixes, "mix", "api,cheap", "which mixes of faults: api, cheap, none")
	f.StringVar(&s.validate, "validate", "", "what the program does with files that no longer parse: off, warn or refuse (its default)")
	f.StringVar(&s.format, "format", "search-replace", "the edit format to ask for; tools: the model edits by calls")
	f.StringVar(&s.id, "id", "", "only the task of this id")
	f.StringVar(&s.keep, "keep", "", "keep tree, transcript, prompts and replies below this folder")
	f.Uint64Var(&s.seed, "seed", 1, "what the faults are drawn by")
	f.IntVar(&s.limit, "limit", 0, "only the first N tasks; 0: all")
	f.IntVar(&s.rounds, "rounds", 3, "rounds allowed")
	f.IntVar(&s.parallel, "parallel", 2, "tasks at a time")
	f.DurationVar(&s.timeout, "timeout", time.Minute, "after which a task counts as hung")
	f.Float64Var(&s.need, "need", 0, "fail if fewer than this many percent converge in any mix")
	f.BoolVar(&s.asJSON, "json", false, "print everything as JSON")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if f.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if s.rounds < 1 || s.parallel < 1 || s.timeout <= 0 {
		return s, errors.New("--rounds, --parallel and --timeout must be positive")
	}
	s.mixes = strings.Split(mixes, ",")
	for _, name := range s.mixes {
		if _, err := options(name, 0); err != nil {
			return s, err
		}
	}
	return s, nil
}

// options gives the carelessness that a mix stands for.
func options(mix string, seed uint64) (standin.Options, error) {
	switch mix {
	case "api":
		return standin.Careless(seed, standin.APIMix()), nil
	case "cheap":
		return standin.Careless(seed, standin.CheapMix()), nil
	case "none":
		return standin.Options{Seed: seed}, nil
	}
	return standin.Options{}, fmt.Errorf("unknown mix %q: there are api, cheap and none", mix)
}

// run plays all tasks and reports whether the bars that always hold were met.
func run(ctx context.Context, set settings, out, errs io.Writer) (ok bool, err error) {
	temp, err := os.MkdirTemp("", "convergence-")
	if err != nil {
		return false, fmt.Errorf("make a place to work in: %w", err)
	}
	defer os.RemoveAll(temp)
	root, err := moduleRoot(ctx)
	if err != nil {
		return false, err
	}
	if set.bin, err = program(ctx, root, temp, set.bin); err != nil {
		return false, err
	}
	pairs, left, err := choose(root, set)
	if err != nil {
		return false, err
	}
	ok = true
	var scores []score
	for _, mix := range set.mixes {
		s := score{Mix: mix, Seed: set.seed, Format: set.format, Rounds: set.rounds, LeftOut: left}
		s.Tasks = playAll(ctx, set, mix, temp, pairs, errs)
		s.sum()
		scores = append(scores, s)
		ok = ok && s.Hung == 0 && s.WrongBytes == 0 && s.Broken == 0 && s.Percent >= set.need
	}
	if set.asJSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", " ")
		return ok, enc.Encode(scores)
	}
	for _, s := range scores {
		s.print(out)
	}
	return ok, ctx.Err()
}

// moduleRoot is the folder of the project that this program is part of.
func moduleRoot(ctx context.Context) (string, error) {
	b, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	mod := strings.TrimSpace(string(b))
	if err != nil || mod == "" || mod == os.DevNull {
		return "", fmt.Errorf("run this from inside the project: go env GOMOD says %q: %w", mod, errors.Join(err, os.ErrNotExist))
	}
	return filepath.Dir(mod), nil
}

// program gives the agentloop program to measure, built if none is named.
func program(ctx context.Context, root, temp, bin string) (string, error) {
	if bin != "" {
		return filepath.Abs(bin)
	}
	bin = filepath.Join(temp, "agentloop")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, "./cmd/agentloop")
	cmd.Dir = root
	if b, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build agentloop: %w\n%s", err, b)
	}
	return bin, nil
}

// choose reads the tasks; those that delete a file are left out and counted.
func choose(root string, set settings) (pairs []standin.Pair, left int, err error) {
	path := set.tasks
	if path == "" {
		path = filepath.Join(root, "..", "shared", "corpus", "commits.jsonl")
		if _, err := os.Stat(path); err != nil {
			path = filepath.Join(root, "testdata", "pairs")
		}
	}
	all, err := standin.ReadPairs(path)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range all {
		switch {
		case set.id != "" && p.ID != set.id:
		case p.Deletes:
			left++
		case set.limit == 0 || len(pairs) < set.limit:
			pairs = append(pairs, p)
		}
	}
	if len(pairs) == 0 {
		return nil, left, fmt.Errorf("%s holds no task to play (id %q, %d left out because they delete a file)", path, set.id, left)
	}
	return pairs, left, nil
}
