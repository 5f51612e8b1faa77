package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// setting makes a flag that stands for a key of the configuration. Its value is
// read by the configuration's own rules, so flags, variables and files refuse
// the same things in the same words; the variable AGENTLOOP_<KEY> is read there.
func setting(key, usage string, alias ...string) cli.Flag {
	return &cli.StringFlag{Name: strings.ReplaceAll(key, "_", "-"), Aliases: alias, Usage: usage}
}

// repeatable is setting for a key that holds a list.
func repeatable(key, usage string) cli.Flag {
	return &cli.StringSliceFlag{Name: strings.ReplaceAll(key, "_", "-"), Usage: usage}
}

// toggle makes a flag that is no key of the configuration.
func toggle(name, usage string, alias ...string) cli.Flag {
	return &cli.BoolFlag{Name: name, Aliases: alias, Usage: usage, EnvVars: []string{"AGENTLOOP_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))}}
}

// dirFlags say where to work and by which configuration.
func dirFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "dir", Aliases: []string{"C"}, Usage: "work in this folder", Value: ".", EnvVars: []string{"AGENTLOOP_DIR"}},
		&cli.StringFlag{Name: "config", Usage: "read this file instead of the user's configuration"},
	}
}

// given collects the flags that were typed and stand for keys.
func given(c *cli.Context) map[string][]string {
	flags := map[string][]string{}
	for _, k := range names(keys(new(Config))) {
		name := strings.ReplaceAll(k, "_", "-")
		if c.IsSet("no-" + name) {
			if name == "check" {
				flags[k] = nil
			} else {
				flags[k] = []string{"false"}
			}
		}
		if !c.IsSet(name) {
			continue
		}
		switch v := c.Value(name).(type) {
		case cli.StringSlice:
			flags[k] = v.Value()
		case bool:
			flags[k] = []string{map[bool]string{true: "true", false: "false"}[v]}
		default:
			flags[k] = []string{c.String(name)}
		}
	}
	return flags
}

// reorder moves a command's flags before its arguments: the flag parser stops
// at the first argument, and people write flags behind it.
func reorder(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	i := slices.IndexFunc(app.Commands, func(c *cli.Command) bool { return c.HasName(args[1]) })
	if i < 0 {
		return args
	}
	flags, rest := []string{}, []string{}
	for todo := args[2:]; len(todo) > 0; todo = todo[1:] {
		arg := todo[0]
		if arg == "-h" || arg == "--help" {
			return []string{args[0], args[1], arg}
		}
		if arg == "--" {
			rest = append(rest, todo[1:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		flags = append(flags, arg)
		if !takesValue(app.Commands[i].Flags, strings.TrimLeft(arg, "-")) {
			continue
		}
		if len(todo) == 1 {
			return slices.Concat(args[:2], flags) // the value is missing: the separator must not become it
		}
		flags, todo = append(flags, todo[1]), todo[1:]
	}
	// The separator keeps arguments that begin with a dash from being read as flags.
	return slices.Concat(args[:2], flags, []string{"--"}, rest)
}

// takesValue reports whether the next word belongs to the flag.
func takesValue(flags []cli.Flag, name string) bool {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			_, isBool := f.(*cli.BoolFlag)
			return !isBool
		}
	}
	return false
}
