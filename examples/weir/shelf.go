package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A shelf is the recordings of a folder as they were at a moment, by name. Files
// of bodies are not among them.
type shelf map[string]fs.FileInfo

func shelfOf(dir string) (shelf, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, wrongUsage("record: --dir: %s", err)
	}
	s := shelf{}
	for _, e := range entries {
		info, err := e.Info()
		// A body may be JSON as well.
		if err != nil || filepath.Ext(e.Name()) != ".json" || strings.Contains(e.Name(), ".body-") {
			continue
		}
		s[e.Name()] = info
	}
	return s, nil
}

// added returns what is on a later shelf and was not on this one. A recording that
// took the place of another is another file of the same name.
func (s shelf) added(later shelf) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(later)), func(name string) bool {
		old, now := s[name], later[name]
		return old != nil && os.SameFile(old, now) && old.ModTime().Equal(now.ModTime())
	})
}

// path returns where a recording is.
func (r *recording) path(name string) string { return filepath.Join(r.dir, name) }
