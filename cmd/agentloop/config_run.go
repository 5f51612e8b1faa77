package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// forRun says what a run with these settings lacks: a model, a price for its
// budget, or a check that may be used.
func (s settings) forRun() error {
	switch {
	case s.Model == "":
		return usageError{msg: "no model given", hint: "give --model NAME, set AGENTLOOP_MODEL, or put model = \"NAME\" into " + s.userFile()}
	case s.MaxCost > 0 && (s.Entry.PricePrompt == nil || s.Entry.PriceCompletion == nil):
		return usageError{
			msg:  fmt.Sprintf("%s: max_cost needs the price of %q, which is unknown", s.From["max_cost"].where, s.Model),
			hint: fmt.Sprintf("put price_prompt and price_completion, in USD for a million tokens, below [models.%q] in %s", s.Model, s.userFile()),
		}
	case len(s.Check) == 0 && len(s.Ignored) > 0:
		return usageError{
			msg:  fmt.Sprintf("the only check is that of %s, which is not trusted: %s", repoFileName, quoted(s.Ignored)),
			hint: "read the file and run `agentloop trust`, or give --check CMD or --no-check",
		}
	}
	return nil
}

func (s settings) userFile() string {
	if s.UserDir == "" {
		return "your config.toml"
	}
	return s.UserDir + string(os.PathSeparator) + "config.toml"
}

// secret is a key that no printing, logging or marshalling shows.
type secret struct {
	From   string // "environment OPENAI_API_KEY"; "" if there is none
	reveal func() string
}

// Reveal gives the key itself, "" if there is none.
func (k secret) Reveal() string {
	if k.reveal == nil {
		return ""
	}
	return k.reveal()
}

// apiKey finds the key of the chosen model. A model with a key_env of its own
// never gets another provider's key. No key at all is no error: servers on this
// machine need none.
func (s settings) apiKey() (secret, error) {
	if name := s.Entry.KeyEnv; name != "" {
		if s.env(name) == "" {
			return secret{}, usageError{
				msg:  fmt.Sprintf("no key for %q: environment %s, which its key_env names, is not set", s.Model, name),
				hint: "export " + name + "=…",
			}
		}
		return newSecret(s.env(name), "environment "+name)
	}
	for _, name := range []string{"AGENTLOOP_API_KEY", "OPENAI_API_KEY"} {
		if text := s.env(name); text != "" {
			return newSecret(text, "environment "+name)
		}
	}
	if s.KeyFile != "" {
		text, err := readKeyFile(s.KeyFile)
		if err != nil {
			return secret{}, err
		}
		return newSecret(text, s.KeyFile)
	}
	return secret{}, nil
}

func newSecret(text, from string) (secret, error) {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return secret{}, usageError{msg: from + ": does not hold a key: it must be one word of ASCII characters"}
	}
	return secret{From: from, reveal: func() string { return text }}, nil
}

// readKeyFile reads a key that only its owner can read.
func readKeyFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", asUsage(path, err)
	}
	if !info.Mode().IsRegular() {
		return "", usageError{msg: path + ": key_file must be a regular file, not a " + fileKind(info.Mode())}
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", usageError{msg: fmt.Sprintf("%s: others may read this key (mode %04o)", path, info.Mode().Perm()), hint: "run: chmod 600 " + path}
	}
	f, err := os.Open(path)
	if err != nil {
		return "", asUsage(path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 16<<10))
	if err != nil {
		return "", asUsage(path, err)
	}
	return string(text), nil
}
