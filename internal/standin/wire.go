package standin

import (
	"math/rand/v2"
	"time"
)

// MaxStall is the longest that a Wire may keep a client waiting at one point.
const MaxStall = 10 * time.Minute

// Wire says how one answer travels. The zero value sends it whole, at once.
// Byte counts are of the answer's text and, after it, its calls' arguments.
type Wire struct {
	// Status other than 0 and 200 refuses the request without asking the
	// player; Body is then the error's text ("" for a fitting one).
	Status     int
	RetryAfter string // header of that name, as given: seconds or a date

	// Body with a Status of 0 or 200 is sent raw in place of the answer, as
	// Type ("" means text/html): a proxy's log-in page.
	Body, Type string

	Reject bool          // drop the connection before any byte of an answer
	Delay  time.Duration // before the header is sent
	Chunk  int           // pieces of 1 to Chunk bytes, cut anywhere between runes; 0: up to 4096
	Drip   time.Duration // between two pieces

	// After Cut bytes the connection ends: in the middle of the chunked body,
	// or with a reset. 0: never. Streams only.
	Cut   int
	Reset bool

	// After StallAt bytes nothing is sent for Stall (at most MaxStall).
	StallAt int
	Stall   time.Duration

	NoDone   bool // end a stream without "[DONE]"
	NoFinish bool // and without any finish_reason
	NoUsage  bool // even where the request asks for it
}

// whole reports whether a client that is patient gets the answer's whole text.
func (w Wire) whole() bool {
	return !w.refuses() && w.Body == "" && !w.Reject && w.Cut == 0 && w.Stall == 0 && !w.NoDone && !w.NoFinish
}

// refuses reports whether the request is answered with an error status.
func (w Wire) refuses() bool { return w.Status != 0 && w.Status != 200 }

// HTMLPage is a Wire that answers 200 with a page, as a captive portal does.
func HTMLPage() Wire {
	return Wire{Body: "<!doctype html>\n<html><head><title>Log in</title></head><body>Please log in.</body></html>\n"}
}

// InOrder gives the n-th request the n-th wire, and all later ones a good one.
func InOrder(wires ...Wire) func(n int) Wire {
	return func(n int) Wire {
		if n < len(wires) {
			return wires[n]
		}
		return Wire{}
	}
}

// AtRandom gives each request, with probability rate (0 to 1), one of the wires,
// else a good one. The choice depends on the seed and the request's number only.
func AtRandom(seed uint64, rate float64, wires ...Wire) func(n int) Wire {
	return func(n int) Wire {
		rng := rand.New(rand.NewPCG(seed, uint64(n)))
		if len(wires) == 0 || rng.Float64() >= rate {
			return Wire{}
		}
		return wires[rng.IntN(len(wires))]
	}
}
