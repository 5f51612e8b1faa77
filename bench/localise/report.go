package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// figures sums up some cases. Percentages are of N.
type figures struct {
	Name   string `json:"name"`
	N      int    `json:"n"`
	Hit    int    `json:"hit"`
	Shown  int    `json:"shown"`
	Look   int    `json:"look"`
	Line   int    `json:"look_line"`
	Wide   int    `json:"wide"`
	Cut    int    `json:"cut"`          // misses that are candidates, of too low a rank
	None   int    `json:"no_candidate"` // misses that nothing spoke for
	Files  spread `json:"files"`
	Tokens spread `json:"tokens"`
	Took   spread `json:"ms"`
}

// spread is the median, the 90th percentile and the largest of some numbers.
type spread struct{ Median, P90, Max float64 }

func spreadOf(numbers []float64) spread {
	if len(numbers) == 0 {
		return spread{}
	}
	slices.Sort(numbers)
	n := len(numbers)
	return spread{numbers[n/2], numbers[min(n*9/10, n-1)], numbers[n-1]}
}

func sum(name string, results []result) figures {
	f := figures{Name: name, N: len(results)}
	var files, tokens, took []float64
	for _, r := range results {
		files, tokens, took = append(files, float64(r.Files)), append(tokens, float64(r.Tokens)), append(took, r.Took)
		for of, is := range map[*int]bool{
			&f.Hit: r.Hit, &f.Shown: r.Shown, &f.Look: r.Look, &f.Line: r.LookLine, &f.Wide: r.Wide,
			&f.Cut: !r.Hit && r.Rank > 0, &f.None: !r.Hit && r.Rank == 0,
		} {
			if is {
				*of++
			}
		}
	}
	f.Files, f.Tokens, f.Took = spreadOf(files), spreadOf(tokens), spreadOf(took)
	return f
}

// percent of a language's cases.
func (f figures) percent(n int) float64 { return 100 * float64(n) / float64(max(1, f.N)) }

// part is the report of one language.
type part struct {
	All     figures   `json:"all"`
	Kinds   []figures `json:"kinds"`
	Modules []figures `json:"modules"`
	Builds  figures   `json:"builds"` // beside the others: faults that do not compile
	Cases   []result  `json:"cases"`
}

// report prints the figures of each language, and fails where one is too low.
func (s scoring) report(results []result, out io.Writer) error {
	var parts []part
	for _, language := range []string{"go", "python"} {
		if of := only(results, func(r result) bool { return r.Language == language }); len(of) > 0 {
			parts = append(parts, divide(language, of))
		}
	}
	if s.asJSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", " ")
		if err := enc.Encode(parts); err != nil {
			return fmt.Errorf("print the report: %w", err)
		}
	}
	for _, p := range parts {
		if !s.asJSON {
			p.print(out, s.budget)
		}
		if got := p.All.percent(p.All.Hit); got < s.need {
			return fmt.Errorf("%s: %.1f %% are fewer than %.1f", p.All.Name, got, s.need)
		}
	}
	return nil
}

func only(results []result, keep func(result) bool) (kept []result) {
	for _, r := range results {
		if keep(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

func divide(language string, results []result) part {
	main := only(results, func(r result) bool { return !r.Build })
	return part{
		All:     sum(language, main),
		Kinds:   by(main, func(r result) string { return r.Kind }),
		Modules: by(main, func(r result) string { return r.Module }),
		Builds:  sum("does not compile", only(results, func(r result) bool { return r.Build })),
		Cases:   results,
	}
}

func by(results []result, key func(result) string) (all []figures) {
	groups := map[string][]result{}
	for _, r := range results {
		groups[key(r)] = append(groups[key(r)], r)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		all = append(all, sum(name, groups[name]))
	}
	return all
}

// print writes the table for people.
func (p part) print(w io.Writer, budget int) {
	a := p.All
	fmt.Fprintf(w, "%s: %d faults in %d modules, %d tokens allowed\n", a.Name, a.N, len(p.Modules), budget)
	fmt.Fprintf(w, "  the file is chosen      %6.1f %%  its faulty line is shown %5.1f %%\n", a.percent(a.Hit), a.percent(a.Shown))
	fmt.Fprintf(w, "  after one look          %6.1f %%  its faulty line is shown %5.1f %%\n", a.percent(a.Look), a.percent(a.Line))
	fmt.Fprintf(w, "  after a look for %d files%6.1f %%\n", wide, a.percent(a.Wide))
	fmt.Fprintf(w, "  missed                  %6d    of too low a rank %d, no candidate %d\n", a.N-a.Hit, a.Cut, a.None)
	for _, s := range []struct {
		name string
		spread
	}{{"files", a.Files}, {"tokens", a.Tokens}, {"ms a choice", a.Took}} {
		fmt.Fprintf(w, "  %-22s  %6.0f    p90 %.0f, most %.0f\n", s.name, s.Median, s.P90, s.Max)
	}
	fmt.Fprintf(w, "\n  %-46s %5s %6s %6s %6s %6s %7s\n", "", "cases", "file", "line", "look", "files", "tokens")
	rows := append(slices.Clone(p.Kinds), p.Modules...)
	if p.Builds.N > 0 {
		rows = append(rows, p.Builds)
	}
	for _, f := range rows {
		fmt.Fprintf(w, "  %-46s %5d %5.0f%% %5.0f%% %5.0f%% %6.0f %7.0f\n", f.Name, f.N, f.percent(f.Hit), f.percent(f.Shown), f.percent(f.Look), f.Files.Median, f.Tokens.Median)
	}
	fmt.Fprintln(w)
	for _, r := range p.Cases {
		r.print(w)
	}
}

// print tells of one case whose file or line is missed.
func (r result) print(w io.Writer) {
	why := "no candidate"
	switch {
	case r.Shown:
		return
	case r.Hit:
		why = "the file is shown, not the line"
	case r.Rank > 0:
		why = fmt.Sprintf("rank %d of %d", r.Rank, r.Of)
	}
	fmt.Fprintf(w, "  %s  line %d: %s; a look asks for %s\n", r.ID, r.Line, why, cmp.Or(strings.Join(r.Asked, " "), "nothing"))
}
