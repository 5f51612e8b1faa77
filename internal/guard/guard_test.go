package guard

import (
	"errors"
	"go/build"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// refused reports whether err is a refusal of a path.
func refused(err error) bool {
	var r *edits.Refusal
	return errors.As(err, &r) && r.Reason == edits.PathRefused && r.Why != ""
}

var lexicallyBad = []string{
	"", ".", "..", "../x", "../../etc/passwd", "a/..", "a/../b", "a/../../b", "./a", "a/./b", "a//b", "a/", "a/b/", "/", "//a",
	"/etc/passwd", "/abs", "~", "~/x", "~root/x", "~/.ssh/id_rsa",
	`C:\x`, `C:/x`, `c:x`, `C:`, `\\host\share`, `\\?\C:\x`, `\x`, `a\b`, `a\..\b`, `..\x`,
	"a\x00b", "a\nb", "a\rb", "a\tb", "a\x1b[31mb", "a\x7fb", "a\u0085b",
	"a\u202eb", "a\u202ab", "a\u2066b", "a\u2069b", "a\u200eb", "a\u200fb", "a\u200bb", "a\u2028b", "a\u2029b", "a\ufeffb",
	"a\u00adb", "a\u180eb", "a\u3164b", "a\U000e0041b", "a\U000e0001b", "a\ue000b",
	"a\xffb", "caf\xe9.txt",
	"a:stream", "a::$DATA", "a/b:c", "file://x", "http://x/y", "a?b", "a*b", "a|b", "a<b", "a>b", `a"b`,
	"a.", "a ", "a./b", "a /b", " a", "a/ b", "...", "a/...",
	"CON", "con", "Con.txt", "PRN", "AUX", "aux.c", "NUL", "NUL.txt", "nul.tar.gz", "COM0", "COM1", "com9.log", "COM¹", "LPT1", "lpt³.x",
	"CONIN$", "CONOUT$", "a/nul/b", "con .txt",
	"%2e%2e/x", "a/%2E%2E/b", "a%2fb", "a%5Cb", "a%00b",
	strings.Repeat("a", 256), strings.Repeat("a/", 2100) + "a",
}

var lexicallyGood = []string{
	"a", "a/b", "a.b", ".a", "a b", "a-b", "-n", "--output=x", "a..b", "..a", "a/..b", "a...b", "Makefile", "LICENSE", "README.md",
	"src/[id].tsx", "app/(group)/page.tsx", "a+b", "a@b", "a#b", "a$b", "a%b", "a%20b", "100%", "a&b", "a;b", "a'b", "a`b", "a!b", "a=b", "a,b",
	"a~b", "a~", "~a~", "~$a.doc", "a.txt~", "#a#", "日本語/ファイル.txt", "café.txt", "cafe\u0301.txt", "русский", "👩\u200d💻.md", "می\u200cخواهم.txt", "ｗｉｄｅ",
	"com", "com10", "lpt", "console.go", "nullable.go", "auxiliary.c", "conn.go", "print.c", strings.Repeat("a", 255),
}

func TestLexical(t *testing.T) {
	for _, p := range lexicallyBad {
		if err := Lexical(p); !refused(err) {
			t.Errorf("%q passes (%v)", p, err)
		}
	}
	for _, p := range lexicallyGood {
		if err := Lexical(p); err != nil {
			t.Errorf("%q: %v", p, err)
		}
	}
	if n := len(lexicallyBad) + len(lexicallyGood); n < 100 {
		t.Errorf("only %d paths", n)
	}
}

var gitDisguises = []string{
	".git", ".GIT", ".Git", ".gIt", ".git.", ".git..", ".git ", ".git . .", ".git::$INDEX_ALLOCATION", ".git:x", ".GIT:$I30:$INDEX_ALLOCATION",
	"git~1", "GIT~1", "Git~1", "git~2", "GI7EBA~1", "gi7eba~1", "GI7D29~1", "gi250a~1",
	".g\u200cit", ".\u200dgit", "\u200c.git", ".git\u200d", ".g\u200ci\u200dt", ".G\u200cI\u200cT",
}

// These disguises hold characters that the lexical rules refuse already; the
// names must not depend on that.
var foldedDisguises = []string{
	".g\u200eit", ".gi\u202at", ".gi\u202et", ".gi\u206at", ".gi\u206ft", "\ufeff.git", ".gi\ufe0ft", ".gi\u00adt", ".\U000e0020git",
}

func TestGitIsClosedInEveryDisguise(t *testing.T) {
	g := &Guard{Root: t.TempDir(), Allow: []string{"**", ".git", ".git/**", "*"}}
	for _, name := range gitDisguises {
		for _, p := range []string{name, name + "/config", name + "/hooks/pre-commit", "sub/" + name, "a/b/" + name + "/HEAD"} {
			if err := g.Check(p); !refused(err) {
				t.Errorf("Check lets %q pass (%v)", p, err)
			}
			if _, err := g.Show(p); !refused(err) {
				t.Errorf("Show lets %q pass (%v)", p, err)
			}
		}
	}
	for _, name := range append(gitDisguises, foldedDisguises...) {
		if k, _ := protection("a/" + name + "/b"); k != never {
			t.Errorf("%q is not taken for .git", name)
		}
	}
	for _, p := range []string{"git", ".gitignore", "a.git", ".gitkeep", "git~", "git~1~", "gita~x", ".github/ISSUE_TEMPLATE/bug.md", "x/.gitlab/issue.md", "ğit", ".gıt"} {
		if err := g.Check(p); err != nil {
			t.Errorf("%q: %v", p, err)
		}
	}
}

var protectedPaths = []string{
	".env", ".env.local", ".env.production", ".envrc", "sub/.env", ".ENV", ".Env.Local", ".ſsh/config", ".env ",
	"server.pem", "certs/SERVER.PEM", "a.key", "a.p12", "a.pfx", "a.jks", "a.ppk", "a.keystore", "a.kdbx", "id_rsa", "ID_RSA", "x/id_ed25519",
	".npmrc", ".pypirc", ".netrc", "_netrc", ".pgpass", ".htpasswd", ".git-credentials", ".ssh/known_hosts", ".aws/credentials", ".gnupg/x", ".Kube/config", ".\u212aube/config",
}

var configPaths = []string{
	".github/workflows/ci.yml", ".GITHUB/Workflows/ci.yml", ".github/actions/x/action.yml", ".github/hooks/x", "sub/.github/workflows/ci.yml",
	".github/copilot-instructions.md", ".gitlab-ci.yml", ".circleci/config.yml", "Jenkinsfile", "JENKINSFILE", ".travis.yml", ".drone.yml",
	".buildkite/x", "azure-pipelines.yml", "bitbucket-pipelines.yml", ".woodpecker/x.yml", ".forgejo/workflows/x", ".gitea/x",
	".husky/pre-commit", ".githooks/x", ".pre-commit-config.yaml", "lefthook.yml", ".gitattributes", "sub/.gitattributes", ".gitmodules", ".gitconfig", ".lfsconfig",
	".vscode/settings.json", ".VSCode/tasks.json", ".idea/x.xml", ".devcontainer/devcontainer.json", ".devcontainer.json", ".zed/x", ".dir-locals.el",
	".cursor/rules", ".cursorrules", ".windsurfrules", ".claude/settings.json", ".codex/x", ".gemini/x", ".agents/x", ".mcp.json", ".aider.conf.yml",
	"AGENTS.md", "agents.MD", "sub/AGENTS.md", "CLAUDE.md", "GEMINI.md", "agentloop.toml", ".agentloop/x",
}

func TestProtectedNames(t *testing.T) {
	g := &Guard{Root: t.TempDir()} // empty: every one of them is absent
	for _, p := range protectedPaths {
		if err := g.Check(p); !refused(err) {
			t.Errorf("Check lets %q pass (%v)", p, err)
		}
		if _, err := g.Show(p); !refused(err) {
			t.Errorf("Show lets %q pass (%v)", p, err)
		}
	}
	for _, p := range configPaths {
		if err := g.Check(p); !refused(err) {
			t.Errorf("Check lets %q pass (%v)", p, err)
		}
		if _, err := g.Show(p); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Show(%q): %v, want that it is not there", p, err)
		}
		if err := (&Guard{Allow: []string{"**"}}).Check(p); err != nil {
			t.Errorf("%q is closed to the user too: %v", p, err)
		}
	}
	for _, p := range []string{"GITHUB~1/workflows/x", "VSCODE~1/tasks.json", "ENV~1", "JENKIN~1", "sub/HUSKY~1/x", "A~12.TXT"} {
		if err := g.Check(p); !refused(err) {
			t.Errorf("short name %q passes (%v)", p, err)
		}
	}
	for _, p := range []string{"env.go", "environment.ts", "key.go", "pem/x.go", "monkey", "agents.go", "docs/agents/x.md", "workflows/ci.yml", "github/workflows/x", "id_rsa.go", "a~b.txt", "long-name~1.txt"} {
		if err := g.Check(p); err != nil {
			t.Errorf("%q: %v", p, err)
		}
	}
}

// Every spelling of a name by case is the same name.
func TestProtectionFoldsCase(t *testing.T) {
	g := &Guard{}
	for _, name := range []string{".git", ".env", ".vscode", ".husky", ".npmrc", "agents.md", "id_rsa"} {
		for bits := range 1 << len(name) {
			spelt := []byte(name)
			for i := range spelt {
				if bits>>i&1 == 1 {
					spelt[i] = strings.ToUpper(name[i : i+1])[0]
				}
			}
			if err := g.Check("x/" + string(spelt)); !refused(err) {
				t.Fatalf("%s passes (%v)", spelt, err)
			}
		}
	}
}

func TestGlobs(t *testing.T) {
	tests := []struct {
		allow, protect []string
		path           string
		ok             bool
	}{
		{nil, nil, "a.go", true},
		{nil, nil, ".env", false},
		{[]string{".env"}, nil, ".env", true},
		{[]string{".env"}, nil, "sub/.env", true}, // no slash: at any depth
		{[]string{".env"}, nil, ".env.local", false},
		{[]string{".env*"}, nil, ".env.local", true},
		{[]string{"sub/.env"}, nil, ".env", false},
		{[]string{".github/workflows"}, nil, ".github/workflows/ci.yml", true}, // a folder: all below
		{[]string{".github/workflows/"}, nil, ".github/workflows/ci.yml", true},
		{[]string{".github/workflows/*.yml"}, nil, ".github/workflows/ci.yml", true},
		{[]string{".github/workflows/*.yml"}, nil, ".github/workflows/x/ci.yml", false},
		{[]string{"**"}, nil, ".github/workflows/ci.yml", true},
		{[]string{"**"}, nil, ".git/config", false},
		{[]string{"**"}, []string{"*_test.go"}, "a/b_test.go", false}, // protect wins
		{nil, []string{"*_test.go"}, "a/b.go", true},
		{nil, []string{"vendor"}, "x/vendor/y/z.go", false},
		{nil, []string{"docs/**/*.md"}, "docs/a/b.md", false},
		{nil, []string{"Docs"}, "docs/b.md", false}, // closed whatever the case
		{nil, []string{"docs"}, "DOCS/b.md", false},
		{[]string{".ENV"}, nil, ".env", false}, // opened only as written
	}
	for _, tt := range tests {
		err := (&Guard{Allow: tt.allow, Protect: tt.protect}).Check(tt.path)
		if (err == nil) != tt.ok || err != nil && !refused(err) {
			t.Errorf("allow %q, protect %q: %s: %v, want ok = %v", tt.allow, tt.protect, tt.path, err, tt.ok)
		}
	}
	for _, g := range []*Guard{{Protect: []string{"[a"}}, {Allow: []string{"[a"}}} {
		if err := g.Check("x/AGENTS.md"); err == nil || refused(err) || !strings.Contains(err.Error(), `"[a"`) {
			t.Errorf("%+v: a malformed glob gives %v", g, err)
		}
	}
}

// Of the files of a large real tree, Lexical refuses none, and Check only those
// that a person would call protected.
func TestRealPathsPass(t *testing.T) {
	root := filepath.Join(build.Default.GOROOT, "src")
	g, n := &Guard{Root: root}, 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		n++
		if err := Lexical(rel); err != nil {
			t.Error(err)
		}
		base := path.Base(rel)
		expected := strings.HasPrefix(base, ".git") || strings.HasSuffix(base, ".pem") || strings.HasSuffix(base, ".key")
		if err := g.Check(rel); (err != nil) != expected && base != ".gitignore" {
			t.Errorf("%s: %v", rel, err)
		}
		return nil
	})
	if err != nil || n < 1000 {
		t.Skipf("no Go sources to read here (%d files, %v)", n, err)
	}
	t.Logf("%d paths", n)
}

func BenchmarkCheck(b *testing.B) {
	g := &Guard{Protect: []string{"vendor", "docs/**/*.md"}}
	for b.Loop() {
		if err := g.Check("internal/worktree/deeply/nested/folder/ünï_test.go"); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, list := range [][]string{lexicallyBad, lexicallyGood, gitDisguises, foldedDisguises, protectedPaths, configPaths} {
		for _, p := range list {
			f.Add(p)
		}
	}
	g := &Guard{Allow: []string{"**"}}
	f.Fuzz(func(t *testing.T, p string) {
		if err := Lexical(p); err == nil && (!fs.ValidPath(p) || !filepath.IsLocal(p)) {
			t.Errorf("%q is lexically good, but not for the standard library", p)
		}
		if g.Check(p) != nil {
			return
		}
		if path.Clean(p) != p || path.IsAbs(p) || strings.HasPrefix(p, "../") {
			t.Errorf("%q passes", p)
		}
		for name := range strings.SplitSeq(p, "/") {
			plain := strings.Map(func(r rune) rune {
				if r > 0x7f {
					return -1
				}
				return r
			}, name)
			if strings.TrimRight(strings.ToLower(plain), ". ") == ".git" && len(plain) == len(strings.TrimFunc(name, func(r rune) bool { return r == 0x200c || r == 0x200d })) {
				t.Errorf("%q passes", p)
			}
		}
	})
}
