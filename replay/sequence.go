package replay

import (
	"cmp"
	"os"
	"slices"
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
	if !ok || !tape.IsSum(key) {
		return place{}, false
	}
	return place{key, nth}, true
}

// sequences numbers the recordings of each key. The zero value has none.
type sequences struct {
	mu        sync.Mutex
	taken     map[string]int
	held      []entry // in the order in which they ended
	heldBytes int
	room      int // for what is held, 0 means maxHeld
	most      int // bytes of a file, 0 means maxFile

	shared  sync.Mutex      // of the files
	fresh   map[string]bool // keys whose old recordings are gone
	written map[place]bool
	swept   bool // of what writers that were killed have left

	// writeAfter is tape.WriteAfter where it is nil; tests have a disk that is full.
	writeAfter func(dir, name string, data []byte, before func() error) error
}

// maxFile returns how large a file may be.
func (s *sequences) maxFile() int { return cmp.Or(s.most, maxFile) }

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

// A storing is what came of an attempt to store an entry.
type storing struct {
	held   error   // that it is held back, to be told as it is
	failed []error // why it, or what was held back before it, could not be stored
}

// store writes an entry, or holds it back. The first one of a key that is written
// clears away those of earlier runs, and what was held back of the key comes with it,
// in its own places.
func (s *sequences) store(dir string, e entry) (came storing) {
	if dir == "" {
		f := events.NewFailure(events.InvalidRequest, events.ReasonBadConfig, "the Recorder has no Dir")
		return storing{failed: []error{f}}
	}
	s.shared.Lock()
	defer s.shared.Unlock()
	if !s.swept {
		s.swept = true
		_ = tape.RemoveStale(dir) // what stays does no harm
	}
	if !s.fresh[e.key] {
		held, err := s.turn(dir, e)
		switch {
		case err != nil:
			return storing{failed: []error{err}}
		case held != nil:
			return storing{held: held}
		}
	}
	// The answer first: whoever is killed here finds places missing, and not a
	// failure in the place of an answer.
	if err := s.write(dir, e); err != nil {
		came.failed = append(came.failed, err)
		if !s.fresh[e.key] {
			return came // the old ones are there still, and what is held back stays so
		}
	}
	for _, held := range s.release(e.key) {
		if err := s.write(dir, held); err != nil {
			came.failed = append(came.failed, err)
		}
	}
	return came
}

// write writes one entry. The old ones go when it is on the disk: a full disk takes
// none.
func (s *sequences) write(dir string, e entry) error {
	write := s.writeAfter
	if write == nil {
		write = tape.WriteAfter
	}
	err := write(dir, e.file(), e.text, func() error { return s.clear(dir, e.place) })
	if err == nil {
		if s.written == nil {
			s.written = map[place]bool{}
		}
		s.written[e.place] = true
	}
	return err
}

// stored reports whether the recording of a place is of this run.
func (s *sequences) stored(p place) bool {
	s.shared.Lock()
	defer s.shared.Unlock()
	return s.written[p]
}

// turn holds an entry back that has no answer, where the recordings of earlier runs
// have one.
func (s *sequences) turn(dir string, e entry) (held, failed error) {
	if e.failed != nil {
		kept, f := shelf{os.DirFS(dir), dir}.answered(e.key)
		switch {
		case f != nil:
			return nil, f
		case len(kept) > 0:
			return s.hold(e, kept)
		}
	}
	return nil, nil
}

// clear clears the recordings of earlier runs away, once.
func (s *sequences) clear(dir string, p place) error {
	if s.fresh[p.key] {
		return nil
	}
	if err := clearOld(dir, p); err != nil {
		return err
	}
	if s.fresh == nil {
		s.fresh = map[string]bool{}
	}
	s.fresh[p.key] = true
	return nil
}

// clearOld removes the recordings of a key but that of p, which is to be replaced:
// the last first, so that at no moment old ones stand behind a new one.
func clearOld(dir string, p place) error {
	places, f := shelf{os.DirFS(dir), dir}.placesOf(p.key)
	if f != nil {
		return f
	}
	var names []string
	for _, old := range slices.Backward(places) {
		if old != p {
			names = append(names, old.file())
		}
	}
	return tape.Remove(dir, names...)
}
