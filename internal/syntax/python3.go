package syntax

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

// python3Judge parses bytes as ast.parse does, without importing it: nothing is
// run, nothing is imported but what is built in. It writes "ok", or the line, the
// column, the version and what is wrong. What it cannot parse for another reason
// than the text (nested too deeply) ends it with an error, and so does a version
// that would refuse much of what is written today.
const python3Judge = `
import sys, _ast
if sys.version_info < (3, 8): sys.exit("too old")
version = "%d.%d" % sys.version_info[:2]
try:
    compile(sys.stdin.buffer.read(), "<unknown>", "exec", _ast.PyCF_ONLY_AST, True)
    out = "ok"
except SyntaxError as e:
    out = "%d %d %s %s" % (e.lineno or 0, e.offset or 0, version, e.msg)
except ValueError as e:
    out = "0 0 %s %s" % (version, e)
sys.stdout.buffer.write(out.encode("utf-8", "replace"))
`

// python3 asks Python's own parser, isolated from the environment, from the
// user's packages and from all folders but that of its library; why is set where
// there is none or it came to no end. It knows the syntax of its version only,
// which its message names; the text before the edit is judged by the same one.
func (v *Validator) python3(ctx context.Context, text string) (p *Problem, why string) {
	out, err := v.Feed(ctx, "python3", []string{"-I", "-S", "-B", "-W", "ignore", "-c", python3Judge}, text)
	if err != nil {
		return nil, "did not judge: " + err.Error()
	}
	if out == "ok" {
		return nil, ""
	}
	var line, column int
	var version string
	if n, err := fmt.Sscanf(out, "%d %d %s", &line, &column, &version); n < 3 || err != nil {
		return nil, fmt.Sprintf("did not judge: it wrote %.100q", out)
	}
	_, message, _ := strings.Cut(out, " "+version+" ")
	return &Problem{
		Line: max(line, 0), Column: plainColumn(text, line, column),
		Message: message + " (Python " + version + ")",
	}, ""
}

// plainColumn is a column as python3 counts, or 0 where versions count in
// different ways: in a line that is not ASCII, and beyond its end.
func plainColumn(text string, line, column int) int {
	for ; line > 1; line-- {
		_, text, _ = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return 0
		}
	}
	if line < 1 || column < 1 || column > len(text)+1 {
		return 0
	}
	return column
}
