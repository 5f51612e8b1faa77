package standin

import (
	"slices"
	"strings"

	"github.com/agentloop/agentloop/edits"
)

// toolsFormat is the format in which edits are calls of tools.
const toolsFormat edits.Format = "tools"

const (
	maxTries  = 3   // how often a block is sent in one round
	maxReads  = 6   // how often a file is read in one round
	pageLines = 800 // lines that read_file gives at most
	beside    = 10  // lines around a place that is read again, twice as many each time
)

// caller is what an actor knows that edits by calls. After each user message it
// reads the files that are not finished, then sends what is missing, repairs what
// failed by what the answers show, and says a sentence without calls when it is
// done or out of tries.
type caller struct {
	done map[*draft]bool   // is in, as far as the actor knows
	args map[*draft]string // sent last, for blocks that name lines

	round // what is forgotten when the user speaks again
}

// round is what one round has shown.
type round struct {
	views map[string]*view
	sent  []intent          // the last calls, in order
	told  map[*draft]string // the answer to the last call for a block
	held  map[*draft]bool   // waits until another edit was made
	tries map[*draft]int
	reads map[string]int
}

// intent is what a call was made for.
type intent struct {
	file  *file
	draft *draft // nil: to read
	extra bool   // the block beside the wanted one
}

// move is a call and what it is made for.
type move struct {
	call Call
	intent
}

// byCalls answers in calls of tools.
func (a *Actor) byCalls(c Chat, p prompt) Answer {
	if len(c.Messages) == 0 || c.Messages[len(c.Messages)-1].Role == "user" {
		a.round++
		a.begin()
	} else {
		a.learn(answersIn(c))
	}
	a.caller.sent = nil
	var calls []Call
	for _, f := range a.plan.files {
		for _, m := range a.next(f, p.feedback) {
			calls = append(calls, m.call)
			a.caller.sent = append(a.caller.sent, m.intent)
		}
	}
	if len(calls) == 0 {
		return Answer{Text: Nothing}
	}
	return Answer{Calls: calls}
}

// begin forgets what the files looked like before the user spoke.
func (a *Actor) begin() {
	first := a.caller == nil
	if first {
		a.caller = &caller{done: map[*draft]bool{}, args: map[*draft]string{}}
	}
	a.caller.round = round{
		views: map[string]*view{}, told: map[*draft]string{}, held: map[*draft]bool{},
		tries: map[*draft]int{}, reads: map[string]int{},
	}
	for _, f := range a.plan.files {
		if first && f.created {
			a.caller.views[f.path] = &view{} // nothing to read yet
		}
	}
}

// learn takes in what was answered to the last calls.
func (a *Actor) learn(texts []string) {
	k := a.caller
	for _, f := range a.plan.files {
		var answers []answer
		var in []int
		moot := false
		for i, s := range k.sent {
			if s.file != f || i >= len(texts) {
				continue
			}
			one := readAnswer(texts[i])
			answers = append(answers, one)
			if s.draft == nil || s.extra {
				continue
			}
			k.told[s.draft] = one.text
			moot = moot || one.moot
			if one.applied {
				in = append(in, s.draft.index)
			}
		}
		if len(answers) == 0 {
			continue
		}
		if k.views[f.path] == nil {
			k.views[f.path] = &view{}
		}
		k.views[f.path].take(answers, f, in)
		k.views[f.path].doubt = k.views[f.path].doubt || moot
	}
}

// next gives the calls for one file: to read it, as far as it is not known, else
// to edit it.
func (a *Actor) next(f *file, feedback []string) []move {
	v := a.caller.views[f.path]
	switch {
	case v == nil && a.finished(f, feedback):
		return nil
	case v == nil:
		return a.read(f, 0, 0)
	case v.doubt:
		delete(a.caller.views, f.path)
		return a.read(f, 0, 0)
	case v.tag == "" && !f.created:
		return nil // it cannot be read, so not edited either
	}
	if from, to, ok := v.gap(); ok {
		return a.read(f, from, to)
	}
	return a.edits(f, v, feedback)
}

// finished reports whether all of a file's blocks were in when it was last seen
// and the feedback does not speak of it.
func (a *Actor) finished(f *file, feedback []string) bool {
	if slices.ContainsFunc(feedback, func(l string) bool { return strings.Contains(l, f.path) }) {
		return false
	}
	return !slices.ContainsFunc(f.blocks, func(d *draft) bool { return !a.caller.done[d] })
}

// read asks for the lines [from, to), in pages, or for the first page where to
// is 0.
func (a *Actor) read(f *file, from, to int) []move {
	if a.caller.reads[f.path]++; a.caller.reads[f.path] > maxReads {
		return nil
	}
	call := func(args map[string]any) move {
		args["path"] = f.path
		return move{Call{Name: "read_file", Arguments: arguments(args)}, intent{file: f}}
	}
	if to == 0 {
		return []move{call(map[string]any{})}
	}
	var pages []move
	for ; from < to; from += pageLines {
		pages = append(pages, call(map[string]any{"start_line": from + 1, "end_line": min(from+pageLines, to)}))
	}
	return pages
}
