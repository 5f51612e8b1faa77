package loop

// Verdict is how a run ended.
type Verdict struct {
	Status Status `json:"status"`
	Exit   int    `json:"exit"` // the program's exit status, the same for each Status
	Why    string `json:"why"`  // one line for people
	Rounds int    `json:"rounds"`
	Base   string `json:"base,omitempty"` // snapshot before the first round
	Rev    string `json:"rev,omitempty"`  // snapshot of the final tree
}

// Status names the ways to end.
type Status string

// Each has one exit status.
const (
	Done        Status = "done"
	Internal    Status = "internal"
	Usable      Status = "usage" // usage or configuration, the model's address and key among it
	EditsOpen   Status = "edits-open"
	CheckFails  Status = "check-fails"
	OverBudget  Status = "over-budget"
	NoProgress  Status = "no-progress"
	Policy      Status = "policy"
	TryLater    Status = "try-later"
	TimedOut    Status = "timed-out"
	Interrupted Status = "interrupted"
)

// Exit gives the status' exit status.
func (s Status) Exit() int {
	switch s {
	case Done:
		return 0
	case Usable:
		return 2
	case EditsOpen:
		return 3
	case CheckFails:
		return 4
	case OverBudget:
		return 5
	case NoProgress:
		return 6
	case Policy:
		return 7
	case TryLater:
		return 75
	case TimedOut:
		return 124
	case Interrupted:
		return 130
	}
	return 1
}

// order is which of several reasons to end is told: the first that holds.
var order = [...]Status{Interrupted, TimedOut, Policy, TryLater, OverBudget, NoProgress, EditsOpen, CheckFails}

// foremost chooses among the statuses that hold, with their reasons.
func foremost(holds map[Status]string) (Status, string) {
	for _, s := range order {
		if why, ok := holds[s]; ok {
			return s, why
		}
	}
	return Internal, "no verdict"
}
