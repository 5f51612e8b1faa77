package standin

import (
	"io/fs"
	"maps"
	"slices"
	"testing"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
	"github.com/agentloop/agentloop/prompts"
)

// line plays rounds against an actor with the real prompts, engine and feedback,
// in memory. It gives the tree, the rounds used and every prompt.
func line(t *testing.T, p *Plan, format string, rounds int) (tree map[string]string, used int, asked []prompts.Prompt) {
	t.Helper()
	actor := p.Player()
	tree = maps.Clone(p.Start)
	told := ""
	for used < rounds {
		used++
		prompt := show(t, p, tree, format, told)
		asked = append(asked, prompt)
		reply := actor.Answer(Chat{Messages: []Message{{Role: "system", Content: Text(prompt.System)}, {Role: "user", Content: Text(prompt.User)}}})
		res, err := edits.Apply(edits.Parse(reply.Text), func(path string) (string, error) {
			if text, ok := tree[path]; ok {
				return text, nil
			}
			return "", fs.ErrNotExist
		}, edits.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range res.Changes {
			tree[c.Path] = c.After
		}
		if diffTree(tree, p.Gold) == "" {
			return tree, used, asked
		}
		if told, err = feedback.Message(feedback.Round{Outcomes: res.Outcomes, Read: func(path string) (string, bool) {
			text, ok := tree[path]
			return text, ok
		}}, prompts.Set{}); err != nil {
			t.Fatal(err)
		}
	}
	return tree, used, asked
}

// show makes the prompt of a round.
func show(t *testing.T, p *Plan, tree map[string]string, format, told string) prompts.Prompt {
	t.Helper()
	in := prompts.Input{Format: format, Task: "make the change", Feedback: told}
	for _, path := range slices.Sorted(maps.Keys(tree)) {
		was, there := p.Start[path]
		f := prompts.File{Path: path, Text: edits.Quote(tree[path]), New: !there}
		if there && was == tree[path] {
			in.Files = append(in.Files, f)
		} else {
			in.Changed = append(in.Changed, f)
		}
	}
	prompt, err := prompts.Set{}.Render(in)
	if err != nil {
		t.Fatal(err)
	}
	return prompt
}

// Without faults the real line takes every change in one round; with them the
// stand-in and the line get there by repairs, and each repair holds only lines
// that the feedback showed, or that were sent before, or that are wanted.
func TestLineConverges(t *testing.T) {
	for _, format := range []string{"search-replace", "anchored"} {
		for _, c := range someTasks() {
			p := NewPlan(c.Before, c.After, Options{Seed: 4})
			if tree, used, _ := line(t, p, format, 3); used != 1 || diffTree(tree, p.Gold) != "" {
				t.Errorf("%s: %s: %d rounds without a fault", format, c.ID, used)
			}
		}
	}
	done, repairs := 0, 0
	const tries = 60
	for seed := range uint64(tries) {
		opt := Careless(seed, Mix{{HallucLine, 4}, {Ambiguous, 1}, {StaleTarget, 2}, {ExtraLine, 1}})
		opt.Rate, opt.Copy = .6, 0
		c := someTasks()[seed%3]
		p := NewPlan(c.Before, c.After, opt)
		tree, _, asked := line(t, p, "search-replace", 4)
		if diffTree(tree, p.Gold) == "" {
			done++
		}
		repairs += checkCopies(t, p, asked)
	}
	if done < tries*9/10 {
		t.Errorf("%d of %d converged", done, tries)
	}
	if repairs < tries/4 {
		t.Errorf("only %d blocks were repaired", repairs)
	}
}

// checkCopies replays the prompts and counts the blocks that were rebuilt.
func checkCopies(t *testing.T, p *Plan, asked []prompts.Prompt) (repairs int) {
	t.Helper()
	actor := p.Player()
	known := map[string]bool{} // lines that may be sent
	for _, f := range p.files {
		for _, h := range f.hunks {
			_, new := sides(h.steps)
			for _, l := range new {
				known[l] = true
			}
		}
	}
	for n, prompt := range asked {
		c := Chat{Messages: []Message{{Role: "system", Content: Text(prompt.System)}, {Role: "user", Content: Text(prompt.User)}}}
		blocks := edits.Parse(actor.Answer(c).Text)
		shown := readPrompt(c).feedback
		for _, b := range blocks {
			fresh := false
			for _, l := range slices.Concat(b.Old, b.New) {
				if n > 0 && !known[l] {
					fresh = true
					if !slices.Contains(shown, l) {
						t.Errorf("round %d: %q was not in the feedback", n+1, l)
					}
				}
			}
			if fresh {
				repairs++
			}
			for _, l := range slices.Concat(b.Old, b.New) {
				known[l] = true
			}
		}
	}
	return repairs
}
