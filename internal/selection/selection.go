// Package selection chooses which files a prompt shows when the user names none.
// Its functions are pure: they work on a list of paths, on the task's text and
// on what the checks printed, and read a file only where evidence points to it.
//
//	evidence ─► mentions ─► places in the tree ─┐
//	            failing tests ─► what they call ├─► tally ─► fill the budget, best first
//	            words of the task ──────────────┘
//
// Every file chosen keeps the reason that weighed most. What is left out is said
// and counted, never cut in silence. The same input gives the same choice.
//
// It does not decide what a user's own names mean beyond Match, and runs nothing.
package selection

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Match gives the paths of all that a user's argument means: the path itself, a
// folder's files, or those that a glob matches. It is empty where nothing fits.
func Match(all []string, arg string) []string {
	arg = strings.TrimPrefix(strings.TrimSuffix(arg, "/"), "./")
	if _, found := slices.BinarySearch(all, arg); found {
		return []string{arg}
	}
	var out []string
	for _, p := range all {
		if arg == "." || strings.HasPrefix(p, arg+"/") {
			out = append(out, p)
		} else if ok, err := doublestar.Match(arg, p); err == nil && ok {
			out = append(out, p)
		}
	}
	return out
}
