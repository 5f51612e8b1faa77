package standin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Faults of a call that names lines by their numbers. A sound engine must not
// apply any of them but TextNumber, which is only of a wrong type.
const (
	RangeOff     Fault = "range_off"     // the lines are one or two off, the guard quotes the right ones
	StaleTag     Fault = "stale_tag"     // lines and tag are of the version before another edit
	PastEnd      Fault = "past_end"      // the lines are beyond the file's end
	CutArguments Fault = "cut_arguments" // the JSON stops somewhere
	MissingPart  Fault = "missing_part"  // an argument is left out
	TextNumber   Fault = "text_number"   // numbers are in quotes
)

// CallMix is how models err in calls that name lines: as a guess, nobody has
// published counts.
func CallMix() Mix {
	return Mix{{RangeOff, 40}, {StaleTag, 20}, {PastEnd, 8}, {CutArguments, 8}, {MissingPart, 12}, {TextNumber, 12}}
}

// rangeThem lets half of the file's blocks be sent as calls that name lines.
func (f *file) rangeThem(seed uint64) {
	for i, d := range f.blocks {
		d.ranged = len(f.start.lines) > 0 && f.rng(seed, i, "tool").IntN(2) == 0
	}
}

// spoilRange gives the i-th block a fault of CallMix, if it fits.
func (f *file) spoilRange(i int, fault Fault, rng *rand.Rand) bool {
	d, h := f.blocks[i], f.hunks[i]
	switch fault {
	case RangeOff:
		d.off = []int{-2, -1, 1, 2}[rng.IntN(4)]
		if !guardable(f.start.lines, h.at, h.end) || !shifts(f.start.lines, h.at, h.end, d.off) {
			return false
		}
	case StaleTag:
		other := false // some block of the file must make the version another
		for _, o := range f.blocks {
			other = other || o != d && o.fault == ""
		}
		if !other {
			return false
		}
	}
	d.fault = fault
	return true
}

// guardable reports whether the lines [at, end), or the one before an insertion,
// say enough to be a guard.
func guardable(lines []string, at, end int) bool {
	if at == end {
		return at > 0 && !blank(lines[at-1])
	}
	return !blank(lines[at]) && !blank(lines[end-1])
}

// shifts reports whether the range can be moved so that a guard notices.
func shifts(lines []string, at, end, off int) bool {
	first, last := at, end-1
	if at == end {
		first, last = at-1, at-1
	}
	if first+off < 0 || last+off >= len(lines) {
		return false
	}
	same := func(a, b int) bool { return strings.TrimSpace(lines[a]) == strings.TrimSpace(lines[b]) }
	return !same(first, first+off) || !same(last, last+off)
}

// rangeCall is a right call of edit_lines that puts the i-th hunk in, where it
// stands now. Its guard is the tag, or with quote the text of the first and the
// last line where that says enough.
func (f *file) rangeCall(i int, v *view, s stand, quote bool) map[string]any {
	args := map[string]any{"command": "replace", "path": f.path, "guard": v.tag}
	if quote && guardable(v.lines, s.at, s.end) {
		args["guard"] = quoteGuard(v.lines, s)
	}
	content := lined(f.wanted(f.hunks[i]))
	switch {
	case s.at == s.end:
		args["command"], args["insert_line"], args["new_content"] = "insert", s.at, content
		return args
	case content == "":
		args["command"] = "delete"
	default:
		args["new_content"] = content
	}
	args["start_line"], args["end_line"] = s.at+1, s.end
	return args
}

func quoteGuard(lines []string, s stand) string {
	switch {
	case s.at == s.end:
		return lines[s.at-1]
	case s.end-s.at == 1:
		return lines[s.at]
	}
	return lines[s.at] + "\n" + lines[s.end-1]
}

// err writes a call's arguments with the fault that the draft has.
func (d *draft) err(args map[string]any, v *view, s stand, rng *rand.Rand) string {
	each := func(change func(int) any) {
		for _, name := range []string{"start_line", "end_line", "insert_line"} {
			if n, ok := args[name].(int); ok {
				args[name] = change(n)
			}
		}
	}
	switch d.fault {
	case RangeOff:
		if args["guard"] != v.tag && shifts(v.lines, s.at, s.end, d.off) {
			each(func(n int) any { return n + d.off })
		}
	case PastEnd:
		each(func(n int) any { return n + len(v.lines) })
	case TextNumber:
		each(func(n int) any { return fmt.Sprint(n) })
	case MissingPart:
		var names []string
		for _, name := range []string{"path", "end_line", "insert_line", "new_content"} {
			if _, ok := args[name]; ok {
				names = append(names, name)
			}
		}
		delete(args, names[rng.IntN(len(names))])
	case CutArguments:
		text := arguments(args)
		return text[:1+rng.IntN(len(text)-1)]
	}
	return arguments(args)
}

// lined ends each line.
func lined(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	return b.String()
}

// arguments writes JSON as models do, without escapes for HTML.
func arguments(args map[string]any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(args); err != nil {
		panic(err) // strings and numbers
	}
	return strings.TrimSuffix(b.String(), "\n")
}
