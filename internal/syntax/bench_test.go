package syntax

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkValidate judges a text of 6,000 lines of each language, as it would
// be where the edit is good: the bar is 30 ms.
func BenchmarkValidate(b *testing.B) {
	for _, c := range []struct{ path, head, unit, tail string }{
		{"a.go", "package a\n", "func f%d(a, b int) (int, error) {\n\tif a > b {\n\t\treturn g(a, \"text\"), nil // why\n\t}\n\treturn 0, fmt.Errorf(\"of %%d\", b)\n}\n", ""},
		{"a.py", "", "def f%d(a, b=None):\n    if a and not b:\n        return {'a': [a, f'{b!r}']}  # why\n    for x in range(10):\n        print(x, end='')\n    return None\n", ""},
		{"a.js", "", "export function f%d(a, b) {\n  if (a > b) {\n    return g(a, `text ${b}`); // why\n  }\n  return [a, ...b].map((x) => x + 1);\n}\n", ""},
		{"a.ts", "", "export function f%d(a: number, b: string[]): Map<string, A> {\n  if (a > 1) {\n    return g<A>(a, `text ${b}`); // why\n  }\n  return [a, ...b].map((x) => x + 1) as any;\n}\n", ""},
		{"a.css", "", ".a%d > b:hover {\n  color: #fff;\n  margin: 0 auto;\n  width: calc(1px + 2em);\n  background: url(x.png) no-repeat;\n}\n", ""},
		{"a.json", "[\n", "{\n  \"id\": %d,\n  \"name\": \"text\",\n  \"list\": [1, 2.5, true],\n  \"none\": null\n},\n", "0]\n"},
		{"a.yaml", "", "key%d:\n  name: text\n  list: [1, 2]\n  items:\n    - a: b\n    - c: \"d\"\n", ""},
		{"a.toml", "", "[key%d]\nname = \"text\"\nlist = [1, 2]\nwhen = 2026-01-01\n# why\non = true\n", ""},
		{"a.xml", "<a>\n", "<b id=\"%d\">\n  <c>text</c>\n  <d e=\"f\"/>\n  <!-- why -->\n  &amp;\n</b>\n", "</a>\n"},
		{"a.sh", "", "f%d() {\n  if [ -n \"$1\" ]; then\n    echo \"text $(g \"$2\")\" >&2 # why\n  fi\n  for x in a b; do h \"$x\"; done\n}\n", ""},
	} {
		var text strings.Builder
		text.WriteString(c.head)
		for i := range 1000 {
			fmt.Fprintf(&text, c.unit, i)
		}
		text.WriteString(c.tail)
		b.Run(c.path, func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if p := strict(b).Validate(b.Context(), c.path, "", text.String(), false); p != nil {
					b.Fatal(p)
				}
			}
		})
	}
}
