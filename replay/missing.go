package replay

import (
	"cmp"
	"fmt"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/internal/tape"
	"github.com/weirsdk/weir/replay/wire"
)

// ErrNotRecorded is what a request for which there is nothing to replay fails with,
// here and in package replay/wire: errors.Is(err, replay.ErrNotRecorded).
var ErrNotRecorded = wire.ErrNotRecorded

// A NotRecorded is a request that no recording answers. It is in the chain of an
// *events.Failure of kind other, reason not_recorded, with nothing sent, which is
// not retried; errors.Is finds [ErrNotRecorded] in it.
type NotRecorded struct {
	// Key and Model are what was asked for, see [KeyOf].
	Key, Model string
	// Dir is Replayer.Dir, empty when the recordings are in an FS.
	Dir string
	// Asked counts the requests of that key, this one included; Recorded its
	// recordings. Where Recorded is not 0 the request itself is known and was asked
	// once too often.
	Asked, Recorded int
	// Nearest is the file of the recording whose request differs in the fewest
	// places; empty when there is no recording that can be read, and when Recorded is
	// not 0.
	Nearest string
	// Difference is the first one to Nearest.
	Difference Difference

	nothing string // why there are no recordings
}

// A Difference is the first place in which two requests differ. Its Path leads to
// the place in the JSON of the request, for instance temperature or
// messages[0].content[0].text; it is (model) where the models differ.
type Difference = wire.Difference

// shortKey is how much of a key people are shown.
const shortKey = tape.ShortSum

// Error returns one line: the key, and how the nearest recording differs.
func (n *NotRecorded) Error() string {
	what := fmt.Sprintf("no recording of this request to %s (key %s)", n.Model, n.Key[:min(shortKey, len(n.Key))])
	switch {
	case n.Recorded > 0 && n.Recorded >= n.Asked:
		return fmt.Sprintf("%s: it has %s, and number %d is missing: record them again", what, counted(n.Recorded, "recording"), n.Asked)
	case n.Recorded > 0:
		return fmt.Sprintf("%s: it is recorded %s and was asked for %s", what, times(n.Recorded), times(n.Asked))
	case n.Nearest == "":
		return what + ": " + cmp.Or(n.nothing, noneIn(n.Dir)+recordFirst)
	}
	file := n.Nearest
	if p, ok := placeOf(file); ok {
		file = tape.Name(p.key[:shortKey]+"…", p.nth)
	}
	return fmt.Sprintf("%s: the nearest, %s, differs first in %s: recorded %s, asked %s",
		what, file, n.Difference.Path, n.Difference.Recorded, n.Difference.Asked)
}

// counted returns a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// Unwrap returns ErrNotRecorded.
func (n *NotRecorded) Unwrap() error { return ErrNotRecorded }

func (n *NotRecorded) failure() *events.Failure {
	f := events.NewFailure(events.Other, events.ReasonNotRecorded, n.Error())
	f.Sent = events.NotSent
	return f.WithCause(n)
}

// miss says why there is no recording for the asked-th request of a key.
func (s shelf) miss(model, key string, request []byte, asked int) *events.Failure {
	n := &NotRecorded{Key: key, Model: model, Dir: s.dir, Asked: asked}
	places, f := s.places()
	if f != nil {
		return f
	}
	for _, p := range places {
		if p.key == key {
			n.Recorded++
		}
	}
	if n.Recorded == 0 {
		n.compare(s, places, request)
	}
	switch {
	case len(places) == 0:
		n.nothing = noneIn(s.dir) + s.instead()
	case n.Nearest == "":
		n.nothing = fmt.Sprintf("it cannot be compared with the %s in %s: record again", counted(len(places), "recording"), placeName(s.dir))
	}
	return n.failure()
}

// compare looks for the nearest recording: of the same model before others, then
// with the fewest differences, then by name. What cannot be read is no candidate.
func (n *NotRecorded) compare(s shelf, places []place, request []byte) {
	asked, err := tape.Decode(request)
	if err != nil {
		return
	}
	best, sameBest := 0, false
	for _, p := range places {
		if p.nth != 1 {
			continue // has the same request as the first
		}
		rec, _ := s.read(p)
		if rec == nil {
			continue
		}
		recorded, err := tape.Decode(rec.request)
		if err != nil {
			continue
		}
		first, count := tape.Compare(recorded, asked)
		differ := tape.Distance(recorded, asked)
		same := rec.model == n.Model
		if n.Nearest != "" && (sameBest && !same || sameBest == same && differ >= best) {
			continue
		}
		n.Nearest, best, sameBest = p.file(), differ, same
		n.Difference = Difference(first)
		if count == 0 {
			n.Difference = Difference{Path: "(a credential, which is not stored)", Recorded: `"[redacted]"`, Asked: `"[redacted]"`}
		}
		if !same {
			n.Difference = Difference{Path: "(model)", Recorded: quoted(rec.model), Asked: quoted(n.Model)}
		}
	}
}

func quoted(s string) string { return string(events.AppendQuoted(nil, events.CutText(s, 100))) }
