package standin

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// unknown stands for a line that was not shown; it is no line of any file.
const unknown = "\x00"

// view is what the stand-in knows of a file: what it was shown, and what its own
// edits did since.
type view struct {
	lines  []string // of the file as it should be now
	shown  []bool   // under this tag
	quoted []string // other lines of the last answers about it
	tag    string   // "" for a file that is not there
	doubt  bool     // an answer did not agree: it must be read anew
}

// answer is the text that came back for a call.
type answer struct {
	text    string
	applied bool
	moot    bool // it changed nothing: the file is not as the caller thought
	total   int  // lines of the file, -1 where it is not said
	tag     string
	lines   map[int]string // numbered lines, from 0
	rest    []string       // all others
}

var (
	pageHead = regexp.MustCompile(`lines \d+-\d+ of (\d+)`)
	tagged   = regexp.MustCompile(`tag (@[0-9a-f]{8})\b`)
	numbered = regexp.MustCompile(`^ *(\d+): ?(.*)$`)
)

// answersIn gives the answers to the last calls, in the order of the calls.
func answersIn(c Chat) []string {
	texts := map[string]string{}
	for i := len(c.Messages) - 1; i >= 0; i-- {
		m := c.Messages[i]
		if m.Role == "tool" {
			texts[m.CallID] = string(m.Content)
		}
		if len(m.Calls) > 0 {
			var all []string
			for _, call := range m.Calls {
				all = append(all, texts[call.ID])
			}
			return all
		}
	}
	return nil
}

// readAnswer reads what read_file, edit_lines and edit answer.
func readAnswer(text string) answer {
	a := answer{text: text, total: -1, lines: map[int]string{}}
	all := strings.Split(text, "\n")
	a.applied, a.moot = strings.HasPrefix(text, "applied"), strings.HasPrefix(text, "nothing to change")
	if m := pageHead.FindStringSubmatch(all[0]); m != nil {
		a.total, _ = strconv.Atoi(m[1])
	}
	for i, line := range all {
		line = strings.TrimSuffix(line, "\r")
		m := numbered.FindStringSubmatch(line)
		if n := 0; i > 0 && m != nil {
			if n, _ = strconv.Atoi(m[1]); n > 0 {
				a.lines[n-1] = strings.TrimPrefix(m[2], bom)
				continue
			}
		}
		a.rest = append(a.rest, line)
		if m := tagged.FindStringSubmatch(line); m != nil {
			a.tag = m[1]
		}
	}
	if a.tag != "" && a.total < 0 && !a.applied && !strings.HasPrefix(text, "failed") {
		a.total = 0 // a page without lines
	}
	return a
}

// take learns from the answers about one file, oldest first. in are the hunks,
// in order, that they say were applied.
func (v *view) take(answers []answer, f *file, in []int) {
	stands := f.stands(v.lines)
	for i := len(in) - 1; i >= 0; i-- {
		if s := stands[in[i]]; s.at < 0 {
			v.doubt = true
		} else if !s.in {
			v.lines = slices.Replace(slices.Clone(v.lines), s.at, s.end, f.wanted(f.hunks[in[i]])...)
		}
	}
	tag := v.tag
	for _, a := range answers {
		if a.tag != "" {
			tag = a.tag
		}
	}
	if tag != v.tag || len(in) > 0 {
		v.doubt = v.doubt || v.tag != "" && len(in) == 0 // somebody else changed it
		v.shown = make([]bool, len(v.lines))
	}
	v.tag, v.quoted = tag, nil
	for _, a := range answers {
		if a.tag == tag || a.tag == "" { // else its numbers are of an older version
			v.overlay(a)
		}
		v.quoted = append(append(v.quoted, unknown), a.rest...)
	}
}

// overlay notes the lines that an answer shows.
func (v *view) overlay(a answer) {
	if a.total >= 0 && len(v.lines) == 0 {
		v.lines, v.shown = slices.Repeat([]string{unknown}, a.total), make([]bool, a.total)
	}
	v.doubt = v.doubt || a.total >= 0 && a.total != len(v.lines)
	for n, line := range a.lines {
		if n >= len(v.lines) || v.lines[n] != unknown && v.lines[n] != line {
			v.doubt = true
			continue
		}
		v.lines[n], v.shown[n] = line, true
	}
}

// gap gives the first range of lines that are not known, from 0; ok is false
// where there is none.
func (v *view) gap() (from, to int, ok bool) {
	from = slices.Index(v.lines, unknown)
	if from < 0 {
		return 0, 0, false
	}
	for to = from; to < len(v.lines) && v.lines[to] == unknown; to++ {
	}
	return from, to, true
}

// visible reports whether all lines of a place, or one beside an insertion, were
// shown under the file's tag.
func (v *view) visible(s stand) bool {
	if s.at < 0 || s.end > len(v.lines) || v.tag == "" {
		return false
	}
	if s.at == s.end {
		return len(v.lines) == 0 || s.at > 0 && v.shown[s.at-1] || s.at < len(v.lines) && v.shown[s.at]
	}
	return !slices.Contains(v.shown[s.at:s.end], false)
}

// copyable gives all lines that may be copied, with a mark where some are left
// out.
func (v *view) copyable() []string {
	out := slices.Clone(v.quoted)
	out = append(out, unknown)
	for i, line := range v.lines {
		if v.shown[i] {
			out = append(out, line)
		} else if out[len(out)-1] != unknown {
			out = append(out, unknown)
		}
	}
	return out
}
