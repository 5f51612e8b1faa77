package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/standin"
	"github.com/agentloop/agentloop/loop"
)

// scribbled is a run's tree in which somebody writes between read and write, once.
type scribbled struct {
	*tree
	scribble func()
}

func (s *scribbled) Write(ctx context.Context, changes []edits.Change) error {
	if s.scribble != nil {
		s.scribble()
		s.scribble = nil
	}
	return s.tree.Write(ctx, changes)
}

// twice is a model that says the same in each round and keeps what it was asked.
type twice struct {
	reply string
	asked []string
}

func (m *twice) Complete(ctx context.Context, req loop.Request) (loop.Reply, error) {
	m.asked = append(m.asked, req.User)
	return saved(m.reply).Complete(ctx, req)
}

// TestFidelityMeanwhile lets the user write the file after it was read for the
// edits and before it is written: what he wrote stays, the model is told, and the
// edit goes in when it is made again.
func TestFidelityMeanwhile(t *testing.T) {
	users := map[string]string{
		"elsewhere":     "one\ntwo\nthree of the user\n",
		"the same line": "one\ntwo of the user\nthree\n",
		"to nothing":    "",
	}
	for name, text := range users {
		t.Run(name, func(t *testing.T) {
			tree := newWorkTree(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
			file := filepath.Join(tree.repo.Root, "a.txt")
			if err := tree.begin(t.Context(), "meanwhile"); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(tree.close)
			model := &twice{reply: fidelityBlock("a.txt", "two", "2")}
			r := loop.Runner{Model: model, Tree: &scribbled{tree, func() { os.WriteFile(file, []byte(text), 0o644) }}}
			run, err := r.Run(t.Context(), loop.Task{Text: "x", Files: []string{"a.txt"}, Format: "search-replace", Budget: loop.Budget{Rounds: 2}})
			if err != nil || len(run.Rounds) != 2 {
				t.Fatalf("%+v, %v", run.Verdict, err)
			}
			first := run.Rounds[0].Outcomes[0]
			if first.Status != edits.Failed || first.Reason != edits.ChangedOnDisk || len(run.Rounds[0].Changes) > 0 {
				t.Errorf("the first round: %s %s, changes %v", first.Status, first.Reason, run.Rounds[0].Changes)
			}
			told := run.Rounds[0].Feedback
			if !strings.Contains(told, "changed the file meanwhile") || !strings.Contains(told, text) || !strings.Contains(model.asked[1], told) {
				t.Errorf("the model is not shown what the user wrote:\n%s", told)
			}
			want := text
			if name == "elsewhere" {
				want = strings.Replace(text, "two\n", "2\n", 1)
			}
			if got, err := os.ReadFile(file); err != nil || string(got) != want {
				t.Errorf("the file holds %q, %v; want %q", got, err, want)
			}
		})
	}
}

// hasty is a model while whose first answer the user writes a file.
type hasty struct {
	*standin.Script
	file, text string
}

func (h *hasty) Answer(c standin.Chat) standin.Answer {
	if h.text != "" {
		os.WriteFile(h.file, []byte(h.text), 0o644)
		h.text = ""
	}
	return h.Script.Answer(c)
}

// TestFidelityWholeFile lets the user write the file while the model answers
// with all of it, as it was shown: what he wrote stays.
func TestFidelityWholeFile(t *testing.T) {
	r := newFidelity(t, one{file: "one\ntwo\nthree\n"})
	reply := "sub/file.txt\n```\none\n2\nthree\n```\n"
	exit, out, asked := r.runWith(&hasty{standin.NewScript(reply), r.at("sub/file.txt"), "one\ntwo\nthree of the user\n"}, "--rounds", "2", "sub/file.txt")
	if exit == 0 {
		t.Errorf("exit status 0:\n%s", out)
	}
	r.holds("sub/file.txt", "one\ntwo\nthree of the user\n")
	if len(asked) != 2 {
		t.Fatalf("%d requests", len(asked))
	}
	prompt := asked[1].Chat.Users()
	if !strings.Contains(prompt, "changed the file meanwhile") || !strings.Contains(prompt, "three of the user") {
		t.Errorf("the model is not shown what the user wrote:\n%s", prompt)
	}
}
