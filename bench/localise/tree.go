package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// tree is a module copied to a place where it may be changed.
type tree struct {
	Language string   // go or python
	Module   string   // its name, and a version where it has one
	Dir      string   // an absolute path
	Check    string   // the user's command, which passes on the tree as it is
	Files    []string // where faults are seeded
	Env      []string // what makes the check offline
}

// list gives the faults that can be seeded into one file.
func (t tree) list(file string) ([]mutation, error) {
	text, err := os.ReadFile(t.Dir + "/" + file)
	if err != nil {
		return nil, fmt.Errorf("list mutations: %w", err)
	}
	if t.Language == "python" {
		return pythonMutations(file, string(text))
	}
	return goMutations(file, string(text)), nil
}

var passing = regexp.MustCompile(`(?m)^ok\s+(\S+)`)

// narrow makes the check name only the Go packages that passed, as a user would
// who knows that the others need a network. It reports whether there are any.
func (t *tree) narrow(output string) bool {
	root := t.path()
	var folders []string
	for _, m := range passing.FindAllStringSubmatch(output, -1) {
		if below, ok := strings.CutPrefix(m[1]+"/", root+"/"); ok && root != "" {
			folders = append(folders, "./"+strings.TrimSuffix(below, "/"))
		}
	}
	if t.Language != "go" || len(folders) == 0 {
		return false
	}
	t.Check = "go test " + strings.Join(folders, " ")
	return true
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// path is what the import paths of a Go tree begin with; "" if that is not known.
func (t tree) path() string {
	mod, err := os.ReadFile(filepath.Join(t.Dir, "go.mod"))
	if m := moduleLine.FindSubmatch(mod); err == nil && m != nil {
		return string(m[1])
	}
	return ""
}
