package replay

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/internal/tape"
)

// A place is where a recording goes: the nth of its key.
type place struct {
	key string
	nth int
}

func (p place) file() string { return tape.Name(p.key, p.nth) }

// placeOf returns the place that a file name stands for; ok is false for files that
// are no recordings of this package.
func placeOf(name string) (p place, ok bool) {
	key, nth, ok := tape.ParseName(name)
	if !ok || len(key) != 64 || strings.Trim(key, "0123456789abcdef") != "" {
		return place{}, false
	}
	return place{key, nth}, true
}

// sequences numbers the recordings of each key. The zero value has none.
type sequences struct {
	mu     sync.Mutex
	taken  map[string]int
	fresh  map[string]bool // keys whose old recordings are gone
	shared sync.Mutex      // of the files
}

// take returns the place of the next exchange of a key.
func (s *sequences) take(key string) place {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken == nil {
		s.taken = map[string]int{}
	}
	s.taken[key]++
	return place{key, s.taken[key]}
}

// store writes a recording. The first one of a key clears away those of earlier
// runs, the last first, so that at no moment old ones stand behind a new one.
func (s *sequences) store(dir string, p place, text []byte) error {
	if dir == "" {
		return events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, "the Recorder has no Dir")
	}
	s.shared.Lock()
	defer s.shared.Unlock()
	if !s.fresh[p.key] {
		if err := clearOld(dir, p); err != nil {
			return err
		}
		if s.fresh == nil {
			s.fresh = map[string]bool{}
		}
		s.fresh[p.key] = true
	}
	return tape.Write(dir, p.file(), text)
}

// clearOld removes the recordings of a key but that of p, which is to be replaced.
func clearOld(dir string, p place) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var old []place
	for _, entry := range entries {
		if q, ok := placeOf(entry.Name()); ok && q.key == p.key && q != p {
			old = append(old, q)
		}
	}
	slices.SortFunc(old, func(a, b place) int { return cmp.Compare(b.nth, a.nth) })
	var names []string
	for _, q := range old {
		names = append(names, q.file())
	}
	return tape.Remove(dir, names...)
}
