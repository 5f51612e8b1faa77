package main

import (
	"context"
	"fmt"
	"time"
)

// gitAlone measures what git needs by itself in the large repository.
func gitAlone(ctx context.Context, b *bench) ([]row, error) {
	r, err := b.large(ctx)
	if err != nil {
		return nil, err
	}
	var status, commit []time.Duration
	for range b.times {
		if err := r.restore(ctx); err != nil {
			return nil, err
		}
		p, err := r.measure(ctx, "git", "--no-optional-locks", "status", "--porcelain")
		if err != nil {
			return nil, err
		}
		status = append(status, p.Whole)
		if err := r.change(); err != nil {
			return nil, err
		}
		p, err = r.measure(ctx, "git", "-c", "gc.auto=0", "add", r.target)
		if err != nil {
			return nil, err
		}
		q, err := r.measure(ctx, "git", "-c", "gc.auto=0", "-c", "maintenance.auto=0", "commit", "-q", "-m", "one file")
		if err != nil {
			return nil, err
		}
		if q.Exit != 0 {
			return nil, fmt.Errorf("git commit: %s", q.Output)
		}
		commit = append(commit, p.Whole+q.Whole)
		if err := r.git(ctx, nil, "update-ref", "refs/heads/main", "HEAD~1"); err != nil {
			return nil, err
		}
	}
	if err := r.restore(ctx); err != nil {
		return nil, err
	}
	return []row{
		of("git status", "ms", 0, status, ms),
		of("git add and commit of one file", "ms", 0, commit, ms),
	}, nil
}
