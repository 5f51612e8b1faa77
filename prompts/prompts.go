// Package prompts holds the words that are sent to a model: templates, and the
// data that they are filled with.
//
// The order of a prompt is from most stable to least, and its parts are
// byte-stable between rounds, so that a provider's prefix cache hits: rules and
// worked examples (system message); task, files as they were, files as the run
// has changed them, what happened in the last round, a short reminder (user
// message). Each round is rendered anew; failed attempts are not kept as chat.
//
// Texts of files and checks are expected with their marker lines made harmless
// (edits.Quote). Package prompts is a leaf: it knows no edits and does no I/O.
// A user's own templates come in as a file system.
package prompts

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/template"
)

//go:embed *.tmpl format/*.tmpl tool/*.json
var own embed.FS

// Set is a set of templates. The zero value is the built-in one.
type Set struct {
	// Override holds the user's templates, by the names of ours ("system.tmpl",
	// "format/search-replace.tmpl"); those that it lacks are ours. May be nil.
	Override fs.FS
}

// Formats lists the edit formats that have a template, sorted.
func Formats() []string {
	entries, err := own.ReadDir("format")
	if err != nil {
		panic(err) // embedded: cannot fail
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".tmpl"))
	}
	slices.Sort(names)
	return names
}

// Prompt is what is sent: two messages.
type Prompt struct {
	System, User string
	Stable       int // bytes of User before what happened last: they should not change from round to round
}

// Input is what a round's prompt is made of.
type Input struct {
	Format   string
	Tools    []string // that the model may call
	Extra    string   // the user's and the repository's own rules
	Guide    string   // text of AGENTS.md or the like
	Task     string
	Checks   []string // commands that must succeed
	Looks    bool     // the model may ask for more files, in text
	Map      string   // of the rest of the tree
	Files    []File   // those the run has not changed
	Changed  []File   // those it has, in the order of first change
	Omitted  []string // paths that were left out, with the reason
	Found    string   // what the model asked for, and was not a file
	Feedback string   // Set.Feedback's text; "" for none
	First    bool     // no reply yet: Feedback tells what the checks say before the first round
}

// File is one file as it is now.
type File struct {
	Path     string
	Text     string // quoted; need not end in a newline
	New      bool   // the run created it
	Part     string // "lines 10-80 of 2000"; "" for all of it
	ReadOnly bool   // it may not be edited
}

// Fence is a run of backticks longer than any in the text.
func (f File) Fence() string { return Fence(f.Text) }

// Lang is the info string of the file's fence: its extension.
func (f File) Lang() string {
	if i := strings.LastIndexByte(f.Path, '.'); i >= 0 && !strings.ContainsAny(f.Path[i:], "/ ") {
		return f.Path[i+1:]
	}
	return ""
}

// Fence gives a run of at least three backticks that is longer than any in text.
func Fence(text string) string {
	longest, n := 2, 0
	for i := range len(text) {
		if text[i] != '`' {
			n = 0
			continue
		}
		if n++; n > longest {
			longest = n
		}
	}
	return strings.Repeat("`", longest+1)
}

// Render makes the prompt of a round.
func (s Set) Render(in Input) (Prompt, error) {
	if !slices.Contains(Formats(), in.Format) {
		return Prompt{}, fmt.Errorf("no prompt for the edit format %q: there are %s", in.Format, strings.Join(Formats(), ", "))
	}
	system, err := s.execute("system.tmpl", in, "format/"+in.Format+".tmpl")
	if err != nil {
		return Prompt{}, err
	}
	user, err := s.execute("task.tmpl", in)
	stable := len(user)
	if i := strings.LastIndex(user, news); err == nil && i >= 0 {
		stable, user = i, user[:i]+user[i+len(news):]
	}
	return Prompt{system, user, stable}, err
}

// news marks in a rendered template where what happened last begins. Text of
// files cannot hold it: it is no valid UTF-8.
const news = "\xff\xfenews\xff"

// Feedback words what happened in a round.
func (s Set) Feedback(f Feedback) (string, error) {
	text, err := s.execute("feedback.tmpl", f)
	return strings.TrimLeft(text, "\n"), err
}

// Commit is the data of a commit's message; the trailer that names the run is
// added by whoever commits.
type Commit struct {
	Subject string   // one line
	Files   []string // paths, sorted
}

// Message words a commit.
func (s Set) Message(c Commit) (string, error) { return s.execute("commit.tmpl", c) }

// execute fills one template; parts are templates that it may call by name.
func (s Set) execute(name string, data any, parts ...string) (string, error) {
	t := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"join":    strings.Join,
		"nl":      endLine,
		"fence":   Fence,
		"news":    func() string { return news },
		"changed": changedPaths,
		"has":     slices.Contains[[]string],
	})
	for _, file := range append([]string{name}, parts...) {
		text, err := s.read(file)
		if err != nil {
			return "", err
		}
		part := t
		if file != name {
			part = t.New("format")
		}
		if _, err := part.Parse(text); err != nil {
			return "", fmt.Errorf("template %s: %w", file, err)
		}
	}
	var b strings.Builder
	if err := t.Execute(&b, data); err != nil {
		return "", fmt.Errorf("template %s: %w", name, err)
	}
	return b.String(), nil
}

func (s Set) read(name string) (string, error) {
	if s.Override != nil {
		text, err := fs.ReadFile(s.Override, name)
		if err == nil {
			return string(text), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("reading the template %s: %w", name, err)
		}
	}
	text, err := own.ReadFile(name)
	return string(text), err
}

// changedPaths names the files that the run has changed, each once.
func changedPaths(files []File) []string {
	var out []string
	for _, f := range files {
		name := f.Path + " (changed)"
		if f.New {
			name = f.Path + " (created)"
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// endLine gives text with a newline at its end, unless it is empty.
func endLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
