package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// mutation is one seeded fault: the bytes [From, To) of a file replaced by New.
type mutation struct {
	File string `json:"file"` // from the tree's root, with slashes
	Line int    `json:"line"` // counted from 1, of the first byte that differs
	Kind string `json:"kind"`
	From int    `json:"from"`
	To   int    `json:"to"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// in gives a file's text with the fault in it; ok is false where the text is not
// the one the mutation was made for.
func (m mutation) in(text string) (faulty string, ok bool) {
	if m.From < 0 || m.To < m.From || m.To > len(text) || text[m.From:m.To] != m.Old {
		return "", false
	}
	return text[:m.From] + m.New + text[m.To:], true
}

// faultCase is a fault that its module's check sees, and what the check printed.
type faultCase struct {
	ID       string `json:"id"`
	Language string `json:"language"` // go or python
	Module   string `json:"module"`
	Tree     string `json:"tree"` // the folder of the module without the fault
	mutation
	Build  bool   `json:"build,omitempty"` // it does not compile: beside the main figure
	Check  string `json:"check"`
	Output string `json:"output"`
}

// readCases reads JSON lines, as make writes them.
func readCases(path string) (cases []faultCase, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the cases: %w", err)
	}
	defer f.Close()
	dec := json.NewDecoder(bufio.NewReader(f))
	for {
		var c faultCase
		switch err := dec.Decode(&c); {
		case errors.Is(err, io.EOF):
			return cases, nil
		case err != nil:
			return nil, fmt.Errorf("%s: case %d: %w", path, len(cases)+1, err)
		}
		cases = append(cases, c)
	}
}

// writeCases replaces the file as a whole, so that a reader never sees half of it.
func writeCases(path string, cases []faultCase) error {
	f, err := os.Create(path + ".new")
	if err != nil {
		return fmt.Errorf("write the cases: %w", err)
	}
	defer f.Close()
	enc := json.NewEncoder(f)
	for _, c := range cases {
		if err := enc.Encode(c); err != nil {
			return fmt.Errorf("write the cases: %w", err)
		}
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write the cases: %w", err)
	}
	return os.Rename(path+".new", path)
}
