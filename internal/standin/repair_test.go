package standin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentloop/agentloop/edits"
)

const stock = `# Stock
one: 1
two: 2
three: 3
four: 4
five: 5
six: 6
one: 1
seven: 7
`

// second asks for a repair of one faulty block with this feedback, and gives the
// block that was sent first and the one that came back.
func second(t *testing.T, opt Options, feedback string) (first, again edits.Block) {
	t.Helper()
	opt.Rate = 1
	p := NewPlan(tree("stock.yml", stock), tree("stock.yml", strings.Replace(stock, "four: 4", "four: 44", 1)), opt)
	actor := p.Player()
	one := edits.Parse(actor.Answer(chat(edits.SearchReplace)).Text)
	next := chat(edits.SearchReplace)
	next.Messages[1].Content = Text(fmt.Sprintf("# Task\ndo it\n# Files\n## File: stock.yml\n```yml\n%s```\n\n# What happened in the last round\n%s\nAnswer with edit blocks.\n", p.Start["stock.yml"], feedback))
	two := edits.Parse(actor.Answer(next).Text)
	if len(one) != 1 || len(two) != 1 {
		t.Fatalf("%d and %d blocks", len(one), len(two))
	}
	return one[0], two[0]
}

func TestRepairCopiesOnlyFromTheFeedback(t *testing.T) {
	const head = `stock.yml, block "x": SEARCH is not in the file. Lines there now:` + "\n"
	tests := []struct {
		name     string
		feedback string
		repaired bool
	}{
		{"region shown", head + "```\nthree: 3\nfour: 4\nfive: 5\n```\n", true},
		{"only the line itself", head + "```\nfour: 4\n```\n", true},
		{"longer", head + "```\n" + stock + "```\n", true},
		{"not shown", head, false},
		{"another place", head + "```\nsix: 6\none: 1\nseven: 7\n```\n", false},
		{"with line numbers", head + "```\n4 three: 3\n5 four: 4\n6 five: 5\n```\n", false},
		{"indented", head + "    three: 3\n    four: 4\n", false},
		{"without the line to change", head + "```\nthree: 3\n```\n", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(30) {
				first, again := second(t, Options{Seed: seed, Mix: Only(DiffMarkers)}, test.feedback)
				if !test.repaired {
					if !slices.Equal(first.Old, again.Old) || !slices.Equal(first.New, again.New) {
						t.Fatalf("repaired out of thin air: %q", again.Old)
					}
					continue
				}
				if count(newText(stock).lines, again.Old) != 1 || !slices.Contains(again.New, "four: 44") || len(again.New) != len(again.Old) {
					t.Fatalf("not repaired: %q", again.Old)
				}
				for _, l := range again.Old {
					if !strings.Contains(test.feedback, l+"\n") {
						t.Fatalf("%q was not shown", l)
					}
				}
			}
		})
	}
}

// The block itself, quoted back in the message, is no view of the file.
func TestRepairIgnoresTheBlockQuotedBack(t *testing.T) {
	r := repair{said: saying{old: []string{"a", "b"}}, now: []string{"x", "a", "c"}}
	got := r.unquoted([]string{"you sent:", "a", "b", "a"})
	if got[1] == "a" || got[2] == "b" || got[3] != "a" {
		t.Errorf("%q", got)
	}
}

func TestRepeatUnlessNamed(t *testing.T) {
	shown := "```\nthree: 3\nfour: 4\nfive: 5\n```\n"
	for _, test := range []struct {
		name, head string
		lo, hi     int // of 300 repeated
	}{
		{"named", "stock.yml, block \"x\": SEARCH is not in the file.\n", 0, 0},
		{"not named", "stock.yml, block \"x\": failed.\n", 65, 115},
		{"only another file's is named", "stock.yml, block \"x\": failed.\n" + shown + "\nother.yml, block \"y\": SEARCH is not in the file.\n", 65, 115},
	} {
		n := 0
		for seed := range uint64(300) {
			first, again := second(t, Options{Seed: seed, Mix: Only(DiffMarkers), Repeat: .30}, test.head+shown)
			if slices.Equal(first.Old, again.Old) {
				n++
			}
		}
		if n < test.lo || n > test.hi {
			t.Errorf("%s: repeated %d of 300", test.name, n)
		}
	}
}

// Lines are copied wrongly at the given share; what is inserted never is.
func TestCopyErrors(t *testing.T) {
	wrong, lines := 0, 0
	for seed := range uint64(400) {
		_, again := second(t, Options{Seed: seed, Mix: Only(DiffMarkers), Copy: .10}, "stock.yml: not in the file\n```\n"+stock+"```\n")
		if !slices.Contains(again.New, "four: 44") {
			t.Fatalf("inserted line was altered: %q", again.New)
		}
		for _, l := range again.Old {
			if lines++; !slices.Contains(newText(stock).lines, l) {
				wrong++
			}
		}
	}
	if share := float64(wrong) / float64(lines); share < .06 || share > .14 {
		t.Errorf("%d of %d lines copied wrongly", wrong, lines)
	}
}

func TestReadPrompt(t *testing.T) {
	c := chat("`anchored`.")
	c.Messages[1].Content = "# Task\nx\n## File: a/b.md (changed by you)\n````md\n# Title\n## File: no\n```go\nx\n```\n\\<<<<<<< SEARCH\n````\n## File: c\n```\n```\n# What happened in the last round\na/b.md: ambiguous\n```\n# quoted\n```\n# Next\nmore\n"
	p := readPrompt(c)
	if p.format != "anchored" || len(p.files) != 2 || !slices.Equal(p.files["a/b.md"], []string{"# Title", "## File: no", "```go", "x", "```", "<<<<<<< SEARCH"}) {
		t.Errorf("%+v", p)
	}
	if c, ok := p.files["c"]; !ok || len(c) != 0 {
		t.Errorf("%q, %v", c, ok)
	}
	if got := strings.Join(p.feedback, "|"); got != "a/b.md: ambiguous|```|# quoted|```" {
		t.Errorf("feedback %q", got)
	}
}

func TestProgress(t *testing.T) {
	start := tree("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n")
	after := tree("a", "1\ntwo\n3\n4\n5\n6\nnew\n7\n8\n9\n10\n")
	f := NewPlan(start, after, Options{}).files[0]
	for _, test := range []struct {
		now  string
		want string
		sure bool
	}{
		{start["a"], "false false false", true},
		{after["a"], "true true true", true},
		{"1\ntwo\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "true false false", true},
		{"1\n2\n3\n4\n5\n6\nnew\n7\n8\n9\n10\n", "false true true", true},
		{"1\ntwo\nX\n4\n5\n6\nnew\n7\n8\n9\n10\n", "false true true", false},
	} {
		now := newText(test.now).lines
		stands, sure := f.progress(now)
		if !sure {
			stands = f.guess(now)
		}
		var got []string
		for _, s := range stands {
			got = append(got, fmt.Sprint(s.in))
		}
		if strings.Join(got, " ") != test.want || sure != test.sure {
			t.Errorf("%q: %v, sure %v; want %s", test.now, got, sure, test.want)
		}
	}
}
