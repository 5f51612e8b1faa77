// Package standin is the simulated model: an OpenAI-compatible chat server on
// the loopback interface that anybody can run the whole line against, without a
// network, a key or a cent.
//
//	Server ─► Player ─► Answer ─► Wire ─► bytes
//
// A Player decides what is said: Script says its replies one by one, Fixed and
// Echo answer at once for the overhead benches, and Actor plays a model that
// knows a wanted change (Plan), quotes it with seeded faults and repairs what
// failed only by copying lines from the feedback that it is given; where tools
// are offered it does the same by calls, from their answers. A Wire
// decides how the answer travels: well, late, cut, stalled, or not at all.
//
// Goals: everything is reproducible from a seed, and the log of requests has the
// times and sizes that the benches need.
//
// Non-goals: judging edits (the program under test does that) and any route of
// the API but chat completions and the list of models.
package standin

import (
	"strings"
	"unicode/utf8"
)

// Player says what the model answers. The server asks once for each request
// that is to be answered; a repeated request whose answer never arrived whole
// is given the same answer without asking again. Calls do not overlap.
type Player interface {
	Answer(c Chat) Answer
}

// Answer is what the model says. The zero value is an empty answer.
type Answer struct {
	Text      string
	Reasoning string // sent as reasoning_content, ahead of the text
	Calls     []Call // of tools, sent after the text
	Finish    string // finish_reason; "" means "tool_calls" with calls, else "stop"
}

// Chat is the part of a request's body that the stand-in reads.
type Chat struct {
	Model         string    `json:"model"`
	Messages      []Message `json:"messages"`
	Stream        bool      `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens           int      `json:"max_tokens"`
	MaxCompletionTokens int      `json:"max_completion_tokens"`
	Temperature         *float64 `json:"temperature"`
	Seed                *int     `json:"seed"`
	ReasoningEffort     string   `json:"reasoning_effort"`
	Tools               []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"` // that are offered
}

// Offers reports whether a tool of this name may be called.
func (c Chat) Offers(tool string) bool {
	for _, t := range c.Tools {
		if t.Function.Name == tool {
			return true
		}
	}
	return false
}

// System joins the texts of all system messages.
func (c Chat) System() string { return c.join("system", "developer") }

// LastUser is the text of the last user message, "" for none.
func (c Chat) LastUser() string {
	for i := len(c.Messages) - 1; i >= 0; i-- {
		if c.Messages[i].Role == "user" {
			return string(c.Messages[i].Content)
		}
	}
	return ""
}

// Users joins the texts of all user messages, oldest first.
func (c Chat) Users() string { return c.join("user") }

func (c Chat) join(roles ...string) string {
	var texts []string
	for _, m := range c.Messages {
		for _, r := range roles {
			if m.Role == r {
				texts = append(texts, string(m.Content))
			}
		}
	}
	return strings.Join(texts, "\n\n")
}

// Tokens estimates the tokens of the prompt.
func (c Chat) Tokens() int {
	n := 0
	for _, m := range c.Messages {
		n += Tokens(string(m.Content)) + callTokens(m.Calls)
	}
	return n
}

// callTokens estimates the tokens of calls.
func callTokens(calls []Call) int {
	n := 0
	for _, c := range calls {
		n += Tokens(c.Name) + Tokens(c.Arguments)
	}
	return n
}

// Tokens estimates how many tokens a text is: a token for each 3.6 characters,
// rounded up, as BENCHMARKS counts.
func Tokens(text string) int { return (utf8.RuneCountInString(text)*10 + 35) / 36 }

// Script plays a list of answers, one a request. After the last it answers with
// a sentence that holds no edit.
type Script struct {
	answers []Answer
	next    int
}

// NewScript returns a player of these replies.
func NewScript(replies ...string) *Script {
	s := &Script{}
	for _, r := range replies {
		s.answers = append(s.answers, Answer{Text: r})
	}
	return s
}

// NewAnswers returns a player of these answers, which may hold calls.
func NewAnswers(answers ...Answer) *Script { return &Script{answers: answers} }

// Answer gives the next reply.
func (s *Script) Answer(Chat) Answer {
	if s.next >= len(s.answers) {
		return Answer{Text: Nothing}
	}
	s.next++
	return s.answers[s.next-1]
}

// Nothing is what the stand-in says when it has no edit to make.
const Nothing = "There is nothing left to change.\n"

// Fixed answers every request with the same text.
type Fixed string

// Answer gives the text.
func (f Fixed) Answer(Chat) Answer { return Answer{Text: string(f)} }

// Echo answers with the last user message.
type Echo struct{}

// Answer gives the prompt back.
func (Echo) Answer(c Chat) Answer { return Answer{Text: c.LastUser()} }
