// Command overhead measures what agentloop itself costs: a zero-latency model on
// loopback, one file to fix, and a clock at both ends.
//
//	go run ./bench/overhead                   # every row, a table
//	go run ./bench/overhead --json > now.json
//	go run ./bench/overhead --only tiny --times 21
//	go run ./bench/overhead --work /tmp/overhead   # keeps the large repository for the next time
//
// How: the built program runs as a user would run it. When a request came and
// when its answer was gone is read from the stand-in's own log; time and memory
// of the process come from the operating system. Each row is the median of
// several runs, beside the best one, which says how much the machine's other
// work has to do with it. What git needs by itself is measured on the same
// repository in the same minute.
//
// What not: it is no test, for a busy machine is slow. With --need it fails if a
// row misses its bar.
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
)

// settings are what the flags say.
type settings struct {
	bin, work, only string
	times, files    int
	asJSON, need    bool
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == runFlag {
		os.Exit(runOne(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	set, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(2)
	}
	met, err := run(ctx, set, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
	if set.need && !met {
		os.Exit(1)
	}
}

func parse(args []string, errs io.Writer) (settings, error) {
	var s settings
	f := flag.NewFlagSet("overhead", flag.ContinueOnError)
	f.SetOutput(errs)
	f.StringVar(&s.bin, "bin", "", "the agentloop program; without it, it is built")
	f.StringVar(&s.work, "work", "", "folder to work in, kept for the next time; without it, a temporary one")
	f.StringVar(&s.only, "only", "", "only these scenes, with commas: "+strings.Join(sceneNames(), ", "))
	f.IntVar(&s.times, "times", 7, "runs of which the median is taken")
	f.IntVar(&s.files, "files", 50_000, "files of the large repository")
	f.BoolVar(&s.asJSON, "json", false, "print everything as JSON")
	f.BoolVar(&s.need, "need", false, "exit 1 if a row misses its bar")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	switch {
	case f.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q", f.Arg(0))
	case s.times < 1 || s.files < 1:
		return s, errors.New("--times and --files must be positive")
	}
	for _, name := range s.chosen() {
		if sceneOf(name) == nil {
			return s, fmt.Errorf("there is no scene %q: there are %s", name, strings.Join(sceneNames(), ", "))
		}
	}
	return s, nil
}

// chosen names the scenes to play.
func (s settings) chosen() []string {
	if s.only == "" {
		return sceneNames()
	}
	return strings.Split(s.only, ",")
}

// run plays the scenes and reports whether every bar was met.
func run(ctx context.Context, set settings, out, errs io.Writer) (met bool, err error) {
	if set.work == "" {
		if set.work, err = os.MkdirTemp("", "overhead-"); err != nil {
			return false, fmt.Errorf("make a place to work in: %w", err)
		}
		defer os.RemoveAll(set.work)
	}
	if set.work, err = filepath.Abs(set.work); err != nil {
		return false, err
	}
	if set.bin, err = program(ctx, set.work, set.bin); err != nil {
		return false, err
	}
	r := report{Times: set.times, LoadBefore: load()}
	for _, name := range set.chosen() {
		fmt.Fprintf(errs, "overhead: %s …\n", name)
		rows, err := sceneOf(name)(ctx, &bench{settings: set})
		if err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
		r.add(name, rows)
	}
	r.LoadAfter = load()
	if set.asJSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", " ")
		return r.met(), enc.Encode(r)
	}
	r.print(out)
	return r.met(), nil
}

// load gives the machine's load averages, "" where the system does not tell.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	words := strings.Fields(string(text))
	return strings.Join(words[:min(3, len(words))], " ")
}

// program gives the agentloop program to measure, built plainly if none is named.
func program(ctx context.Context, work, bin string) (string, error) {
	if bin != "" {
		return filepath.Abs(bin)
	}
	mod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	if err != nil || root == "." || root == filepath.Dir(os.DevNull) {
		return "", errors.New("run this from inside the project, or name a program with --bin")
	}
	bin = filepath.Join(work, "agentloop")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, "./cmd/agentloop")
	cmd.Dir = root
	if b, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build agentloop: %w\n%s", err, b)
	}
	return bin, nil
}
