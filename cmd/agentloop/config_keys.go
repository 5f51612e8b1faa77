package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

func lookup(ks []key, name string) (key, bool) {
	i := slices.IndexFunc(ks, func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return ks[i], true
}

func names(ks []key) []string {
	all := make([]string, len(ks))
	for i, k := range ks {
		all[i] = k.name
	}
	return all
}

// fill puts the file's entries into c. Names are compared as they stand: a key
// in other letters is unknown, not another way to write it.
func (f *configFile) fill(c *Config) error {
	ks := keys(c)
	for _, name := range f.names() {
		if name == "models" {
			if err := f.fillModels(c); err != nil {
				return err
			}
			continue
		}
		if err := f.fillOne(ks, f.doc[name], name); err != nil {
			return err
		}
	}
	return nil
}

// fillOne puts one entry into its field; the last name of its path is the key.
func (f *configFile) fillOne(ks []key, entry toml.Primitive, path ...string) error {
	name := path[len(path)-1]
	k, ok := lookup(ks, name)
	if !ok {
		return f.unknown(names(ks), path...)
	}
	value, err := f.value(entry)
	if err != nil {
		return usageError{msg: f.at(path...) + ": " + oneLine(err.Error())}
	}
	wrong := set(k.into, value)
	if wrong == "" && k.wants != nil {
		wrong = k.wants()
	}
	if wrong != "" {
		return usageError{msg: f.at(path...) + ": " + name + " " + wrong}
	}
	return nil
}

func (f *configFile) fillModels(c *Config) error {
	wrong := func(path ...string) error {
		return usageError{msg: f.at(path...) + `: models must hold tables such as [models."gpt-5"]`}
	}
	models, ok := f.table(f.doc["models"])
	if !ok {
		return wrong("models")
	}
	c.Models = make(map[string]ModelConfig, len(models))
	for _, name := range slices.Sorted(maps.Keys(models)) {
		entries, ok := f.table(models[name])
		if !ok {
			return wrong("models", name)
		}
		var m ModelConfig
		ks := modelKeys(&m)
		for _, entry := range slices.Sorted(maps.Keys(entries)) {
			if err := f.fillOne(ks, entries[entry], "models", name, entry); err != nil {
				return err
			}
		}
		c.Models[name] = m
	}
	return nil
}

// unknown words a name that is no key, with the nearest one that is.
func (f *configFile) unknown(known []string, path ...string) error {
	err := usageError{msg: fmt.Sprintf("%s: unknown key %s", f.at(path...), toml.Key(path[len(path)-1:]))}
	if near := nearest(path[len(path)-1], known); near != "" {
		err.msg += fmt.Sprintf("; did you mean %s?", near)
	} else {
		err.hint = "the keys are: " + strings.Join(known, ", ")
	}
	return err
}

// noSecrets refuses a key that stands in the configuration itself. It is looked
// for before unknown names are, because that mistake needs another answer.
func (f *configFile) noSecrets() error {
	for _, path := range f.meta.Keys() {
		top := len(path) == 1 || (len(path) == 3 && path[0] == "models")
		if top && isSecretName(path[len(path)-1]) {
			return usageError{
				msg:  fmt.Sprintf("%s: %s may not stand in a configuration file", f.at(path...), path),
				hint: "put the key into the environment (AGENTLOOP_API_KEY, or name a variable with key_env), or into a file of mode 0600 that key_file names",
			}
		}
	}
	return nil
}

func isSecretName(name string) bool {
	name = strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
	for _, end := range []string{"apikey", "token", "secret", "password"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return name == "key" || name == "authorization"
}

// nearest gives the known name that a misspelt one was most likely meant to be,
// "" if none is near.
func nearest(name string, known []string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	if len(name) > 64 {
		return ""
	}
	best, least := "", max(1, len(name)/3)+1
	for _, candidate := range known {
		if d := editDistance(name, candidate); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// editDistance counts insertions, deletions, replacements and swaps of
// neighbours, in bytes.
func editDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
