package worktree

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/agentloop/agentloop/edits"
)

// file is what stands at a path.
type file struct {
	content string
	mode    string // git's
	gone    bool   // nothing is there
	strange bool   // something that may not be read: a link, a folder
}

func (f file) digest() string {
	if f.gone || f.strange {
		return fmt.Sprint(f.gone, f.strange)
	}
	return fmt.Sprintf("%s %x", f.mode, sha256.Sum256([]byte(f.content)))
}

func look(files Opener, path string) (file, error) {
	f, err := files.Open(path)
	var refused *edits.Refusal
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return file{gone: true}, nil
	case errors.As(err, &refused):
		return file{strange: true}, nil
	case err != nil:
		return file{}, err
	}
	defer f.Close()
	content, mode, err := readAll(f)
	if err != nil {
		return file{}, fmt.Errorf("read %s: %w", path, err)
	}
	return file{content: content, mode: mode}, nil
}

func gitMode(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "120000"
	case mode&0o111 != 0:
		return "100755"
	}
	return "100644"
}

func readAll(f *os.File) (content, mode string, err error) {
	info, err := f.Stat()
	if err != nil {
		return "", "", err
	}
	var text strings.Builder
	text.Grow(int(info.Size()))
	if _, err := io.Copy(&text, io.LimitReader(f, info.Size())); err != nil {
		return "", "", err
	}
	return text.String(), gitMode(info.Mode()), nil
}
