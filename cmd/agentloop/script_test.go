package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // else each program ends a second late with -race
	testscript.Main(m, map[string]func(){"agentloop": main})
}

// TestScript plays testdata/script: the program as its users run it, in a real
// git repository, against a real HTTP server on loopback. Beside testscript's
// own commands there are those of script_commands_test.go.
func TestScript(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the scripts need git on the PATH")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               scriptEnv,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"repo":    makeRepo,
			"standin": startStandin,
			"asked":   asked,
			"prompt":  prompt,
			"status":  status,
			"refused": refused,
			"events":  events,
			"hunt":    hunt,
		},
	})
}

// scriptKey is the API key of every script. It must turn up nowhere.
const scriptKey = "sk-script-5f0c2b7a91"

// scriptEnv keeps what the user of this machine has set up out of the scripts.
func scriptEnv(env *testscript.Env) error {
	at := func(name string) string { return filepath.Join(env.WorkDir, name) }
	for _, dir := range []string{"home", ".tmp"} {
		if err := os.MkdirAll(at(dir), 0o700); err != nil {
			return err
		}
	}
	env.Values[serverKey{}] = new(scriptServer)
	env.Setenv("HOME", at("home"))
	env.Setenv("USERPROFILE", at("home"))
	env.Setenv("XDG_CONFIG_HOME", at("config"))
	env.Setenv("XDG_STATE_HOME", at("state"))
	env.Setenv("OPENAI_API_KEY", scriptKey)
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("GOFLAGS", "")
	env.Setenv("NO_PROXY", "127.0.0.1")
	git := "[user]\n\tname = A User\n\temail = user@example.com\n[init]\n\tdefaultBranch = main\n"
	if err := os.WriteFile(filepath.Join(at("home"), ".gitconfig"), []byte(git), 0o644); err != nil {
		return err
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		return nil // no go: the scripts that need it ask for [exec:go]
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		env.Setenv(name, lines[i])
	}
	return nil
}
