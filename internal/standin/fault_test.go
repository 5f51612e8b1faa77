package standin

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

const shop = `package shop

import (
	"errors"
	"fmt"
)

// Price is in cents.
type Price int

// Add returns the sum of both; it is "safe" to call with 0.
func Add(a, b Price) Price {
	if a < 0 || b < 0 {
		return 0
	}
	sum := a + b // in cents
	total := sum

	fmt.Println("add", a, b)
	return total
}

// Sub returns the difference of both.
func Sub(a, b Price) Price {
	if a < 0 || b < 0 {
		return 0
	}
	left := a - b // in cents
	total := left

	fmt.Println("sub", a, b)
	return total
}

var errEmpty = errors.New("the shop's shelf is empty")

// Shelf holds what is for sale.
type Shelf struct {
	names  []string
	prices []Price
}

// Sum adds up a shelf.
func (s Shelf) Sum() (Price, error) {
	if len(s.prices) == 0 {
		return 0, errEmpty
	}
	var total Price
	for _, p := range s.prices {
		total = Add(total, p)
	}
	return total, nil
}
`

func someTasks() []Pair {
	change := strings.NewReplacer(
		"sum := a + b // in cents\n\ttotal := sum", "sum := a + b // in cents\n\ttotal := sum & mask",
		"\treturn 0, errEmpty", "\treturn -1, errEmpty",
		"\tleft := a - b // in cents\n", "",
		"\tprices []Price\n", "\tprices []Price\n\tseen   map[string]bool\n",
		"// Sub returns the difference of both.\nfunc Sub(a, b Price) Price {\n\tif a < 0 || b < 0 {\n\t\treturn 0\n", "// Sub returns the difference of both.\nfunc Sub(a, b Price) Price {\n\tif a < 0 || b < 0 {\n\t\treturn -1\n",
	)
	twice := strings.Replace(shop, "\t\treturn 0\n", "\t\treturn 7\n", 1)
	comments := strings.Replace(shop, "\ttotal := sum\n", "\ttotal := 2 * sum\n", 1)
	return []Pair{
		{ID: "several", Before: tree("shop/shop.go", shop), After: tree("shop/shop.go", change.Replace(shop))},
		{ID: "two places", Before: tree("shop/shop.go", shop), After: tree("shop/shop.go", twice)},
		{ID: "beside a comment", Before: tree("shop/shop.go", shop), After: tree("shop/shop.go", comments)},
		{ID: "created", Before: tree("shop/shop.go", shop), After: tree("shop/shop.go", shop, "shop/new.go", "package shop\n")},
	}
}

// Every fault can be put into some block, makes it wrong in a way that an exact
// engine notices, and leaves the wanted change as it was.
func TestEveryFaultFires(t *testing.T) {
	for _, fault := range AllFaults() {
		t.Run(string(fault), func(t *testing.T) {
			fired := 0
			for _, c := range someTasks() {
				for seed := range uint64(12) {
					p := NewPlan(c.Before, c.After, Options{Seed: seed, Rate: 1, Mix: Only(fault)})
					for _, f := range p.files {
						for i, d := range f.blocks {
							if d.fault != "" {
								fired++
								checkFault(t, f, i, d)
							}
						}
					}
					if onlyFile := fault == UniFile || fault == StaleContext || fault == CRLF; !onlyFile && diffTree(p.Gold, c.After) != "" {
						t.Error("the fault changed what is wanted")
					}
				}
			}
			if fired < 5 {
				t.Errorf("put in %d times", fired)
			}
		})
	}
}

func checkFault(t *testing.T, f *file, i int, d *draft) {
	t.Helper()
	old, new := d.sides()
	now := f.before(i)
	n := count(now, old)
	switch d.fault {
	case Ambiguous:
		if n < 2 || n > 4 {
			t.Errorf("ambiguous in %d places", n)
		}
	case Already, Noop:
		if n != 1 && !f.created || !d.extra.sent || d.fault == Noop && !slices.Equal(d.extra.old, d.extra.new) || d.fault == Already && !slices.Equal(d.extra.new, new) {
			t.Errorf("%s: %d places, %+v", d.fault, n, d.extra)
		}
	case CRLF:
		if n != 1 || f.start.usual() != "\r\n" {
			t.Errorf("crlf: %d places, ends %q", n, f.start.usual())
		}
	default:
		if n != 0 {
			t.Errorf("%s: the block is not wrong:\n%s", d.fault, strings.Join(old, "\n"))
		}
	}
}

func TestMixesAndRates(t *testing.T) {
	for name, mix := range map[string]Mix{"api": APIMix(), "cheap": CheapMix()} {
		sum := 0
		for _, w := range mix {
			sum += w.Share
			if !slices.Contains(AllFaults(), w.Fault) {
				t.Errorf("%s: %s cannot be drawn", name, w.Fault)
			}
		}
		if sum != 100 {
			t.Errorf("%s: the shares add up to %d", name, sum)
		}
	}
	blocks, faults := 0, 0
	for _, c := range someTasks() {
		for seed := range uint64(150) {
			for _, b := range NewPlan(c.Before, c.After, Careless(seed, APIMix())).Blocks() {
				if blocks++; b.Fault != "" {
					faults++
				}
			}
		}
	}
	if share := float64(faults) / float64(blocks); share < .25 || share > .34 {
		t.Errorf("%d of %d blocks carry a fault", faults, blocks)
	}
}

func TestRename(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		if got, ok := rename(rng, "\tfoo12 := 0x1234abcd + bär"); !ok || got == "\tfoo12 := 0x1234abcd + bär" || !strings.Contains(got, " := 0x1234abcd + bär") {
			t.Fatalf("%q, %v", got, ok)
		}
	}
	if _, ok := rename(rand.New(rand.NewPCG(1, 1)), "a + 12345 == b1"); ok {
		t.Error("there is no name to alter")
	}
}

// With all extra blocks and faults that only concern the file, a parser of the
// reply sees what was planned.
func TestExtraBlocksAreSent(t *testing.T) {
	c := someTasks()[1]
	for fault, equal := range map[Fault]int{Already: 0, Noop: 1} {
		p := NewPlan(c.Before, c.After, Options{Seed: 1, Rate: 1, Mix: Only(fault)})
		blocks := edits.Parse(p.Player().Answer(chat(edits.SearchReplace)).Text)
		if len(blocks) != 2 {
			t.Fatalf("%s: %d blocks", fault, len(blocks))
		}
		n := 0
		for _, b := range blocks {
			if slices.Equal(b.Old, b.New) {
				n++
			}
		}
		if n != equal || equal == 0 && !slices.Equal(blocks[0].Old, blocks[1].Old) {
			t.Errorf("%s: %d blocks without a change", fault, n)
		}
	}
}
