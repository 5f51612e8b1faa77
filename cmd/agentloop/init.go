package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// initRepo writes a commented agentloop.toml to the top of a repository and
// gives the check that it suggests, "" if nothing was recognised. A file that
// is there stays.
func initRepo(root string) (check string, err error) {
	path := filepath.Join(root, repoFileName)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return "", usageError{msg: path + " is there already", hint: "edit it, or delete it first"}
	}
	check, why := likelyCheck(root)
	if err := createFile(path, []byte(repoFileText(check, why))); err != nil {
		return "", fmt.Errorf("write %s: %w", repoFileName, err)
	}
	return check, nil
}

// createFile puts text at path whole or not at all. A link, unlike a rename,
// never replaces a file that came meanwhile.
func createFile(path string, text []byte) error {
	temp, err := writeTemp(path, text, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(os.Link(temp, path), os.Remove(temp))
}

// likelyCheck guesses the check from what stands at the top of the repository.
func likelyCheck(root string) (check, why string) {
	for _, tool := range []struct{ file, check string }{
		{"go.mod", "go test ./..."},
		{"Cargo.toml", "cargo test"},
		{"package.json", "npm test"},
		{"pytest.ini", "pytest -q"},
		{"pyproject.toml", "pytest -q"},
		{"tox.ini", "pytest -q"},
		{"Makefile", "make test"},
	} {
		text := head(filepath.Join(root, tool.file))
		switch {
		case text == "":
		case tool.file == "package.json" && !hasTestScript(text):
		case tool.file == "Makefile" && !hasTarget(text, "test"):
		default:
			return tool.check, tool.file
		}
	}
	return "", ""
}

// head gives the beginning of a regular file, "" if there is none.
func head(path string) string {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return ""
	}
	return string(text)
}

// hasTestScript reports whether a package.json has a test script other than
// the one that npm init puts there to fail.
func hasTestScript(text string) bool {
	var pkg struct {
		Scripts struct {
			Test string `json:"test"`
		} `json:"scripts"`
	}
	err := json.Unmarshal([]byte(text), &pkg)
	return err == nil && pkg.Scripts.Test != "" && !strings.Contains(pkg.Scripts.Test, "no test specified")
}

func hasTarget(text, target string) bool {
	for line := range strings.Lines(text) {
		names, rest, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "\t") || strings.HasPrefix(rest, "=") {
			continue
		}
		for _, name := range strings.Fields(names) {
			if name == target {
				return true
			}
		}
	}
	return false
}

// repoFileText is the file's text: prose after "# ", keys that may be used by
// taking the "#" away.
func repoFileText(check, why string) string {
	found := "# Nothing here told how this repository is tested."
	if check == "" {
		check = "make test"
	} else {
		found = "# Found: " + why + "."
	}
	return fmt.Sprintf(`# agentloop.toml: what agentloop should know of this repository.
#
# Everybody who works on it shares this file, so it holds only what cannot hurt:
# models, addresses and keys stand in your own ~/.config/agentloop/config.toml.
# Take the "#" in front of a key away to use it.

# Commands that must succeed. They are used only after each user has read this
# file and run "agentloop trust", and again whenever it changed.
%s
#check = [%q]

# Files that are sent when the command line names none, and files that never are.
#files = ["**/*.go", "README.md"]
#ignore = ["vendor/**", "**/*.min.js"]

# Files that are never written, beside those that agentloop protects anyway.
#protect = ["migrations/**"]

# How edits are asked for: search-replace, anchored or tools; and which tools.
#edit_format = "search-replace"
#tools = ["read_file", "list_files", "search", "edit_lines", "edit", "undo"]

# Files that must still parse after an edit: refuse, warn or off, or GLOB=MODE.
#validate = ["charts/**=off", "refuse"]

# Words for the model, added to every prompt.
#prompt_extra = "Write comments in British English."

# How much of the files goes into a prompt, in tokens.
#context_tokens = 16000

# The size of the map of the other files, in tokens.
#map_size = 1000

# Budgets. They can only make a user's own budgets smaller.
#rounds = 5
#timeout = "30m"
#check_timeout = "10m"
#max_tokens_total = 2000000
#max_cost = 1.50
#max_requests = 20
#max_calls = 50
#max_output_tokens = 8000
#looks = 3
`, found, check)
}
