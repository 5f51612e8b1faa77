package worktree

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const identity = "agentloop <agentloop@localhost>" // of every snapshot

// snapshot is a commit to be made on ref, over the tree of the commit from ("":
// none). The ref must be new, or stand at from.
type snapshot struct {
	ref, from, message string
	durable            bool // outlasts a power cut, where git's own commits may not
}

// record makes a snapshot of the files that fill puts into it and gives its
// name. Objects and the ref are all it writes.
func (r *Repo) record(ctx context.Context, c snapshot, fill func(*stream) error) (rev string, err error) {
	pipe, end := io.Pipe()
	filled := make(chan struct{})
	go func() {
		defer close(filled)
		s := &stream{w: bufio.NewWriterSize(end, 64<<10)}
		s.begin(c.ref, c.from, c.message)
		err := fill(s)
		s.print("get-mark :1\ndone\n") // without "done" git drops the whole stream
		if err == nil {
			err = s.w.Flush()
		}
		end.CloseWithError(err)
	}()
	var settings []string
	if c.durable {
		settings = []string{"core.fsync", "committed,loose-object,reference"}
	}
	out, err := r.start(ctx, call{args: []string{"fast-import", "--quiet", "--done", "--date-format=raw"}, stdin: pipe, settings: settings})
	pipe.Close()
	<-filled // fill touches what the caller goes on with
	if err != nil {
		var failure *GitError
		if errors.As(err, &failure) {
			os.Remove(filepath.Join(r.GitDir, fmt.Sprintf("fast_import_crash_%d", failure.pid)))
		}
		return "", fmt.Errorf("record %s: %w", c.ref, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// stream writes git fast-import's language. Errors stay in w until Flush.
type stream struct{ w *bufio.Writer }

func (s *stream) print(text string) { s.w.WriteString(text) }

func (s *stream) begin(ref, from, message string) {
	fmt.Fprintf(s.w, "commit %s\nmark :1\ncommitter %s %d +0000\n", ref, identity, time.Now().Unix())
	s.data(message)
	if from != "" {
		fmt.Fprintf(s.w, "from %s\n", from)
	}
}

// put sets one file. mode is git's: 100644, 100755 or 120000.
func (s *stream) put(path, mode, content string) {
	fmt.Fprintf(s.w, "M %s inline %s\n", mode, quoted(path))
	s.data(content)
}

// name sets one file to a blob that is there.
func (s *stream) name(path, mode, blob string) {
	fmt.Fprintf(s.w, "M %s %s %s\n", mode, blob, quoted(path))
}

func (s *stream) drop(path string) { fmt.Fprintf(s.w, "D %s\n", quoted(path)) }

func (s *stream) data(content string) {
	fmt.Fprintf(s.w, "data %d\n", len(content))
	s.print(content)
	s.print("\n")
}

// quoted writes a path as git's C-style string, so that no byte of it can end it.
func quoted(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
