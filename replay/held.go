package replay

import (
	"cmp"
	"fmt"

	"github.com/weirsdk/weir/events"
)

// A HeldBack tells of an exchange without an answer that is not stored, because it
// would replace recordings of the same request that have one; see [Recorder]. It is in
// the chain of an *events.Failure of kind other.
type HeldBack struct {
	// Key and Model are those of the request, see [KeyOf].
	Key, Model string
	// Kept are the files that it would replace, in their order.
	Kept []string
	// Failure has the kind, reason and status of what came instead of an answer.
	// errors.Is finds it.
	Failure *events.Failure
}

// Error returns one line: why there was no answer, and what to do about it.
func (h *HeldBack) Error() string {
	return fmt.Sprintf("no answer came from %s (%s), so what was recorded of this request is kept (%s, key %s): record it again, "+
		"or remove that to record this", h.Model, reasonOf(h.Failure), counted(len(h.Kept), "recording"), h.Key[:min(shortKey, len(h.Key))])
}

// Unwrap returns Failure.
func (h *HeldBack) Unwrap() error { return h.Failure }

// maxHeld bounds the exchanges of a Recorder that are held back, in bytes.
const maxHeld = 16 << 20

// An entry is an exchange as it is to be stored.
type entry struct {
	place
	model string
	text  []byte
	// failed is what came instead of an answer, nil when there is one.
	failed *events.Failure
	err    error // that it is held back
}

// hold holds an entry back until its key has an answer, and returns what to tell.
func (s *sequences) hold(e entry, kept []string) (held, failed error) {
	h := &HeldBack{Key: e.key, Model: e.model, Kept: kept, Failure: e.failed}
	e.err = notRecorded(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.heldBytes+len(e.text) > cmp.Or(s.room, maxHeld) {
		return nil, fmt.Errorf("%w; there is no room to hold more of them back", h)
	}
	s.heldBytes += len(e.text)
	s.held = append(s.held, e)
	return e.err, nil
}

// release returns the entries of a key that were held back, in the order in which
// they ended.
func (s *sequences) release(key string) []entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	var released, rest []entry
	for _, e := range s.held {
		if e.key == key {
			s.heldBytes -= len(e.text)
			released = append(released, e)
		} else {
			rest = append(rest, e)
		}
	}
	s.held = rest
	return released
}

// heldBack returns what was told of the first entry that is held back, or nil.
func (s *sequences) heldBack() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.held) == 0 {
		return nil
	}
	return s.held[0].err
}
