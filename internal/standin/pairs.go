package standin

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Pair is one real change: two trees, and a sentence on what was wanted.
type Pair struct {
	ID, Task      string
	Before, After map[string]string // path → content
	Deletes       bool              // some file stands only in Before
}

// maxCommit is the longest line of a file of commits, in bytes.
const maxCommit = 64 << 20

// ReadPairs reads a folder of txtar archives (testdata/README.md), or a file of
// commits: JSON lines with id, subject and files (path, before, after; null for
// a file that is not there). In order of name, or of line.
func ReadPairs(path string) ([]Pair, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read pairs: %w", err)
	}
	if !info.IsDir() {
		return readCommits(path)
	}
	names, err := filepath.Glob(filepath.Join(path, "*.txtar"))
	if err != nil {
		return nil, fmt.Errorf("read pairs: %w", err)
	}
	var pairs []Pair
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			return nil, fmt.Errorf("read pairs: %w", err)
		}
		p := Pair{ID: strings.TrimSuffix(filepath.Base(name), ".txtar"), Task: strings.TrimSpace(string(a.Comment)), Before: map[string]string{}, After: map[string]string{}}
		for _, f := range a.Files {
			switch side, file, _ := strings.Cut(f.Name, "/"); side {
			case "before":
				p.Before[file] = string(f.Data)
			case "after":
				p.After[file] = string(f.Data)
			default:
				return nil, fmt.Errorf("read pairs: %s: %s stands neither under before/ nor after/", name, f.Name)
			}
		}
		pairs = append(pairs, p.checked())
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("read pairs: %s: %w", path, errors.Join(errors.New("no *.txtar in it"), fs.ErrNotExist))
	}
	return pairs, nil
}

func readCommits(path string) ([]Pair, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read commits: %w", err)
	}
	defer f.Close()
	var pairs []Pair
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxCommit)
	for n := 1; lines.Scan(); n++ {
		var c struct {
			ID, Subject string
			Files       []struct {
				Path          string
				Before, After *string
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("read commits: %s:%d: %w", path, n, err)
		}
		p := Pair{ID: c.ID, Task: c.Subject, Before: map[string]string{}, After: map[string]string{}}
		for _, f := range c.Files {
			if f.Before != nil {
				p.Before[f.Path] = *f.Before
			}
			if f.After != nil {
				p.After[f.Path] = *f.After
			}
		}
		pairs = append(pairs, p.checked())
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read commits: %s: %w", path, err)
	}
	return pairs, nil
}

// checked notes whether a file goes away.
func (p Pair) checked() Pair {
	for path := range p.Before {
		if _, ok := p.After[path]; !ok {
			p.Deletes = true
		}
	}
	return p
}
