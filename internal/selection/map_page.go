package selection

import (
	"fmt"
	"slices"
	"strings"
)

// page is a text that is full at some length.
type page struct {
	text strings.Builder
	left int // bytes
}

func (p *page) add(text string) bool {
	if len(text) > p.left {
		return false
	}
	p.text.WriteString(text)
	p.left -= len(text)
	return true
}

// folders counts files below the outermost folders, and below those in them
// where there is room: the largest first, then in order.
func (p *page) folders(files []string) {
	for depth := 2; depth > 0; depth-- {
		counts := map[string]int{}
		for _, f := range files {
			counts[folderAt(f, depth)]++
		}
		lines, whole := folderLines(counts, p.left/4)
		if whole || depth == 1 {
			p.add(lines)
			return
		}
	}
}

// folderAt gives the path's first parts, at most depth, with a slash; "./" for
// those at the root.
func folderAt(file string, depth int) string {
	end := 0
	for range depth {
		i := strings.IndexByte(file[end:], '/')
		if i < 0 {
			break
		}
		end += i + 1
	}
	if end == 0 {
		return "./"
	}
	return file[:end]
}

func folderLines(counts map[string]int, room int) (lines string, whole bool) {
	dirs := ranked(counts)
	var kept []string
	for _, d := range dirs {
		line := fmt.Sprintf("%s %s\n", d, number(counts[d], "file"))
		if room -= len(line); room < 0 {
			break
		}
		kept = append(kept, line)
	}
	slices.Sort(kept)
	return strings.Join(kept, ""), len(kept) == len(dirs)
}

func (p *page) remainder(rest, hidden int) {
	switch {
	case rest > 0 && hidden > 0:
		p.add(fmt.Sprintf("and %s, %d generated, vendored or protected\n", number(rest, "more file"), hidden))
	case rest > 0:
		p.add(fmt.Sprintf("and %s\n", number(rest, "more file")))
	case hidden > 0:
		p.add(fmt.Sprintf("and %s, generated, vendored or protected\n", number(hidden, "file")))
	}
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
