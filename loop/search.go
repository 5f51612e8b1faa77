package loop

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	searchMost  = 100              // lines that a search gives
	searchLine  = 200              // bytes of such a line
	searchFile  = 1 << 20          // larger files are passed over
	searchBytes = 256 << 20        // in all
	searchTime  = 10 * time.Second // at most
)

// find gives the paths of the tree that a glob fits ("" fits all), those that the
// round has made so far among them.
func (t *talk) find(ctx context.Context, glob string) ([]string, error) {
	if t.Find == nil {
		return nil, fmt.Errorf("the tree cannot be listed")
	}
	return t.Find(ctx, glob, t.desk.changed)
}

// search gives the lines in which a pattern stands.
func (t *talk) search(ctx context.Context, a looking) string {
	if a.Pattern == "" {
		return "failed: pattern is missing"
	}
	re, err := regexp.Compile(a.Pattern)
	if err != nil {
		return "failed: the pattern is no regular expression (RE2): " + err.Error()
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
		for n, line := range linesOf(content) {
			if re.MatchString(line) {
				found = append(found, fmt.Sprintf("%s:%d: %s", path, n+1, clip(line, searchLine)))
			}
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
