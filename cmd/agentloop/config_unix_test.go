//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOnlyRegularFilesOfSaneSize(t *testing.T) {
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	for name, make := range map[string]func(path string) error{
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"pipe":   pipe,
		"large":  func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("#\n", 1<<20)), 0o600) },
	} {
		w := newWorld(t)
		for _, path := range []string{filepath.Join(w.root, repoFileName), filepath.Join(w.home, "c.toml")} {
			if err := make(path); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]string{"folder": "not a folder", "pipe": "not a device or pipe", "large": "larger than 1048576 bytes"}[name]
		w.refused(repoFileName, want)
		w.in.Root, w.in.File = "", filepath.Join(w.home, "c.toml")
		w.refused("c.toml", want)
	}
}
