package edits

import (
	"encoding/json"
	"errors"
	"path"
	"strconv"
	"strings"
	"unicode"
)

// The tools that edit, and those that only look or take back: these make no
// block, and whoever offers them answers them.
const (
	ToolEditLines = "edit_lines"
	ToolEdit      = "edit"
	ToolRead      = "read_file"
	ToolList      = "list_files"
	ToolSearch    = "search"
	ToolUndo      = "undo"
)

var lookTools = [...]string{ToolRead, ToolList, ToolSearch, ToolUndo}

// Looks reports whether a tool is one of those that make no block.
func Looks(name string) bool {
	for _, known := range lookTools {
		if name == known {
			return true
		}
	}
	return false
}

// Call is a call of a tool that makes no block, as it stood in a reply's text.
type Call struct {
	Name      string
	Arguments string // JSON
}

// arguments are those of both editing tools. Unknown keys are ignored: models
// add some.
type arguments struct {
	Command     string  `json:"command"`
	Path        string  `json:"path"`
	Start       Int     `json:"start_line"`
	End         Int     `json:"end_line"`
	InsertLine  Int     `json:"insert_line"`
	Content     *string `json:"content"`
	NewContent  *string `json:"new_content"`
	Indent      string  `json:"indent"`
	IndentLevel Int     `json:"indent_level"`
	DryRun      Bool    `json:"dry_run"`
	Guard       guard   `json:"guard"`
	Old         *string `json:"old"`
	New         *string `json:"new"`
}

// Int is an integer argument, which some models put in quotes.
type Int struct {
	N     int
	Given bool
}

// UnmarshalJSON takes 12, 12.0 and "12"; null is not given.
func (n *Int) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `" `)
	if text == "null" || text == "" {
		return nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != float64(int(f)) {
		return errors.New("an integer is expected, not " + string(data[:min(len(data), 40)]))
	}
	n.N, n.Given = int(f), true
	return nil
}

// Bool is a boolean argument, which some models put in quotes.
type Bool bool

// UnmarshalJSON takes true, "true" and their like; null is false.
func (b *Bool) UnmarshalJSON(data []byte) error {
	switch strings.ToLower(strings.Trim(string(data), `"`)) {
	case "true":
		*b = true
	case "false", "null", "":
	default:
		return errors.New("true or false is expected, not " + string(data[:min(len(data), 40)]))
	}
	return nil
}

// ReadCall gives the block that a call of edit_lines or edit asks for; not ok if
// the tool is neither. Arguments that make no sense are the block's Fault.
//
//	edit_lines  lines start_line to end_line (from 1, both included) become new_content
//	            (content): command replace, which is the default, and empty content
//	            deletes; insert puts it behind insert_line (0: at the beginning); delete
//	            takes the lines away
//	edit        the lines old, which stand once in the file, become new; an empty old
//	            creates the file
//
// Lines count in the file as it was before the reply, whatever order the calls
// stand in. Content is written as it stands (indent: "auto" fits it in, and
// indent_level says at which column); a newline at its end is the last line's own.
func ReadCall(name, args string) (Block, bool) {
	b := Block{Format: EditLines, Raw: args}
	if name != ToolEditLines && name != ToolEdit {
		return b, false
	}
	var a arguments
	if err := json.Unmarshal([]byte(args), &a); err != nil {
		b.Fault = BadArguments(err)
		return b, true
	}
	b.Path, b.Preview = CallPath(a.Path), bool(a.DryRun)
	switch {
	case a.Path == "":
		b.Fault = "path is missing"
	case b.Path == "":
		b.Fault = "path holds a control character"
	case name == ToolEdit:
		b.readEdit(&a)
	default:
		b.readLines(&a)
	}
	return b, true
}

// CallPath gives the path that a call's argument names, with its dots resolved and
// nothing else: an argument has no decoration, so what looks like it is the name's
// own. It is "" for one that is empty or holds a control character: such a name
// would forge lines wherever it is shown.
func CallPath(arg string) string {
	if arg == "" || strings.ContainsFunc(arg, unicode.IsControl) {
		return ""
	}
	return path.Clean(arg)
}

// BadArguments words what encoding/json says of a call's arguments.
func BadArguments(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return "the argument " + wrong.Field + " has the wrong type: " + wrong.Value
	}
	return "the arguments are not valid JSON: " + err.Error()
}

func (b *Block) readEdit(a *arguments) {
	if a.Old == nil || a.New == nil {
		b.Fault = "edit needs old and new; an empty new deletes, an empty old creates the file"
		return
	}
	b.Old, b.New = splitLines(*a.Old), splitLines(*a.New)
	if len(b.Old) > 0 {
		b.literal = &literal{strings.ReplaceAll(*a.Old, "\r\n", "\n"), strings.ReplaceAll(*a.New, "\r\n", "\n")}
	}
}

func (b *Block) readLines(a *arguments) {
	text := a.NewContent
	if text == nil {
		text = a.Content
	}
	b.Start, b.End, b.Guard = a.Start.N, a.End.N, a.Guard
	insert := a.Command == "insert"
	switch a.Command {
	case "", "replace":
		if text == nil {
			b.Fault = "new_content is missing; an empty one deletes the lines"
		}
	case "insert":
		if !a.InsertLine.Given || text == nil {
			b.Fault = "insert needs insert_line and new_content"
		}
		b.Start, b.End = a.InsertLine.N+1, a.InsertLine.N
	case "delete":
		text = nil
	default:
		b.Fault = "there is no command " + strconv.Quote(a.Command) + ": replace, insert or delete"
	}
	if text != nil {
		b.New = splitLines(*text)
	}
	switch a.Indent {
	case "auto":
		b.fit = &fit{}
	case "", "none", "verbatim", "as-is":
	default:
		b.Fault = "indent can be auto, or is left out"
	}
	if a.IndentLevel.Given {
		b.fit = &fit{level: &a.IndentLevel.N}
	}
	switch {
	case b.Fault != "":
	case !insert && (!a.Start.Given || !a.End.Given):
		b.Fault = "start_line and end_line are needed"
	case b.Start < 1 || b.End < b.Start-1 || b.End < b.Start && !insert:
		b.Fault = "start_line must be at least 1, and end_line not less than it"
	case a.IndentLevel.N < 0 || a.IndentLevel.N > 400:
		b.Fault = "indent_level must be from 0 to 400"
	}
}

// splitLines cuts an argument into lines; a newline at its end is the last line's own.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
}
