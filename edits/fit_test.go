package edits

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

func TestFit(t *testing.T) {
	if os.Getenv("FIT") == "" {
		t.Skip()
	}
	type fitCase struct {
		lang  string
		m     int
		feats [][]int
		gold  int
	}
	all := rules()
	var cases []fitCase
	for _, c := range []struct {
		name  string
		n     int
		files func(testing.TB) []*realFile
	}{{"python", 16000, pythonSources}, {"go", 4000, goSources}, {"yaml", 12000, yamlSources}, {"tabs", 3000, tabSources}} {
		files := c.files(t)
		miss, shape := 0, 0
		r := rand.New(rand.NewPCG(777, 1))
		for i := 0; i < c.n; i++ {
			d, ok := damaged(r, files[r.IntN(len(files))])
			if !ok {
				continue
			}
			s := d.of
			gold := s.lines[d.span[0] : d.span[1]+1]
			st := styleOf(s.lines[:d.span[0]], s.lines[d.span[1]+1:], d.lines)
			p := newGap(st, d.lines, s.lines[:d.span[0]], s.lines[d.span[1]+1:], d.broken)
			if p.first < 0 {
				continue
			}
			want := columnsOf(indentOf(gold[p.first-p.lo]))
			fc := fitCase{lang: c.name, m: int(st.manner), gold: -1}
			for k, at := range p.candidates() {
				if at == want {
					fc.gold = k
				}
				var f []int
				for j, ru := range all {
					if ru.holds(p, at) {
						f = append(f, j)
					}
				}
				fc.feats = append(fc.feats, f)
			}
			if fc.gold < 0 {
				if miss++; miss < 8 {
					t.Logf("MISS %s:%d %s\n%s own %d want %d cands %v above %v tail %v style %+v", s.path, d.span[0]+1, d.kind, d.show(d.lines), p.own, want, p.candidates(), p.above, p.tail, st)
				}
				continue
			}
			for k := range gold {
				if got := st.shift(p.lines[k], want-p.own); strings.TrimSpace(got) != "" && got != gold[k] {
					if shape++; shape < 12 {
						t.Logf("SHAPE %s:%d %s unit %d\n%s", s.path, d.span[0]+1, d.kind, st.unit, d.show(d.lines))
					}
					break
				}
			}
			cases = append(cases, fc)
		}
		t.Logf("%s: %d not among the candidates, %d of the wrong shape", c.name, miss, shape)
	}
	w := make([]float64, 3*len(all))
	na := len(all)
	for j, ru := range all {
		for m := range 3 {
			w[m*na+j] = ru.weight[m]
		}
	}
	acc := func() string {
		good, n := map[string]int{}, map[string]int{}
		for _, c := range cases {
			best, most := 0, math.Inf(-1)
			for k, f := range c.feats {
				sum := 0.0
				for _, j := range f {
					sum += w[c.m*na+j]
				}
				if sum > most {
					best, most = k, sum
				}
			}
			n[c.lang]++
			if best == c.gold {
				good[c.lang]++
			}
		}
		out := ""
		for l := range n {
			out += fmt.Sprintf("%s %.2f%% ", l, 100*float64(good[l])/float64(n[l]))
		}
		return out
	}
	t.Log(acc())
	g2 := make([]float64, len(w))
	for epoch := range 30 {
		rand.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		for _, c := range cases {
			ps := make([]float64, len(c.feats))
			z, mx := 0.0, math.Inf(-1)
			for k, f := range c.feats {
				for _, j := range f {
					ps[k] += w[c.m*na+j]
				}
				mx = max(mx, ps[k])
			}
			for k := range ps {
				ps[k] = math.Exp(ps[k] - mx)
				z += ps[k]
			}
			g := map[int]float64{}
			for k, f := range c.feats {
				e := ps[k] / z
				if k == c.gold {
					e -= 1
				}
				for _, j := range f {
					g[c.m*na+j] += e
				}
			}
			for j, v := range g {
				v += 2e-5 * w[j]
				g2[j] += v * v
				w[j] -= 0.1 * v / math.Sqrt(g2[j]+1e-6)
			}
		}
		if epoch%10 == 9 {
			t.Log(acc())
		}
	}
	used := make([]int, 3*na)
	for _, c := range cases {
		for _, f := range c.feats {
			for _, j := range f {
				used[c.m*na+j]++
			}
		}
	}
	for j, ru := range all {
		out := ""
		for m := range 3 {
			x := math.Round(w[m*na+j]*2) / 2
			if used[m*na+j] < 60 {
				x = 0
			}
			out += fmt.Sprintf("%g, ", x)
		}
		fmt.Printf("WEIGHT\t%s\t{%s}\n", ru.why, strings.TrimSuffix(out, ", "))
	}
}
