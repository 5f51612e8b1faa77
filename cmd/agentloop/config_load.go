package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// configInput is all that settings are made of, so that loading reads no global.
type configInput struct {
	Root  string              // the repository's top folder, absolute; "" outside of one
	File  string              // --config, in place of the user's usual file
	Flags map[string][]string // key → what was typed, only for flags that were given; --no-check: empty
	Env   []string            // as os.Environ gives it
}

// layer says who gave a value. A higher one wins.
type layer int

const (
	fromDefault layer = iota
	fromUser
	fromRepo
	fromEnv
	fromFlag
)

// origin is where a value came from: "/home/a/.config/agentloop/config.toml:3",
// "environment AGENTLOOP_ROUNDS", "flag --rounds".
type origin struct {
	layer layer
	where string
}

// settings is the outcome of all layers. No key is in it: see apiKey.
type settings struct {
	Config
	Entry    ModelConfig       // of the chosen model; zero if the configuration has none
	From     map[string]origin // key → who gave its value; defaults are not in it
	Notes    []string          // what the user should hear, one line each
	Ignored  []string          // checks of the repository's file that are not trusted
	RepoHash string            // SHA-256 of the repository's file as it was read; "" without one
	UserDir  string            // <config home>/agentloop
	StateDir string            // <state home>/agentloop

	env func(name string) string // closure: printing settings shows no variable
}

// loadConfig reads every layer once. What a user can mend is a usageError.
func loadConfig(in configInput) (settings, error) {
	env := environ(in.Env)
	s := settings{
		Config:   defaultConfig(),
		From:     make(map[string]origin),
		UserDir:  homeDir(env, "XDG_CONFIG_HOME", ".config"),
		StateDir: homeDir(env, "XDG_STATE_HOME", ".local", "state"),
		env:      env,
	}
	if err := s.loadUser(in.File); err != nil {
		return s, err
	}
	if err := s.loadEnv(in.Env); err != nil {
		return s, err
	}
	if err := s.loadFlags(in.Flags); err != nil {
		return s, err
	}
	if in.Root != "" {
		if err := s.loadRepo(in.Root); err != nil {
			return s, err
		}
	}
	s.Entry = s.Models[s.Model]
	if err := s.chooseBaseURL(); err != nil {
		return s, err
	}
	if s.PromptDir == "" && s.UserDir != "" {
		s.PromptDir = filepath.Join(s.UserDir, "prompts")
	}
	return s, s.keepKeysIn()
}

// homeDir is agentloop's folder under an XDG base directory. That specification
// says to ignore a relative one, which could point into the tree.
func homeDir(env func(string) string, name string, fallback ...string) string {
	if dir := env(name); filepath.IsAbs(dir) {
		return filepath.Join(dir, "agentloop")
	}
	home := env("HOME")
	if runtime.GOOS == "windows" {
		home = env("USERPROFILE")
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(append(append([]string{home}, fallback...), "agentloop")...)
}

// loadUser reads the user's own file, which may be a link.
func (s *settings) loadUser(named string) error {
	path := named
	if path == "" {
		path = s.env("AGENTLOOP_CONFIG")
	}
	chosen := path != ""
	if !chosen {
		if s.UserDir == "" {
			return nil
		}
		path = filepath.Join(s.UserDir, "config.toml")
	}
	f, err := readConfigFile(path, path, true)
	if errors.Is(err, fs.ErrNotExist) && !chosen {
		return nil
	}
	if err != nil {
		return asUsage(path, err)
	}
	if err := onlyOursToWrite(path); err != nil {
		return err
	}
	if err := f.noSecrets(); err != nil {
		return err
	}
	if err := f.fill(&s.Config); err != nil {
		return err
	}
	for _, name := range f.names() {
		s.From[name] = origin{fromUser, f.at(name)}
	}
	for _, field := range []*string{&s.PromptDir, &s.KeyFile} {
		*field = s.expand(*field, filepath.Dir(path))
	}
	return nil
}

// asUsage words what the system says about a configuration file.
func asUsage(path string, err error) error {
	if usage, ok := errors.AsType[usageError](err); ok {
		return usage
	}
	if reason, ok := errors.AsType[*fs.PathError](err); ok {
		err = reason.Err
	}
	return usageError{msg: fmt.Sprintf("%s: cannot be read: %v", path, err)}
}

// onlyOursToWrite refuses a file that any user of the machine can write.
func onlyOursToWrite(path string) error {
	info, err := os.Stat(path)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o002 != 0 {
		return usageError{msg: path + ": can be written by every user of this machine", hint: "run: chmod o-w " + path}
	}
	return nil
}

// expand makes a path absolute: ~/ is the user's home, base the folder that
// relative ones start from, "" the current one.
func (s *settings) expand(path, base string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && s.env("HOME") != "" {
		return filepath.Join(s.env("HOME"), rest)
	}
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	if abs, err := filepath.Abs(filepath.Join(base, path)); err == nil {
		return abs
	}
	return path
}

// chooseBaseURL lets what was said for agentloop or for the model win over the
// variables that other programs share, so that a provider's key meets its host.
func (s *settings) chooseBaseURL() error {
	if s.From["base_url"].layer >= fromEnv {
		return nil
	}
	if s.Entry.BaseURL != "" {
		s.BaseURL = s.Entry.BaseURL
		s.From["base_url"] = s.From["models"]
		return nil
	}
	for _, name := range []string{"OPENAI_BASE_URL", "OPENAI_API_BASE"} {
		if text := s.env(name); text != "" {
			k, _ := lookup(keys(&s.Config), "base_url")
			return s.give(k, []string{text}, origin{fromEnv, "environment " + name})
		}
	}
	return nil
}

// keepKeysIn refuses to hand a variable that holds a model's key to checks.
func (s *settings) keepKeysIn() error {
	for name, entry := range s.Models {
		if slices.Contains(s.PassEnv, entry.KeyEnv) {
			return usageError{msg: fmt.Sprintf("%s: pass_env holds %s, which is the key of model %q; a check never gets to see it",
				s.From["pass_env"].where, entry.KeyEnv, name)}
		}
	}
	return nil
}
