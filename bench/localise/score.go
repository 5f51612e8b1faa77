package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/agentloop/agentloop/internal/selection"
)

// scoring is what score is told by its flags.
type scoring struct {
	budget int
	need   float64
	asJSON bool
	id     string
}

// result is what became of one case.
type result struct {
	ID       string   `json:"id"`
	Language string   `json:"language"`
	Module   string   `json:"module"`
	Kind     string   `json:"kind"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Build    bool     `json:"build,omitempty"`
	Hit      bool     `json:"hit"`             // the file is among those chosen
	Shown    bool     `json:"shown"`           // and the faulty line is in what is shown of it
	Rank     int      `json:"rank"`            // of the file, from 1; 0: it is no candidate
	Of       int      `json:"of,omitempty"`    // candidates in all, where the file is missed
	Asked    []string `json:"asked,omitempty"` // what a look asks for, as the model comes upon it
	Look     bool     `json:"look"`            // the file is there after a look that asks for one file
	LookLine bool     `json:"look_line"`       // and so is the line
	Wide     bool     `json:"wide"`            // the file is there after a look that asks for several
	Files    int      `json:"files"`
	Tokens   int      `json:"tokens"`
	Took     float64  `json:"ms"` // of the choice
}

// unbounded is a budget that no tree fills, in tokens.
const unbounded = 1 << 30

func scoreCommand(ctx context.Context, args []string, out, errs io.Writer) error {
	var s scoring
	f := flag.NewFlagSet("localise score", flag.ContinueOnError)
	f.SetOutput(errs)
	f.IntVar(&s.budget, "budget", 16000, "tokens that the files may take")
	f.Float64Var(&s.need, "need", 0, "fail if in fewer than this many percent of a language's cases the file is chosen")
	f.BoolVar(&s.asJSON, "json", false, "print everything as JSON")
	f.StringVar(&s.id, "id", "", "only this case, with what is chosen and why")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return errors.New("name the files with cases that make wrote")
	}
	var cases []faultCase
	for _, path := range f.Args() {
		more, err := readCases(path)
		if err != nil {
			return err
		}
		cases = append(cases, more...)
	}
	if s.id != "" {
		return s.explain(ctx, cases, out)
	}
	results, err := s.all(ctx, cases)
	if err != nil {
		return err
	}
	return s.report(results, out)
}

// all scores the cases one after the other, so that the times are those of one
// choice on an otherwise idle machine.
func (s scoring) all(ctx context.Context, cases []faultCase) (results []result, err error) {
	places := map[string]*place{}
	for _, c := range cases {
		p := places[c.Tree]
		if p == nil {
			if p, err = open(ctx, c.Tree); err != nil {
				return nil, err
			}
			places[c.Tree] = p
		}
		r, err := s.one(p, c)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

// one scores a case: the choice, then a look if the faulty line was not in it.
func (s scoring) one(p *place, c faultCase) (r result, err error) {
	source := p.source(c.mutation)
	if _, err := source.Read(c.File); err != nil {
		return r, fmt.Errorf("case %s: %w", c.ID, err)
	}
	began := time.Now()
	choice := source.Choose(c.evidence(), s.budget)
	r = result{ID: c.ID, Language: c.Language, Module: c.Module, Kind: c.Kind, File: c.File, Line: c.Line, Build: c.Build}
	r.Took = float64(time.Since(began).Microseconds()) / 1000
	r.Files = len(choice.Files)
	for _, f := range choice.Files {
		r.Tokens += f.Tokens
	}
	r.Hit, r.Shown = shows(choice.Files, c.File, c.Line)
	r.Look, r.LookLine = r.Hit, r.Shown
	r.Wide = r.Hit
	r.Rank = 1 + slices.IndexFunc(choice.Files, func(f selection.Chosen) bool { return f.Path == c.File })
	if !r.Hit {
		all := candidates(source, c.evidence())
		r.Of, r.Rank = len(all), 1+slices.Index(all, c.File)
	}
	if !r.Shown {
		r.Asked = p.asked(c, choice.Files)
		r.LookLine = len(r.Asked) > 0 && r.Asked[0] == c.File
		r.Look = r.Hit || r.LookLine
		r.Wide = r.Hit || slices.Contains(r.Asked, c.File)
	}
	return r, nil
}

// candidates lists all files that the evidence points to, best first: what one
// choice takes is shown at the next one, until nothing new comes.
func candidates(source selection.Source, ev selection.Evidence) []string {
	for {
		before := len(ev.Shown)
		for _, f := range source.Choose(ev, unbounded).Files[before:] {
			ev.Shown = append(ev.Shown, f.Path)
		}
		if len(ev.Shown) == before || before > mostCandidates {
			return ev.Shown
		}
	}
}

// mostCandidates is the rank at which the count ends.
const mostCandidates = 60

// shows tells whether a file, and whether a line of it, is among what is chosen.
func shows(files []selection.Chosen, path string, line int) (file, whole bool) {
	for _, f := range files {
		if f.Path != path {
			continue
		}
		return true, f.Spans == nil || slices.ContainsFunc(f.Spans, func(s selection.Span) bool { return s.From <= line && line <= s.To })
	}
	return false, false
}

// explain prints one case with all that is chosen for it.
func (s scoring) explain(ctx context.Context, cases []faultCase, out io.Writer) error {
	at := slices.IndexFunc(cases, func(c faultCase) bool { return c.ID == s.id })
	if at < 0 {
		return fmt.Errorf("there is no case %s", s.id)
	}
	c := cases[at]
	p, err := open(ctx, c.Tree)
	if err != nil {
		return err
	}
	r, err := s.one(p, c)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n%s:%d  %s: %q becomes %q\n\n%s\n", c.Tree, c.File, c.Line, c.Kind, c.Old, c.New, c.Output)
	choice := p.source(c.mutation).Choose(c.evidence(), s.budget)
	for _, f := range choice.Files {
		fmt.Fprintf(out, "%6d  %s %v  %s\n", f.Tokens, f.Path, f.Spans, f.Why)
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", " ")
	return enc.Encode(r)
}
