package stream

import (
	"github.com/weirsdk/weir/events"
)

// A Reply is the fold of a stream's events so far. The zero Reply is ready for a
// new stream:
//
//	var reply stream.Reply
//	for ev := range s {
//		reply.Add(ev)
//	}
//
// It is total: the fold of any prefix of any stream, a broken one too, is a
// Reply whose methods all work. What Add is given after a terminal is ignored.
//
// A Reply is not for concurrent use, but what its methods return may go to other
// goroutines and stays as it is: strings never change and slices are copies. A
// copy of a Reply is a fold of its own.
type Reply struct {
	text, thinking, refusal pieces
	// rest holds, in order, the events that are kept whole: starts and ends of
	// calls and hosted tools, citations, media, notices.
	rest  []events.Event
	start events.Event
	end   events.Event
	usage events.Usage
	// owner tells a copy from the original, as strings.Builder does.
	owner *Reply
}

// Add folds one event. It takes any event, of any kind, in any order.
func (r *Reply) Add(ev events.Event) {
	if r.owner != r {
		r.own()
	}
	if r.end.Kind != 0 {
		return
	}
	switch ev.Kind {
	case events.TextDelta:
		r.text.add(ev.Index, ev.Text)
	case events.ThinkingDelta:
		r.thinking.add(ev.Index, ev.Text)
	case events.RefusalDelta:
		r.refusal.add(ev.Index, ev.Text)
	case events.ToolArgumentsDelta:
		// Fragments are never executable; the end of the call repeats them whole.
	default:
		r.addRare(ev)
	}
}

func (r *Reply) addRare(ev events.Event) {
	switch ev.Kind {
	case events.Started:
		if r.start.Kind == 0 {
			r.start = ev
		}
	case events.UsageUpdated:
		r.count(ev)
	case events.Completed, events.Failed:
		r.count(ev)
		r.end = ev
	case events.ToolCallStarted, events.ToolCallCompleted, events.ToolCallInvalid,
		events.HostedToolStarted, events.HostedToolCompleted,
		events.CitationAdded, events.MediaCompleted, events.Notice:
		r.rest = append(r.rest, ev)
	default:
	}
}

// count merges the usage of ev. One that tells nothing changes nothing: a terminal
// without counts does not make earlier final ones provisional.
func (r *Reply) count(ev events.Event) {
	if u, ok := ev.Usage(); ok {
		r.usage = r.usage.Merge(u)
	}
}

// own makes the buffers of a copied Reply its own: the next append must not
// write into an array that the original, and strings made from it, share.
func (r *Reply) own() {
	r.owner = r
	r.text.clip()
	r.thinking.clip()
	r.refusal.clip()
	r.rest = r.rest[:len(r.rest):len(r.rest)]
}

// Text returns the visible answer so far: the text deltas of all blocks, joined
// in the order in which they arrived. It copies nothing.
func (r *Reply) Text() string { return r.text.all() }

// Thinking returns the visible reasoning so far, as Text does.
func (r *Reply) Thinking() string { return r.thinking.all() }

// Refusal returns the model's refusal so far, as Text does.
func (r *Reply) Refusal() string { return r.refusal.all() }

// Start returns what the Started event told; zero before it.
func (r *Reply) Start() events.Start {
	s, _ := r.start.Start()
	return s
}

// ServiceTier returns the provider's name of the tier that served the reply, by which
// it is priced; empty where none was told. What Completed tells counts before what
// Started did.
func (r *Reply) ServiceTier() string {
	if c, _ := r.end.Completion(); c.ServiceTier != "" {
		return c.ServiceTier
	}
	return r.Start().Metadata["service_tier"]
}

// Done reports whether the terminal was folded.
func (r *Reply) Done() bool { return r.end.Kind != 0 }

// Err returns the failure, an *events.Failure, of a stream that ended with
// Failed, else nil.
func (r *Reply) Err() error { return r.end.Err() }

// Usage returns the counts so far. Each is the last one that was reported, or
// unknown.
func (r *Reply) Usage() events.Usage { return r.usage }

// Cost returns the provider's own figure, where it gave one.
func (r *Reply) Cost() (events.Cost, bool) {
	c, _ := r.end.Completion()
	if c.Cost == nil {
		return events.Cost{}, false
	}
	return *c.Cost, true
}

// Stop returns why the model stopped; empty unless the stream ended with
// Completed. A reply of nothing but refusal text has [events.StopRefusal],
// whatever the provider called it.
func (r *Reply) Stop() events.Stop {
	if r.end.Kind != events.Completed {
		return ""
	}
	if r.onlyRefuses() {
		return events.StopRefusal
	}
	c, _ := r.end.Completion()
	return c.Stop
}

// RawStop returns the provider's own word for why the model stopped; empty when
// it gave none, and unless the stream ended with Completed.
func (r *Reply) RawStop() string {
	c, _ := r.end.Completion()
	return c.RawStop
}

// Notices returns what the stream had to tell beside the reply, in order.
func (r *Reply) Notices() []events.NoticeInfo {
	return collect(r.rest, events.Event.Notice)
}

// Media returns the generated images, audio clips and files, in order. The data
// is copied by each call.
func (r *Reply) Media() []events.Media {
	return collect(r.rest, events.Event.Media)
}

// A Citation is a source for a passage of the reply's text.
type Citation struct {
	// Index names the text block that the citation belongs to.
	Index int
	events.Citation
}

// Citations returns the sources of the reply's text, in order.
func (r *Reply) Citations() []Citation {
	return collect(r.rest, func(ev events.Event) (Citation, bool) {
		c, ok := ev.Citation()
		return Citation{Index: int(ev.Index), Citation: c}, ok
	})
}

// collect returns what get takes from the events.
func collect[T any](evs []events.Event, get func(events.Event) (T, bool)) []T {
	var found []T
	for _, ev := range evs {
		if v, ok := get(ev); ok {
			found = append(found, v)
		}
	}
	return found
}
