package guard

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// beneath opens file below root in one system call that follows no link. Where
// the kernel is older than 5.6 or a sandbox forbids the call, it goes stepwise.
func beneath(root, file string) (*os.File, error) {
	dir, err := unix.Open(root, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, rootError(&os.PathError{Op: "open", Path: root, Err: err})
	}
	defer unix.Close(dir)
	how := unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOFOLLOW | unix.O_NOCTTY,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	const tries = 16 // EAGAIN: somebody renamed something on the way meanwhile
	for range tries {
		fd, err := unix.Openat2(dir, file, &how)
		switch {
		case err == nil:
			return os.NewFile(uintptr(fd), filepath.Join(root, file)), nil
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.EAGAIN):
			continue
		case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM):
			return stepwise(root, file)
		}
		return nil, err
	}
	return stepwise(root, file)
}
