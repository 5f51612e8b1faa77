//go:build unix

package guard

import (
	"io/fs"
	"syscall"
)

// names counts the names of a file, its hard links.
func names(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}
