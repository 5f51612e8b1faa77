package main

import (
	"fmt"
	"os"
	"time"

	"github.com/agentloop/agentloop/internal/transcript"
	"github.com/agentloop/agentloop/loop"
)

// listeners hand a run's events to the transcript, to `--json` and to the terminal.
type listeners struct {
	watch *watcher
	lines *transcript.Encoder // nil without --json
	show  showing
	book  *transcript.Encoder
	err   error // the first that writing the transcript or the lines met
}

func (p *program) listeners(show showing, at *place, id string, file *os.File) listeners {
	l := listeners{watch: &watcher{term: p.term, started: time.Now()}, book: transcript.NewEncoder(file), show: show}
	if show.json {
		l.lines = transcript.NewEncoder(p.term.out)
	}
	l.event(transcript.Opened{Run: id, Root: at.repo.Root, Version: version, Model: at.Model, Host: host(at.BaseURL)})
	return l
}

// event is told of everything.
func (l *listeners) event(e loop.Event) {
	_, delta := e.(loop.ReplyDelta)
	if !delta {
		l.keep(l.book.Encode(e))
	}
	if l.lines != nil && l.public(e) {
		l.keep(l.lines.Encode(e))
	}
	l.watch.show(e)
	if l.show.feedback {
		l.watch.showFeedback(e)
	}
}

// public leaves out of `--json` what only transcripts hold.
func (l *listeners) public(e loop.Event) bool {
	switch e.(type) {
	case loop.PromptSent, loop.ReplyReceived, loop.CallAnswered:
		return false
	case loop.ReplyDelta:
		return l.show.deltas
	}
	return true
}

func (l *listeners) keep(err error) {
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("writing down the run: %w", err)
	}
}
