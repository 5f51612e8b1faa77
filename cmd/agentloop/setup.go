package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

func (p *program) initCommand() *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "write a commented agentloop.toml for this repository", Flags: dirFlags(),
		Action: func(c *cli.Context) error {
			repo, _, err := findRepo(c)
			if err != nil {
				return err
			}
			check, err := initRepo(repo.Root)
			if err != nil {
				return err
			}
			text := "wrote agentloop.toml; read it, then allow its checks with: agentloop trust\n"
			if check != "" {
				text += fmt.Sprintf("it suggests the check %q, commented out\n", check)
			}
			p.term.print(safe(text))
			return nil
		},
	}
}

func (p *program) trustCommand() *cli.Command {
	return &cli.Command{
		Name: "trust", Usage: "allow the checks that this repository's agentloop.toml names",
		Flags: append(dirFlags(), &cli.BoolFlag{Name: "show", Usage: "only say what would be allowed"}),
		Action: func(c *cli.Context) error {
			repo, _, err := findRepo(c)
			if err != nil {
				return err
			}
			return p.trust(configInput{Root: repo.Root, File: c.String("config"), Env: os.Environ()}, c.Bool("show"))
		},
	}
}

// trust records the repository's file as it is now.
func (p *program) trust(in configInput, onlyShow bool) error {
	r, err := reviewTrust(in)
	if err != nil {
		return err
	}
	var b strings.Builder
	if r.Diff != "" {
		fmt.Fprintf(&b, "changed since it was trusted:\n%s\n", safe(r.Diff))
	}
	if len(r.Checks) == 0 {
		b.WriteString("agentloop.toml names no check\n")
	} else {
		b.WriteString("agentloop.toml names these checks:\n")
	}
	for _, check := range r.Checks {
		fmt.Fprintf(&b, "  %s\n", oneLined(check))
	}
	switch {
	case onlyShow && r.Trusted:
		b.WriteString("this very file is trusted\n")
	case onlyShow:
		b.WriteString("it is not trusted\n")
	default:
		if err := r.save(time.Now()); err != nil {
			return err
		}
		b.WriteString("trusted, until the file changes\n")
	}
	p.term.print(b.String())
	return nil
}
