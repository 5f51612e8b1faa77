package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/internal/replay"
	"github.com/agentloop/agentloop/internal/transcript"
	"github.com/agentloop/agentloop/loop"
)

// runCases makes a case of each reply of the runs that are named, with the files
// that its blocks name as the round found them.
func (p *program) runCases(c *cli.Context) (io.ReadCloser, error) {
	at, err := p.open(c)
	if err != nil {
		return nil, err
	}
	dir, err := at.runsDir()
	if err != nil {
		return nil, err
	}
	known, err := transcript.List(dir)
	if err != nil {
		return nil, err
	}
	var lines bytes.Buffer
	for _, id := range c.Args().Slice() {
		if !slices.Contains(known, id) {
			return nil, usageError{msg: fmt.Sprintf("there is no run %q, and no file of that name", id), hint: "agentloop runs lists them"}
		}
		if err := at.addCases(c, dir, id, json.NewEncoder(&lines)); err != nil {
			return nil, err
		}
	}
	return io.NopCloser(&lines), nil
}

// addCases writes the cases of one run. Round n met the tree that the snapshot
// of the last round before it with a change holds.
func (p *place) addCases(c *cli.Context, dir, id string, out *json.Encoder) error {
	s, err := p.repo.Snapshots(c.Context, id)
	if err != nil {
		return usageError{msg: err.Error(), hint: "replay RUN needs the snapshots of the run, in the repository where it ran"}
	}
	rev, last := s.Rounds[0], 0
	return transcript.Read(dir, id, func(l transcript.Line) (bool, error) {
		if l.Event != (loop.ReplyReceived{}).Name() {
			return true, nil
		}
		var e loop.ReplyReceived
		if err := json.Unmarshal(l.Raw, &e); err != nil {
			return false, fmt.Errorf("line %d of the transcript: %w", l.Seq, err)
		}
		if e.Round == last {
			return true, nil // it met what the calls before it had made, which no snapshot holds
		}
		last = e.Round
		if n := e.Round - 1; n < len(s.Rounds) && s.Rounds[n] != "" {
			rev = s.Rounds[n]
		}
		one := replay.Case{ID: fmt.Sprintf("%s/%d", id, e.Round), Response: inText(e.Reply), Files: map[string]*string{}}
		for _, path := range named(one.Response) {
			text, err := p.repo.ReadAt(c.Context, rev, path)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return false, err
			}
			one.Files[path] = &text
		}
		return true, out.Encode(one)
	})
}

// named gives the paths that a reply's blocks name.
func named(reply string) (paths []string) {
	parser := edits.Parser{Commands: true}
	parser.Feed(reply)
	for _, b := range parser.Close() {
		for _, path := range []string{b.Path, b.MoveTo} {
			if path != "" {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// inText writes a reply's calls behind its text, as a model without tools does.
func inText(r loop.Reply) string {
	text := r.Text
	for _, c := range r.Calls {
		call, err := json.Marshal(map[string]string{"name": c.Name, "arguments": c.Arguments})
		if err == nil {
			text += "\n```json\n" + string(call) + "\n```\n"
		}
	}
	return text
}
