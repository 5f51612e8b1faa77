package edits

// fit says how the lines of a call are to be indented.
type fit struct {
	level *int // column of the least indented line; nil: as the lines around say
}

// fit indents a call's lines, once.
func (f *file) fit(b *Block) {
	if b.fit == nil {
		return
	}
	before, broken, after := f.orig.lines[:b.Start-1], f.orig.lines[b.Start-1:b.End], f.orig.lines[b.End:]
	b.New = reindent(b.New, before, after, broken, b.fit.level)
	b.fit = nil
}

// preview finds out what would become of a block, and leaves the file as it is.
func (f *file) preview(o *Outcome, set Settings) {
	now, there, done := f.now, f.there, f.done
	f.now, f.done = now.clone(), done.clone()
	f.now.where = nil // it is the other version's
	set.DryRun = true
	f.one(o, set, f.done, 0)
	f.now, f.there, f.done = now, there, done
}
