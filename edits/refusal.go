package edits

// Refusal is how a reader or writer of files says no to a path. Apply turns it
// into a Failure: whatever path a model names, the answer is data.
type Refusal struct {
	Path   string
	Reason Reason // PathRefused, Binary or ChangedOnDisk
	Why    string // "leads out of the tree"
}

func (r *Refusal) Error() string { return r.Path + ": " + string(r.Reason) + ": " + r.Why }
