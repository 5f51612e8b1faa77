package standin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadPairs(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("a.txtar", "Do it.\n-- before/x/y --\none\n-- before/z --\nz\n-- after/x/y --\ntwo\n-- after/new --\nn\n")
	got, err := ReadPairs(dir)
	if err != nil || len(got) != 1 || got[0].ID != "a" || got[0].Task != "Do it." || got[0].Before["x/y"] != "one\n" || got[0].After["new"] != "n\n" || !got[0].Deletes {
		t.Errorf("%v, %+v", err, got)
	}
	got, err = ReadPairs(write("c.jsonl", `{"id":"1","subject":"s","files":[{"path":"p","before":null,"after":"x"}]}`+"\n"+`{"id":"2","files":[{"path":"p","before":"x","after":null}]}`+"\n"))
	if err != nil || len(got) != 2 || got[0].Task != "s" || got[0].Deletes || !got[1].Deletes || len(got[0].Before) != 0 {
		t.Errorf("%v, %+v", err, got)
	}
	for name, text := range map[string]string{"b.txtar": "-- beside/x --\n", "d.jsonl": "{\n"} {
		path := write(name, text)
		if strings.HasSuffix(name, ".txtar") {
			path = dir
		}
		if _, err := ReadPairs(path); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ReadPairs(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("no error for a folder that is not there")
	}
}
