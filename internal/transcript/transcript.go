// Package transcript writes runs down while they happen, and reads them again.
//
// A run's folder holds events.jsonl: one JSON object a line, schema version
// first, then a sequence number from 1, the time and the event's name, then the
// event's own fields. The same lines, without the prompts and replies, are what
// `--json` prints. Folders are 0700, files 0600; nothing in them is a secret's
// place, but prompts quote the user's files.
//
// A line is written whole and at once; a run that is killed leaves at most one
// torn line, at the end, which Read passes over.
package transcript

import (
	"bufio"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentloop/agentloop/loop"
)

// Schema is the version of the lines. It changes when a reader of the old ones
// would go wrong.
const Schema = 1

// maxBytes caps what one run may write.
const maxBytes = 200 << 20

// Opened is the first event of a transcript: where and with what the run works.
type Opened struct {
	Run     string `json:"run"`
	Root    string `json:"root"`
	Version string `json:"version"`
	Model   string `json:"model"`
	Host    string `json:"host"` // of the model's address
}

// Name gives the event's stable name.
func (Opened) Name() string { return "run.opened" }

// Encoder writes events as lines. It is not safe for concurrent use.
type Encoder struct {
	w   io.Writer
	seq int
	n   int64
}

// NewEncoder gives an encoder that writes to w.
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w: w} }

// Encode writes one event, in one call of Write.
func (e *Encoder) Encode(ev loop.Event) error {
	body, err := json.Marshal(ev)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", ev.Name(), err)
	}
	e.seq++
	line := fmt.Appendf(nil, `{"schema":%d,"seq":%d,"time":%q,"event":%q`, Schema, e.seq, time.Now().UTC().Format(time.RFC3339Nano), ev.Name())
	if len(body) > 2 {
		line = append(line, ',')
	}
	line = append(append(line, body[1:]...), '\n')
	if e.n += int64(len(line)); e.n > maxBytes {
		return fmt.Errorf("the transcript has reached its cap of %d MiB", maxBytes>>20)
	}
	_, err = e.w.Write(line)
	return err
}

// NewID makes a run's name: sortable by time, unique, safe as a file and a ref
// name. Behind the second stand its fraction in 1/65536 and then chance.
func NewID(now time.Time) string {
	var b [3]byte
	rand.Read(b[:]) // never fails
	fraction := int64(now.Nanosecond()) << 16 / int64(time.Second)
	return fmt.Sprintf("%s%04x%x", now.UTC().Format("20060102-150405-"), fraction, b)
}

// Create makes the folder of a run below dir and opens its file.
func Create(dir, run string) (*os.File, error) {
	folder := filepath.Join(dir, run)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the run's folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(folder, "events.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the transcript: %w", err)
	}
	return f, nil
}

// Line is one line of a transcript: its head, and all of it as it stands.
type Line struct {
	Schema int             `json:"schema"`
	Seq    int             `json:"seq"`
	Time   time.Time       `json:"time"`
	Event  string          `json:"event"`
	Raw    json.RawMessage `json:"-"`
}

// Read gives the lines of a run's transcript to each, until that says stop. A
// line that is torn or of another schema is an error, but for a torn last one.
func Read(dir, run string, each func(Line) (more bool, err error)) error {
	f, err := os.Open(filepath.Join(dir, run, "events.jsonl"))
	if err != nil {
		return fmt.Errorf("opening the transcript of run %s: %w", run, err)
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	for n := 1; ; n++ {
		raw, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // what is left, if anything, is torn
		}
		if err != nil {
			return fmt.Errorf("reading the transcript of run %s: %w", run, err)
		}
		l := Line{Raw: raw}
		if err := json.Unmarshal(raw, &l); err != nil || l.Event == "" {
			return fmt.Errorf("%s:%d: not a line of a transcript", f.Name(), n)
		}
		if l.Schema != Schema {
			return fmt.Errorf("%s:%d: schema %d, but this version reads %d", f.Name(), n, l.Schema, Schema)
		}
		if more, err := each(l); err != nil || !more {
			return err
		}
	}
}

// List gives the names of all runs below dir, newest first.
func List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the runs: %w", err)
	}
	var runs []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			runs = append(runs, e.Name())
		}
	}
	slices.Sort(runs)
	slices.Reverse(runs)
	return runs, nil
}
