package loop

import (
	"fmt"
	"math"
)

// ledger keeps what a run has used and reserves before each request what it may
// use, so that no request can pass the budget.
type ledger struct {
	budget   Budget
	used     Usage
	requests int     // sent, whether or not they were answered
	pending  int     // tokens of tries that were given up, until the call is settled
	perByte  float64 // tokens for a byte of prompt, learnt from reported usage
}

const (
	// bytesPerToken is a safe guess until the model's own count is known: code
	// has 3.3 to 4.2 bytes a token (DEPENDENCIES 5).
	bytesPerToken = 3.5
	// openOutput is what is reserved for a reply without a limit of its own:
	// more than models answer unasked.
	openOutput = 64 << 10
	// leastOutput is the smallest answer that is worth a request.
	leastOutput = 256
)

// exhausted is the error of a reservation that the budget does not allow.
type exhausted struct{ what string }

func (e *exhausted) Error() string { return "the budget is used up: " + e.what }

func newLedger(b Budget) *ledger { return &ledger{budget: b, perByte: 1 / bytesPerToken} }

// estimate guesses the tokens of a prompt.
func (l *ledger) estimate(bytes int) int { return int(math.Ceil(float64(bytes) * l.perByte)) }

// output gives the most tokens that a reply to a prompt of n tokens may have, 0
// for no limit, or an error if that is too little to ask at all.
func (l *ledger) output(n int) (int, error) {
	most := openOutput
	if l.budget.Output > 0 {
		most = l.budget.Output
	}
	room := most
	if l.budget.Tokens > 0 {
		room = min(room, l.budget.Tokens-l.used.Total()-n)
	}
	if room < min(most, leastOutput) {
		return 0, &exhausted{fmt.Sprintf("%d of %d tokens are used, and the next prompt has about %d", l.used.Total(), l.budget.Tokens, n)}
	}
	if p := l.budget.Prices; l.budget.Cost > 0 && p != nil {
		left := l.budget.Cost - p.Cost(l.used) - p.Cost(Usage{Prompt: n})
		if p.Completion > 0 {
			room = min(room, int(left*1e6/p.Completion))
		}
		if left < 0 || room < min(most, leastOutput) {
			return 0, &exhausted{fmt.Sprintf("$%.4f of $%.4f are spent, and the next request could pass that", p.Cost(l.used), l.budget.Cost)}
		}
	}
	if room == openOutput && l.budget.Output == 0 {
		return 0, nil
	}
	return room, nil
}

// reserve is called before each try of a request of n tokens. What tries before
// it may have cost counts.
func (l *ledger) reserve(n int) error {
	if l.budget.Requests > 0 && l.requests >= l.budget.Requests {
		return &exhausted{fmt.Sprintf("%d of %d requests are sent", l.requests, l.budget.Requests)}
	}
	if _, err := l.output(n + l.pending); err != nil {
		return err
	}
	l.requests++
	l.pending += n
	return nil
}

// lost counts what came of an answer that was cut.
func (l *ledger) lost(bytes int) { l.pending += l.estimate(bytes) }

// settle books what an answered request used, and learns from it.
func (l *ledger) settle(u Usage, promptBytes int) {
	l.used, l.pending = l.used.Add(u), 0
	if !u.Estimated && u.Prompt > 0 && u.Requests == 1 && promptBytes > 0 {
		l.perByte = float64(u.Prompt) / float64(promptBytes)
	}
}

// cost gives the dollars spent, and whether prices are known.
func (l *ledger) cost() (float64, bool) {
	if l.budget.Prices == nil {
		return 0, false
	}
	return l.budget.Prices.Cost(l.used), true
}
