package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/guard"
	"github.com/agentloop/agentloop/internal/llm"
	"github.com/agentloop/agentloop/internal/sandbox"
	"github.com/agentloop/agentloop/internal/selection"
	"github.com/agentloop/agentloop/internal/worktree"
	"github.com/agentloop/agentloop/loop"
	"github.com/agentloop/agentloop/prompts"
)

// place is where a command works and by which settings.
type place struct {
	settings
	*tree
	dir string // absolute, where the user stands
}

// open finds the repository and loads the configuration.
func (p *program) open(c *cli.Context) (*place, error) {
	repo, dir, err := findRepo(c)
	if err != nil {
		return nil, err
	}
	in := configInput{Root: repo.Root, File: c.String("config"), Flags: given(c), Env: os.Environ()}
	s, err := loadConfig(in)
	if err != nil {
		return nil, err
	}
	for _, note := range s.Notes {
		p.term.note(note)
	}
	g := &guard.Guard{Root: repo.Root, Allow: s.Allow, Protect: s.Protect}
	return &place{settings: s, tree: &tree{repo: repo, guard: g}, dir: dir}, nil
}

// findRepo finds the repository that --dir is in, and makes that folder absolute.
func findRepo(c *cli.Context) (*worktree.Repo, string, error) {
	dir, err := filepath.Abs(c.String("dir"))
	if err != nil {
		return nil, "", usageError{msg: fmt.Sprintf("the folder %s: %v", c.String("dir"), err)}
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, "", usageError{msg: dir + ": no such folder"}
	}
	repo, err := worktree.Open(c.Context, dir)
	if err != nil {
		msg, hint, _ := strings.Cut(err.Error(), "; ") // what is wrong; what to do
		return nil, "", usageError{msg: msg, hint: hint}
	}
	return repo, dir, nil
}

// runsDir is where transcripts are kept.
func (s settings) runsDir() (string, error) {
	if s.StateDir == "" {
		return "", usageError{msg: "no place for the run's state", hint: "set HOME, or XDG_STATE_HOME to an absolute path"}
	}
	return filepath.Join(s.StateDir, "runs"), nil
}

// client makes the model's client. Nothing is sent.
func (s settings) client() (*llm.Client, error) {
	key, err := s.apiKey()
	if err != nil {
		return nil, err
	}
	c := &llm.Client{
		BaseURL: s.BaseURL, AllowPlainHTTP: s.PlainHTTP, Key: llm.Secret(key.Reveal()), Model: s.Model,
		Temperature: s.Temperature, Seed: s.Seed, ReasoningEffort: s.ReasoningEffort,
		Headers: s.Entry.Headers, Fields: s.Entry.Fields,
		HeaderTimeout: s.HeaderTimeout, IdleTimeout: s.IdleTimeout, RequestTimeout: s.RequestTimeout,
		MaxElapsed: max(s.RequestTimeout, 15*time.Minute), MaxAttempts: s.MaxAttempts, MaxRetryWait: s.MaxRetryWait,
	}
	if err := c.Validate(); err != nil {
		return nil, usageError{msg: err.Error(), hint: "base_url is the address up to /v1: --base-url, AGENTLOOP_BASE_URL, OPENAI_BASE_URL or base_url in " + s.userFile() + "; plain_http = true there allows http to another machine"}
	}
	return c, nil
}

// shell makes what runs the checks.
func (s settings) shell(root string) *sandbox.Shell {
	return &sandbox.Shell{Dir: root, Timeout: s.CheckTimeout, Env: s.PassEnv}
}

// templates gives the prompts, with the user's own where there are any.
func (s settings) templates() prompts.Set {
	if info, err := os.Stat(s.PromptDir); s.PromptDir != "" && err == nil && info.IsDir() {
		return prompts.Set{Override: os.DirFS(s.PromptDir)}
	}
	return prompts.Set{}
}

// tryTemplates fills every template once with a little of everything, so that a
// mistake in one of the user's own shows before anything is sent.
func (s settings) tryTemplates() error {
	if info, err := os.Stat(s.PromptDir); s.From["prompt_dir"].layer > fromDefault && (err != nil || !info.IsDir()) {
		return usageError{msg: s.From["prompt_dir"].where + ": prompt_dir: " + s.PromptDir + ": no such folder"}
	}
	set, file := s.templates(), []prompts.File{{Path: "a.go", Text: "a"}}
	snippet := []prompts.Snippet{{Line: 1, Text: "a"}}
	_, err := set.Tools(s.Tools)
	if err == nil {
		_, err = set.Render(prompts.Input{
			Format: s.EditFormat, Tools: s.Tools, Extra: "a", Guide: "a", Task: "a", Checks: []string{"a"}, Files: file, Changed: file, Omitted: []string{"a"}, Feedback: "a",
		})
	}
	if err == nil {
		_, err = set.Feedback(prompts.Feedback{
			Applied: []string{"a"}, Skipped: []string{"a"}, More: []string{"a"}, Cut: true, NoBlocks: true,
			Failures: []prompts.Failure{{Path: "a.go", Reason: "not-found", Missing: []string{"a"}, Snippets: snippet, Outline: "a"}},
			Checks:   []prompts.Check{{Command: "a", How: "a", New: []string{"a"}, Output: "a"}},
		})
	}
	if err == nil {
		_, err = set.Message(prompts.Commit{Subject: "a", Files: []string{"a"}})
	}
	if err != nil {
		return usageError{msg: oneLine(err.Error()), hint: "your own templates stand in " + s.PromptDir}
	}
	return nil
}

// budget gives what a run may use.
func (s settings) budget() loop.Budget {
	b := loop.Budget{
		Rounds: s.Rounds, Time: s.Timeout, Tokens: s.MaxTokensTotal, Cost: s.MaxCost,
		Requests: s.MaxRequests, Calls: s.MaxCalls, Output: s.MaxOutputTokens,
	}
	if e := s.Entry; e.PricePrompt != nil && e.PriceCompletion != nil {
		b.Prices = &loop.Prices{Prompt: *e.PricePrompt, Cached: *e.PricePrompt, Completion: *e.PriceCompletion}
		if e.PriceCached != nil {
			b.Prices.Cached = *e.PriceCached
		}
	}
	return b
}

// task makes the task out of its text and the files that the user named, or
// those that are chosen.
func (p *place) task(ctx context.Context, text string, named []string) (loop.Task, error) {
	t := loop.Task{
		Text: text, Checks: p.Check, Format: p.EditFormat, Extra: p.PromptExtra, Guide: p.guide(), Budget: p.budget(),
		Edits: edits.Settings{Matching: edits.Matching(p.Matching), OnFailed: edits.OnFailed(p.AfterFailed)},
	}
	if p.EditFormat == prompts.FormatTools {
		t.Tools = p.Tools
	}
	var err error
	t.Files, t.Omit, err = p.files(ctx, text, named)
	return t, err
}

// files gives the paths to show. Names and globs are the user's, from where he
// stands; without any, the configuration's; without those, a choice is made.
func (p *place) files(ctx context.Context, text string, named []string) (files, omitted []string, err error) {
	from := named
	if len(from) == 0 {
		from = p.Files
	}
	if plain, ok := p.plain(named); ok && len(named) > 0 {
		return plain, nil, nil
	}
	all, err := p.repo.Files(ctx)
	if err != nil {
		return nil, nil, err
	}
	if len(from) == 0 {
		// Without Read, files are whole or not at all: a task cannot show regions yet.
		source := selection.Source{Files: p.sized(all), Ignore: p.Ignore, Root: p.repo.Root}
		choice := source.Choose(selection.Evidence{Task: text, Checks: p.Check}, p.ContextTokens)
		for _, f := range choice.Files {
			files = append(files, f.Path)
		}
		return sorted(files), choice.Left, nil
	}
	seen := map[string]bool{}
	for _, arg := range from {
		pattern := arg
		if len(named) > 0 {
			if pattern, err = p.inTree(arg); err != nil {
				return nil, nil, err
			}
		}
		found := selection.Match(all, pattern)
		if len(found) == 0 {
			return nil, nil, usageError{msg: fmt.Sprintf("no file fits %q", arg), hint: "paths and globs (**/*.go) are taken from the current folder; ignored files are left out"}
		}
		for _, f := range found {
			if !seen[f] {
				seen[f] = true
				files = append(files, f)
			}
		}
	}
	return sorted(files), nil, nil
}

// find lists the files of the tree that a glob fits, for the model's tools; also
// are paths that git may not know yet.
func (p *place) find(ctx context.Context, glob string, also []string) ([]string, error) {
	all, err := p.repo.Files(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.Compact(sorted(append(all, also...)))
	if glob == "" {
		return all, nil
	}
	return selection.Match(all, glob), nil
}

// plain resolves arguments that are all paths of files that are there, without
// asking git for the list of files, which takes long in a large repository.
func (p *place) plain(named []string) ([]string, bool) {
	var files []string
	for _, arg := range named {
		path, err := p.inTree(arg)
		if err != nil || strings.ContainsAny(path, "*?[{") {
			return nil, false
		}
		info, err := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(path)))
		if err != nil || !info.Mode().IsRegular() {
			return nil, false
		}
		files = append(files, path)
	}
	return sorted(files), true
}

// inTree turns an argument into a path from the tree's root, with slashes.
func (p *place) inTree(arg string) (string, error) {
	full := arg
	if !filepath.IsAbs(arg) {
		at := p.dir
		if real, err := filepath.EvalSymlinks(p.dir); err == nil {
			at = real
		}
		full = filepath.Join(at, arg)
	}
	rel, err := filepath.Rel(p.repo.Root, full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", usageError{msg: fmt.Sprintf("%s is outside of the repository %s", arg, p.repo.Root)}
	}
	return filepath.ToSlash(rel), nil
}

// sized gives the regular text files among the paths, as far as names and sizes tell.
func (p *place) sized(paths []string) []selection.File {
	var out []selection.File
	for _, path := range paths {
		info, err := os.Lstat(filepath.Join(p.repo.Root, filepath.FromSlash(path)))
		if err == nil && info.Mode().IsRegular() && info.Size() <= 1<<20 {
			out = append(out, selection.File{Path: path, Size: int(info.Size())})
		}
	}
	return out
}

// guide gives the text of the repository's guide for agents, the first there is.
func (p *place) guide() string {
	for _, name := range []string{"AGENTS.md", "CLAUDE.md", "CONVENTIONS.md"} {
		if text, err := p.show(name); err == nil {
			const most = 16 << 10
			if len(text) > most {
				text = strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("\n[… %d bytes left out …]\n", len(text)-most)
			}
			return edits.Quote(text)
		}
	}
	return ""
}

// host gives the host of an address, for the transcript.
func host(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Host
}
