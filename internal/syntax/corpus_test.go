package syntax

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// long reports whether the whole of the corpora is wanted (AGENTLOOP_LONG=1)
// and not the few seconds that always run.
func long() bool { return os.Getenv("AGENTLOOP_LONG") != "" }

// strict gives a validator under which nothing passes for want of time.
func strict(t testing.TB) *Validator {
	return &Validator{Limit: time.Minute, Note: func(path, why string) { t.Logf("%s: %s", path, why) }}
}

// goRoot finds Go's own sources, skipping the test where there are none.
func goRoot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	dir := filepath.Join(strings.TrimSpace(string(out)), "src")
	if _, no := os.Stat(dir); err != nil || no != nil {
		t.Skip("Go's sources are not here")
	}
	return dir
}

// sources lists files below a folder, evenly chosen if there are more than most.
func sources(t testing.TB, root string, most int, exts ...string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"testdata", "site-packages", "lib2to3", "bad"}, d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular() && slices.Contains(exts, filepath.Ext(file)):
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) <= most {
		return files
	}
	var some []string
	for i := range most {
		some = append(some, files[i*len(files)/most])
	}
	return some
}

func content(t testing.TB, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestGoSources(t *testing.T) {
	most := 200
	if long() {
		most = 2000
	}
	n, v := 0, strict(t)
	for _, file := range sources(t, goRoot(t), most, ".go", ".json", ".js", ".css", ".yaml", ".sh", ".bash", ".py", ".xml") {
		n++
		if p := v.Validate(t.Context(), file, "", content(t, file), false); p != nil {
			t.Errorf("%s: %s", file, p)
		}
	}
	t.Logf("%d files (%s)", n, runtime.Version())
}

// TestPythonSources judges the standard library. A file that is refused is an
// error if Python takes it.
func TestPythonSources(t *testing.T) {
	out, err := exec.Command("python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		t.Skip("python3 is not here")
	}
	most := 300
	if long() {
		most = 1 << 20
	}
	v, n := strict(t), 0
	var refused, texts []string
	for _, file := range sources(t, strings.TrimSpace(string(out)), most, ".py") {
		n++
		text := content(t, file)
		if p := v.Validate(t.Context(), file, "", text, false); p != nil {
			refused, texts = append(refused, file+": "+p.String()), append(texts, text)
		}
	}
	for i, ok := range ask(t, "python3", pythonJudge, texts) {
		if ok {
			t.Error(refused[i])
		}
	}
	t.Logf("%d files, %d refused rightly", n, len(refused))
}

// TestCommits judges real changes: what people have committed parses.
func TestCommits(t *testing.T) {
	f, err := os.Open("../../../shared/corpus/commits.jsonl")
	if err != nil {
		t.Skip("the corpus is not here")
	}
	defer f.Close()
	lines, n, v := bufio.NewScanner(f), 0, strict(t)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var commit struct {
			ID    string
			Files []struct{ Path, Before, After string }
		}
		if err := json.Unmarshal(lines.Bytes(), &commit); err != nil {
			t.Fatal(err)
		}
		for _, file := range commit.Files {
			if _, known := languageOf(file.Path); !known || file.After == "" { // deleted
				continue
			}
			n++
			if p := v.Validate(t.Context(), file.Path, file.Before, file.After, file.Before != ""); p != nil {
				t.Errorf("%s, %s: %s", commit.ID, file.Path, p)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if n < 100 {
		t.Errorf("only %d files were judged", n)
	}
	t.Logf("%d files of known languages", n)
}
