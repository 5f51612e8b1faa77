package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/agentloop/agentloop/internal/standin"
)

// config lets the program edit any file, and see files of any size.
const config = `allow = ["**"]
context_tokens = 10000000
max_tokens_total = 1000000000
`

// prepare makes the repository with the start tree, a home and a configuration.
func prepare(ctx context.Context, dir string, plan *standin.Plan) error {
	tree := filepath.Join(dir, "tree")
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("clear %s: %w", dir, err)
	}
	if err := write(tree, plan.Start); err != nil {
		return err
	}
	if err := write(dir, map[string]string{"config.toml": config, "home/.keep": ""}); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"add", "-A", "-f"},
		{"-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-q", "--allow-empty", "-m", "start"},
	} {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.autocrlf=false", "-c", "core.safecrlf=false"}, args...)...)
		cmd.Dir, cmd.Env = tree, environment(dir)
		if b, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(b))
		}
	}
	return nil
}

// write writes files below a folder.
func write(dir string, files map[string]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	for path, content := range files {
		name := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("make the folder of %s: %w", path, err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
	}
	return nil
}

// environment holds nothing of the caller's but the search path: no key, no
// proxy, no configuration.
func environment(dir string) []string {
	home := filepath.Join(dir, "home")
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8", "NO_COLOR=1",
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_STATE_HOME=" + filepath.Join(dir, "state"),
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "XDG_DATA_HOME=" + filepath.Join(home, "data"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "OPENAI_API_KEY=standin",
	}
}

// read gives all files below a folder but git's own.
func read(dir string) (map[string]string, error) {
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == ".git":
			return filepath.SkipDir
		case e.IsDir():
			return nil
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		path, err := filepath.Rel(dir, name)
		tree[filepath.ToSlash(path)] = string(b)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the tree that was left: %w", err)
	}
	return tree, nil
}

// keep writes down what a person wants to look at: the trees and every exchange.
func keep(dir string, plan *standin.Plan, log []standin.Request) error {
	if err := write(filepath.Join(dir, "start"), plan.Start); err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "gold"), plan.Gold); err != nil {
		return err
	}
	exchange := map[string]string{}
	for _, req := range log {
		exchange[fmt.Sprintf("%d-prompt.md", req.N+1)] = prompt(req.Chat)
		exchange[fmt.Sprintf("%d-reply.md", req.N+1)] = said(req.Answer.Text, req.Answer.Calls)
	}
	return write(filepath.Join(dir, "exchange"), exchange)
}

// prompt is what was asked: in a round with calls, only what is new.
func prompt(c standin.Chat) string {
	text := c.System() + "\n\n----\n\n" + c.Users()
	for i, m := range c.Messages {
		if len(m.Calls) > 0 {
			text = "The answers to the calls before:\n"
			for _, answer := range c.Messages[i+1:] {
				text += "\n" + string(answer.Content) + "\n"
			}
		}
	}
	return text
}

// said is a reply for people.
func said(text string, calls []standin.Call) string {
	for _, c := range calls {
		text += c.Name + " " + c.Arguments + "\n"
	}
	return text
}
