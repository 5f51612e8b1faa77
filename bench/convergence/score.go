package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/agentloop/agentloop/internal/standin"
)

// score is how all tasks of one mix went.
type score struct {
	Mix          string   `json:"mix"`
	Seed         uint64   `json:"seed"`
	Format       string   `json:"format"`
	Rounds       int      `json:"rounds_allowed"`
	LeftOut      int      `json:"left_out"` // tasks that delete a file
	N            int      `json:"n"`
	Gold         int      `json:"gold"`
	Percent      float64  `json:"percent"`
	ByRound      []int    `json:"gold_by_round"`      // gold after 1, 2, … rounds, summed up
	MeanRounds   float64  `json:"mean_rounds"`        // of tasks that reached gold
	MeanRequests float64  `json:"mean_requests"`      // of all tasks
	MeanTokens   float64  `json:"mean_prompt_tokens"` // of all tasks
	MedianTokens int      `json:"median_prompt_tokens"`
	WrongTasks   int      `json:"tasks_with_wrong_bytes"`
	WrongBytes   int      `json:"wrong_bytes"`
	Lies         int      `json:"done_but_not_gold"`
	Doubts       int      `json:"gold_but_not_done"`
	Applied      int      `json:"applied"`  // edits
	Invalid      int      `json:"invalid"`  // edits refused because a file would no longer parse
	Unparsed     int      `json:"unparsed"` // files left that no longer parse
	Hung         int      `json:"hung"`
	Broken       int      `json:"broken"` // could not be played
	Faults       []fault  `json:"faults"`
	Tasks        []result `json:"tasks"`
}

// fault is how the blocks with one fault went.
type fault struct {
	Name string `json:"fault"` // "none" for right blocks
	N    int    `json:"n"`
	In   int    `json:"in"` // in the tree at the end
}

// sum works the figures out of the tasks.
func (s *score) sum() {
	s.N = len(s.Tasks)
	s.ByRound = make([]int, s.Rounds)
	faults := map[string]*fault{}
	count := func(p standin.Planned) *fault {
		name := cmp.Or(string(p.Fault), "none")
		if faults[name] == nil {
			faults[name] = &fault{Name: name}
		}
		return faults[name]
	}
	var rounds, requests, tokens int
	var each []int
	for _, r := range s.Tasks {
		requests += r.Requests
		tokens += r.PromptTokens
		each = append(each, r.PromptTokens)
		switch {
		case r.Broken != "":
			s.Broken++
		case r.Gold:
			s.Gold++
			rounds += r.Rounds
			for i := max(0, min(r.Rounds, s.Rounds)-1); i < s.Rounds; i++ {
				s.ByRound[i]++
			}
			if r.Status != "done" {
				s.Doubts++
			}
		case r.Status == "done":
			s.Lies++
		}
		if r.Hung {
			s.Hung++
		}
		s.Applied += r.Applied
		s.Invalid += r.Invalid
		s.Unparsed += len(r.Unparsed)
		if r.WrongBytes > 0 {
			s.WrongTasks++
			s.WrongBytes += r.WrongBytes
		}
		for _, p := range r.Blocks {
			count(p).N++
			count(p).In++
		}
		for _, p := range r.Open {
			count(p).In--
		}
	}
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		s.Faults = append(s.Faults, *faults[name])
	}
	slices.Sort(each)
	if s.N > 0 {
		s.Percent = 100 * float64(s.Gold) / float64(s.N)
		s.MeanRequests = float64(requests) / float64(s.N)
		s.MeanTokens = float64(tokens) / float64(s.N)
		s.MedianTokens = each[s.N/2]
	}
	if s.Gold > 0 {
		s.MeanRounds = float64(rounds) / float64(s.Gold)
	}
}

// print writes the table for people.
func (s *score) print(w io.Writer) {
	fmt.Fprintf(w, "%s mix, %s, seed %d: %d of %d tasks reach the wanted tree within %d rounds: %.1f %%\n",
		s.Mix, s.Format, s.Seed, s.Gold, s.N, s.Rounds, s.Percent)
	if s.LeftOut > 0 {
		fmt.Fprintf(w, "  left out                %6d  (they delete a file)\n", s.LeftOut)
	}
	for i, n := range s.ByRound {
		fmt.Fprintf(w, "  by round %d              %6d  %.1f %%\n", i+1, n, 100*float64(n)/float64(max(1, s.N)))
	}
	fmt.Fprintf(w, "  rounds a task           %6.2f  (of those that arrived)\n", s.MeanRounds)
	fmt.Fprintf(w, "  requests a task         %6.2f\n", s.MeanRequests)
	fmt.Fprintf(w, "  prompt tokens a task    %6.0f  median %d\n", s.MeanTokens, s.MedianTokens)
	fmt.Fprintf(w, "  wrong bytes left        %6d  in %d tasks\n", s.WrongBytes, s.WrongTasks)
	fmt.Fprintf(w, "  edits that went in      %6d\n  refused: would not parse%6d  %.2f %% of both\n  files left unparsable   %6d\n",
		s.Applied, s.Invalid, 100*float64(s.Invalid)/float64(max(1, s.Applied+s.Invalid)), s.Unparsed)
	fmt.Fprintf(w, "  done, but not gold      %6d\n  gold, but not done      %6d\n  hung                    %6d\n  could not be played     %6d\n", s.Lies, s.Doubts, s.Hung, s.Broken)
	fmt.Fprintf(w, "\n  %-16s %6s %6s\n", "fault", "blocks", "in")
	for _, f := range s.Faults {
		fmt.Fprintf(w, "  %-16s %6d %5.0f%%\n", f.Name, f.N, 100*float64(f.In)/float64(f.N))
	}
	fmt.Fprintln(w)
	for _, r := range s.Tasks {
		if !r.Gold || r.Broken != "" || r.Hung {
			r.print(w)
		}
	}
}

// print tells of one task that did not arrive.
func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "  %s  %s, exit %d, %d rounds\n", r.ID, cmp.Or(r.Status, "no verdict"), r.Exit, r.Rounds)
	switch {
	case r.Hung:
		fmt.Fprintln(w, "    hung")
	case r.Broken != "":
		fmt.Fprintln(w, "    "+r.Broken)
	}
	for _, p := range r.Open {
		fmt.Fprintf(w, "    open: %s:%d, fault %s\n", p.Path, p.Line, cmp.Or(p.Fault, "none"))
	}
	if len(r.Stray) > 0 {
		fmt.Fprintf(w, "    wrong bytes: %d in %s\n", r.WrongBytes, strings.Join(r.Stray, ", "))
	}
	for _, f := range r.Failed {
		fmt.Fprintln(w, "    said: "+f)
	}
}
