package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/internal/guard"
	"github.com/agentloop/agentloop/internal/standin"
	"github.com/agentloop/agentloop/internal/worktree"
	"github.com/agentloop/agentloop/loop"
)

// The demo's Go package has three bugs and a test that finds them. The files end
// in .txt so that no tool takes them for ours.
//
//go:embed demo/*.txt
var demoFiles embed.FS

func (p *program) demoCommand() *cli.Command {
	return &cli.Command{
		Name: "demo", Usage: "the whole loop, offline, in seconds",
		Description: "Makes a small Go package with a failing test in a temporary git repository, and lets a\nsimulated model on this machine mend it over HTTP: with mistakes, as real ones make them.",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "keep", Usage: "leave the temporary repository"}},
		Action:      p.demo,
	}
}

// demo carries a true run: only the model is simulated.
func (p *program) demo(c *cli.Context) error {
	if _, err := exec.LookPath("go"); err != nil {
		return usageError{msg: "the demo's check is go test, and there is no go on the PATH"}
	}
	top, err := os.MkdirTemp("", "agentloop-demo-")
	if err != nil {
		return fmt.Errorf("making the demo's folder: %w", err)
	}
	keep := c.Bool("keep")
	if !keep {
		defer os.RemoveAll(top)
	}
	at, err := p.demoPlace(c.Context, top)
	if err != nil {
		return err
	}
	server, err := standin.Serve(&demoModel{}, nil)
	if err != nil {
		return err
	}
	defer server.Close()
	at.BaseURL = server.URL()
	p.term.print("A Go package with three bugs, in " + at.repo.Root + "\n" +
		"The model is simulated, on " + server.URL() + "; all else is real.\n\n")
	task, err := at.task(c.Context, "make the tests pass", []string{"cart.go", "cart_test.go"}, nil)
	if err != nil {
		return err
	}
	client, err := at.client()
	if err != nil {
		return err
	}
	err = p.carry(c.Context, at, task, client, showing{diff: true, feedback: true, forgotten: true})
	if err == nil && keep {
		p.term.print("kept: " + at.repo.Root + "\n")
	}
	return err
}

// demoPlace makes the repository, and settings that nothing of the user's is in.
func (p *program) demoPlace(ctx context.Context, top string) (*place, error) {
	root := filepath.Join(top, "cart")
	if err := os.Mkdir(root, 0o755); err != nil {
		return nil, fmt.Errorf("making the demo's repository: %w", err)
	}
	files, err := demoFiles.ReadDir("demo")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := demoFiles.ReadFile("demo/" + f.Name())
		if err == nil {
			err = os.WriteFile(filepath.Join(root, strings.TrimSuffix(f.Name(), ".txt")), text, 0o644)
		}
		if err != nil {
			return nil, fmt.Errorf("writing the demo's files: %w", err)
		}
	}
	if err := worktree.Init(ctx, root, "the demo as it was"); err != nil {
		return nil, err
	}
	repo, err := worktree.Open(ctx, root)
	if err != nil {
		return nil, err
	}
	s, err := loadConfig(configInput{
		Root: repo.Root, Env: []string{"XDG_STATE_HOME=" + top, "XDG_CONFIG_HOME=" + top},
		Flags: map[string][]string{"model": {"demo"}, "check": {"go test ./..."}, "base_url": {"http://127.0.0.1:1/v1"}},
	})
	if err != nil {
		return nil, err
	}
	return &place{settings: s, tree: &tree{repo: repo, guard: &guard.Guard{Root: repo.Root}}, dir: repo.Root}, nil
}

// quote indents a text that the demo shows.
func quote(text string) string {
	return "    | " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    | ")
}

// showFeedback prints what the next prompt will open with.
func (w *watcher) showFeedback(e loop.Event) {
	if e, ok := e.(loop.RoundCompleted); ok && e.Feedback != "" {
		w.progress("  the model is told:\n%s", safe(quote(e.Feedback)))
	}
}
