package edits

import (
	"path"
	"slices"
	"strings"
)

// Format shell: commands that delete or rename a single file, as a shell would
// read them. They are never given to one.
//
//	command = "git rm" ["-f" | "--"] PATH | "git mv" ["--"] OLD NEW
//
// A command counts where it is a code span alone on its line, behind a list's
// marker or none, or a line of a fence that is tagged sh, bash, shell, zsh or
// console, with or without "$ " before it. Since a wrong one costs a file, all that
// leaves a doubt is no block and stays a suggestion: further words and options,
// globs, variables, what joins or redirects commands, folders ("x/"); what stands
// in a sentence, which may say anything of it; fences that hold anything else, but
// mkdir -p (folders are made as they are needed), that do not end, or whose line
// above names a file, a script that they would be; all below a line that denies it.
//
// The same command counts once in a reply, also beside a block that says it.

// commands gathers the commands of a reply.
type commands struct {
	found []Block
	fence fence  // that is open; n is 0 outside
	from  int    // in found, at the fence's beginning
	sound bool   // the fence holds nothing but commands
	above string // the last line of words
}

// read takes the next line outside of blocks.
func (c *commands) read(l loose) {
	if f, ok := openFence(l.text); ok {
		switch {
		case c.fence.n == 0:
			c.fence, c.from = f, len(c.found)
			c.sound = isShell(f.info) && !denied(c.above) && !looksLikePath(cleanPath(c.above))
			return
		case f.info == "" && f.char == c.fence.char && f.n >= c.fence.n:
			if !c.sound {
				c.found = c.found[:c.from]
			}
			c.fence = fence{}
			return
		}
	}
	if c.fence.n > 0 {
		c.fenced(l)
		return
	}
	b, ok := parseCommand(lone(l.text))
	switch {
	case !ok && strings.TrimSpace(l.text) != "":
		c.above = l.text
	case ok && !denied(c.above):
		b.Line = l.line
		c.found = append(c.found, b)
	}
}

// lone gives the code span that is alone on a line, behind a list's marker or
// none; "" where anything but closing punctuation stands beside it.
func lone(line string) string {
	s := strings.TrimSpace(line)
	if marker, rest, ok := strings.Cut(s, " "); ok && isMarker(marker) {
		s = strings.TrimSpace(rest)
	}
	code, ok := strings.CutPrefix(strings.TrimRight(s, ".,;!"), "`")
	if !ok {
		return ""
	}
	if code, ok = strings.CutSuffix(code, "`"); !ok || strings.Contains(code, "`") {
		return ""
	}
	return code
}

// isMarker reports whether a word opens a list's entry: - * + 1. 1)
func isMarker(word string) bool {
	number := strings.TrimRight(word, ".)")
	return word == "-" || word == "*" || word == "+" || len(word) == len(number)+1 && number != "" && strings.Trim(number, "0123456789") == ""
}

// fenced takes a line of a fence.
func (c *commands) fenced(l loose) {
	line := strings.TrimPrefix(strings.TrimSpace(l.text), "$ ")
	b, ok := parseCommand(line)
	switch {
	case ok:
		b.Line = l.line
		c.found = append(c.found, b)
	case line != "" && line[0] != '#' && !strings.HasPrefix(line, "mkdir -p "):
		c.sound = false
	}
}

// among adds the commands to a reply's other blocks, where they stand.
func (c *commands) among(blocks []Block) []Block {
	found := c.found
	if c.fence.n > 0 {
		found = found[:c.from]
	}
	if len(found) == 0 {
		return blocks
	}
	said := map[string]bool{}
	for i := range blocks {
		if blocks[i].Fault == "" {
			said[blocks[i].Command()] = true
		}
	}
	var all []Block
	end := 0 // the last line of a legacy block so far: others keep their lines to themselves
	for _, b := range found {
		for len(blocks) > 0 && blocks[0].Line <= b.Line {
			if o := &blocks[0]; isLegacy(o.Format) {
				end = o.Line + strings.Count(strings.TrimSuffix(o.Raw, "\n"), "\n")
			}
			all, blocks = append(all, blocks[0]), blocks[1:]
		}
		if command := b.Command(); b.Line > end && !said[command] {
			said[command] = true
			all = append(all, b)
		}
	}
	return append(all, blocks...)
}

// parseCommand reads a command of the format.
func parseCommand(code string) (Block, bool) {
	words, ok := shellWords(code)
	if !ok || len(words) < 3 || words[0] != "git" {
		return Block{}, false
	}
	command, paths := words[1], words[2:]
	if paths[0] == "--" || paths[0] == "-f" && command == "rm" {
		paths = paths[1:]
	}
	for i, p := range paths {
		if p == "" || p[0] == '-' || p[0] == ':' || strings.HasSuffix(p, "/") || p == "." || p == ".." {
			return Block{}, false
		}
		paths[i] = path.Clean(p)
	}
	b := Block{Format: Shell, Raw: code}
	switch {
	case command == "rm" && len(paths) == 1:
		b.Path, b.Delete = paths[0], true
	case command == "mv" && len(paths) == 2:
		b.Path, b.MoveTo = paths[0], paths[1]
	default:
		return Block{}, false
	}
	return b, true
}

func isShell(info string) bool {
	return slices.Contains([]string{"sh", "bash", "shell", "zsh", "console"}, strings.ToLower(info))
}

// denied reports whether the line above commands, in its last clause, says not to
// run them. What that costs where it is wrong is that somebody else runs them.
func denied(above string) bool {
	above = strings.TrimRight(above, ": ")
	clause := above[strings.LastIndexAny(above, ".,:;!?()")+1:]
	for _, w := range strings.Fields(strings.ToLower(strings.ReplaceAll(clause, "’", "'"))) {
		switch {
		case strings.HasSuffix(w, "n't"), w == "not", w == "never", w == "cannot", w == "without", w == "instead", w == "avoid":
			return true
		}
	}
	return false
}
