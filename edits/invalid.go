package edits

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is where a text stops to parse.
type Problem struct {
	Line    int    // from 1; 0: unknown
	Column  int    // in bytes from 1; 0: unknown
	Message string // the parser's words, with the language
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.Message
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Message)
}

// Invalid takes back a change whose file would no longer parse, with those that
// renames tie to it, and fails the blocks that made them. The first one carries what the edit would have made.
func (r *Result) Invalid(c Change, p Problem) {
	tied := r.Tied(c.Path)
	r.Changes = slices.DeleteFunc(r.Changes, func(d Change) bool { return slices.Contains(tied, d.Path) })
	made := p.excerpt(c.After)
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if !slices.Contains(tied, o.Block.Path) || !o.good() || o.Reason != "" {
			continue
		}
		fail := &Failure{Detail: p.String(), Made: made}
		if c.Existed {
			fail.Near = &Place{o.Line, o.Line + max(len(o.Block.Old), o.Block.End-o.Block.Start+1, 1) - 1}
		}
		o.fail(Syntax, fail)
		made = nil
	}
}

// excerptAround is how many lines are shown on both sides of a problem.
const excerptAround = 3

// excerpt gives the lines around a problem, with a caret below its column as
// Python's own messages have it (seed 5).
func (p Problem) excerpt(text string) []string {
	lines := newText(text).lines
	if p.Line < 1 || p.Line > len(lines) {
		return nil
	}
	upto := slices.Clone(lines[max(0, p.Line-1-excerptAround):p.Line])
	if at := lines[p.Line-1]; p.Column > 0 && p.Column <= len(at)+1 {
		pad := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, strings.ToValidUTF8(at[:p.Column-1], " "))
		upto = append(upto, pad+"^")
	}
	return append(upto, lines[p.Line:min(len(lines), p.Line+excerptAround)]...)
}
