package edits

import (
	"iter"
	"strings"
)

// Suggestions lists the shell commands on files that a reply wishes for, in
// backticks (seeds 1 and 4): `git rm PATH`, `git mv OLD NEW`, `mkdir -p PATH`,
// `rm -rf PATH`. They are never run: what OpsApply does of them it does itself.
func Suggestions(reply string) []string {
	var out []string
	for line := range strings.SplitSeq(reply, "\n") {
		for code := range spans(line) {
			if suggests(code) {
				out = append(out, code)
			}
		}
	}
	return out
}

// spans gives the code spans of a line.
func spans(line string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := line; ; {
			_, after, ok := strings.Cut(rest, "`")
			if !ok {
				return
			}
			code, after, ok := strings.Cut(after, "`")
			if !ok || !yield(code) {
				return
			}
			rest = after
		}
	}
}

func suggests(code string) bool {
	for _, p := range [...]string{"git rm ", "git mv ", "mkdir -p ", "rm -rf "} {
		if rest, ok := strings.CutPrefix(code, p); ok && strings.TrimSpace(rest) != "" {
			return true
		}
	}
	return false
}

// Command gives the git command that does what a block asks which deletes or
// renames a file, with its paths quoted for a shell; "" for other blocks.
func (b *Block) Command() string {
	switch {
	case b.MoveTo != "":
		return "git mv " + shellWord(b.Path) + " " + shellWord(b.MoveTo)
	case b.Delete:
		return "git rm " + shellWord(b.Path)
	}
	return ""
}

// Pending takes the commands that replies suggested, and what became of the
// newest reply's blocks. It gives those that are still to be done by somebody:
// without what a block has done, with the wishes and with what failed.
func Pending(commands []string, outs []Outcome) []string {
	open := map[string]bool{} // by the usual way to write a command
	for i := range outs {
		o := &outs[i]
		command := o.Block.Command()
		wish := o.Status == Applied && o.Reason == NoChange && o.Block.MoveTo != o.Block.Path
		switch {
		case command == "":
		case wish || !o.good() && o.Block.Format == Shell:
			commands = append(commands, command)
			open[command] = true
		case o.good() && o.Reason != NoChange:
			open[command] = false
		}
	}
	var left []string
	for _, c := range commands {
		b, _ := parseCommand(c)
		command := b.Command()
		todo, settled := open[command]
		switch {
		case !settled:
			left = append(left, c)
		case todo:
			left = append(left, c)
			open[command] = false // once
		}
	}
	return left
}
