//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak gives the most memory that an ended process or one of its children held,
// in bytes.
func peak(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10 // kilobytes elsewhere
}

// settle writes to the disk what a run would otherwise wait for.
func settle() { syscall.Sync() }
