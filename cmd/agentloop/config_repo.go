package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// repoFileName is the repository's own configuration, at its top.
const repoFileName = "agentloop.toml"

// A repository's file is written by whoever wrote the repository. It may only
// tighten what the user allows or set what cannot hurt, each key by its rule,
// and it never overrules a flag or a variable.

// readRepoFile reads and checks the file without using it; nil if there is none.
// The Config holds the file's values above the defaults.
func readRepoFile(root string) (*configFile, Config, error) {
	offer := defaultConfig()
	f, err := readConfigFile(filepath.Join(root, repoFileName), repoFileName, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, offer, nil
	}
	if err != nil {
		return nil, offer, asUsage(repoFileName, err)
	}
	ks := keys(&offer)
	for _, name := range f.names() {
		if k, known := lookup(ks, name); !known || k.repo == repoNever {
			return nil, offer, f.notForRepo(name, ks)
		}
	}
	return f, offer, f.fill(&offer)
}

// notForRepo words a name that a repository's file may not hold.
func (f *configFile) notForRepo(name string, ks []key) error {
	var open []string
	for _, k := range ks {
		if k.repo != repoNever {
			open = append(open, k.name)
		}
	}
	if near := nearest(name, names(ks)); slices.Contains(open, near) {
		return f.unknown(open, name)
	}
	return usageError{
		msg:  fmt.Sprintf("%s: %s may not be set by a repository", f.at(name), toml.Key{name}),
		hint: "a repository may set: " + strings.Join(open, ", ") + "; all else goes into your own config.toml",
	}
}

// loadRepo meets what the user wants with what the repository asks for.
func (s *settings) loadRepo(root string) error {
	f, offer, err := readRepoFile(root)
	if f == nil || err != nil {
		return err
	}
	s.RepoHash = f.hash()
	mine, theirs := keys(&s.Config), keys(&offer)
	for i, k := range mine {
		if _, named := f.doc[k.name]; !named {
			continue
		}
		fixed := s.From[k.name].layer >= fromEnv
		from := origin{fromRepo, f.at(k.name)}
		switch {
		case k.repo == repoAdds:
			add(k.into.(*[]string), *theirs[i].into.(*[]string))
		case fixed || k.repo == repoTrust:
			continue
		case k.repo == repoLowers:
			if !s.lower(k, theirs[i], from) {
				continue
			}
		default:
			assign(k.into, theirs[i].into)
		}
		s.From[k.name] = from
	}
	return s.takeChecks(f, offer.Check, root)
}

func add(mine *[]string, theirs []string) {
	all := slices.Clone(*mine)
	for _, glob := range theirs {
		if !slices.Contains(all, glob) {
			all = append(all, glob)
		}
	}
	*mine = all
}

func assign(mine, theirs any) {
	switch mine := mine.(type) {
	case *string:
		*mine = *theirs.(*string)
	case *int:
		*mine = *theirs.(*int)
	case *[]string:
		*mine = *theirs.(*[]string)
	default:
		panic(fmt.Sprintf("config: no rule to take a %T from a repository", mine))
	}
}

// lower takes a smaller budget and keeps the user's where the repository asks
// for more, which it says.
func (s *settings) lower(mine, theirs key, from origin) bool {
	var taken, raised bool
	switch m := mine.into.(type) {
	case *int:
		taken, raised = tighten(m, *theirs.into.(*int))
	case *float64:
		taken, raised = tighten(m, *theirs.into.(*float64))
	case *time.Duration:
		taken, raised = tighten(m, *theirs.into.(*time.Duration))
	default:
		panic(fmt.Sprintf("config: no rule to lower a %T", mine.into))
	}
	if raised {
		s.Notes = append(s.Notes, fmt.Sprintf("%s: %s = %s is above your own %s, which stays",
			from.where, mine.name, budget(theirs.into), budget(mine.into)))
	}
	return taken
}

// tighten takes theirs if it allows less; 0 allows everything.
func tighten[T cmp.Ordered](mine *T, theirs T) (taken, raised bool) {
	var off T
	switch {
	case theirs == *mine:
		return false, false
	case *mine == off || (theirs != off && theirs < *mine):
		*mine = theirs
		return true, false
	}
	return false, true
}

func budget(field any) string {
	switch v := field.(type) {
	case *int:
		return strconv.Itoa(*v)
	case *float64:
		return fmt.Sprint(shown(*v))
	case *time.Duration:
		return fmt.Sprint(shown(*v))
	}
	return ""
}

// takeChecks uses the repository's checks if the user trusted exactly this
// file. A file that changed since ends the run; one that was never trusted is
// only told of. A check that the user gave makes both idle.
func (s *settings) takeChecks(f *configFile, checks []string, root string) error {
	if s.From["check"].layer >= fromEnv {
		return nil
	}
	known, err := readTrust(s.StateDir, root)
	_, named := f.doc["check"]
	switch {
	case err != nil:
		return err
	case known == nil && len(checks) > 0:
		s.Ignored = checks
		s.Notes = append(s.Notes, fmt.Sprintf("%s asks for %s, which is ignored until you trust it: read the file, then run `agentloop trust`",
			f.at("check"), quoted(checks)))
	case known != nil && known.SHA256 != f.hash() && len(checks)+len(known.Checks) > 0:
		return changedSince(known, f)
	case known != nil && known.SHA256 == f.hash() && named:
		s.Check = checks
		s.From["check"] = origin{fromRepo, f.at("check")}
	}
	return nil
}

func quoted(commands []string) string {
	texts := make([]string, len(commands))
	for i, command := range commands {
		texts[i] = strconv.Quote(short(command))
	}
	return strings.Join(texts, ", ")
}
