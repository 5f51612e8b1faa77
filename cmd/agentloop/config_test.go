package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// world is a user's home and a repository, both empty.
type world struct {
	t          *testing.T
	home, root string
	in         configInput
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, home: t.TempDir(), root: t.TempDir()}
	w.in = configInput{Root: w.root, Env: []string{"HOME=" + w.home}}
	return w
}

func (w *world) user(text string) string {
	w.t.Helper()
	return w.write(filepath.Join(w.home, ".config", "agentloop", "config.toml"), text, 0o600)
}

func (w *world) repo(text string) string {
	w.t.Helper()
	return w.write(filepath.Join(w.root, repoFileName), text, 0o644)
}

func (w *world) write(path, text string, mode os.FileMode) string {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *world) env(entries ...string) { w.in.Env = append(w.in.Env, entries...) }

func (w *world) load() settings {
	w.t.Helper()
	s, err := loadConfig(w.in)
	if err != nil {
		w.t.Fatalf("loadConfig: %v", err)
	}
	return s
}

// refused wants one line that holds every part, and exit status 2.
func (w *world) refused(parts ...string) usageError {
	w.t.Helper()
	_, err := loadConfig(w.in)
	usage, ok := errors.AsType[usageError](err)
	if !ok {
		w.t.Fatalf("loadConfig gave %v, want a usageError with %q", err, parts)
	}
	if strings.ContainsAny(usage.msg, "\n\r") {
		w.t.Errorf("message of more than one line: %q", usage.msg)
	}
	for _, part := range parts {
		if !strings.Contains(usage.msg, part) {
			w.t.Errorf("message %q lacks %q", usage.msg, part)
		}
	}
	return usage
}

func TestEveryFieldHasOneKey(t *testing.T) {
	check := func(structure any, ks []key) {
		v := reflect.ValueOf(structure).Elem()
		fields := make(map[any]string)
		for i := range v.NumField() {
			fields[v.Field(i).Addr().Interface()] = v.Type().Field(i).Name
		}
		seen := make(map[string]bool)
		for _, k := range ks {
			if _, ok := fields[k.into]; !ok {
				t.Errorf("key %s: its field is another key's too, or none of %T", k.name, structure)
			}
			delete(fields, k.into)
			if seen[k.name] || k.name != strings.ToLower(k.name) {
				t.Errorf("key %s: twice, or not in small letters", k.name)
			}
			seen[k.name] = true
		}
		for _, name := range fields {
			t.Errorf("%T.%s has no key", structure, name)
		}
	}
	var c Config
	check(&c, keys(&c))
	var m ModelConfig
	check(&m, modelKeys(&m))
}

func TestDefaultsAreAllowed(t *testing.T) {
	c := defaultConfig()
	unset := map[string]bool{"matching": true, "after_failed_block": true} // "" stands for: by the format
	for _, k := range keys(&c) {
		if k.wants != nil && !unset[k.name] {
			if wrong := k.wants(); wrong != "" {
				t.Errorf("default of %s %s", k.name, wrong)
			}
		}
	}
}

func TestExampleHoldsEveryDefault(t *testing.T) {
	text := usedKeys(t, "../../config.example.toml")
	f, err := parseConfigFile("config.example.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got Config
	if err := f.fill(&got); err != nil {
		t.Fatal(err)
	}
	examples := map[string]bool{ // no default: what stands there is an example
		"model": true, "key_file": true, "temperature": true, "seed": true, "reasoning_effort": true,
		"matching": true, "after_failed_block": true, "prompt_dir": true, "models": true,
	}
	want := defaultConfig()
	wantKeys := keys(&want)
	for i, k := range keys(&got) {
		if _, ok := f.doc[k.name]; !ok {
			t.Errorf("the example lacks %s", k.name)
		}
		have, def := reflect.ValueOf(k.into).Elem(), reflect.ValueOf(wantKeys[i].into).Elem()
		same := reflect.DeepEqual(have.Interface(), def.Interface()) || (have.Kind() == reflect.Slice && have.Len() == 0 && def.Len() == 0)
		if examples[k.name] == same {
			t.Errorf("%s: the example says %v, the default is %v", k.name, have, def)
		}
	}
	for name, m := range got.Models {
		for _, k := range modelKeys(&m) {
			if f.line("models", name, k.name) == 0 {
				t.Errorf("the example lacks %s of a model", k.name)
			}
		}
	}
	if raw := readText(t, "../../config.example.toml"); strings.Contains(raw, "\n ") || !parsesAsEmpty(t, raw) {
		t.Error("the example sets something as it stands")
	}
}

// usedKeys takes the "#" from every line that it makes a key or a table.
func usedKeys(t *testing.T, path string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(readText(t, path)) {
		if rest, ok := strings.CutPrefix(line, "#"); ok && !strings.HasPrefix(rest, " ") && strings.TrimSpace(rest) != "" {
			line = rest
		}
		out.WriteString(line)
	}
	return out.String()
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parsesAsEmpty(t *testing.T, text string) bool {
	t.Helper()
	f, err := parseConfigFile("x", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return len(f.doc) == 0
}
