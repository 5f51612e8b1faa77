package main

import (
	"context"
	"strings"

	"github.com/agentloop/agentloop/internal/selection"
	"github.com/agentloop/agentloop/loop"
)

// choose picks the files that a prompt shows. What the user named is the context;
// only without that is a choice made.
func (p *place) choose(ctx context.Context, need loop.Need) (loop.Context, error) {
	var got loop.Context
	if len(need.Named) > 0 {
		for _, path := range need.Named {
			got.Picks = append(got.Picks, loop.Pick{Path: path})
		}
		return got, nil
	}
	all, err := p.repo.Files(ctx)
	if err != nil {
		return got, err
	}
	evidence := []string{need.Task}
	for _, c := range need.Checks {
		if !c.Passed() {
			evidence = append(evidence, c.Head, c.Tail)
		}
	}
	choice := selection.Choose(p.sized(all), p.Ignore, strings.Join(evidence, "\n"), p.ContextTokens)
	for _, path := range choice.Files {
		got.Picks = append(got.Picks, loop.Pick{Path: path})
	}
	got.Left = choice.Left
	return got, nil
}
