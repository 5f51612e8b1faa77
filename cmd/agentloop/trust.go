package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"znkr.io/diff/textdiff"
)

// trustRecord says that the user read a repository's file and allows its
// checks. It stands in the user's state, out of the repository's reach.
type trustRecord struct {
	Version int       `json:"version"` // 1
	Root    string    `json:"root"`
	SHA256  string    `json:"sha256"`
	Checks  []string  `json:"checks"`
	Time    time.Time `json:"time"`
	Content string    `json:"content"` // the file then, for the difference to now
}

// trustReview is what the user is to read before saying yes.
type trustReview struct {
	Checks  []string // what would be allowed to run
	Trusted bool     // this very file is trusted already
	Diff    string   // against the file that was trusted last; "" for none or the same

	record trustRecord
	path   string
}

// reviewTrust reads the repository's file and what is known of it. Save then
// trusts the bytes that were reviewed, whatever the file holds by then.
func reviewTrust(in configInput) (trustReview, error) {
	state := homeDir(environ(in.Env), "XDG_STATE_HOME", ".local", "state")
	f, offer, err := readRepoFile(in.Root)
	if err != nil {
		return trustReview{}, err
	}
	if f == nil {
		return trustReview{}, usageError{msg: "no " + repoFileName + " at the top of " + in.Root, hint: "`agentloop init` writes one"}
	}
	path, root, err := trustPath(state, in.Root)
	if err != nil {
		return trustReview{}, err
	}
	r := trustReview{Checks: offer.Check, path: path, record: trustRecord{
		Version: 1, Root: root, SHA256: f.hash(), Checks: offer.Check, Content: string(f.data),
	}}
	known, err := readTrust(state, in.Root)
	if _, damaged := errors.AsType[usageError](err); err != nil && !damaged {
		return trustReview{}, err
	}
	if known != nil {
		r.Trusted = known.SHA256 == r.record.SHA256
		r.Diff = difference(known, f)
	}
	return r, nil
}

// save records the trust.
func (r trustReview) save(now time.Time) error {
	r.record.Time = now.UTC().Truncate(time.Second)
	text, err := json.MarshalIndent(r.record, "", "\t")
	if err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(r.path), 0o700); err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	if err := replaceFile(r.path, append(text, '\n')); err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	return nil
}

// trustPath names the record of a repository by its real path.
func trustPath(state, root string) (path, real string, err error) {
	if state == "" {
		return "", "", usageError{msg: "no folder for what was trusted: neither XDG_STATE_HOME nor HOME is set"}
	}
	real, err = filepath.Abs(root)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return "", "", fmt.Errorf("find the repository's real path: %w", err)
	}
	sum := sha256.Sum256([]byte(real))
	return filepath.Join(state, "trust", hex.EncodeToString(sum[:16])+".json"), real, nil
}

// readTrust gives what was trusted for a repository, nil if nothing was. A
// record that others could have written or that makes no sense is refused.
func readTrust(state, root string) (*trustRecord, error) {
	if state == "" {
		return nil, nil
	}
	path, real, err := trustPath(state, root)
	if err != nil {
		return nil, err
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	bad := func(why string) (*trustRecord, error) {
		return nil, usageError{msg: path + ": " + why, hint: "delete it, then run `agentloop trust` again"}
	}
	if err != nil {
		return bad("cannot be read")
	}
	if !info.Mode().IsRegular() || (runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0) {
		return bad("is not a regular file that only you can write")
	}
	f, err := os.Open(path)
	if err != nil {
		return bad("cannot be read")
	}
	defer f.Close()
	var known trustRecord
	err = json.NewDecoder(io.LimitReader(f, 8*maxConfigBytes)).Decode(&known)
	if err != nil || known.Version != 1 || known.Root != real || known.SHA256 == "" {
		return bad("is damaged or of another version")
	}
	return &known, nil
}

// changedSince refuses a file that is not the one that was trusted.
func changedSince(known *trustRecord, f *configFile) error {
	return usageError{
		msg:    f.path + " has changed since you trusted it: nothing was run",
		hint:   "read the difference, then run `agentloop trust`; or give --check or --no-check",
		detail: difference(known, f),
	}
}

// difference is a unified diff of at most 400 lines, "" for none.
func difference(known *trustRecord, f *configFile) string {
	diff := textdiff.Unified(known.Content, string(f.data))
	if diff == "" {
		return ""
	}
	const most = 400
	if all := strings.SplitAfter(diff, "\n"); len(all) > most {
		diff = strings.Join(all[:most], "") + fmt.Sprintf("(%d more lines)\n", len(all)-most)
	}
	return fmt.Sprintf("--- %s (trusted %s)\n+++ %s (now)\n%s", f.path, known.Time.Format(time.DateOnly), f.path, diff)
}

// replaceFile puts text at path whole or not at all, readable only by the user.
func replaceFile(path string, text []byte) error {
	temp, err := writeTemp(path, text, 0o600)
	if err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// writeTemp writes a file beside path that nobody else can have opened.
func writeTemp(path string, text []byte, mode os.FileMode) (temp string, err error) {
	temp = filepath.Join(filepath.Dir(path), ".agentloop-"+rand.Text())
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(temp))
	}
	return temp, nil
}
