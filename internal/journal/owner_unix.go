//go:build unix

package journal

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives f the owner and group of the file that it replaces, as far as
// this process may: it matters where agentloop runs as root.
func keepOwner(f *os.File, was fs.FileInfo) {
	old, ok := was.Sys().(*syscall.Stat_t)
	if !ok || int(old.Uid) == os.Geteuid() && int(old.Gid) == os.Getegid() {
		return
	}
	if f.Chown(int(old.Uid), int(old.Gid)) != nil {
		f.Chown(-1, int(old.Gid))
	}
}
