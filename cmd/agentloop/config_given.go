package main

import (
	"fmt"
	"slices"
	"strings"
)

// environ looks names up. An empty variable counts as one that is not set.
func environ(env []string) func(name string) string {
	values := make(map[string]string, len(env))
	for _, entry := range env {
		if name, value, ok := strings.Cut(entry, "="); ok {
			values[name] = value
		}
	}
	return func(name string) string { return values[name] }
}

// loadEnv takes AGENTLOOP_<KEY> for every key but models.
func (s *settings) loadEnv(env []string) error {
	for _, k := range keys(&s.Config) {
		name := "AGENTLOOP_" + strings.ToUpper(k.name)
		text := s.env(name)
		if text == "" || k.name == "models" {
			continue
		}
		texts := []string{text}
		if _, list := k.into.(*[]string); list {
			texts = lines(text)
		}
		if err := s.give(k, texts, origin{fromEnv, "environment " + name}); err != nil {
			return err
		}
	}
	s.noteMisspelt(env)
	return nil
}

// noteMisspelt tells of variables that were likely meant for agentloop.
func (s *settings) noteMisspelt(env []string) {
	known := names(keys(&s.Config))
	for _, entry := range env {
		variable, value, _ := strings.Cut(entry, "=")
		name, ours := strings.CutPrefix(variable, "AGENTLOOP_")
		if name = strings.ToLower(name); !ours || value == "" || slices.Contains(known, name) {
			continue
		}
		if near := nearest(name, known); near != "" {
			s.Notes = append(s.Notes, fmt.Sprintf("environment %s is not known; did you mean AGENTLOOP_%s?", variable, strings.ToUpper(near)))
		}
	}
}

func (s *settings) loadFlags(flags map[string][]string) error {
	all := keys(&s.Config)
	for _, k := range all {
		texts, given := flags[k.name]
		if !given {
			continue
		}
		if err := s.give(k, texts, origin{fromFlag, "flag " + flagName(k.name, texts)}); err != nil {
			return err
		}
	}
	for name := range flags {
		if !slices.Contains(names(all), name) {
			return fmt.Errorf("flag for %q, which is no key of the configuration", name)
		}
	}
	return nil
}

// flagName is how the flag was most likely typed: a key turned off is --no-key.
func flagName(key string, texts []string) string {
	name := strings.ReplaceAll(key, "_", "-")
	if len(texts) == 0 || (len(texts) == 1 && texts[0] == "false") {
		return "--no-" + name
	}
	return "--" + name
}

// give sets one key from texts.
func (s *settings) give(k key, texts []string, from origin) error {
	wrong := set(k.into, fromText(k.into, texts))
	if wrong == "" && k.wants != nil {
		wrong = k.wants()
	}
	if wrong != "" {
		return usageError{msg: from.where + ": " + k.name + " " + wrong}
	}
	if path, ok := k.into.(*string); ok && (path == &s.PromptDir || path == &s.KeyFile) {
		*path = s.expand(*path, "")
	}
	s.From[k.name] = from
	return nil
}
