package edits

import (
	"strings"
	"testing"
)

// TestHidden is fault SI-08: what cannot be seen is not written, unless the file
// has it already.
func TestHidden(t *testing.T) {
	const plain = "package a\n\nvar name = \"x\"\n"
	for _, c := range []struct {
		name, file, add string
		says            string // "": applied
	}{
		{"plain", plain, "var other = \"y\"", ""},
		{"letters of all kinds", plain, "var other = \"žluťoučký 日本 🙂\"", ""},
		{"replacement character", plain, "var other = \"\uFFFD\"", ""},
		{"byte order mark and joiner", plain, "var other = \"a\u200db\"", ""},
		{"NUL", plain, "var other = \"\x00\"", "NUL"},
		{"no UTF-8", plain, "var other = \"\xff\"", "0xFF"},
		{"no UTF-8 in a file of Latin-1", "// caf\xe9\n" + plain, "// na\xefve", ""},
		{"direction override", plain, "var other = \"\u202e\"", "U+202E"},
		{"direction isolate", plain, "var other = \"\u2066\"", "U+2066"},
		{"isolate that the file has", "// \u2066x\u2069\n" + plain, "// \u2066y\u2069", ""},
		{"tag character", plain, "var other = \"\U000E0041\"", "U+E0041"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for form, b := range map[string]Block{
				"change": {Format: SearchReplace, Path: "a.go", Old: []string{"var name = \"x\""}, New: []string{"var name = \"x\"", c.add}},
				"whole":  {Format: SearchReplace, Path: "a.go", Whole: true, New: append(strings.Split(strings.TrimSuffix(c.file, "\n"), "\n"), c.add)},
			} {
				res, err := Apply([]Block{b}, func(string) (string, error) { return c.file, nil }, Settings{})
				if err != nil {
					t.Fatal(err)
				}
				o := res.Outcomes[0]
				if c.says == "" {
					if o.Status != Applied || len(res.Changes) != 1 || !strings.Contains(res.Changes[0].After, c.add) {
						t.Errorf("%s: %v %+v, want it applied", form, o.Status, o.Fail)
					}
					continue
				}
				if o.Status != Failed || o.Reason != Malformed || !strings.Contains(o.Fail.Detail, c.says) || len(res.Changes) != 0 {
					t.Errorf("%s: %v %+v, want it refused for %s", form, o.Status, o.Fail, c.says)
				}
			}
		})
	}
}
