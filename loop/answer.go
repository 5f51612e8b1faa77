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
	offered := len(t.task.Tools) > 0
	calls, inText := reply.Calls, false
	if offered && len(calls) == 0 {
		inText = true
		for _, c := range words.looks {
			calls = append(calls, Call{Name: c.Name, Arguments: c.Arguments})
		}
	}
	left := t.task.maxCalls() - t.calls
	t.calls += len(calls)
	answers := make([]string, len(calls))
	undone := map[string]bool{} // an edit of that reply was made for the file as it was, or as it is to be: nobody knows
	for i, c := range calls {
		if c.Name == edits.ToolUndo {
			answers[i] = t.look(ctx, c)
			if a, err := argumentsOf(c); err == nil {
				undone[a.Path] = true
			}
		}
	}
	blocks, of := t.inText(reply, words.blocks), map[int]int{} // the call of a block
	for i, c := range calls {
		b, edit := edits.ReadCall(c.Name, c.Arguments)
		switch {
		case !edit || offered && !t.offers(c.Name):
		case b.Preview && b.Fault == "":
			text, err := t.preview(ctx, b)
			if err != nil {
				return nil, err
			}
			answers[i] = text
		default:
			if undone[b.Path] {
				b.Fault = "undo of this file stands in the same answer: send the edit again, now that it is taken back"
			}
			of[len(blocks)] = i
			blocks = append(blocks, b)
			t.emit(BlockClosed{t.n, b.Path, b.Format, 0})
		}
	}
	res, err := t.apply(ctx, blocks)
	if err != nil {
		return nil, err
	}
	if !offered {
		return nil, nil // nobody asked for calls: what they say is done, and that was the reply
	}
	if err := t.wordAll(res, of, answers); err != nil {
		return nil, err
	}
	said := 0
	for i, c := range calls {
		switch said += len(answers[i]); {
		case answers[i] != "":
		case i >= left:
			answers[i] = "not answered: the calls of this round are used up"
		case said > stepMost:
			answers[i] = "not answered: too much for one answer, ask again"
		default:
			answers[i] = t.look(ctx, c)
			said += len(answers[i])
		}
		if i == len(calls)-1 && reply.Finish == FinishLength {
			answers[i] += "\nYour answer ran out of tokens: what came after this is lost."
		}
		t.emit(CallAnswered{t.n, c.Name, c.Arguments, answers[i]})
	}
	if inText && len(answers) > 0 {
		return t.wordText(res, answers)
	}
	return answers, nil
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

// wordAll words what became of the blocks that calls asked for; of gives the call
// of a block.
func (t *talk) wordAll(res edits.Result, of map[int]int, answers []string) error {
	told := map[string]bool{}
	for i, o := range res.Outcomes {
		call, ok := of[i]
		if !ok {
			continue
		}
		text, err := t.wordOne(o, res.Changes, told)
		if err != nil {
			return err
		}
		answers[call] = text
	}
	return nil
}

// wordText makes one answer of those to calls in a reply's text, behind what
// became of its blocks.
func (t *talk) wordText(res edits.Result, answers []string) ([]string, error) {
	told := map[string]bool{}
	var all []string
	for _, o := range res.Outcomes {
		text, err := t.wordOne(o, res.Changes, told)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return []string{strings.Join(append(all, answers...), "\n")}, nil
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
	set.DryRun, set.Shown = true, t.shownNow
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
