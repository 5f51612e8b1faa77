package main

import (
	"context"
	"fmt"
	"slices"
)

// bench is what the scenes share.
type bench struct{ settings }

// scene measures some rows.
type scene func(ctx context.Context, b *bench) ([]row, error)

func sceneNames() []string { return []string{"start", "tiny", "rounds", "checks", "large", "git"} }

func sceneOf(name string) scene {
	switch name {
	case "start":
		return start
	case "tiny":
		return tiny
	case "rounds":
		return rounds
	case "checks":
		return checks
	case "large":
		return large
	case "git":
		return gitAlone
	}
	return nil
}

// start measures commands that do nothing.
func start(ctx context.Context, b *bench) ([]row, error) {
	r, err := b.tiny(ctx)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, arg := range []string{"version", "--help"} {
		shots, err := b.often(ctx, r, b.bin, arg)
		if err != nil {
			return nil, err
		}
		rows = append(rows, of("agentloop "+arg, "ms", 10, shots, process.ms))
	}
	return rows, nil
}

func tiny(ctx context.Context, b *bench) ([]row, error) {
	r, err := b.tiny(ctx)
	if err != nil {
		return nil, err
	}
	return b.figures(ctx, r, bars{whole: 80, first: 20, failed: 5, peak: 35, beyond: 4000})
}

func large(ctx context.Context, b *bench) ([]row, error) {
	r, err := b.large(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := b.figures(ctx, r, bars{whole: 200, first: 60, failed: 40, applied: 40, peak: 60})
	if err != nil {
		return nil, err
	}
	chosen, err := b.often(ctx, r, b.bin, "run", "--print-prompt", "make the steps right")
	if err != nil {
		return nil, err
	}
	return append(rows, of("prompt alone, when no file is named", "ms", 0, chosen, process.ms)), nil
}

// bars are the figures to reach; 0: none.
type bars struct{ whole, first, failed, applied, peak, beyond float64 }

// figures plays the runs of a repository: a right edit; a wrong one, then a
// right one; edits that apply beside one that fails, so that a snapshot stands
// between a reply and the next request.
func (b *bench) figures(ctx context.Context, r *repository, bar bars) ([]row, error) {
	right := r.step(1)
	good, err := b.shoot(ctx, r, []string{right})
	if err != nil {
		return nil, err
	}
	failed, err := b.shoot(ctx, r, []string{r.wrong(), right})
	if err != nil {
		return nil, err
	}
	applied, err := b.shoot(ctx, r, []string{right + r.wrongOther(), r.step(2) + r.wrongOther(), r.step(3) + r.rightOther()})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(good, failed, applied)
	return []row{
		of("whole run", "ms", bar.whole, good, shot.whole),
		of("start to first request", "ms", bar.first, all, shot.first),
		of("reply to next request, edit failed", "ms", bar.failed, failed, func(s shot) float64 { return s.round(1) }),
		of("… edit applied, with the run's first snapshots", "ms", 0, applied, func(s shot) float64 { return s.round(1) }),
		of("… edit applied, with a snapshot", "ms", bar.applied, applied, func(s shot) float64 { return s.round(2) }),
		of("peak memory", "MB", bar.peak, all, shot.mb),
		of("first request beyond the file", "bytes", bar.beyond, good, func(s shot) float64 { return s.beyond(r.content) }),
	}, nil
}

// rounds plays thirty rounds, each with an edit that applies and one that fails.
func rounds(ctx context.Context, b *bench) ([]row, error) {
	r, err := b.tiny(ctx)
	if err != nil {
		return nil, err
	}
	const n = 30
	var replies []string
	for i := range n {
		reply := r.step(i + 1)
		if i < n-1 {
			reply += r.wrongOther()
		} else {
			reply += r.rightOther()
		}
		replies = append(replies, reply)
	}
	shots, err := b.shoot(ctx, r, replies, "--rounds", fmt.Sprint(n))
	if err != nil {
		return nil, err
	}
	middle := func(from, to int) func(shot) float64 {
		return func(s shot) float64 {
			var each []float64
			for i := from; i <= to; i++ {
				each = append(each, s.round(i))
			}
			slices.Sort(each)
			return each[len(each)/2]
		}
	}
	return []row{
		of("whole run of 30 rounds", "ms", 0, shots, shot.whole),
		of("median round among the first 10", "ms", 0, shots, middle(1, 10)),
		of("median round among the last 10", "ms", 0, shots, middle(20, 29)),
		of("peak memory", "MB", 35, shots, shot.mb),
	}, nil
}

// checks compares a check that says nothing with one that prints 14 MB and one
// that leaves a child behind, which holds its output. Each fails until the second
// edit is in, so that what it printed goes into a prompt, too.
func checks(ctx context.Context, b *bench) ([]row, error) {
	r, err := b.tiny(ctx)
	if err != nil {
		return nil, err
	}
	play := func(check string) ([]shot, error) {
		check += fmt.Sprintf("; grep -q 'a - 2$' %s", r.target)
		return b.shoot(ctx, r, []string{r.step(1), r.step(2)}, "--check", check)
	}
	quiet, err := play("true")
	if err != nil {
		return nil, err
	}
	loud, err := play("yes 'a line of what a noisy test prints' | head -c 14000000")
	if err != nil {
		return nil, err
	}
	leaving, err := play("sleep 100 & echo left a child")
	if err != nil {
		return nil, err
	}
	calm := of("", "", 0, quiet, shot.whole).Median
	small := of("", "", 0, quiet, shot.mb).Median
	const each = 3 // before the first round and after both
	more := func(s shot) float64 { return max(0, (s.whole()-calm)/each) }
	return []row{
		of("whole run, three checks that say nothing", "ms", 0, quiet, shot.whole),
		of("a check of 14 MB costs more", "ms", 300, loud, more),
		of("… and memory", "MB", 20, loud, func(s shot) float64 { return max(0, s.mb()-small) }),
		of("a check that leaves a child costs more", "ms", 300, leaving, more),
	}, nil
}
