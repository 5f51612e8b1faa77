package edits

import "strings"

// Suggestions lists the shell commands on files that a reply wishes for, in
// backticks (seeds 1 and 4): `git rm PATH`, `git mv OLD NEW`, `mkdir -p PATH`,
// `rm -rf PATH`. They are reported, never run.
func Suggestions(reply string) []string {
	var out []string
	for _, line := range strings.Split(reply, "\n") {
		for rest := line; ; {
			_, after, ok := strings.Cut(rest, "`")
			if !ok {
				break
			}
			code, after, ok := strings.Cut(after, "`")
			if !ok {
				break
			}
			rest = after
			if suggests(code) {
				out = append(out, code)
			}
		}
	}
	return out
}

func suggests(code string) bool {
	for _, p := range [...]string{"git rm ", "git mv ", "mkdir -p ", "rm -rf "} {
		if rest, ok := strings.CutPrefix(code, p); ok && strings.TrimSpace(rest) != "" {
			return true
		}
	}
	return false
}
