package edits_test

import (
	"fmt"
	"io/fs"

	"github.com/agentloop/agentloop/edits"
	"github.com/agentloop/agentloop/feedback"
	"github.com/agentloop/agentloop/prompts"
)

// A reply is parsed, applied to files in memory, and what failed is worded for
// the model.
func Example() {
	files := map[string]string{"add.py": "def add(a, b):\n    return a - b\n\ndef sub(a, b):\n    return a - b\n"}
	reply := "add.py\n<<<<<<< SEARCH\n    return a - b\n=======\n    return a + b\n>>>>>>> REPLACE\n"

	read := func(path string) (string, error) {
		if text, ok := files[path]; ok {
			return text, nil
		}
		return "", fs.ErrNotExist
	}
	result, err := edits.Apply(edits.Parse(reply), read, edits.Settings{})
	if err != nil {
		panic(err) // the reader's own trouble; a model's mistakes are outcomes
	}
	for _, c := range result.Changes {
		files[c.Path] = c.After
	}
	for _, o := range result.Outcomes {
		fmt.Println(o.Status, o.Reason, o.Fail.Count)
	}
	message, err := feedback.Message(feedback.Round{
		Outcomes: result.Outcomes,
		Read:     func(path string) (string, bool) { text, ok := files[path]; return text, ok },
	}, prompts.Set{})
	fmt.Print(message, err)
	// Output:
	// failed ambiguous 2
	// add.py, block "return a - b": these lines stand in 2 places. Take in lines around the one you mean:
	// ```
	// def add(a, b):
	//     return a - b
	//
	// def sub(a, b):
	//     return a - b
	// ```
	// <nil>
}
