package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatARunNeeds(t *testing.T) {
	for _, c := range []struct {
		name, user, repo string
		flags            map[string][]string
		want, hint       string
	}{
		{name: "no model", want: "no model given", hint: "--model"},
		{name: "enough", user: "model = \"m\""},
		{name: "no price", user: "model = \"m\"\nmax_cost = 1", want: `:2: max_cost needs the price of "m", which is unknown`, hint: `[models."m"]`},
		{name: "half a price", user: "model = \"m\"\nmax_cost = 1\nmodels.m.price_prompt = 1", want: "max_cost needs the price"},
		{name: "priced", user: "model = \"m\"\nmax_cost = 1\nmodels.m.price_prompt = 1\nmodels.m.price_completion = 0"},
		{name: "only untrusted checks", user: "model = \"m\"", repo: "check = [\"make\"]", want: `the only check is that of agentloop.toml, which is not trusted: "make"`, hint: "agentloop trust"},
		{name: "own check beside untrusted ones", user: "model = \"m\"\ncheck = [\"mine\"]", repo: "check = [\"make\"]"},
		{name: "no check wanted", user: "model = \"m\"", repo: "check = [\"make\"]", flags: map[string][]string{"check": {}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.user(c.user)
			w.repo(c.repo)
			w.in.Flags = c.flags
			err := w.load().forRun()
			if c.want == "" && err != nil || c.want != "" && !isUsage(err, c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if err != nil && !strings.Contains(err.(usageError).hint, c.hint) {
				t.Errorf("hint %q", err.(usageError).hint)
			}
		})
	}
}

func TestWhereTheKeyComesFrom(t *testing.T) {
	w := newWorld(t)
	file := w.write(filepath.Join(w.home, "key"), "sk-file\n", 0o600)
	w.user("key_file = " + fmt.Sprintf("%q", file) + "\n[models.own]\nkey_env = \"OWN\"\n")
	step := func(model, want, from string) {
		t.Helper()
		s := w.load()
		s.Model, s.Entry = model, s.Models[model]
		key, err := s.apiKey()
		if err != nil || key.Reveal() != want || key.From != from {
			t.Errorf("%s: %q from %q, %v", model, key.Reveal(), key.From, err)
		}
	}
	step("m", "sk-file", file)
	w.env("OPENAI_API_KEY=sk-openai")
	step("m", "sk-openai", "environment OPENAI_API_KEY")
	w.env("AGENTLOOP_API_KEY= sk-ours ")
	step("m", "sk-ours", "environment AGENTLOOP_API_KEY")

	// Another provider's key is not sent where this one's is missing.
	s := w.load()
	s.Model, s.Entry = "own", s.Models["own"]
	if key, err := s.apiKey(); !isUsage(err, `no key for "own": environment OWN`) || key.Reveal() != "" {
		t.Errorf("%q, %v", key.Reveal(), err)
	}
	w.env("OWN=sk-own")
	step("own", "sk-own", "environment OWN")

	none := newWorld(t)
	if key, err := none.load().apiKey(); err != nil || key.Reveal() != "" || key.From != "" {
		t.Errorf("without any: %q, %v", key.Reveal(), err)
	}
}

func TestBadKeysAreRefusedUnseen(t *testing.T) {
	w := newWorld(t)
	file := w.write(filepath.Join(w.home, "key"), "hunter2", 0o640)
	w.user(fmt.Sprintf("key_file = %q", file))
	check := func(want string) {
		t.Helper()
		if _, err := w.load().apiKey(); !isUsage(err, want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	check("others may read this key (mode 0640)")
	for _, text := range []string{"", "\n", "hunter2 hunter2", "hunter2\nhunter2", "hunter2é"} {
		if err := os.Chmod(w.write(file, text, 0o600), 0o600); err != nil {
			t.Fatal(err)
		}
		check("does not hold a key")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	check("cannot be read")
}

// However settings or a key are printed, no key is in it.
func TestPrintingShowsNoKey(t *testing.T) {
	w := newWorld(t)
	w.env("OPENAI_API_KEY=hunter2", "AGENTLOOP_API_KEY=hunter2")
	s := w.load()
	key, err := s.apiKey()
	if err != nil || key.Reveal() != "hunter2" {
		t.Fatal(err)
	}
	out := ""
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		out += fmt.Sprintf(verb, s) + fmt.Sprintf(verb, key)
	}
	if text, err := json.Marshal(key); err == nil {
		out += string(text)
	}
	if strings.Contains(out, "hunter2") {
		t.Errorf("printed: %s", out)
	}
}
