package edits

import "strings"

// Renames belong to format search-replace (a wish of seed 3):
//
//	block = path NL [fence NL] head NL path NL tail NL
//	head  = n × "<" " RENAME"        n = 5 … 9, mostly 7
//	tail  = n × ">" " RENAME"        as many as in head
//
// Blank lines around the new path do not count. The old path must be named: the
// file of the block before is not meant. Blocks that follow without a path of
// their own go to the new one.
type rename struct {
	n     int // length of the markers
	paths []string
	ended bool // by its tail
}

func openRename(line string, _ *above) body {
	if n := renameHead(line); n > 0 {
		return &rename{n: n}
	}
	return nil
}

// renameHead gives the marker length of a head line, else 0.
func renameHead(line string) int {
	if n := run(line, '<'); n >= 5 && n <= 9 && strings.TrimRight(line[n:], " \t") == " RENAME" {
		return n
	}
	return 0
}

func (r *rename) take(line string) step {
	switch {
	case opensSides(line):
		return restarts
	case run(line, '>') > 0 && srMarker(line):
		r.ended = run(line, '>') == r.n && strings.TrimRight(line[r.n:], " \t") == " RENAME"
		return closes // whatever the tail
	case isFence(line):
		return escapes
	case strings.TrimSpace(line) != "":
		r.paths = append(r.paths, line)
	}
	return inside
}

func (r *rename) finish(b Block, _ bool) []Block {
	b.Format, b.implied = SearchReplace, ""
	switch {
	case !r.ended:
		b.Fault = "no >>>>>>> RENAME line: the block is not complete"
	case len(r.paths) != 1:
		b.Fault = "between <<<<<<< RENAME and >>>>>>> RENAME stands the new path, alone"
	default:
		if b.MoveTo = cleanPath(r.paths[0]); b.MoveTo == "" {
			b.Fault = "the line between <<<<<<< RENAME and >>>>>>> RENAME is no path"
		}
	}
	return []Block{b}
}
