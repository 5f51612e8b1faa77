// Command agentloop carries a task through rounds with a language model: it
// applies the edit blocks that come back to a git work tree, runs the user's
// check, tells the model what failed, and goes on until every edit is in and
// the check passes, or the budget is used up.
//
// Each command has a file of its own. Configuration is read only here (config*.go),
// parts are put together in wire.go, and every word for the terminal passes
// term.go.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/loop"
)

// version is set when a release is built: -ldflags "-X main.version=1.2.3".
var version = "0.1.0-dev"

func main() { os.Exit(Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }

// Main runs the program and gives its exit status.
func Main(args []string, in io.Reader, out, errs io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	// A reader of our output that goes away must not end a run in the middle: a
	// write then fails instead. Only a signal that is caught, unlike an ignored
	// one, is as usual again in the programs that we start.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the program at once
	}()
	p := &program{in: in, term: newTerm(out, errs)}
	app := p.app()
	err := app.RunContext(ctx, reorder(app, args))
	if err == nil {
		return p.exit
	}
	p.term.fail(err)
	var usage usageError
	switch {
	case errors.As(err, &usage):
		return loop.Usable.Exit()
	case ctx.Err() != nil:
		return loop.Interrupted.Exit()
	}
	return loop.Internal.Exit()
}

// endings lists the signals that end a run in good order. A hang-up is one, but
// for who runs under nohup.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// program is one run of the program. exit is set by commands that end well
// enough to have no error, but not with 0.
type program struct {
	in   io.Reader
	term *term
	exit int
}

// app lists the commands.
func (p *program) app() *cli.App {
	app := &cli.App{
		Name: "agentloop", Usage: "carries a task through rounds with a language model, in a git work tree",
		Writer: p.term.out, ErrWriter: p.term.errs, HideHelpCommand: true, HideVersion: true,
		DisableSliceFlagSeparator: true,
		Flags:                     []cli.Flag{cli.HelpFlag, &cli.BoolFlag{Name: "version", Usage: "print the version"}},
		Commands: []*cli.Command{
			p.runCommand(), p.contextCommand(), p.applyCommand(), p.demoCommand(), p.undoCommand(), p.runsCommand(),
			p.showCommand(), p.replayCommand(), p.initCommand(), p.trustCommand(), p.versionCommand(), p.helpCommand(),
		},
		ExitErrHandler: func(*cli.Context, error) {}, // Main prints, once
		OnUsageError:   usageOf,
		Action: func(c *cli.Context) error {
			switch {
			case c.Bool("version"):
				return p.printVersion()
			case c.NArg() > 0:
				return noCommand(c.App, c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	for _, c := range app.Commands {
		c.OnUsageError = usageOf
		c.HideHelpCommand = true
		c.Before = noArguments
	}
	return app
}

// noArguments refuses arguments where a command's help names none.
func noArguments(c *cli.Context) error {
	if c.Command.ArgsUsage == "" && c.NArg() > 0 {
		return usageError{msg: fmt.Sprintf("%s takes no arguments, but got %q", c.Command.Name, short(c.Args().First())), hint: seeHelp(c)}
	}
	return nil
}

// usageOf makes a usage error of what the flag parser says.
func usageOf(c *cli.Context, err error, _ bool) error {
	if name, lacks := strings.CutPrefix(err.Error(), "flag needs an argument: -"); lacks {
		return usageError{msg: dashed(name) + " needs a value", hint: seeHelp(c)}
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		msg, _, _ := strings.Cut(oneLine(err.Error()), ": strconv.")
		return usageError{msg: msg, hint: seeHelp(c)}
	}
	name = strings.TrimLeft(name, "-")
	if c.Command == nil || c.Command.Name == c.App.Name {
		return usageError{msg: "there is no flag " + dashed(name) + " before the command", hint: "flags stand after the command: agentloop run --help"}
	}
	known := []string{"help"}
	for _, f := range c.Command.Flags {
		known = append(known, f.Names()[0])
	}
	hint := seeHelp(c)
	if near := nearest(name, known); near != "" && len(name) > 1 {
		hint = "did you mean --" + near + "?"
	}
	return usageError{msg: "there is no flag " + dashed(name), hint: hint}
}

func dashed(flag string) string {
	if len(flag) == 1 {
		return "-" + flag
	}
	return "--" + flag
}

func seeHelp(c *cli.Context) string { return "see agentloop " + c.Command.Name + " --help" }

func noCommand(app *cli.App, name string) error {
	var known []string
	for _, c := range app.Commands {
		known = append(known, c.Name)
	}
	hint := "there are " + strings.Join(known, ", ")
	if near := nearest(name, known); near != "" {
		hint = "did you mean agentloop " + near + "?"
	}
	return usageError{msg: fmt.Sprintf("there is no command %q", name), hint: hint}
}

func (p *program) helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Usage: "tell of all commands, or of one", ArgsUsage: "[COMMAND]",
		Action: func(c *cli.Context) error {
			name := c.Args().First()
			switch {
			case name == "":
				return cli.ShowAppHelp(c)
			case c.App.Command(name) == nil:
				return noCommand(c.App, name)
			}
			return cli.ShowCommandHelp(c, name)
		},
	}
}

func (p *program) versionCommand() *cli.Command {
	return &cli.Command{Name: "version", Usage: "print the version", Action: func(*cli.Context) error { return p.printVersion() }}
}

func (p *program) printVersion() error {
	p.term.print("agentloop " + version + "\n")
	return nil
}
