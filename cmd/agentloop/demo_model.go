package main

import (
	"strings"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/standin"
)

// demoModel is the model of the demo. It errs as real ones do, and mends what
// failed only by copying lines from the feedback that it is given.
type demoModel struct{ asked int }

// Answer plays three rounds.
func (m *demoModel) Answer(c standin.Chat) standin.Answer {
	m.asked++
	switch m.asked {
	case 1:
		return standin.Answer{Text: demoFirst}
	case 2:
		return standin.Answer{Text: m.mend(c.LastUser())}
	case 3:
		return standin.Answer{Text: demoThird}
	}
	return standin.Answer{Text: standin.Nothing}
}

// demoFirst holds a good block, one that fits two places, and one whose line to
// replace is from memory and wrong.
const demoFirst = "Total must multiply by the count, shipping is free from 5000 on, and Pieces must add up the counts.\n\n" +
	"cart.go\n<<<<<<< SEARCH\n\t\tsum += it.Price\n=======\n\t\tsum += it.Price * it.Count\n>>>>>>> REPLACE\n\n" +
	"cart.go\n<<<<<<< SEARCH\n\tif total > 5000 {\n\t\treturn 0\n=======\n\tif total >= 5000 {\n\t\treturn 0\n>>>>>>> REPLACE\n\n" +
	"cart.go\n<<<<<<< SEARCH\n\tn := 0\n\tfor range items {\n\t\tn = n + 1\n\t}\n=======\n\tn := 0\n\tfor _, it := range items {\n\t\tn += it.Price\n\t}\n>>>>>>> REPLACE\n"

// demoThird mends what the check found.
const demoThird = "The test wants 3 pieces: it is the count that must be added, not the price.\n\n" +
	"cart.go\n<<<<<<< SEARCH\n\t\tn += it.Price\n=======\n\t\tn += it.Count\n>>>>>>> REPLACE\n"

// mend sends the two failed blocks again, their old sides copied from the
// feedback. Without the lines there it can only give up.
func (m *demoModel) mend(user string) string {
	_, said, ok := strings.Cut(user, "# What happened in the last round")
	shipping := piece(said, "func Shipping(total int) int {\n", "\t\treturn 0\n")
	pieces := piece(said, "\tfor range items {\n", "\t}\n")
	if !ok || shipping == "" || pieces == "" {
		return "I cannot see the lines that are there now.\n"
	}
	block := func(old, new string) string {
		return edits.Render(edits.Block{
			Format: edits.SearchReplace, Path: "cart.go",
			Old: strings.Split(strings.TrimSuffix(old, "\n"), "\n"), New: strings.Split(strings.TrimSuffix(new, "\n"), "\n"),
		})
	}
	return "I copy the lines as they stand in the file.\n\n" +
		block(shipping, strings.Replace(shipping, "total > 5000", "total >= 5000", 1)) + "\n" +
		block(pieces, "\tfor _, it := range items {\n\t\tn += it.Price\n\t}\n")
}

// piece gives the first piece of text from the line first to the line last,
// both included.
func piece(text, first, last string) string {
	_, after, ok := strings.Cut(text, first)
	if !ok {
		return ""
	}
	middle, _, ok := strings.Cut(after, last)
	if !ok {
		return ""
	}
	return first + middle + last
}
