package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// row is one figure, seen several times.
type row struct {
	Scene  string    `json:"scene"`
	Name   string    `json:"name"`
	Unit   string    `json:"unit"` // ms, MB or bytes
	Median float64   `json:"median"`
	Best   float64   `json:"best"`
	Bar    float64   `json:"bar,omitempty"` // at most; 0: none
	Met    bool      `json:"met"`           // true where there is no bar
	Values []float64 `json:"values"`
}

// of makes a row of the values that pick takes from shots.
func of[T any](name, unit string, bar float64, shots []T, pick func(T) float64) row {
	r := row{Name: name, Unit: unit, Bar: bar}
	for _, s := range shots {
		r.Values = append(r.Values, pick(s))
	}
	sorted := slices.Sorted(slices.Values(r.Values))
	r.Median, r.Best = sorted[len(sorted)/2], sorted[0]
	r.Met = bar == 0 || r.Median <= bar
	return r
}

// report is all of a run of the bench.
type report struct {
	Times      int    `json:"times"`
	LoadBefore string `json:"load_before"`
	LoadAfter  string `json:"load_after"`
	Rows       []row  `json:"rows"`
}

func (r *report) add(scene string, rows []row) {
	for _, one := range rows {
		one.Scene = scene
		r.Rows = append(r.Rows, one)
	}
}

// met reports whether no row misses its bar.
func (r *report) met() bool {
	return !slices.ContainsFunc(r.Rows, func(one row) bool { return !one.Met })
}

// print writes the table for people.
func (r *report) print(w io.Writer) {
	fmt.Fprintf(w, "medians of %d; load %s before, %s after\n", r.Times, r.LoadBefore, r.LoadAfter)
	scene := ""
	for _, one := range r.Rows {
		if one.Scene != scene {
			scene = one.Scene
			fmt.Fprintf(w, "\n%-46s %10s %10s %10s\n", scene, "median", "best", "bar")
		}
		bar, verdict := "", ""
		if one.Bar > 0 {
			bar, verdict = "≤ "+figure(one.Bar), "met"
		}
		if !one.Met {
			verdict = "SHORT"
		}
		line := fmt.Sprintf("  %-44s %10s %10s %10s %-5s  %s", one.Name, figure(one.Median), figure(one.Best), bar, one.Unit, verdict)
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// figure writes a number with as many digits as mean something.
func figure(v float64) string {
	if v >= 1000 || v == float64(int(v)) {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.1f", v)
}
