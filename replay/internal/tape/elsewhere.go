package tape

import (
	"io/fs"
	"path"
	"strings"
)

// The most that is looked for in folders below: how deep, and how many files.
const (
	maxDepth = 3
	maxFiles = 10_000
)

// Count returns how many entries of a folder have the name of a recording (see
// [ParseName]) whose key is one of those that are meant.
func Count(entries []fs.DirEntry, isKey func(key string) bool) int {
	n := 0
	for _, e := range entries {
		if key, _, ok := ParseName(e.Name()); ok && isKey(key) {
			n++
		}
	}
	return n
}

// Below returns the first folder below the root of a file system that holds such a
// recording, at most three folders deep and of the first 10,000 files; "" is none.
func Below(source fs.FS, isKey func(key string) bool) string {
	found, seen := "", 0
	_ = fs.WalkDir(source, ".", func(name string, e fs.DirEntry, err error) error {
		seen++
		key, _, ok := ParseName(path.Base(name))
		switch {
		case seen > maxFiles:
			return fs.SkipAll
		case err != nil:
			return fs.SkipDir
		case e.IsDir():
			if strings.Count(name, "/") >= maxDepth {
				return fs.SkipDir
			}
		case ok && isKey(key) && path.Dir(name) != ".":
			found = path.Dir(name)
			return fs.SkipAll
		}
		return nil
	})
	return found
}
