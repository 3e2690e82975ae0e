package wire

import (
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/weirsdk/weir/replay/internal/tape"
)

// The most that is looked for in folders below: how deep, and how many files.
const (
	maxDepth = 3
	maxFiles = 10_000
)

// isKey matches a whole key, which package replay names its files after.
var isKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}$`) })

// Instead returns what a folder holds instead of recordings, for people, and "" when
// it has some or nothing that is known: recordings of package replay, which are of
// another format, or recordings in a folder below.
func (r *Recordings) Instead() string { return r.instead }

// nothing says that there are no recordings, and what is there instead.
func (r *Recordings) nothing() string {
	if r.instead == "" {
		return noRecordings
	}
	return noRecordings + ": " + r.instead
}

// insteadOf looks for recordings that are somewhere else or something else.
func insteadOf(source fs.FS, entries []fs.DirEntry) string {
	others := 0
	for _, e := range entries {
		if base, _, ok := tape.ParseName(e.Name()); ok && isKey().MatchString(base) {
			others++
		}
	}
	if others > 0 {
		return "the folder holds recordings of package replay (" + strconv.Itoa(others) +
			"), of requests and events; these here are of HTTP exchanges, as wire.Transport and weir record make them"
	}
	if dir := folderBelow(source); dir != "" {
		return "they are in folders below, and the first of these is " + strconv.Quote(dir)
	}
	return ""
}

// folderBelow returns the first folder below that holds recordings, or "".
func folderBelow(source fs.FS) string {
	found, seen := "", 0
	_ = fs.WalkDir(source, ".", func(name string, e fs.DirEntry, err error) error {
		seen++
		base, _, _ := tape.ParseName(path.Base(name))
		switch {
		case seen > maxFiles:
			return fs.SkipAll
		case err != nil:
			return fs.SkipDir
		case e.IsDir():
			if strings.Count(name, "/") >= maxDepth {
				return fs.SkipDir
			}
		case isBase().MatchString(base):
			found = path.Dir(name)
			return fs.SkipAll
		}
		return nil
	})
	return found
}
