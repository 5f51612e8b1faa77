package edits

import "strings"

// Format patch (codex):
//
//	patch  = "*** Begin Patch" NL {file} "*** End Patch" NL
//	file   = "*** Update File: " path NL ["*** Move to: " path NL] {chunk} | "*** Add File: " path NL {"+" line NL}
//	       | "*** Delete File: " path NL
//	chunk  = ["@@" [text] NL] {(" " | "+" | "-") line NL} ["*** End of File" NL]
//
// Each chunk is a block, and so is a move, behind the chunks of its file. An empty
// line counts as a blank context line; the text behind "@@" is not used.
type patch struct{ lines []string }

func openPatch(line string, _ *above) body {
	if strings.TrimRight(line, " \t") == "*** Begin Patch" {
		return &patch{}
	}
	return nil
}

func (p *patch) take(line string) step {
	switch strings.TrimRight(line, " \t") {
	case "*** End Patch":
		return closes
	case "*** Begin Patch":
		return restarts
	}
	if opensSides(line) {
		return restarts // a line of a patch has its mark in the first column
	}
	p.lines = append(p.lines, line)
	return inside
}

func (p *patch) finish(head Block, closed bool) []Block {
	var out []Block
	var cur *Block
	end := func() {
		if cur != nil && (len(cur.Old)+len(cur.New) > 0 || cur.Fault != "") {
			out = append(out, *cur)
		}
		cur = nil
	}
	path, add := "", false
	var moves *Block // what becomes of path in the end
	leave := func() {
		if end(); moves != nil {
			out = append(out, *moves)
		}
		moves = nil
	}
	for i, l := range p.lines {
		begin := func() {
			end()
			b := head
			b.Format, b.Path, b.Line, b.implied = Patch, path, head.Line+1+i, ""
			cur = &b
		}
		switch {
		case strings.HasPrefix(l, "*** Update File: "), strings.HasPrefix(l, "*** Add File: "):
			leave()
			_, name, _ := strings.Cut(l, "File: ")
			path, add = cleanPath(name), strings.HasPrefix(l, "*** Add")
			if add {
				begin()
			}
		case strings.HasPrefix(l, "*** Move to: ") && path != "" && !add:
			begin()
			cur.MoveTo = cleanPath(strings.TrimPrefix(l, "*** Move to: "))
			if cur.MoveTo == "" {
				cur.Fault = "there is no path behind *** Move to:"
			}
			moves, cur = cur, nil
		case strings.HasPrefix(l, "*** Delete File: "):
			leave()
			path, add = cleanPath(strings.TrimPrefix(l, "*** Delete File: ")), false
			begin()
			cur.Delete = true
			out = append(out, *cur)
			cur, path = nil, ""
		case strings.HasPrefix(l, "*** "):
		case strings.HasPrefix(l, "@@"):
			begin()
		case path == "":
		default:
			if cur == nil {
				begin()
			}
			cur.diffLine(l, add)
		}
	}
	leave()
	if !closed && len(out) > 0 {
		out[len(out)-1].Fault = "no *** End Patch line: the patch is not complete"
	}
	return out
}

// diffLine adds a line of a diff to a block's sides.
func (b *Block) diffLine(l string, add bool) {
	switch {
	case l == "" && !add:
		b.Old, b.New = append(b.Old, ""), append(b.New, "")
	case l == "":
		b.New = append(b.New, "")
	case l[0] == '+':
		b.New = append(b.New, l[1:])
	case l[0] == '-' && !add:
		b.Old = append(b.Old, l[1:])
	case l[0] == ' ' && !add:
		b.Old, b.New = append(b.Old, l[1:]), append(b.New, l[1:])
	default:
		b.Fault = "a line of the diff begins with none of blank, + and -: " + clipped(l)
	}
}

func clipped(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
