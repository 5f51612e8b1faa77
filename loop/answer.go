package loop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
)

// said is what a reply's text holds beside its words.
type said struct {
	blocks []edits.Block
	looks  []edits.Call // calls of tools that make no block
	asks   asked        // lines that ask for more
}

// answer does what a reply asks for and gives the answers, one for each of its
// calls, or a single one for calls that stood in its text; none if it made none.
//
// The calls of one reply count as made at once: first what is to be taken back,
// then the edits, those of the text among them, and what only looks sees it all.
func (t *talk) answer(ctx context.Context, reply Reply, words said) ([]string, error) {
	calls, offered := reply.Calls, len(t.task.Tools) > 0
	inText := offered && len(calls) == 0
	if inText {
		for _, c := range words.looks {
			calls = append(calls, Call{Name: c.Name, Arguments: c.Arguments})
		}
	}
	a := &answering{
		calls: calls, answers: make([]string, len(calls)), left: t.task.maxCalls() - t.calls,
		blocks: t.inText(reply, words.blocks), of: map[int]int{}, undone: map[string]bool{},
	}
	t.calls += len(calls)
	t.takeBackAll(ctx, a)
	if err := t.readEdits(ctx, a); err != nil {
		return nil, err
	}
	res, err := t.apply(ctx, a.blocks)
	if err != nil || !offered {
		return nil, err // where nobody asked for calls, what they say is done, and that was the reply
	}
	told, err := t.words(res)
	if err != nil {
		return nil, err
	}
	for block, call := range a.of {
		a.answers[call] = told[block]
	}
	t.lookAll(ctx, a, reply.Finish)
	if inText && len(calls) > 0 {
		return []string{strings.Join(append(told, a.answers...), "\n")}, nil
	}
	return a.answers, nil
}

// answering is one reply's calls on their way to their answers.
type answering struct {
	calls   []Call
	answers []string
	left    int // calls that the round may still answer
	blocks  []edits.Block
	of      map[int]int     // the call that a block stands for
	undone  map[string]bool // an edit of such a file was made for it as it was, or as it is to be: nobody knows
}

// takeBackAll answers the calls of undo.
func (t *talk) takeBackAll(ctx context.Context, a *answering) {
	for i, c := range a.calls {
		if c.Name != edits.ToolUndo || !t.offers(c.Name) {
			continue
		}
		a.answers[i] = t.look(ctx, c)
		if args, err := argumentsOf(c); err == nil {
			a.undone[args.Path] = true
		}
	}
}

// readEdits makes blocks of the calls that edit, and answers those that only ask
// what an edit would do.
func (t *talk) readEdits(ctx context.Context, a *answering) (err error) {
	for i, c := range a.calls {
		b, edit := edits.ReadCall(c.Name, c.Arguments)
		switch {
		case !edit || len(t.task.Tools) > 0 && !t.offers(c.Name):
		case b.Preview && b.Fault == "":
			if a.answers[i], err = t.preview(ctx, b); err != nil {
				return err
			}
		default:
			if a.undone[b.Path] {
				b.Fault = "undo of this file stands in the same answer: send the edit again, now that it is taken back"
			}
			a.of[len(a.blocks)] = i
			a.blocks = append(a.blocks, b)
			t.emit(BlockClosed{t.n, b.Path, b.Format, 0})
		}
	}
	return nil
}

// lookAll answers the calls that have no answer yet, as far as there is room.
func (t *talk) lookAll(ctx context.Context, a *answering, finish Finish) {
	size := 0
	for i, c := range a.calls {
		switch {
		case a.answers[i] != "":
		case i >= a.left:
			a.answers[i] = "not answered: the calls of this round are used up"
		case size > stepMost:
			a.answers[i] = "not answered: too much for one answer, ask again"
		default:
			a.answers[i] = t.look(ctx, c)
		}
		size += len(a.answers[i])
		if i == len(a.calls)-1 && finish == FinishLength {
			a.answers[i] += "\nYour answer ran out of tokens: what came after this is lost."
		}
		t.emit(CallAnswered{t.n, c.Name, c.Arguments, a.answers[i]})
	}
}

// stepMost is how many bytes the answers to one reply may have before no further
// call that only looks is answered.
const stepMost = 256 << 10

// inText gives those blocks of a reply's text that are meant as edits. Where tools
// are offered, what stands beside calls only tells of them, and a file or a diff
// among the words shows what was done.
func (t *talk) inText(reply Reply, blocks []edits.Block) []edits.Block {
	if len(t.task.Tools) == 0 {
		return blocks
	}
	return slices.DeleteFunc(blocks, func(b edits.Block) bool {
		switch b.Format {
		case edits.Shell: // no tool does that
			return false
		case edits.WholeFile, edits.FileMarker, edits.UnifiedDiff:
			return true
		}
		return len(reply.Calls) > 0
	})
}

// words tells what became of each block.
func (t *talk) words(res edits.Result) ([]string, error) {
	told := map[string]bool{}
	var all []string
	for _, o := range res.Outcomes {
		text, err := t.wordOne(o, res.Changes, told)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, nil
}

// wordOne words an outcome. The lines that a reply changed in a file are shown
// once, with the first of its blocks.
func (t *talk) wordOne(o edits.Outcome, changes []edits.Change, told map[string]bool) (string, error) {
	if o.Status == edits.Failed || o.Status == edits.Skipped {
		text, err := feedback.Message(feedback.Round{Outcomes: []edits.Outcome{o}, Read: t.readable}, t.Prompts)
		return fmt.Sprintf("failed (%s): %s", reasonOf(o), text), err
	}
	if o.Block.Preview {
		return "not written (dry_run): " + reasonOf(o) + " in " + o.Block.Path, nil
	}
	if command := o.Block.Command(); command != "" && o.Reason == "" {
		return "applied: " + command, nil
	}
	path := o.Block.Path
	for _, c := range changes {
		if c.Path != path || o.Reason != "" {
			continue
		}
		if told[path] {
			return fmt.Sprintf("applied: %s, with the calls before", path), nil
		}
		told[path] = true
		return "applied: " + excerpt(c), nil
	}
	return fmt.Sprintf("nothing to change in %s (%s)", path, reasonOf(o)), nil
}

func reasonOf(o edits.Outcome) string {
	if o.Reason == "" {
		return string(o.Status)
	}
	return string(o.Reason)
}

// preview says what a call would do, and leaves everything as it is.
func (t *talk) preview(ctx context.Context, b edits.Block) (string, error) {
	b.Preview = false
	set := t.settings()
	set.DryRun = true
	res, err := edits.Apply([]edits.Block{b}, t.current([]edits.Block{b}), set)
	if err != nil {
		return "", err
	}
	t.validate(ctx, t.n, &res)
	text, err := t.wordOne(res.Outcomes[0], res.Changes, map[string]bool{})
	return "not written (dry_run); it would be " + text, err
}

func (t *talk) readable(path string) (string, bool) {
	content, err := t.desk.Read(path)
	return content, err == nil
}
