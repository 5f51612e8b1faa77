package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestARepositoryMaySetWhatCannotHurt(t *testing.T) {
	w := newWorld(t)
	w.user("ignore = [\"a\"]\nprotect = [\"p\"]\nfiles = [\"mine\"]\nprompt_extra = \"mine\"")
	w.repo("files = [\"*.go\"]\nignore = [\"b\", \"a\"]\nprotect = [\"q\"]\nedit_format = \"anchored\"\nprompt_extra = \"theirs\"\ncontext_tokens = 50000")
	s := w.load()
	if !slices.Equal(s.Files, []string{"*.go"}) || !slices.Equal(s.Ignore, []string{"a", "b"}) || !slices.Equal(s.Protect, []string{"p", "q"}) {
		t.Errorf("files %q, ignore %q, protect %q", s.Files, s.Ignore, s.Protect)
	}
	if s.EditFormat != "anchored" || s.PromptExtra != "theirs" || s.ContextTokens != 50000 || len(s.Notes) != 0 {
		t.Errorf("got %+v, notes %q", s.Config, s.Notes)
	}
	w.in.Flags = map[string][]string{"edit_format": {"search-replace"}, "protect": {"r"}, "ignore": {}}
	s = w.load()
	if s.EditFormat != "search-replace" || !slices.Equal(s.Protect, []string{"r", "q"}) || !slices.Equal(s.Ignore, []string{"b", "a"}) {
		t.Errorf("below flags: %s, protect %q, ignore %q", s.EditFormat, s.Protect, s.Ignore)
	}
}

func TestARepositoryOnlyLowersBudgets(t *testing.T) {
	for _, c := range []struct {
		name, user, repo string
		flags            map[string][]string
		get              func(settings) any
		want             any
		note             string
	}{
		{name: "lower", repo: "rounds = 2", get: rounds, want: 2},
		{name: "equal", repo: "rounds = 5", get: rounds, want: 5},
		{name: "above the default", repo: "\nrounds = 9", get: rounds, want: 5, note: "agentloop.toml:2: rounds = 9 is above your own 5, which stays"},
		{name: "below the user's", user: "rounds = 20", repo: "rounds = 9", get: rounds, want: 9},
		{name: "above the user's", user: "rounds = 20", repo: "rounds = 30", get: rounds, want: 20, note: "agentloop.toml:1: rounds = 30 is above your own 20, which stays"},
		{name: "a flag stands above", repo: "rounds = 2", flags: map[string][]string{"rounds": {"7"}}, get: rounds, want: 7},
		{name: "a duration", repo: "timeout = \"2h\"", get: func(s settings) any { return s.Timeout }, want: 30 * time.Minute, note: "agentloop.toml:1: timeout = 2h is above your own 30m, which stays"},
		{name: "money from off", repo: "max_cost = 0.5", get: cost, want: 0.5},
		{name: "money to off", user: "max_cost = 2", repo: "max_cost = 0", get: cost, want: 2.0, note: "agentloop.toml:1: max_cost = 0 is above your own 2, which stays"},
		{name: "money up", user: "max_cost = 0.25", repo: "max_cost = 0.5", get: cost, want: 0.25, note: "agentloop.toml:1: max_cost = 0.5 is above your own 0.25, which stays"},
		{name: "requests from off", repo: "max_requests = 4", get: func(s settings) any { return s.MaxRequests }, want: 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.user(c.user)
			w.repo(c.repo)
			w.in.Flags = c.flags
			s := w.load()
			if got := c.get(s); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if strings.Join(s.Notes, "|") != c.note {
				t.Errorf("notes %q, want %q", s.Notes, c.note)
			}
		})
	}
}

func rounds(s settings) any { return s.Rounds }
func cost(s settings) any   { return s.MaxCost }

// SC-01, SC-05: every other key in every writing is refused, with its line.
func TestARepositoryMaySetNothingElse(t *testing.T) {
	c := defaultConfig()
	values := map[string]string{"models": "{ m = { base_url = \"https://attacker/v1\" } }"}
	for _, k := range keys(&c) {
		if k.repo != repoNever {
			continue
		}
		value := values[k.name]
		if value == "" {
			value = "\"https://attacker/v1\""
		}
		for _, name := range []string{k.name, "\"" + k.name + "\"", "'" + k.name + "'"} {
			w := newWorld(t)
			w.repo("rounds = 3\n" + name + " = " + value)
			w.refused("agentloop.toml:2: ", k.name+" may not be set by a repository")
		}
	}
	for _, text := range []string{
		"BASE_URL = \"x\"", "Base_Url = \"x\"", "base-url = \"x\"", "baseurl = \"x\"", "\"base_url \" = \"x\"", "\"base\\u005furl\" = \"x\"",
		"[models.m]\nbase_url = \"x\"", "models.m.base_url = \"x\"", "[models]\nm.base_url = \"x\"", "[[models]]\nbase_url = \"x\"",
		"[agentloop]\nbase_url = \"x\"", "agentloop.base_url = \"x\"", "[default]\nallow = [\"**\"]",
		"api_key = \"x\"", "key = \"x\"", "key_env = \"HOME\"", "headers = { a = \"b\" }", "proxy = \"http://x\"", "http_proxy = \"x\"", "sandbox = false", "sandbox.enabled = false",
		"[sandbox]\nenabled = false", "sandbox_command = \"x\"", "setup = [\"x\"]", "format = [\"x\"]", "net = true", "env = { PATH = \"x\" }", "include = [\"/etc/x\"]", "trust = true",
		"config = \"x\"", "checks = [\"x\"]", "rounds = 2\nROUNDS = 90", "\"\" = 1", "Check = [\"touch x\"]",
	} {
		w := newWorld(t)
		w.repo(text)
		_, err := loadConfig(w.in)
		usage, ok := errors.AsType[usageError](err)
		if !ok || !strings.HasPrefix(usage.msg, "agentloop.toml:") || strings.Contains(usage.msg, "\n") {
			t.Errorf("%q gave %v", text, err)
		}
	}
}

func TestARepositorysMistakesAreLocated(t *testing.T) {
	for text, want := range map[string]string{
		"rouns = 3":                   "agentloop.toml:1: unknown key rouns; did you mean rounds?",
		"\nrounds = \"3\"":            "agentloop.toml:2: rounds must be an integer, not a string",
		"rounds = 0":                  "agentloop.toml:1: rounds must be from 1 to 1000, not 0",
		"rounds = 1\nrounds = 2":      "agentloop.toml:2: Key 'rounds' has already been defined",
		"sandbox = false":             "agentloop.toml:1: sandbox may not be set by a repository",
		"check = \"rm -rf /\"":        "agentloop.toml:1: check must be a list of strings",
		"max_cost = inf":              "agentloop.toml:1: max_cost must be a number, not infinite or NaN",
		"max_tokens_total = -1":       "agentloop.toml:1: max_tokens_total must be from 1 to 1000000000000, not -1",
		"edit_format = \"x\\u001by\"": `agentloop.toml:1: edit_format must be one of search-replace, anchored, tools, not "x\x1by"`,
	} {
		w := newWorld(t)
		w.repo(text)
		w.refused(want)
	}
}

// SC-04: whatever both files say, the repository's makes nothing wider.
func TestARepositoryNeverWidens(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	userFile := filepath.Join(home, ".config", "agentloop", "config.toml")
	if err := os.MkdirAll(filepath.Dir(userFile), 0o700); err != nil {
		t.Fatal(err)
	}
	in := configInput{Env: []string{"HOME=" + home}}
	rapid.Check(t, func(rt *rapid.T) {
		budgets := func(label string) string {
			text := ""
			for _, name := range []string{"rounds", "max_tokens_total"} {
				if rapid.Bool().Draw(rt, label+name) {
					text += fmt.Sprintf("%s = %d\n", name, rapid.IntRange(1, 1000).Draw(rt, name))
				}
			}
			for _, name := range []string{"max_requests", "max_output_tokens", "max_cost"} {
				if rapid.Bool().Draw(rt, label+name) {
					text += fmt.Sprintf("%s = %d\n", name, rapid.IntRange(0, 50).Draw(rt, name))
				}
			}
			for _, name := range []string{"timeout", "check_timeout"} {
				if rapid.Bool().Draw(rt, label+name) {
					text += fmt.Sprintf("%s = \"%ds\"\n", name, rapid.IntRange(1, 80000).Draw(rt, name))
				}
			}
			for _, name := range []string{"protect", "ignore"} {
				if rapid.Bool().Draw(rt, label+name) {
					text += fmt.Sprintf("%s = [%q]\n", name, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, name))
				}
			}
			return text
		}
		writeTest(rt, userFile, budgets("user "))
		repo := budgets("repo ")
		if rapid.Bool().Draw(rt, "check") {
			repo += "check = [\"touch marker\"]\n"
		}
		writeTest(rt, filepath.Join(root, repoFileName), repo)
		in.Root = ""
		alone, err := loadConfig(in)
		if err != nil {
			rt.Fatal(err)
		}
		in.Root = root
		both, err := loadConfig(in)
		if err != nil {
			rt.Fatal(err)
		}
		notWider(rt, alone.Config, both.Config)
	})
}

func notWider(t interface{ Errorf(string, ...any) }, alone, both Config) {
	limit := func(name string, a, b float64) {
		if a != 0 && (b == 0 || b > a) {
			t.Errorf("%s went from %v to %v", name, a, b)
		}
	}
	limit("rounds", float64(alone.Rounds), float64(both.Rounds))
	limit("max_tokens_total", float64(alone.MaxTokensTotal), float64(both.MaxTokensTotal))
	limit("max_requests", float64(alone.MaxRequests), float64(both.MaxRequests))
	limit("max_output_tokens", float64(alone.MaxOutputTokens), float64(both.MaxOutputTokens))
	limit("max_cost", alone.MaxCost, both.MaxCost)
	limit("timeout", float64(alone.Timeout), float64(both.Timeout))
	limit("check_timeout", float64(alone.CheckTimeout), float64(both.CheckTimeout))
	for _, lists := range [][2][]string{{alone.Protect, both.Protect}, {alone.Ignore, both.Ignore}} {
		for _, glob := range lists[0] {
			if !slices.Contains(lists[1], glob) {
				t.Errorf("%q was lost", glob)
			}
		}
	}
	same := func(name string, a, b any) {
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s went from %v to %v", name, a, b)
		}
	}
	same("check", alone.Check, both.Check)
	mine, theirs := keys(&alone), keys(&both)
	for i, k := range mine {
		if k.repo == repoNever {
			same(k.name, deref(k.into), deref(theirs[i].into))
		}
	}
}

// SC-05: whatever bytes stand in a repository's file, it is refused or widens
// nothing, and a message is one line.
func FuzzRepositoryFile(f *testing.F) {
	for _, seed := range []string{
		"rounds = 3\ncheck = [\"x\"]", "base_url = \"https://attacker/v1\"", "[models.m]\nbase_url = \"x\"", "protect = []", "a.b.c = 1", "rounds = 1\nRounds = 90",
		"\"rounds\" = 900\ntimeout = \"100h\"", "max_cost = 0", "prompt_extra = '''\n'''", "files = [\"**\"]",
	} {
		f.Add(seed)
	}
	home, root := f.TempDir(), f.TempDir()
	in := configInput{Env: []string{"HOME=" + home}}
	alone, err := loadConfig(in)
	if err != nil {
		f.Fatal(err)
	}
	in.Root = root
	f.Fuzz(func(t *testing.T, text string) {
		writeTest(t, filepath.Join(root, repoFileName), text)
		both, err := loadConfig(in)
		if err != nil {
			usage, ok := errors.AsType[usageError](err)
			if !ok || strings.ContainsAny(usage.msg, "\n\r") || !strings.HasPrefix(usage.msg, repoFileName+":") {
				t.Errorf("%q gave %q", text, err)
			}
			return
		}
		notWider(t, alone.Config, both.Config)
	})
}

func writeTest(t interface{ Fatal(...any) }, path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func deref(field any) any {
	switch v := field.(type) {
	case *string:
		return *v
	case *[]string:
		return *v
	case *map[string]ModelConfig:
		return len(*v)
	case *bool:
		return *v
	case *int:
		return *v
	case *time.Duration:
		return *v
	case **float64:
		return *v == nil
	case **int:
		return *v == nil
	}
	panic(fmt.Sprintf("no rule for %T", field))
}
