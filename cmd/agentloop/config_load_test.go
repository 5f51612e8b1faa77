package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestNoFilesMeansDefaults(t *testing.T) {
	w := newWorld(t)
	s := w.load()
	want := defaultConfig()
	want.PromptDir = filepath.Join(w.home, ".config", "agentloop", "prompts")
	if got, expected := fmt.Sprintf("%+v", s.Config), fmt.Sprintf("%+v", want); got != expected {
		t.Errorf("got  %s\nwant %s", got, expected)
	}
	if len(s.From)+len(s.Notes)+len(s.Ignored) != 0 || s.RepoHash != "" {
		t.Errorf("from %v, notes %q, ignored %q", s.From, s.Notes, s.Ignored)
	}
	if s.StateDir != filepath.Join(w.home, ".local", "state", "agentloop") {
		t.Errorf("state in %s", s.StateDir)
	}
}

func TestAHigherLayerWins(t *testing.T) {
	w := newWorld(t)
	step := func(rounds int, where string, layer layer) {
		t.Helper()
		s := w.load()
		if from := s.From["rounds"]; s.Rounds != rounds || from.where != where || from.layer != layer {
			t.Errorf("rounds %d from %+v, want %d from %q", s.Rounds, from, rounds, where)
		}
	}
	user := w.user("model = \"m\"\n\nrounds = 9\n")
	step(9, user+":3", fromUser)
	w.repo("# budget\nrounds = 8")
	step(8, "agentloop.toml:2", fromRepo)
	w.env("AGENTLOOP_ROUNDS=7")
	step(7, "environment AGENTLOOP_ROUNDS", fromEnv)
	w.in.Flags = map[string][]string{"rounds": {"6"}}
	step(6, "flag --rounds", fromFlag)
}

func TestEveryTypeComesFromEveryLayer(t *testing.T) {
	toml := "model = \"m\"\ncommit = true\nmax_requests = 3\nmax_cost = 2\ntemperature = 0\nseed = -4\ntimeout = \"90s\"\ncheck = [\"a\", \"b\"]\n"
	env := []string{"AGENTLOOP_MODEL=m", "AGENTLOOP_COMMIT=true", "AGENTLOOP_MAX_REQUESTS=3", "AGENTLOOP_MAX_COST=2", "AGENTLOOP_TEMPERATURE=0", "AGENTLOOP_SEED=-4", "AGENTLOOP_TIMEOUT=90s", "AGENTLOOP_CHECK=a\n\n b \n"}
	flags := map[string][]string{"model": {"m"}, "commit": {"true"}, "max_requests": {"3"}, "max_cost": {"2"}, "temperature": {"0"}, "seed": {"-4"}, "timeout": {"90s"}, "check": {"a", "b"}}
	for name, prepare := range map[string]func(*world){
		"file": func(w *world) { w.user(toml) },
		"env":  func(w *world) { w.env(env...) },
		"flag": func(w *world) { w.in.Flags = flags },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			prepare(w)
			s := w.load()
			if s.Temperature == nil || *s.Temperature != 0 || s.Seed == nil || *s.Seed != -4 {
				t.Errorf("temperature %v, seed %v", s.Temperature, s.Seed)
			}
			if s.Model != "m" || !s.Commit || s.MaxRequests != 3 || s.MaxCost != 2 || s.Timeout != 90*time.Second || !slices.Equal(s.Check, []string{"a", "b"}) {
				t.Errorf("got %+v", s.Config)
			}
		})
	}
}

func TestTurningOff(t *testing.T) {
	w := newWorld(t)
	w.user("check = [\"make\"]")
	w.in.Flags = map[string][]string{"stage": {"false"}, "check": {}}
	s := w.load()
	if s.Stage || len(s.Check) != 0 || s.From["stage"].where != "flag --no-stage" || s.From["check"].where != "flag --no-check" {
		t.Errorf("stage %v, check %q, from %v", s.Stage, s.Check, s.From)
	}
	w.in.Flags = map[string][]string{"rouns": {"3"}}
	if _, err := loadConfig(w.in); err == nil {
		t.Error("a flag without a key went unseen")
	}
}

func TestWhereTheUsersFileIs(t *testing.T) {
	w := newWorld(t)
	w.user("rounds = 2")
	xdg := t.TempDir()
	w.write(filepath.Join(xdg, "agentloop", "config.toml"), "rounds = 3", 0o600)
	named := w.write(filepath.Join(t.TempDir(), "mine.toml"), "rounds = 4", 0o600)
	for _, c := range []struct {
		env  []string
		file string
		want int
	}{
		{nil, "", 2},
		{[]string{"XDG_CONFIG_HOME=" + xdg}, "", 3},
		{[]string{"XDG_CONFIG_HOME=relative"}, "", 2},
		{nil, named, 4},
		{[]string{"AGENTLOOP_CONFIG=" + named}, "", 4},
	} {
		in := w.in
		in.Env, in.File = append(slices.Clone(in.Env), c.env...), c.file
		if s, err := loadConfig(in); err != nil || s.Rounds != c.want {
			t.Errorf("%v %q: rounds %d, %v; want %d", c.env, c.file, s.Rounds, err, c.want)
		}
	}
	w.in.File = filepath.Join(w.home, "none.toml")
	w.refused("none.toml: cannot be read: no such file")
	in := w.in
	in.Env, in.File = nil, ""
	if s, err := loadConfig(in); err != nil || s.UserDir != "" || s.PromptDir != "" {
		t.Errorf("without a home: %v %q", err, s.UserDir)
	}
}

func TestPathsOfTheUsersFile(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Dir(w.user("prompt_dir = \"words\"\nkey_file = \"~/k\"\n"))
	s := w.load()
	if s.PromptDir != filepath.Join(dir, "words") || s.KeyFile != filepath.Join(w.home, "k") {
		t.Errorf("prompts in %s, key in %s", s.PromptDir, s.KeyFile)
	}
}

func TestBaseURLFollowsTheModel(t *testing.T) {
	const flag, ours, openai, openaiOld, model, user = "https://flag/v1", "https://ours/v1", "https://openai/v1", "https://old/v1", "https://model/v1", "https://user/v1"
	for _, c := range []struct {
		name, want string
		env        []string
		file       string
		flags      map[string][]string
	}{
		{"nothing", "https://api.openai.com/v1", nil, "", nil},
		{"file", user, nil, "base_url = \"" + user + "\"", nil},
		{"old variable over file", openaiOld, []string{"OPENAI_API_BASE=" + openaiOld}, "base_url = \"" + user + "\"", nil},
		{"new variable over old", openai, []string{"OPENAI_API_BASE=" + openaiOld, "OPENAI_BASE_URL=" + openai}, "", nil},
		{"the model's own over shared variables", model, []string{"OPENAI_BASE_URL=" + openai}, "model = \"m\"\nmodels.m.base_url = \"" + model + "\"", nil},
		{"another model's own is not used", openai, []string{"OPENAI_BASE_URL=" + openai}, "model = \"n\"\nmodels.m.base_url = \"" + model + "\"", nil},
		{"our variable over the model's own", ours, []string{"OPENAI_BASE_URL=" + openai, "AGENTLOOP_BASE_URL=" + ours}, "model = \"m\"\nmodels.m.base_url = \"" + model + "\"", nil},
		{"flag over all", flag, []string{"AGENTLOOP_BASE_URL=" + ours}, "", map[string][]string{"base_url": {flag}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.user(c.file)
			w.env(c.env...)
			w.in.Flags = c.flags
			if s := w.load(); s.BaseURL != c.want {
				t.Errorf("got %s from %v, want %s", s.BaseURL, s.From["base_url"], c.want)
			}
		})
	}
}

func TestModelTables(t *testing.T) {
	w := newWorld(t)
	w.user(`model = "vendor/m:free"
[models."vendor/m:free"]
key_env = "VENDOR_KEY"
price_prompt = 0
price_completion = 2.5
context_window = 128000
headers = { X-Title = "agentloop" }
fields = { provider = { order = ["a"] }, top_k = 3 }
[models.other]
`)
	s := w.load()
	e := s.Entry
	if e.KeyEnv != "VENDOR_KEY" || e.PricePrompt == nil || *e.PricePrompt != 0 || e.PriceCached != nil || *e.PriceCompletion != 2.5 || e.ContextWindow != 128000 {
		t.Errorf("got %+v", e)
	}
	if e.Headers["X-Title"] != "agentloop" || fmt.Sprint(e.Fields) != "map[provider:map[order:[a]] top_k:3]" || len(s.Models) != 2 {
		t.Errorf("got %+v of %d", e, len(s.Models))
	}
}

func TestMisspeltVariableIsNoted(t *testing.T) {
	w := newWorld(t)
	w.env("AGENTLOOP_RUONDS=3", "AGENTLOOP_API_KEY=x", "AGENTLOOP_NO_SUCH_THING=1", "AGENTLOOP_MODEL=")
	s := w.load()
	for _, toggle := range []string{"CONFIG", "DIR", "DRY_RUN", "PRINT_PROMPT", "JSON", "DIFF", "QUIET", "VERBOSE", "TASK_FILE", "NO_STAGE", "NO_CHECK", "NET", "CONFIRM", "BACKUP"} {
		w.env("AGENTLOOP_" + toggle + "=1")
	}
	w.in.File = w.user("")
	s = w.load()
	if len(s.Notes) != 1 || s.Notes[0] != "environment AGENTLOOP_RUONDS is not known; did you mean AGENTLOOP_ROUNDS?" {
		t.Errorf("notes %q", s.Notes)
	}
}

// SC-02, and the parents of a tree: only two files are ever read.
func TestNoOtherFileCounts(t *testing.T) {
	w := newWorld(t)
	parent := filepath.Dir(w.root)
	for _, path := range []string{
		filepath.Join(w.root, ".env"), filepath.Join(w.root, ".envrc"), filepath.Join(w.root, "config.toml"), filepath.Join(w.root, ".agentloop.toml"),
		filepath.Join(w.root, ".config", "agentloop", "config.toml"), filepath.Join(parent, ".env"), filepath.Join(parent, "agentloop.toml"),
		filepath.Join(w.root, "sub", "agentloop.toml"),
	} {
		w.write(path, "AGENTLOOP_ROUNDS=2\nrounds=2\nbase_url=\"https://attacker/v1\"\n", 0o644)
		defer os.Remove(path)
	}
	t.Chdir(w.root)
	if s := w.load(); s.Rounds != 5 || s.BaseURL != "https://api.openai.com/v1" {
		t.Errorf("rounds %d, base URL %s", s.Rounds, s.BaseURL)
	}
}

func TestFilesOthersCanWriteAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes there")
	}
	w := newWorld(t)
	path := w.user("rounds = 2")
	if err := os.Chmod(path, 0o646); err != nil {
		t.Fatal(err)
	}
	w.refused(path, "written by every user")
}

func BenchmarkLoadWithoutFiles(b *testing.B) { benchmarkLoad(b, "", "") }

func BenchmarkLoadBothFiles(b *testing.B) {
	example, err := os.ReadFile("../../config.example.toml")
	if err != nil {
		b.Fatal(err)
	}
	var keep strings.Builder
	for line := range strings.Lines(string(example)) {
		if rest, ok := strings.CutPrefix(line, "#"); ok && !strings.HasPrefix(rest, " ") {
			keep.WriteString(rest)
		}
	}
	benchmarkLoad(b, keep.String(), strings.ReplaceAll(repoFileText("go test ./...", "go.mod"), "\n#", "\n# "))
}

func benchmarkLoad(b *testing.B, user, repo string) {
	home, root := b.TempDir(), b.TempDir()
	dir := filepath.Join(home, ".config", "agentloop")
	if user != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(user), 0o600); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, repoFileName), []byte(repo), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	in := configInput{Root: root, Env: append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_STATE_HOME=")}
	for b.Loop() {
		if _, err := loadConfig(in); err != nil {
			b.Fatal(err)
		}
	}
}
