package edits

import (
	"cmp"
	"slices"
	"strings"
)

// Parser reads blocks out of a reply that comes in chunks. The zero value is
// ready. Feed it the reply's text as it comes, then Close.
//
// Markers count only at the start of a line. Lines may end in CRLF. Text in
// <think>…</think> is never parsed, and a </think> in a reply without any <think>
// voids all that stood before it (some servers keep the opening tag to themselves).
//
// A line of a body that would read as a marker is written with a backslash
// before it, and read without it: that is how a block can edit a file that
// holds marker lines, and how quoted files cannot open a block.
type Parser struct {
	// Outside is given each line that is in no block and no reasoning; may be nil.
	Outside func(line string)

	Commands bool // git rm and git mv of one file (command.go) are blocks, too; given by Close

	buf    strings.Builder // the whole reply; grows, so that lines are slices of it and never copied
	start  int             // where the line that is not complete yet starts in buf
	seen   int             // up to here buf has no line feed behind start
	line   int             // number of the line that starts at start, less one
	blocks []Block
	given  int // blocks that Feed has returned
	calls  []Call

	cur     body  // the block that is open, or nil
	curFrom int   // where its first line starts
	curHead Block // its path and line
	think   bool
	thought bool // an opening tag was seen
	shell   commands
	above   above
	loose   []loose // lines outside of blocks, while there is no block: for the legacy formats
}

// loose is a line outside of any block.
type loose struct {
	text   string
	line   int // its number, from 1
	offset int // where it starts in the reply
}

// body takes the lines of one open block.
type body interface {
	// take is given each line after the opening marker.
	take(line string) step
	// finish gives the blocks that it was, head filled in with sides or a Fault:
	// one in most formats, none if it was no block after all.
	finish(head Block, closed bool) []Block
}

// step says what a line did to an open block.
type step int

const (
	inside   step = iota // part of the block
	closes               // the block ends with this line
	escapes              // the block ended before this line, which is read as outside of it
	restarts             // this line opens another block: the one before was never closed
)

// openers recognise the first line of a block. Formats that are read only where
// no other stands are not among them (legacy.go).
var openers = [...]func(line string, a *above) body{openSearchReplace, openRename, openAnchored, openPatch, openCall}

// openings holds the bytes that such lines begin with.
const openings = "<\xc2*{["

// Parse reads a whole reply.
func Parse(reply string) []Block {
	var p Parser
	p.Feed(reply)
	return p.Close()
}

// Cut reports whether a reply ends inside its last block.
func Cut(reply string, blocks []Block) bool {
	if len(blocks) == 0 {
		return false
	}
	last := &blocks[len(blocks)-1]
	return last.open && strings.HasSuffix(reply, last.Raw)
}

// Feed takes the next part of the reply and returns the blocks that it closed.
func (p *Parser) Feed(chunk string) []Block {
	p.buf.WriteString(chunk)
	all := p.buf.String()
	if len(p.blocks) == 0 {
		p.loose = slices.Grow(p.loose, strings.Count(chunk, "\n"))
	}
	for {
		n := strings.IndexByte(all[max(p.start, p.seen):], '\n')
		if n < 0 {
			break
		}
		n += max(p.start, p.seen)
		p.take(all[p.start:n], n+1)
	}
	p.seen = len(all)
	fresh := p.blocks[min(p.given, len(p.blocks)):]
	p.given = len(p.blocks)
	return fresh
}

// Close ends the reply and returns all its blocks, malformed ones among them,
// in the order in which they were opened.
func (p *Parser) Close() []Block {
	all := p.buf.String()
	if p.start < len(all) {
		p.take(all[p.start:], len(all))
	}
	if p.cur != nil {
		p.emit(len(all), false)
	}
	if len(p.blocks) == 0 {
		p.blocks = legacy(p.loose, all)
	}
	p.blocks, p.loose = p.shell.among(p.blocks), nil
	return p.blocks
}

// take reads one line, without its line feed; next is where the one after starts.
func (p *Parser) take(line string, next int) {
	from := p.start
	p.start = next
	p.line++
	line = strings.TrimSuffix(line, "\r")
	if p.cur != nil {
		switch p.cur.take(line) {
		case inside:
			return
		case closes:
			p.emit(next, true)
			return
		case escapes:
			p.emit(from, true)
		case restarts:
			lost := p.buf.String()[p.curFrom:from]
			p.emit(from, false)
			p.above.lines(lost)
		}
	}
	p.outside(line, from)
}

// outside reads a line that belongs to no block.
func (p *Parser) outside(line string, from int) {
	if p.thinking(line) {
		return
	}
	if p.orphan(line, from) {
		return
	}
	if len(line) > 0 && strings.IndexByte(openings, line[0]) >= 0 {
		for _, open := range openers {
			if b := open(line, &p.above); b != nil {
				p.cur, p.curFrom = b, from
				path, implied := p.above.path()
				p.curHead = Block{Path: path, implied: implied, Line: p.line}
				return
			}
		}
	}
	p.say(loose{line, p.line, from})
}

// say reads a line that no block begins with.
func (p *Parser) say(l loose) {
	p.above.push(l.text)
	if len(p.blocks) == 0 {
		p.loose = append(p.loose, l)
	}
	if p.Commands {
		p.shell.read(l)
	}
	if p.Outside != nil {
		p.Outside(l.text)
	}
}

// orphan reports a block whose opening marker is missing, by its closing one.
func (p *Parser) orphan(line string, from int) bool {
	b := Block{Line: p.line, Raw: line}
	switch {
	case p.above.fresh == 0:
		return false // a closing marker doubled
	case strings.HasPrefix(line, ">>>>>>> REPLACE") && srMarker(line):
		b.Format, b.Fault = SearchReplace, "no <<<<<<< SEARCH line opens this block"
	case strings.HasPrefix(line, ">>>>>>> RENAME") && srMarker(line):
		b.Format, b.Fault = SearchReplace, "no <<<<<<< RENAME line opens this block"
	case strings.HasPrefix(line, "»»» EDIT END") && anchoredMarker(line):
		b.Format, b.Fault = Anchored, "no ««« EDIT line opens this block"
	default:
		return false
	}
	p.blocks = append(p.blocks, b)
	p.above.used("", "")
	return true
}

// emit ends the open block; end is where its text ends.
func (p *Parser) emit(end int, closed bool) {
	head := p.curHead
	head.Raw = p.buf.String()[p.curFrom:end]
	head.open = !closed
	got := p.cur.finish(head, closed)
	p.cur = nil
	if len(got) == 0 {
		p.release(head)
		return
	}
	last := &got[len(got)-1]
	p.above.used(cmp.Or(last.MoveTo, last.Path), last.implied)
	for _, b := range got {
		if b.asks != nil {
			p.calls = append(p.calls, *b.asks)
		} else {
			p.blocks = append(p.blocks, b)
		}
	}
}

// Calls gives the calls in the reply's text that make no block, after Close.
func (p *Parser) Calls() []Call { return p.calls }

// release gives back the lines of what turned out to be no block.
func (p *Parser) release(head Block) {
	offset := p.curFrom
	for i, l := range strings.Split(strings.TrimSuffix(head.Raw, "\n"), "\n") {
		p.say(loose{strings.TrimSuffix(l, "\r"), head.Line + i, offset})
		offset += len(l) + 1
	}
}

// opensSides reports whether a line opens a block of the formats with markers.
func opensSides(line string) bool {
	return len(line) > 0 && (line[0] == '<' && (srHead(line) > 0 || renameHead(line) > 0) || line[0] == "«"[0] && anchoredMark(line) == markOpen)
}

// thinking keeps track of reasoning that stands in the text.
func (p *Parser) thinking(line string) bool {
	if !p.think {
		t := strings.TrimLeft(line, " \t")
		if len(t) == 0 || t[0] != '<' {
			return false
		}
		switch {
		case thinkTag(t, "<"):
			p.think, p.thought = !strings.Contains(t, "</think"), true
			return true
		case thinkTag(t, "</"):
			if p.thought {
				return true // one too many
			}
			p.blocks, p.loose, p.given, p.calls = nil, nil, 0, nil
			p.above, p.shell = above{}, commands{}
			return true
		}
		return false
	}
	p.think = !strings.Contains(line, "</think") && !strings.Contains(line, "</reasoning>")
	return true
}

func thinkTag(s, open string) bool {
	s, ok := strings.CutPrefix(s, open)
	return ok && (strings.HasPrefix(s, "think>") || strings.HasPrefix(s, "thinking>") || strings.HasPrefix(s, "reasoning>"))
}

// unescape takes one backslash off a line that is a marker behind backslashes.
func unescape(line string, marker func(string) bool) string {
	if len(line) > 1 && line[0] == '\\' && marker(strings.TrimLeft(line, `\`)) {
		return line[1:]
	}
	return line
}

// escape is the inverse of unescape.
func escape(line string, marker func(string) bool) string {
	if marker(strings.TrimLeft(line, `\`)) {
		return `\` + line
	}
	return line
}
