package edits

import (
	"fmt"
	"slices"
	"strings"
)

// What a model copies of what it was shown into a call's content, and what it
// leaves out of it, must not come into the file.

// clean takes the numbers off the lines of a call, as Numbered writes them, and
// refuses content that is not what the file is to hold: it leaves lines out, holds
// a line that Numbered cut, or numbers that may be the file's own or not.
func (f *file) clean(b *Block) (no Reason, detail string) {
	if first, bare, ok := numbersOff(b.New); ok && !b.cleaned && !slices.ContainsFunc(f.orig.lines, isNumbered) {
		if first != b.Start && !f.copied(bare, first) {
			return Malformed, "its lines begin with numbers as read_file writes them: leave these out; if the file is to hold them, take in a line that has none"
		}
		b.New, b.cleaned = bare, true
	}
	if i := slices.IndexFunc(b.New, isCut); i >= 0 && !slices.ContainsFunc(f.orig.lines, isCut) {
		return Malformed, "a line ends in " + b.New[i][cutMark(b.New[i]):] + ", where read_file cut it: write out all of it, or use edit for a part of it"
	}
	if line, ok := f.leftOut(b); ok {
		return Elided, line
	}
	return "", ""
}

// leftOut finds a line of a call that stands for lines which it leaves out and
// which the file does not hold. Where only lines come, nothing is lost: a wordless
// "..." and a comment that may say anything are no sign.
func (f *file) leftOut(b *Block) (line string, ok bool) {
	drops := b.End >= b.Start
	for i, l := range b.New {
		bare := strings.Trim(l, " \t.…/#*-;%<>!{}") == ""
		if !(isElision(l) && (drops || !bare) || drops && leavesOut(l)) || slices.Contains(f.orig.fold(Indentation), foldBlanks(l)) {
			continue
		}
		above := slices.Concat(f.orig.lines[:b.Start-1], b.New)
		if !stubBody(&Block{Path: b.Path, New: above}, b.Start-1+i) {
			return strings.TrimSpace(l), true
		}
	}
	return "", false
}

// numbersOff takes off the numbers of lines of which all but blank ones have them
// as Numbered writes them, counting up by one.
func numbersOff(lines []string) (first int, bare []string, ok bool) {
	for i, l := range lines {
		n, rest, numbered := cutNumber(l)
		switch {
		case !numbered && !isBlank(l):
			return 0, nil, false
		case numbered && !ok:
			first, ok = n-i, true
		case numbered && n != first+i:
			return 0, nil, false
		}
		bare = append(bare, rest)
	}
	return first, bare, ok
}

// cutNumber splits a line as Numbered writes it; a blank behind the number of an
// empty one may be missing.
func cutNumber(line string) (n int, rest string, ok bool) {
	n, rest, ok = cutGutter(line)
	head := fmt.Sprintf("%5d:", n)
	if !ok || line != head && !strings.HasPrefix(line, head+" ") {
		return 0, "", false
	}
	return n, rest, true
}

func isNumbered(line string) bool {
	_, _, ok := cutNumber(line)
	return ok
}

// copied reports whether one of the lines stands in the file by its number: then
// the numbers are the file's.
func (f *file) copied(bare []string, first int) bool {
	for i, l := range bare {
		if at := first + i - 1; !isBlank(l) && at >= 0 && at < len(f.orig.lines) && strings.TrimSpace(f.orig.lines[at]) == strings.TrimSpace(l) {
			return true
		}
	}
	return false
}

func isCut(line string) bool { return cutMark(line) >= 0 }

// cutMark finds the words by which Numbered says that it cut a line; -1: it has none.
func cutMark(line string) int {
	for at := strings.LastIndex(line, "… ("); at >= 0; at = strings.LastIndex(line[:at], "… (") {
		rest := line[at+len("… ("):]
		if digits := strings.TrimLeft(rest, "0123456789"); len(digits) < len(rest) && strings.HasPrefix(digits, " bytes more)") {
			return at
		}
	}
	return -1
}
