package feedback

import (
	"fmt"
	"strings"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/prompts"
)

const (
	headLines  = 30
	tailLines  = 60
	maxOutput  = 6000 // bytes of one check's output
	newLines   = 15   // lines named as newly failing
	lineLength = 300  // bytes of one line of output
)

// check words one failed check: newly failing lines first, then head and tail.
func (r Round) check(c CheckRun) prompts.Check {
	p := prompts.Check{Command: c.Command, How: how(c), Output: edits.Quote(clean(elide(c)))}
	for _, base := range r.Baseline {
		if base.Command == c.Command && !base.Passed() {
			p.New = newFailures(base, c)
		}
	}
	return p
}

func how(c CheckRun) string {
	switch {
	case c.TimedOut:
		return "timed out after " + c.Elapsed.Round(1e8).String()
	case c.Signal != "":
		return "ended by " + c.Signal
	}
	return fmt.Sprintf("exit status %d", c.Exit)
}

// newFailures gives the lines that tell of a failure and that the run before
// round 1 did not print, numbers and times apart.
func newFailures(base, now CheckRun) []string {
	known := map[string]bool{}
	for _, l := range strings.Split(base.Head+"\n"+base.Tail, "\n") {
		known[normal(l)] = true
	}
	var out []string
	for _, l := range strings.Split(now.Head+"\n"+now.Tail, "\n") {
		if n := normal(l); tellsFailure(l) && !known[n] && len(out) < newLines {
			known[n] = true
			out = append(out, edits.Quote(clean(clip(strings.TrimSpace(l), lineLength))))
		}
	}
	return out
}

// tellsFailure knows the failure lines of common runners and compilers.
func tellsFailure(line string) bool {
	l := strings.ToLower(line)
	for _, w := range [...]string{"fail", "error", "panic:", "not ok", "expected", "undefined", "cannot ", "exception", "assert"} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

// normal makes lines equal that differ only in numbers, such as times and addresses.
func normal(line string) string {
	var b strings.Builder
	digit := false
	for i := range len(line) {
		c := line[i]
		if c >= '0' && c <= '9' {
			if !digit {
				b.WriteByte('#')
			}
			digit = true
			continue
		}
		digit = false
		b.WriteByte(c)
	}
	return strings.TrimSpace(b.String())
}

// elide gives the head and the tail of a check's output, what is between counted.
func elide(c CheckRun) string {
	head, tail := c.Head, c.Tail
	if c.Omitted == 0 {
		head, tail = c.Head+c.Tail, ""
		if strings.Count(head, "\n") <= headLines+tailLines && len(head) <= maxOutput {
			return head
		}
	}
	first := strings.SplitAfter(head, "\n")
	n := min(headLines, len(first))
	if c.Omitted == 0 {
		tail = strings.Join(first[n:], "")
	}
	last := strings.SplitAfter(strings.TrimRight(tail, "\n"), "\n")
	h := cut(first[:n], maxOutput/3, false)
	t := cut(last[max(0, len(last)-tailLines):], maxOutput*2/3, true)
	gone := int64(len(c.Head)+len(c.Tail)-len(h)-len(t)) + c.Omitted
	return endLine(h) + fmt.Sprintf("[… %d bytes left out …]\n", gone) + t
}

// cut joins lines up to a number of bytes, counted from their end if fromEnd.
func cut(lines []string, most int, fromEnd bool) string {
	text := strings.Join(lines, "")
	if len(text) <= most {
		return text
	}
	if fromEnd {
		text = text[len(text)-most:]
		if i := strings.IndexByte(text, '\n'); i >= 0 && i < len(text)-1 {
			text = text[i+1:]
		}
		return text
	}
	text = text[:most]
	if i := strings.LastIndexByte(text, '\n'); i > 0 {
		text = text[:i+1]
	}
	return text
}

func endLine(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// clean drops terminal colours and other control characters from output.
func clean(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return strings.ToValidUTF8(s, "\ufffd")
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] == 0x1b {
			i += escapeLen(s[i:])
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if isControl(r) {
			return -1
		}
		return r
	}, b.String()), "\ufffd")
}

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }

// escapeLen is the length of the escape sequence at the start of s: a control
// sequence (CSI) up to its last byte, a command (OSC, DCS and the like) up to its
// end by BEL or ST, or at most to the end of the line.
func escapeLen(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
		return len(s)
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(s); i++ {
			switch {
			case s[i] == '\n':
				return i
			case s[i] == 0x07:
				return i + 1
			case s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\':
				return i + 2
			}
		}
		return len(s)
	}
	return 2
}
