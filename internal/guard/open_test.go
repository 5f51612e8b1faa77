package guard

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

// ways are the two ways to open a file; both must give the same answers.
var ways = map[string]func(root, file string) (*os.File, error){"beneath": beneath, "stepwise": stepwise}

// newTree makes a tree beside a folder that it must not reach.
func newTree(t *testing.T) (g *Guard, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, outside := filepath.Join(base, "ws"), filepath.Join(base, "ws-outside")
	for name, text := range map[string]string{
		"ws/a.txt": "a\n", "ws/sub/deep/b.txt": "b\n", "ws/.git/hooks/x": "", "ws/.git/config": "secret\n", "ws/AGENTS.md": "rules\n", "ws/.env": "KEY=1\n",
		"ws-outside/canary": "canary\n", "ws-outside/sub/canary": "canary\n",
	} {
		p := filepath.Join(base, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return &Guard{Root: root}, outside
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("this system makes no links:", err)
	}
}

func TestReadShowOpen(t *testing.T) {
	g, _ := newTree(t)
	tests := []struct {
		path, read, show string // content; "-": not there; "!": refused
	}{
		{"a.txt", "a\n", "a\n"},
		{"sub/deep/b.txt", "b\n", "b\n"},
		{"AGENTS.md", "!", "rules\n"},
		{".env", "!", "!"},
		{".git/config", "!", "!"},
		{"missing.txt", "-", "-"},
		{"missing/too.txt", "-", "-"},
		{"sub", "!", "!"},
		{"a.txt/b", "!", "!"},
		{"../ws-outside/canary", "!", "!"},
		{"new:stream", "!", "!"},
		{"aux.c", "!", "!"},
	}
	for _, tt := range tests {
		for _, way := range []struct {
			name, want string
			read       func(string) (string, error)
		}{{"Read", tt.read, g.Read}, {"Show", tt.show, g.Show}} {
			text, err := way.read(tt.path)
			got := text
			switch {
			case errors.Is(err, fs.ErrNotExist):
				got = "-"
			case refused(err):
				got = "!"
			case err != nil:
				got = err.Error()
			}
			if got != way.want {
				t.Errorf("%s(%s) = %q (%v), want %q", way.name, tt.path, got, err, way.want)
			}
		}
	}
}

// A file that is there may be edited even if its name could not be created.
func TestOddNamesThatAreThere(t *testing.T) {
	g, _ := newTree(t)
	for _, name := range []string{"aux.c", "Foo::Bar.3pm", "x%2fy"} {
		if err := os.WriteFile(filepath.Join(g.Root, name), []byte("x"), 0o644); err != nil {
			t.Skip("this system cannot hold", name)
		}
		if text, err := g.Read(name); err != nil || text != "x" {
			t.Errorf("Read(%s) = %q, %v", name, text, err)
		}
		dir, _, err := g.Parent(name, true)
		if err != nil {
			t.Errorf("Parent(%s): %v", name, err)
			continue
		}
		dir.Close()
	}
	for _, name := range []string{"con.c", "new/con.c", "con/x.c", "a:b"} {
		if _, made, err := g.Parent(name, true); !refused(err) || made != nil {
			t.Errorf("Parent(%s) makes %v, %v", name, made, err)
		}
	}
}

// Every way in which a link can stand in a path. The control: without the guard
// each layout that leads somewhere lets a file be written there.
func TestLinksAreRefused(t *testing.T) {
	layouts := []struct {
		name  string
		make  func(t *testing.T, root, outside string)
		paths []string
		leads bool // a plain write through it succeeds
	}{
		{"folder, relative", func(t *testing.T, root, _ string) { link(t, "../ws-outside", root+"/esc") }, []string{"esc/canary", "esc/new", "esc/sub/canary"}, true},
		{"folder, absolute", func(t *testing.T, root, out string) { link(t, out, root+"/esc") }, []string{"esc/canary", "esc/new", "esc/sub/new"}, true},
		{"file", func(t *testing.T, root, out string) { link(t, out+"/canary", root+"/f") }, []string{"f"}, true},
		{"dangling file", func(t *testing.T, root, out string) { link(t, out+"/born", root+"/f") }, []string{"f"}, true},
		{"chain", func(t *testing.T, root, out string) { link(t, out, root+"/one"); link(t, "one", root+"/two") }, []string{"two/canary", "two/new"}, true},
		{"loop", func(t *testing.T, root, _ string) { link(t, "b", root+"/a"); link(t, "a", root+"/b") }, []string{"a", "a/x", "b/x"}, false},
		{"by way of ..", func(t *testing.T, root, _ string) { link(t, "sub/../..", root+"/up") }, []string{"up/ws-outside/canary", "up/ws-outside/new"}, true},
		{"deep inside", func(t *testing.T, root, out string) { link(t, out, root+"/sub/deep/esc") }, []string{"sub/deep/esc/canary", "sub/deep/esc/new"}, true},
		{"into .git", func(t *testing.T, root, _ string) { link(t, ".git/hooks", root+"/docs") }, []string{"docs/x", "docs/pre-commit"}, true},
		{"file in .git", func(t *testing.T, root, _ string) { link(t, ".git/config", root+"/cfg") }, []string{"cfg"}, true},
		{"harmless", func(t *testing.T, root, _ string) { link(t, "sub", root+"/alias") }, []string{"alias/deep/b.txt", "alias/new"}, true},
		{"dangling folder", func(t *testing.T, root, out string) { link(t, out+"/none", root+"/esc") }, []string{"esc/x", "esc/y/z"}, false},
		{"to /proc", func(t *testing.T, root, _ string) { link(t, "/proc/self", root+"/p") }, []string{"p/environ"}, false},
	}
	for _, tt := range layouts {
		t.Run(tt.name, func(t *testing.T) {
			g, outside := newTree(t)
			tt.make(t, g.Root, outside)
			for _, p := range tt.paths {
				for name, open := range ways {
					f, err := open(g.Root, p)
					if err == nil {
						f.Close()
					}
					if !refused(explainOrNil(p, err)) {
						t.Errorf("%s(%s): %v", name, p, err)
					}
				}
				if text, err := g.Read(p); !refused(err) {
					t.Errorf("Read(%s) = %q, %v", p, text, err)
				}
				for _, create := range []bool{false, true} {
					if dir, made, err := g.Parent(p, create); !refused(err) || made != nil {
						t.Errorf("Parent(%s, %v) = %v, %v, %v", p, create, dir, made, err)
					}
				}
				if tt.leads { // control
					if err := os.WriteFile(filepath.Join(g.Root, p), []byte("attack"), 0o644); err != nil {
						t.Errorf("the attack on %s does not work even without the guard: %v", p, err)
					}
				}
			}
		})
	}
}

func explainOrNil(p string, err error) error {
	if err == nil {
		return nil
	}
	return explain(p, err)
}

// A folder that is swapped for a link after it was judged does not lead the
// writer astray. The control: a writer that goes by the path is led astray.
func TestSwappedFolder(t *testing.T) {
	g, outside := newTree(t)
	dir, _, err := g.Parent("sub/new.txt", true)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := os.Rename(g.Root+"/sub", g.Root+"/moved"); err != nil {
		t.Fatal(err)
	}
	link(t, outside, g.Root+"/sub")
	f, err := dir.OpenFile("new.txt", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := os.Stat(outside + "/new.txt"); err == nil {
		t.Error("written outside")
	}
	if _, err := os.Stat(g.Root + "/moved/new.txt"); err != nil {
		t.Error("not written into the folder that was judged")
	}
	if err := os.WriteFile(g.Root+"/sub/naive.txt", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(outside + "/naive.txt"); err != nil {
		t.Error("control: the attack does not work")
	}
}

// Somebody swaps a folder and a link all the time: nothing is read or written
// through the link.
func TestSwapRace(t *testing.T) {
	g, outside := newTree(t)
	real, lnk, sub := g.Root+"/real", g.Root+"/link", g.Root+"/sub"
	link(t, outside, lnk)
	if err := os.WriteFile(sub+"/canary", []byte("inside\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(sub, real)
			os.Rename(lnk, sub)
			os.Rename(sub, lnk)
			os.Rename(real, sub)
		}
	}()
	var read, wrote, no int
	for range 3000 {
		for _, open := range ways {
			f, err := open(g.Root, "sub/canary")
			if err != nil {
				no++
				continue
			}
			text := make([]byte, 8)
			n, _ := f.Read(text)
			f.Close()
			if read++; string(text[:n]) != "inside\n" {
				t.Fatalf("read %q", text[:n])
			}
		}
		dir, _, err := g.Parent("sub/new.txt", false)
		if err != nil {
			no++
			continue
		}
		if f, err := dir.OpenFile("new.txt", os.O_WRONLY|os.O_CREATE, 0o644); err == nil {
			f.Close()
			wrote++
		}
		dir.Close()
	}
	close(stop)
	<-stopped
	if _, err := os.Stat(outside + "/new.txt"); err == nil {
		t.Error("written outside")
	}
	if read == 0 || wrote == 0 || no == 0 {
		t.Errorf("%d reads, %d writes, %d refused: this was no race", read, wrote, no)
	}
	t.Logf("%d reads, %d writes, %d refused", read, wrote, no)
}

func TestParentMakesFolders(t *testing.T) {
	g, _ := newTree(t)
	if _, _, err := g.Parent("x/y/z.txt", false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without create: %v", err)
	}
	dir, made, err := g.Parent("x/y/z.txt", true)
	if err != nil {
		t.Fatal(err)
	}
	dir.Close()
	if strings.Join(made, " ") != "x x/y" {
		t.Errorf("made %q", made)
	}
	dir, made, err = g.Parent("x/y/z.txt", true)
	if err != nil || made != nil {
		t.Fatalf("again: %q, %v", made, err)
	}
	dir.Close()
	for _, p := range []string{"a.txt/b", "a.txt/b/c"} {
		if _, made, err := g.Parent(p, true); !refused(err) || made != nil {
			t.Errorf("Parent(%s): %q, %v", p, made, err)
		}
	}
	if _, _, err := g.Parent("x/y", true); !refused(err) {
		t.Errorf("a folder as a file: %v", err)
	}
}

func TestSizeCap(t *testing.T) {
	g, _ := newTree(t)
	if err := errors.Join(os.Truncate(g.Root+"/a.txt", maxFile), os.Truncate(g.Root+"/sub/deep/b.txt", maxFile+1)); err != nil {
		t.Fatal(err)
	}
	if text, err := g.Read("a.txt"); err != nil || len(text) != maxFile {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if _, err := g.Read("sub/deep/b.txt"); !refused(err) {
		t.Errorf("one byte too many: %v", err)
	}
}

// A tree that is gone must not look like one without files.
func TestTreeIsGone(t *testing.T) {
	g := &Guard{Root: filepath.Join(t.TempDir(), "gone")}
	if _, err := g.Read("a.txt"); err == nil || errors.Is(err, fs.ErrNotExist) || refused(err) {
		t.Errorf("Read: %v", err)
	}
	if _, _, err := g.Parent("a.txt", true); err == nil || errors.Is(err, fs.ErrNotExist) || refused(err) {
		t.Errorf("Parent: %v", err)
	}
	var refusal *edits.Refusal
	if _, err := g.Read("../a.txt"); !errors.As(err, &refusal) || refusal.Path != "../a.txt" {
		t.Errorf("a refusal names its path: %v", err)
	}
}
