package edits

import (
	"fmt"
	"strings"
	"testing"
)

// The work of BENCHMARKS 6. Run: go test ./edits -bench . -benchmem

// source makes n lines of code that look like code, each once in the file.
func source(n int) string {
	var b strings.Builder
	for i := range n {
		switch i % 10 {
		case 0:
			fmt.Fprintf(&b, "func step%d(in []int) (out int, err error) {\n", i)
		case 8:
			b.WriteString("\treturn out, nil\n")
		case 9:
			b.WriteString("}\n")
		default:
			fmt.Fprintf(&b, "\tout += in[%d] * %d // %d of the sum\n", i%7, i%13, i)
		}
	}
	return b.String()
}

// editsOf makes n blocks that change one line in each of n places, with a line
// of context on both sides.
func editsOf(path, content string, n int) string {
	lines := strings.Split(content, "\n")
	var b strings.Builder
	step := (len(lines) - 10) / n
	for i := range n {
		at := i*step + 3
		for at%10 < 2 || at%10 > 6 {
			at++
		}
		old := lines[at-1 : at+2]
		b.WriteString(Render(Block{
			Format: SearchReplace, Path: path, Old: old, New: []string{old[0], old[1] + " changed", old[2]},
		}) + "\n")
	}
	return b.String()
}

func applyAll(b *testing.B, reply string, files map[string]string, want Status) {
	b.Helper()
	b.SetBytes(int64(len(reply)))
	b.ReportAllocs()
	for b.Loop() {
		res, err := Apply(Parse(reply), func(path string) (string, error) { return files[path], nil }, Settings{})
		if err != nil {
			b.Fatal(err)
		}
		for _, o := range res.Outcomes {
			if o.Status != want {
				b.Fatalf("%s %s: %+v", o.Status, o.Reason, o.Fail)
			}
		}
	}
}

// ≤ 10 ms
func BenchmarkThousandBlocksFiftyFiles(b *testing.B) {
	files, reply := map[string]string{}, ""
	for i := range 50 {
		path := fmt.Sprintf("pkg/f%d.go", i)
		files[path] = source(600)
		reply += editsOf(path, files[path], 20)
	}
	applyAll(b, reply, files, Applied)
}

// ≤ 25 ms
func BenchmarkThousandBlocksOneFile(b *testing.B) {
	files := map[string]string{"big.go": source(50_000)}
	applyAll(b, editsOf("big.go", files["big.go"], 1000), files, Applied)
}

// ≥ 150 MB/s, calls ≥ 30
func BenchmarkParse(b *testing.B) {
	code := source(2000)
	blocks := editsOf("a.go", code, 100)
	call := "```json\n" + `{"tool": "edit_lines", "path": "a.go", "start_line": 1, "end_line": 2, "content": "` + strings.Repeat("x = 1\\n", 50) + "\"}\n```\n"
	for _, c := range []struct{ name, reply string }{
		{"prose", strings.Repeat("Words about the change, and why it is a good one, line by line.\n", 16_000)},
		{"search-replace", strings.Repeat(blocks, 20)},
		{"anchored", strings.Repeat(anchoredOf(blocks), 20)},
		{"whole-file", strings.Repeat("a.go\n```go\n"+code+"```\n\n", 10)},
		{"unified-diff", strings.Repeat("--- a/a.go\n+++ b/a.go\n@@ -1,3 +1,3 @@\n a line of context\n-a line that goes\n+a line that comes\n another one\n", 8000)},
		{"edit-lines", strings.Repeat(call, 2000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.reply)))
			b.ReportAllocs()
			for b.Loop() {
				Parse(c.reply)
			}
		})
	}
}

func anchoredOf(reply string) string {
	var out string
	for _, b := range Parse(reply) {
		b.Format = Anchored
		out += Render(b)
	}
	return out
}

// ≤ 20 ms for 8 lines, ≤ 100 ms for 1,000
func BenchmarkNearMatch(b *testing.B) {
	content := source(50_000)
	lines := strings.Split(content, "\n")
	for _, n := range []int{8, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			old := append([]string(nil), lines[30_001:30_001+n]...)
			for i := range old {
				if i%4 == 1 {
					old[i] = strings.Replace(old[i], "out", "total", 1)
				}
			}
			reply := Render(Block{Format: SearchReplace, Path: "big.go", Old: old, New: append([]string{"new"}, old...)})
			applyAll(b, reply, map[string]string{"big.go": content}, Failed)
		})
	}
}

// ≤ 50 ms
func BenchmarkEqualLines(b *testing.B) {
	content := strings.Repeat("\tx := next()\n", 50_000)
	old := strings.Split(strings.Repeat("\tx := next()\n", 499)+"\ty := next()", "\n")
	reply := Render(Block{Format: SearchReplace, Path: "big.go", Old: old, New: old[:499]})
	applyAll(b, reply, map[string]string{"big.go": content}, Failed)
}

// ≤ 100 ms
func BenchmarkFailingBlocks(b *testing.B) {
	files, reply := map[string]string{}, ""
	for i := range 50 {
		path := fmt.Sprintf("pkg/f%d.go", i)
		files[path] = source(600)
		reply += strings.ReplaceAll(editsOf(path, files[path], 4), "out +=", "sum +=")
	}
	applyAll(b, reply, files, Failed)
}
