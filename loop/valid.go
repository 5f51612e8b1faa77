package loop

import (
	"context"
	"slices"

	"github.com/agentloop/agentloop/edits"
)

// Validator says whether a changed file still parses. It is not asked about
// files that go away.
type Validator interface {
	Validate(ctx context.Context, c edits.Change) Finding
}

// Finding is what a validator makes of a change. The zero value is a good file,
// or one that nobody can judge.
type Finding struct {
	Problem *edits.Problem // the file parsed before, or is new, and does not parse now
	Warn    bool           // a problem to tell of only: the file is written
	Note    string         // why the file could not be judged
}

// validate takes back the changes of files that would no longer parse.
func (s *state) validate(ctx context.Context, n int, res *edits.Result) {
	if s.Valid == nil {
		return
	}
	for _, c := range slices.Clone(res.Changes) {
		if c.Delete {
			continue
		}
		f := s.Valid.Validate(ctx, asEdited(c, res.Changes))
		switch {
		case f.Problem != nil && !f.Warn:
			res.Invalid(c, *f.Problem)
		case f.Problem != nil:
			s.emit(Warned{n, c.Path, "no longer parses: " + f.Problem.String()})
		case f.Note != "":
			s.emit(Warned{n, c.Path, "not validated: " + f.Note})
		}
	}
}

// asEdited gives the change of a renamed file as if it had been edited in place:
// what did not parse before need not parse under its new name.
func asEdited(c edits.Change, all []edits.Change) edits.Change {
	for _, from := range all {
		if c.From != "" && from.Path == c.From {
			c.Before, c.Existed = from.Before, true
		}
	}
	return c
}
