//go:build unix

package guard

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Nothing that is no regular file is opened, and nothing waits. The control: an
// ordinary open of the FIFO hangs.
func TestSpecialFiles(t *testing.T) {
	g, _ := newTree(t)
	fifo := filepath.Join(g.Root, "fifo")
	if err := syscall.Mkfifo(fifo, 0o644); err != nil {
		t.Skip(err)
	}
	paths := []string{"fifo", "sub/deep"}
	t.Chdir(g.Root) // a socket's path must be short
	if l, err := net.Listen("unix", "socket"); err == nil {
		defer l.Close()
		paths = append(paths, "socket")
	}
	if syscall.Mknod(filepath.Join(g.Root, "null"), syscall.S_IFCHR|0o666, 1<<8|3) == nil {
		paths = append(paths, "null")
	}
	began := time.Now()
	for _, p := range paths {
		for name, open := range ways {
			if f, err := open(g.Root, p); err == nil {
				info, _ := f.Stat()
				f.Close()
				if info.Mode().IsRegular() {
					t.Errorf("%s opens %s as a regular file", name, p)
				}
			}
		}
		if _, err := g.Read(p); !refused(err) {
			t.Errorf("Read(%s): %v", p, err)
		}
		if _, _, err := g.Parent(p, true); !refused(err) {
			t.Errorf("Parent(%s): %v", p, err)
		}
	}
	if took := time.Since(began); took > 100*time.Millisecond {
		t.Errorf("took %v", took)
	}

	opened := make(chan *os.File)
	go func() { f, _ := os.Open(fifo); opened <- f }()
	select {
	case <-opened:
		t.Error("control: an ordinary open did not hang")
	case <-time.After(50 * time.Millisecond):
	}
	w, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	(<-opened).Close()
}
