package edits

// sequence applies the blocks of one reply in their order, each to its file as
// the ones before left it. Only renames tie files together.
type sequence struct {
	outs  []Outcome
	set   Settings
	steps []stage
	files []*file // in the order of first mention
}

// stage is one block's turn.
type stage struct {
	block int // index into the outcomes
	*file
	to *file // of a rename: the new path
}

// add appends block i, which is for f.
func (s *sequence) add(i int, f, to *file) {
	s.steps = append(s.steps, stage{i, f, to})
	for _, f := range [...]*file{f, to} {
		if f == nil {
			continue
		}
		if len(f.todo) == 0 {
			s.files = append(s.files, f)
		}
		f.todo = append(f.todo, i)
	}
}

// run applies the blocks. Two that want the same lines of a file as it was, and
// something different with them, both fail: then all is done again without them.
func (s *sequence) run() {
	conflicting := map[int]bool{}
	for again := true; again; {
		again = false
		for _, f := range s.files {
			f.reset()
		}
		for _, at := range s.steps {
			o := &s.outs[at.block]
			*o = Outcome{Block: o.Block, AnchorPreview: o.AnchorPreview, OldPreview: o.OldPreview, NewPreview: o.NewPreview}
			s.one(at, conflicting[at.block])
			if o.Status == Failed && !conflicting[at.block] && !o.Block.Preview {
				for _, j := range at.against(o) {
					conflicting[at.block], conflicting[j], again = true, true, true
				}
			}
		}
	}
	for _, at := range s.steps {
		if o := &s.outs[at.block]; o.Status == Failed {
			at.diagnose(o, s.set)
		}
	}
}

// against lists the blocks because of which one failed that wants the same lines
// as they. A call that fails by itself wants none.
func (f *file) against(o *Outcome) (blocks []int) {
	if o.Block.Start > 0 {
		if o.Reason != Conflict {
			return nil
		}
		blocks = f.done.against(claimOf(0, &o.Block))
	}
	if j, same, ok := f.done.clash(f.orig, &o.Block); ok && !same {
		blocks = append(blocks, j)
	}
	return blocks
}

// one takes the turn of one block.
func (s *sequence) one(at stage, conflicting bool) {
	o, f := &s.outs[at.block], at.file
	b := &o.Block
	switch {
	case s.set.skips(b, f):
		o.Status = Skipped
	case conflicting:
		o.fail(Conflict, &Failure{Detail: "two blocks of this reply change the same lines in different ways"})
	case f.awaited && !f.there && !b.creates() && !b.Whole:
		o.Status = Skipped
	case b.isFileOp():
		s.fileOp(at)
	case f.there && isBinary(f.orig.source):
		o.fail(Binary, &Failure{Detail: "a NUL byte stands in its first 8 KiB"})
		return // no reason to skip the file's other blocks, which all fail alike
	case b.Preview:
		f.preview(o, s.set)
	default:
		f.one(o, s.set, f.done, at.block)
	}
	if to, known := s.whereTo(f); known && to != "" && o.Reason == FileNotFound {
		o.Fail.MovedTo, o.Fail.Detail = to, "the file was renamed to "+to
	}
	if o.Status == Failed && !b.Preview {
		f.failed, f.lacks = true, f.lacks || !b.isFileOp()
	}
	if at.to != nil && !o.good() && s.set.FileOps == OpsApply {
		at.to.awaited = true
	}
}

// changes gives what differs from before the reply.
func (s *sequence) changes() (out []Change) {
	for _, f := range s.files {
		if c, changed := f.change(); changed {
			out = append(out, c)
		}
	}
	return out
}
