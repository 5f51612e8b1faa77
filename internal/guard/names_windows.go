package guard

import "io/fs"

// names counts the names of a file, which this system does not tell with its
// other properties.
func names(fs.FileInfo) uint64 { return 1 }
