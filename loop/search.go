package loop

import (
	"context"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"time"

	"github.com/agentloop/agentloop/edits"
)

const (
	searchMost  = 100       // lines that a search gives
	searchLine  = 200       // bytes of such a line
	searchFile  = 1 << 20   // larger files are passed over
	searchBytes = 256 << 20 // in all
	matchMost   = 4 << 10   // bytes of a line that are searched

	globMost     = 200              // bytes of a model's glob
	patternMost  = 500              // bytes of its pattern
	patternSteps = 2000             // and its size when compiled
	searchTime   = 10 * time.Second // at most
)

// find gives the paths of the tree that a glob fits ("" fits all), those that the
// round has made so far among them.
func (t *talk) find(ctx context.Context, glob string) ([]string, error) {
	switch {
	case t.Find == nil:
		return nil, fmt.Errorf("the tree cannot be listed")
	case len(glob) > globMost || strings.Count(glob, "{") > 4 || strings.Count(glob, "*") > 16:
		return nil, fmt.Errorf("the glob is too long or has too many alternatives")
	}
	paths, err := t.Find(ctx, glob, t.desk.changed)
	return slices.DeleteFunc(paths, t.desk.gone), err
}

// compile makes a regular expression of a model's pattern, if it is small: its
// size times that of a line bounds what a match costs.
func compile(pattern string) (*regexp.Regexp, error) {
	if len(pattern) > patternMost {
		return nil, fmt.Errorf("it is longer than %d bytes", patternMost)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	if len(program.Inst) > patternSteps {
		return nil, fmt.Errorf("its repetitions make it too large")
	}
	return regexp.Compile(pattern)
}

// search gives the lines in which a pattern stands.
func (t *talk) search(ctx context.Context, a looking) string {
	if a.Pattern == "" {
		return "failed: pattern is missing"
	}
	re, err := compile(a.Pattern)
	if err != nil {
		return "failed: the pattern is no regular expression (RE2) that can be searched for: " + err.Error()
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	paths, err := t.find(ctx, a.Glob)
	if err != nil {
		return "failed: " + err.Error()
	}
	var found []string
	bytes, passed := 0, 0
	for i, path := range paths {
		if ctx.Err() != nil || bytes > searchBytes {
			found = append(found, fmt.Sprintf("[stopped after %d of %d files: give a glob]", i, len(paths)))
			break
		}
		content, err := t.see(path, t.desk.peek)
		if err != nil || len(content) > searchFile || strings.IndexByte(content[:min(len(content), 8<<10)], 0) >= 0 {
			passed++
			continue
		}
		bytes += len(content)
		lines := edits.Lines(content)
		hits := matches(ctx, re, lines)
		for _, n := range hits {
			found = append(found, fmt.Sprintf("%s:%d: %s", path, n+1, clip(lines[n], searchLine)))
		}
		if len(hits) > 0 {
			t.desk.keep(path, content) // the numbers are of this version
		}
		if len(found) > searchMost {
			found = append(slices.Clip(found[:searchMost]), fmt.Sprintf("[more: %d of %d files searched; narrow the pattern or give a glob]", i+1, len(paths)))
			break
		}
	}
	if passed > 0 {
		found = append(found, fmt.Sprintf("[left out: %s that are binary, large or may not be read]", count(passed, "file")))
	}
	if len(found) == 0 {
		return fmt.Sprintf("no line in %s", count(len(paths), "file"))
	}
	return strings.Join(found, "\n")
}

// matches gives the lines, from 0, that an expression fits, as far as there is
// time and room for more.
func matches(ctx context.Context, re *regexp.Regexp, lines []string) (hits []int) {
	for n, line := range lines {
		if ctx.Err() != nil || len(hits) > searchMost {
			break
		}
		if re.MatchString(line[:min(len(line), matchMost)]) {
			hits = append(hits, n)
		}
	}
	return hits
}
