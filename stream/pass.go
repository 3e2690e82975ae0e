package stream

import "github.com/weirsdk/weir/events"

// Tap returns s with see called on each event before it is yielded, on the
// ranging goroutine:
//
//	var reply stream.Reply
//	for ev := range stream.Tap(s, reply.Add) {
//
// A panic of see ends the range as a panic of the loop body does.
func Tap(s Stream, see func(events.Event)) Stream {
	return func(yield func(events.Event) bool) {
		for ev := range s {
			see(ev)
			if !yield(ev) {
				return
			}
		}
	}
}

// Coalesce returns s with neighbouring deltas of the same kind and index merged
// into one, as long as it has at most the given number of bytes. A longer delta
// is passed on as it is; a size of 0 or less merges nothing. Order and text are
// the same.
//
// A piece is held back until the next delta no longer fits or another event
// comes, so this is for consumers that pay for each event (a database, a queue),
// not for a screen.
func Coalesce(s Stream, bytes int) Stream {
	return func(yield func(events.Event) bool) {
		var m merger
		for ev := range s {
			if !m.takes(ev, bytes) {
				if !m.flush(yield) || !yield(ev) {
					return
				}
				continue
			}
			if !m.fits(ev, bytes) && !m.flush(yield) {
				return
			}
			m.add(ev)
		}
		m.flush(yield)
	}
}

// A merger holds back the text of one block. Its zero value holds nothing.
type merger struct {
	kind  events.Kind
	index int32
	text  []byte
}

// takes reports whether ev can be held back at all: a piece that fills the size
// alone has nothing to wait for, and an empty one breaks the grammar and must
// not vanish.
func (m *merger) takes(ev events.Event, most int) bool {
	return ev.Kind.IsDelta() && ev.Text != "" && len(ev.Text) < most
}

// fits reports whether ev continues what is held.
func (m *merger) fits(ev events.Event, most int) bool {
	return ev.Kind == m.kind && ev.Index == m.index && len(m.text)+len(ev.Text) <= most
}

func (m *merger) add(ev events.Event) {
	m.kind, m.index = ev.Kind, ev.Index
	m.text = append(m.text, ev.Text...)
}

// flush yields what is held.
func (m *merger) flush(yield func(events.Event) bool) bool {
	if len(m.text) == 0 {
		return true
	}
	ev := events.Event{Kind: m.kind, Index: m.index, Text: string(m.text)}
	m.text = m.text[:0]
	return yield(ev)
}
