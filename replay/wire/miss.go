package wire

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/internal/tape"
)

// ErrNotRecorded is in the chain of every error that says that a request was not
// recorded.
var ErrNotRecorded = errors.New("not recorded")

// A Difference is the first place in which two requests differ.
type Difference struct {
	// Path leads to the place: "method", "path", query.alt[0], or
	// body.messages[0].content for a JSON body; text or base64 for any other; body where
	// the two are of different forms. It is query_digest when values of the query differ
	// that are not stored; see [Transport.Keep].
	Path string
	// Recorded and Asked are what stands there, as JSON of at most 200 bytes, or
	// "(absent)". Of long values that begin alike the beginning is left out.
	Recorded, Asked string
}

// A NotRecorded is the error of a request that there is no recording of, or no more.
// It is wrapped in an *events.Failure of kind other and reason not_recorded, which is
// not retryable, and wraps [ErrNotRecorded]. It holds no secret.
type NotRecorded struct {
	// Key of the request, and its method and path.
	Key, Method, Path string
	// Asked is how often it was asked for, this time included; Recorded how often
	// it was recorded.
	Asked, Recorded int
	// Missing is the file that would answer, when it is not there although later ones
	// of the same request are: it was removed, or its exchange could not be recorded. It
	// is not passed over, for that would answer with what another request got.
	Missing string
	// Nearest is the file of the recorded request that is most like it, "" when
	// nothing was recorded; Difference is the first between the two, empty when they
	// are the same.
	Nearest    string
	Difference Difference

	nothing string // why there are no recordings
}

// Unwrap returns [ErrNotRecorded].
func (*NotRecorded) Unwrap() error { return ErrNotRecorded }

// Error returns one line that names the key, the nearest request and the first
// difference.
func (n *NotRecorded) Error() string {
	text := n.Method + " " + n.Path + " (key " + n.Key[:min(len(n.Key), shortKey)] + ") was "
	if n.Recorded == 0 {
		text += "never recorded"
	} else {
		text += "recorded " + times(n.Recorded) + " and asked for " + times(n.Asked)
	}
	switch {
	case n.Missing != "":
		return text + "; " + n.Missing + " is missing, though " + n.Nearest + " is there: bring it back, or record them again"
	case n.Nearest == "":
		return text + "; " + cmp.Or(n.nothing, new(Recordings).nothing())
	case n.Difference.Path == "":
		return text + "; the last is " + n.Nearest
	case n.Difference.Path == "query_digest":
		return text + "; the nearest recorded request is " + n.Nearest + ", which first differs in the value of a query " +
			"parameter that is not stored: name it in Keep and record again to see it"
	}
	return text + "; the nearest recorded request is " + n.Nearest + ", which first differs in " + n.Difference.Path +
		": recorded " + n.Difference.Recorded + ", asked " + n.Difference.Asked
}

// times returns a number of times in words.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

func (n *NotRecorded) failure() *events.Failure {
	f := events.NewFailure(events.Other, events.ReasonNotRecorded, n.Error()).WithCause(n)
	f.Sent = events.NotSent
	return f
}

// A distance is how far a recorded request is from the one that was asked for.
type distance struct {
	outline, content int // see tape.Distance
	first            tape.Difference
}

func measure(recorded, asked question) distance {
	var d distance
	var inContent tape.Difference
	d.first, _ = tape.Compare(recorded.sketch(), asked.sketch())
	d.outline = tape.Distance(recorded.sketch(), asked.sketch())
	was, is := contents(recorded, asked)
	inContent, _ = tape.Compare(was, is)
	d.content = tape.Distance(was, is)
	if d.outline == 0 {
		d.first = inContent
	}
	return d
}

// contents returns the bodies of two requests for a comparison: those of different forms
// under one name, because one of them is not absent.
func contents(recorded, asked question) (was, is map[string]any) {
	was, is = recorded.content(), asked.content()
	for form := range was {
		if _, same := is[form]; same {
			return was, is
		}
	}
	return recorded.shown(), asked.shown()
}

// shown returns the body for people, whatever its form.
func (q question) shown() map[string]any {
	switch {
	case q.Text != "":
		return map[string]any{"body": "(no JSON) " + q.Text}
	case q.Base64 != "":
		return map[string]any{"body": "(base64) " + q.Base64}
	default:
		return q.content()
	}
}

// nearest returns the recording whose request is most like q, those to the same
// place before all others, and the first difference.
func (r *Recordings) nearest(q question) (name string, first Difference) {
	type candidate struct {
		name string
		distance
	}
	var all []candidate
	for _, one := range r.all {
		all = append(all, candidate{one.name, measure(one.Request, q)})
	}
	if len(all) == 0 {
		return "", Difference{}
	}
	best := slices.MinFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.outline, b.outline), cmp.Compare(a.content, b.content))
	})
	return best.name, Difference(best.first)
}
