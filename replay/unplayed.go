package replay

import "github.com/weirsdk/weir/events"

// Err returns the failure of the first request that was not answered, for which there
// was no recording or one that cannot be used; nil while there was none. The error is
// an *events.Failure with a *[NotRecorded], a *[BadRecording] or an error of the file
// system in its chain, or one of kind invalid_request. That a recorded failure was
// played is no error.
func (r *Replayer) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		return nil
	}
	return r.err
}

// note keeps the first failure of a request that was not answered.
func (r *Replayer) note(f *events.Failure) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = f
	}
}

// Unused returns the names of the recordings of this model that were never played,
// sorted by key: what is left of a test that has changed. Several models may share a
// folder, so those of others are not told; see [Cassette.Close].
//
// The error is an *events.Failure: other/not_recorded when there is no recording of
// this model at all, the folder missing or not; with a *[BadRecording] in its chain for
// a file that cannot be used; other with the error of the file system for one that
// cannot be read; invalid_request/bad_config for a Replayer without its fields.
func (r *Replayer) Unused() ([]string, error) {
	found, f := r.unplayed()
	if f != nil {
		return nil, f
	}
	var names []string
	for _, one := range found.own {
		names = append(names, one.file)
	}
	return names, nil
}

func (r *Replayer) unplayed() (leftovers, *events.Failure) {
	s, f := r.shelf()
	if f != nil {
		return leftovers{}, f
	}
	found, f := s.leftovers(r.ModelName, r.wasUsed)
	if f == nil && !found.used && len(found.own) == 0 {
		f = s.none(r.ModelName, found.other)
	}
	return found, f
}

func (r *Replayer) wasUsed(p place) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.used[p]
}

func (r *Replayer) mark(p place) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used == nil {
		r.used = map[place]bool{}
	}
	r.used[p] = true
}
