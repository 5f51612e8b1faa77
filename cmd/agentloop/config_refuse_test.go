package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is wrong in the user's own file: one line that names place and remedy.
func TestUserFileIsStrict(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"modle = \"x\"", `:1: unknown key modle; did you mean model?`},
		{"\n\ncheck-timeout = \"3s\"", `:3: unknown key check-timeout; did you mean check_timeout?`},
		{"Rounds = 3", `:1: unknown key Rounds; did you mean rounds?`},
		{"xyzzy = 1", `:1: unknown key xyzzy`},
		{"[check]\ntimout = 3", `:1: check must be a list of strings, such as ["a", "b"], not a table`},
		{"[foo.bar]\nx = 1", `:1: unknown key foo`},
		{"a.b.c = 1", `:1: unknown key a`},
		{"\"\\u001b[31m\" = 1", `unknown key "\u001b[31m"`},
		{"rounds = \"5\"", `:1: rounds must be an integer, not a string`},
		{"rounds = 5.0", `:1: rounds must be an integer, not a float`},
		{"rounds = 0", `:1: rounds must be from 1 to 1000, not 0`},
		{"rounds = -1", `:1: rounds must be from 1 to 1000, not -1`},
		{"rounds = 99999999999999999999", `:1:`},
		{"rounds = [5]", `:1: rounds must be an integer, not an array`},
		{"rounds = 2026-01-01", `:1: rounds must be an integer, not a date`},
		{"rounds = 1\nrounds = 2", `:2: Key 'rounds' has already been defined`},
		{"rounds = 1\n[models.a]\n[models.a]", `:3: Key 'models.a' has already been defined`},
		{"rounds = ", `:1:`},
		{"rounds 5", `:1:`},
		{"model = 3", `:1: model must be a string, not an integer`},
		{"model = \"a\\nb\"", `:1: model must be one line`},
		{"stage = \"yes\"", `:1: stage must be true or false, not a string`},
		{"timeout = \"30\"", `:1: timeout must be a duration in quotes, such as "90s" or "30m", not "30"`},
		{"timeout = 30", `:1: timeout must be a duration in quotes, such as "90s" or "30m", not an integer`},
		{"timeout = \"0s\"", `:1: timeout must be from 1s to 168h, not 0s`},
		{"check_timeout = \"-5m\"", `:1: check_timeout must be from 1s to 24h, not -5m`},
		{"max_cost = -0.5", `:1: max_cost must be from 0 to 1000000, not -0.5`},
		{"max_cost = nan", `:1: max_cost must be a number, not infinite or NaN`},
		{"max_cost = inf", `:1: max_cost must be a number, not infinite or NaN`},
		{"temperature = 2.5", `:1: temperature must be from 0 to 2, not 2.5`},
		{"seed = 1.5", `:1: seed must be an integer, not a float`},
		{"reasoning_effort = \"High!\"", `:1: reasoning_effort must be a word in small letters`},
		{"edit_format = \"diff\"", `:1: edit_format must be one of search-replace, anchored, tools, not "diff"`},
		{"validate = \"maybe\"", `:1: validate must be off, warn or refuse, or a list of GLOB=MODE, not "maybe"`},
		{"validate = [\"[a=off\"]", `:1: validate holds "[a", which is no glob`},
		{"validate = 1", `:1: validate must be a list of strings`},
		{"matching = \"\"", `:1: matching must be one of exact, tiered, full, not ""`},
		{"after_failed_block = \"stop\"", `:1: after_failed_block must be one of skip, continue, not "stop"`},
		{"check = \"go test\"", `:1: check must be a list of strings, such as ["a", "b"], not a string`},
		{"check = [\"a\", 3]", `:1: check must be a list of strings, such as ["a", "b"], not an array that holds an integer`},
		{"check = [\" \"]", `:1: check must hold commands that are not blank`},
		{"files = [\"[\"]", `:1: files holds "[", which is no glob`},
		{"pass_env = [\"A B\"]", `:1: pass_env holds "A B", which is no variable's name`},
		{"pass_env = [\"OPENAI_API_KEY\"]", `:1: pass_env holds OPENAI_API_KEY, which a check never gets to see`},
		{"pass_env = [\"MINE\"]\nmodels.m.key_env = \"MINE\"", `:1: pass_env holds MINE, which is the key of model "m"`},
		{"base_url = \"ftp://x\"", `:1: base_url must be an address such as`},
		{"base_url = \"api.example.com/v1\"", `:1: base_url must be an address such as`},
		{"base_url = \"https://x/v1?a=b\"", `:1: base_url must end with its path`},
		{"models = 3", `:1: models must hold tables`},
		{"[[models]]\nx=1", `models must hold tables`},
		{"models.m = 3", `:1: models must hold tables`},
		{"[models.m]\nprise_prompt = 1", `:2: unknown key prise_prompt; did you mean price_prompt?`},
		{"[models.m]\nprice_prompt = \"1\"", `:2: price_prompt must be a number, not a string`},
		{"[models.m]\nprice_prompt = -1", `:2: price_prompt must be from 0 to 1000000, not -1`},
		{"[models.\"a.b\"]\n\nkey_env = \"sk-123\"", `:3: key_env must be the name of an environment variable`},
		{"[models.m]\nheaders = { X = 3 }", `:2: headers must be a table of strings`},
		{"[models.m]\nheaders = { \"a b\" = \"x\" }", `:2: headers holds "a b", which is no header's name`},
		{"[models.m]\nheaders = { X = \"a\\r\\nb\" }", `:2: headers holds a value with control characters in X`},
		{"[models.m]\nheaders = { authorization = \"Bearer x\" }", `:2: headers may not hold authorization`},
		{"[models.m]\nfields = { stream = false }", `:2: fields may not hold stream`},
		{"[models.m]\nfields = { a = [{ b = nan }] }", `:2: fields must be made of values that JSON can hold`},
		{"a = \"\xff\"", `invalid UTF-8`},
		{strings.Repeat("a.", 100) + "b = 1", `:1: nested deeper than 64`},
		{"\n" + "a = " + strings.Repeat("[", 100) + strings.Repeat("]", 100), `:2: nested deeper than 64`},
	} {
		t.Run(c.want, func(t *testing.T) {
			w := newWorld(t)
			path := w.user(c.text)
			w.refused(path, c.want)
		})
	}
}

func TestVariablesAndFlagsAreStrict(t *testing.T) {
	w := newWorld(t)
	w.env("AGENTLOOP_ROUNDS=many")
	w.refused("environment AGENTLOOP_ROUNDS: rounds must be an integer, not a string")
	w = newWorld(t)
	w.env("AGENTLOOP_STAGE=maybe")
	w.refused("environment AGENTLOOP_STAGE: stage must be true or false, not a string")
	w = newWorld(t)
	w.in.Flags = map[string][]string{"max_cost": {"-1"}}
	w.refused("flag --max-cost: max_cost must be from 0 to 1000000, not -1")
	w = newWorld(t)
	w.in.Flags = map[string][]string{"max_cost": {"nan"}}
	w.refused("flag --max-cost: max_cost must be a number, not infinite or NaN")
	w = newWorld(t)
	w.env("OPENAI_BASE_URL=localhost:8000")
	w.refused("environment OPENAI_BASE_URL: base_url must be an address such as")
}

func TestPasswordsInAddressesAreNotRepeated(t *testing.T) {
	for _, address := range []string{"https://me:hunter2@x/v1", "https:// hunter2", "https://x/v1?key=hunter2", "hunter2", "https://me:hunter2@%zz"} {
		w := newWorld(t)
		w.env("AGENTLOOP_BASE_URL=" + address)
		if usage := w.refused("base_url must"); strings.Contains(usage.msg+usage.hint+usage.detail, "hunter2") {
			t.Errorf("%s: repeated in %+v", address, usage)
		}
	}
}

func TestKeysInFilesAreRefused(t *testing.T) {
	for _, text := range []string{
		"api_key = \"sk-hunter2\"", "key = \"sk-hunter2\"", "openai_api_key = \"sk-hunter2\"", "apiKey = \"sk-hunter2\"", "token = \"sk-hunter2\"",
		"[models.m]\napi-key = \"sk-hunter2\"", "models.m.secret = \"sk-hunter2\"",
	} {
		w := newWorld(t)
		path := w.user(text)
		usage := w.refused(path, "may not stand in a configuration file")
		if !strings.Contains(usage.hint, "key_file") || strings.Contains(usage.msg+usage.hint, "hunter2") {
			t.Errorf("%s: %+v", text, usage)
		}
	}
}

func TestLinksAreForTheUserOnly(t *testing.T) {
	w := newWorld(t)
	target := w.write(filepath.Join(t.TempDir(), "x.toml"), "rounds = 3", 0o600)
	w.user("")
	link := filepath.Join(w.home, ".config", "agentloop", "config.toml")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if s := w.load(); s.Rounds != 3 {
		t.Errorf("a linked file of the user's gave %d", s.Rounds)
	}
	if err := os.Symlink(target, filepath.Join(w.root, repoFileName)); err != nil {
		t.Fatal(err)
	}
	w.refused("agentloop.toml: must be a regular file, not a link")
}

// SC-11: no megabyte of TOML takes long or much, whatever it is made of.
func TestHostileFilesEndSoon(t *testing.T) {
	const n = maxConfigBytes
	fill := func(part string) string { return strings.Repeat(part, n/len(part)) }
	many := func(format func(i int) string) string {
		var b strings.Builder
		for i := 0; b.Len() < n-100; i++ {
			b.WriteString(format(i))
		}
		return b.String()
	}
	number := func(i int) string { return string(rune('a'+i%26)) + strings.Repeat("x", i%7) + itoa(i) }
	for name, text := range map[string]string{
		"brackets":    "a = " + fill("["),
		"braces":      "a = " + fill("{a="),
		"dots":        fill("a."),
		"dots inside": "a = {" + fill("a."),
		"tables":      many(func(i int) string { return "[models." + number(i) + "]\n" }),
		"keys":        many(func(i int) string { return number(i) + "=1\n" }),
		"arrays":      "files = [" + fill("\"a\",") + "]",
		"one string":  "prompt_extra = \"" + fill("a") + "\"",
		"quotes":      "a = " + fill("\"\"\""),
		"comments":    fill("#[\n"),
		"open string": "a = \"\"\"" + fill("[\n"),
		"models":      many(func(i int) string { return "models." + number(i) + ".price_prompt=1\n" }),
		"duplicates":  fill("a=1\n"),
		"nested":      "[models.m]\nfields = { a = [" + fill("[1],") + "] }",
	} {
		if len(text) > n {
			text = text[:n]
		}
		begin := time.Now()
		for _, repo := range []bool{false, true} {
			w := newWorld(t)
			if repo {
				w.repo(text)
			} else {
				w.user(text)
			}
			if _, err := loadConfig(w.in); err != nil && strings.ContainsRune(err.Error(), '\n') {
				t.Errorf("%s: more than one line: %.200q", name, err)
			}
		}
		if took := time.Since(begin); took > 15*time.Second {
			t.Errorf("%s: took %v", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
}

func itoa(i int) string {
	digits := ""
	for ; i > 0; i /= 10 {
		digits = string(rune('0'+i%10)) + digits
	}
	return digits
}

func TestNearest(t *testing.T) {
	all := names(keys(new(Config)))
	for _, c := range [][2]string{
		{"modle", "model"},
		{"baseurl", "base_url"},
		{"base-url", "base_url"},
		{"BASE_URL", "base_url"},
		{"checks", "check"},
		{"timout", "timeout"},
		{"max_tokens", ""},
		{"max_token_total", "max_tokens_total"},
		{"xyzzy", ""},
		{"", ""},
		{strings.Repeat("model", 1000), ""},
		{"protects", "protect"},
	} {
		if got := nearest(c[0], all); got != c[1] {
			t.Errorf("nearest to %.20q is %q, want %q", c[0], got, c[1])
		}
	}
}
