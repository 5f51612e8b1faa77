package edits

import (
	"fmt"
	"strings"
	"testing"
)

// What counts as a command that is done, and what stays a suggestion.
func TestCommands(t *testing.T) {
	for _, c := range []struct{ reply, want string }{
		{"It is not needed.\n\n`git rm old.txt`\n`mkdir -p x`", "rm old.txt"},
		{"- `git mv a.txt sub/b.go`;\n  * `git rm b`.\n+ `git rm c`\n12. `git rm d`\n3) `git rm e`", "mv a.txt sub/b.go, rm b, rm c, rm d, rm e"},
		{"`git rm -f x`\n`git rm -- y`\n`git mv -- v w`", "rm x, rm y, mv v w"},
		{"`git mv 'a b' \"c d\"`", "mv a b c d"},
		{"`git rm ./x`\n`git rm x`", "rm x"},
		{"`git rm 'app/[id].tsx'`", "rm app/[id].tsx"},
		{"```bash\n# go\n$ git mv a b\nmkdir -p x\n\ngit rm c\n```\n`git rm d`", "mv a b, rm c, rm d"},

		{"Run `git rm x`", ""},
		{"`git rm x` and more", ""},
		{"`git rm x` `git rm y`", ""},
		{"Do not run this: `git rm x`\nThere is no need to `git rm x`.\nTo undo it, run `git mv b a`.\n- [ ] later: `git rm x`\n", ""},
		{"`git rm x`?", ""},
		{"Never do this:\n\n- `git rm x`\n- `git rm y`\n", ""},
		{"`git rm`\n`git rm -r x`\n`git rm x y`\n`git mv a`\n`git mv -f a b`\n`git mv a b c`\n`git rm --cached x`", ""},
		{"`git rm *.txt`\n`git rm '*.txt'`\n`git rm x?`\n`git rm [ab]`\n`git rm {a,b}`\n`git rm :/x`", ""},
		{"`git rm x && git rm y`\n`git rm x; y`\n`git rm x | y`\n`git rm x > y`\n`git rm x & `\n`git rm $x`\n`git rm \"$x\"`\n`git rm ~/x`\n`git rm x\\ y`\n`git rm 'x`", ""},
		{"`git rm dir/`\n`git rm .`\n`git mv a dir/`\n`git -C x rm y`\n`sudo git rm x`\n`rm -rf x`\n`run git rm x`", ""},
		{"`` `git rm x` ``\n``git rm x``\n> `git rm y`\n`git rm\nz`", ""},
		{"```\ngit rm x\n```\n```python\ngit rm x\n```", ""},
		{"```sh\ncd sub\ngit rm x\n```", ""},
		{"```sh\ngit rm x", ""},
		{"Do not run this:\n\n```sh\ngit rm x\n```", ""},
		{"clean.sh\n```sh\ngit rm x\n```\na\n<<<<<<< SEARCH\n=======\n`git rm y`\n>>>>>>> REPLACE\n", "a"},
		{"<think>\n`git rm x`\n</think>\n", ""},
		{"`git rm x`\n</think>\n`git rm y`", "rm y"},
		{"notes.md\n```md\n`git rm x`\n```\n`git rm y`", "notes.md, rm y"},
		{"--- a/x\n+++ b/x\n@@ @@\n-`git rm a`\n+`git rm b`\n", "x"},
		{"```json\n{\"a\": 1}\n```\n`git rm y`", "rm y"},
		{"a\n<<<<<<< RENAME\nb\n>>>>>>> RENAME\n`git mv a b`", "mv a b"},
		{"`git rm a`\nb\n<<<<<<< SEARCH\n=======\nz\n>>>>>>> REPLACE\n`git rm c`", "rm a, b, rm c"},
	} {
		p := Parser{Commands: true}
		p.Feed(c.reply)
		var got []string
		for _, b := range p.Close() {
			switch {
			case b.Fault != "":
				got = append(got, b.Fault)
			case b.MoveTo != "":
				got = append(got, "mv "+b.Path+" "+b.MoveTo)
			case b.Delete:
				got = append(got, "rm "+b.Path)
			default:
				got = append(got, b.Path)
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q: %q, want %q", c.reply, got, c.want)
		}
		for _, b := range Parse(c.reply) {
			if b.Format == Shell {
				t.Errorf("%q: a command without being asked for", c.reply)
			}
		}
	}
}

// What is written for a shell is read as it was.
func TestShellWord(t *testing.T) {
	for _, s := range []string{"a", "a b", "x;y", "é.go", "$HOME", "[id]", "a&b", "--x"} {
		if words, ok := shellWords(shellWord(s)); !ok || len(words) != 1 || words[0] != s {
			t.Errorf("%q: %q", s, words)
		}
	}
	if got := shellWord("it's"); got != `'it'\''s'` {
		t.Error(got)
	}
}

func TestRename(t *testing.T) {
	for _, c := range []struct{ reply, path, to, fault string }{
		{"a.go\n<<<<<<< RENAME\nb.go\n>>>>>>> RENAME\n", "a.go", "b.go", ""},
		{"**a.go**\n```\n<<<<< RENAME \r\n\n`./b.go`\n\n>>>>> RENAME\n```", "a.go", "b.go", ""},
		{"a\n<<<<<<< RENAME\n>>>>>>> RENAME\n", "a", "", "stands the new path"},
		{"a\n<<<<<<< RENAME\nb\nc\n>>>>>>> RENAME\n", "a", "", "stands the new path"},
		{"a\n<<<<<<< RENAME\nwords about it\n>>>>>>> RENAME\n", "a", "", "is no path"},
		{"a\n<<<<<<< RENAME\nb\n>>>>>>> REPLACE\n", "a", "", "no >>>>>>> RENAME"},
		{"a\n<<<<<<< RENAME\nb\n>>>>>> RENAME\n", "a", "", "no >>>>>>> RENAME"},
		{"a\n```\n<<<<<<< RENAME\nb\n```\n", "a", "", "no >>>>>>> RENAME"},
		{"a\n<<<<<<< RENAME\nb", "a", "", "no >>>>>>> RENAME"},
		{"words\n>>>>>>> RENAME\n", "", "", "no <<<<<<< RENAME"},
		{"a\n<<<<<<< SEARCH\nx\n=======\n<<<<<<< RENAME\n", "a", "", "no >>>>>>> REPLACE"},
	} {
		b := Parse(c.reply)[0]
		if b.Path != c.path || b.MoveTo != c.to || !strings.Contains(b.Fault, c.fault) || (c.fault == "") != (b.Fault == "") {
			t.Errorf("%q: %q to %q, fault %q", c.reply, b.Path, b.MoveTo, b.Fault)
		}
	}
	b := Block{Format: SearchReplace, Path: "a", MoveTo: "b"}
	if got := Parse(Render(b)); len(got) != 1 || got[0].Path != "a" || got[0].MoveTo != "b" {
		t.Errorf("rendered and parsed: %+v", got)
	}
	if got := Parse(Quote("a\n<<<<<<< RENAME\nb\n>>>>>>> RENAME\n")); len(got) != 0 {
		t.Errorf("quoted: %+v", got)
	}
}

// A rename names its file: that of the block before is not meant.
func TestRenameNeedsPath(t *testing.T) {
	reply := replaces("a", "one\n", "1\n") + "And then:\n<<<<<<< RENAME\nb\n>>>>>>> RENAME\n"
	outcomes, _, _ := play(t, reply, map[string]string{"a": "one\n"}, Settings{FileOps: OpsApply})
	if outcomes != "applied, failed missing-path" {
		t.Error(outcomes)
	}
}

// A reply of nothing but commands takes no longer than its length asks for.
func TestManyCommands(t *testing.T) {
	var reply strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&reply, "`git rm f%d`\n", i)
	}
	p := Parser{Commands: true}
	p.Feed(reply.String())
	blocks := p.Close()
	if len(blocks) != 50_000 {
		t.Fatal(len(blocks))
	}
	outs := make([]Outcome, len(blocks))
	for i, b := range blocks {
		outs[i] = Outcome{Block: b, Status: Applied}
	}
	if left := Pending(Suggestions(reply.String()), outs); len(left) != 0 {
		t.Error(len(left))
	}
}
