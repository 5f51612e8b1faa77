package selection

import (
	"path"
	"strings"
)

// sourceRoots are folders that paths in an import leave out.
var sourceRoots = [...]string{"", "src/", "lib/", "include/", "src/main/java/"}

// resolve gives the file that a key means in a file of that folder. Where there
// is none, the key's last part may be something that the file declares.
func (r *references) resolve(dir, key string) (int32, bool) {
	for range 2 {
		lastPart := key[strings.LastIndexByte(key, '/')+1:]
		if r.last[lastPart] || r.last[stem(lastPart)] || strings.HasPrefix(key, ".") {
			if i, ok := r.nearest(dir, key); ok {
				return i, true
			}
		}
		i := strings.LastIndexByte(key, '/')
		if i <= 0 {
			break
		}
		if key = key[:i]; key == "." || key == ".." {
			break
		}
	}
	return 0, false
}

func (r *references) nearest(dir, key string) (int32, bool) {
	if strings.HasPrefix(key, "./") || strings.HasPrefix(key, "../") {
		return r.at(path.Join(dir, key))
	}
	for {
		for _, root := range sourceRoots {
			if dir != "" {
				root = dir + "/" + root
			}
			if i, ok := r.at(root + key); ok {
				return i, true
			}
		}
		if dir == "" {
			return 0, false
		}
		dir = dir[:max(strings.LastIndexByte(dir, '/'), 0)]
	}
}

func (r *references) at(file string) (int32, bool) {
	if i, ok := r.paths[file]; ok {
		return i, true
	}
	if i, ok := r.stems[file]; ok {
		return i, true
	}
	i, ok := r.stems[stem(file)] // "./a.js" may be written for a.ts
	return i, ok
}
