// Command localise measures whether the right file is put in front of the model
// when the user names none: faults are seeded into real modules, their check is
// run, and the selection has to find the faulty file from what the check printed.
//
//	go run ./bench/localise make --out go.jsonl                       # slow, once
//	go run ./bench/localise make --language python --out py.jsonl --cases 100
//	go run ./bench/localise score go.jsonl py.jsonl                   # fast
//	go run ./bench/localise score --json go.jsonl > now.json
//
// How: make copies modules of the module cache (and packages of the standard
// library, made modules) to a folder, leaves out those whose check does not pass
// offline, and seeds one fault at a time into files with at least three siblings.
// A fault that the tests see becomes a case: a JSON line with the fault and with
// what the check printed, word for word. score reads the tree with the fault laid
// over it in memory, so nothing is written and several may score at once.
//
// What not: the file that a last commit changed says nothing here, as the fault
// is not committed; a user's own change would be easier to find.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := command(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "localise:", err)
		os.Exit(1)
	}
}

// command runs what the arguments say.
func command(ctx context.Context, args []string, out, errs io.Writer) error {
	if len(args) == 0 {
		return errors.New("say make or score; --help after it tells more")
	}
	switch args[0] {
	case "make":
		return makeCommand(ctx, args[1:], errs)
	case "score":
		return scoreCommand(ctx, args[1:], out, errs)
	}
	return fmt.Errorf("unknown command %q: there are make and score", args[0])
}

func makeCommand(ctx context.Context, args []string, errs io.Writer) error {
	m := making{errs: errs}
	f := flag.NewFlagSet("localise make", flag.ContinueOnError)
	f.SetOutput(errs)
	f.StringVar(&m.out, "out", "cases.jsonl", "the file to write, as JSON lines")
	f.StringVar(&m.cache, "cache", filepath.Join(os.TempDir(), "localise"), "folder for the trees and for what their checks printed")
	f.StringVar(&m.language, "language", "go", "go or python")
	f.IntVar(&m.want, "cases", 300, "how many faults that make tests fail")
	f.IntVar(&m.each, "each", 15, "at most this many of one module")
	f.IntVar(&m.builds, "builds", 1, "keep this many of one module that do not compile, beside the others")
	f.DurationVar(&m.slow, "slow", 15*time.Second, "leave modules out whose check takes longer")
	f.Uint64Var(&m.seed, "seed", 1, "what modules and faults are drawn by")
	if err := f.Parse(args); err != nil {
		return err
	}
	switch {
	case f.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", f.Arg(0))
	case m.language != "go" && m.language != "python":
		return fmt.Errorf("unknown language %q: there are go and python", m.language)
	case m.want < 1 || m.each < 1 || m.builds < 0 || m.slow <= 0:
		return errors.New("--cases, --each and --slow must be positive, --builds not negative")
	}
	var err error
	if m.cache, err = filepath.Abs(m.cache); err != nil {
		return fmt.Errorf("--cache: %w", err)
	}
	return m.run(ctx)
}
