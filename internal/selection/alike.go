package selection

import (
	"math"
	"path"
	"strings"
)

// noise are words of a task that name nothing in a tree.
var noise = map[string]bool{
	"the": true, "and": true, "for": true, "make": true, "test": true, "tests": true, "pass": true, "fix": true, "all": true, "that": true, "this": true, "with": true, "from": true, "run": true,
	"should": true, "when": true, "not": true, "code": true, "file": true, "files": true, "add": true, "please": true, "has": true, "have": true, "are": true, "into": true, "its": true, "use": true,
	"error": true, "bug": true, "fails": true, "failing": true, "internal": true, "src": true, "pkg": true, "lib": true, "change": true, "new": true, "every": true,
}

// weighWords counts files whose names hold words of the task; a word that few
// names hold is worth most.
func (t *tree) weighWords(sum tally, task string) {
	wanted := map[string][]int{} // files by the word
	for _, w := range words(bounded(task)) {
		if len(w) > 2 && !noise[w] && len(wanted) < 60 {
			wanted[stemmed(w)] = nil
		}
	}
	if len(wanted) == 0 {
		return
	}
	for i, f := range t.files {
		for _, w := range words(f.Path[strings.LastIndexByte(f.Path, '/')+1:]) {
			if at, ok := wanted[stemmed(w)]; ok && (len(at) == 0 || at[len(at)-1] != i) {
				wanted[stemmed(w)] = append(at, i)
			}
		}
	}
	const most = 50 // files with a word that says too little else
	for w, at := range wanted {
		if len(at) == 0 || len(at) > most {
			continue
		}
		points := resembles / math.Sqrt(float64(len(at)))
		for _, i := range at {
			p := t.files[i].Path
			got := points
			if !isCode(p) || isTest(p) || supports(p) {
				got /= 2
			}
			sum.add(p, "word "+w, got, "its name is like “"+w+"” in the task")
		}
	}
}

// stemmed makes forms of an English word alike, roughly.
func stemmed(w string) string {
	for _, end := range [...]string{"ing", "ers", "er", "es", "ed", "s"} {
		if short, ok := strings.CutSuffix(w, end); ok && len(short) > 3 {
			return short
		}
	}
	return w
}

// weighAlike counts the files whose names are like the failing tests' names: a
// word that few files beside them have counts most.
func (t *tree) weighAlike(sum tally, failing []*seed) {
	for _, s := range failing {
		if !s.test {
			continue
		}
		said := map[string]bool{}
		for _, w := range words(s.symbol.Name + " " + strings.Join(s.subs, " ")) {
			said[stemmed(w)] = true
		}
		files := t.members(unitOf(s.path))
		often := map[string]int{}
		for _, p := range files {
			for _, w := range words(path.Base(p)) {
				often[stemmed(w)]++
			}
		}
		for _, p := range files {
			if isTest(p) {
				continue
			}
			if share := likeness(path.Base(p), said, often, len(files)); share > 0 {
				sum.add(p, "alike", alikeTest*share, "its name is like that of the failing "+s.symbol.Name)
			}
		}
	}
}

// likeness is the part of a name's words that are said, each by how rare it is.
func likeness(base string, said map[string]bool, often map[string]int, files int) float64 {
	all, both := 0.0, 0.0
	for _, w := range words(strings.TrimSuffix(base, path.Ext(base))) {
		w = stemmed(w)
		rare := math.Log(1 + float64(files)/float64(often[w]))
		all += rare
		if said[w] {
			both += rare
		}
	}
	if all == 0 {
		return 0
	}
	return both / all
}
