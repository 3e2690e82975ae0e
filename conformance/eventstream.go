package conformance

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/transport"
)

// A body of an AWS event stream is binary, which nobody reads or edits. So the suite
// edits what its messages say, as text in the form of server-sent events, and frames
// the text anew: the name of an event is the type of the message, one that ends in
// exceptionSuffix that of an exception. A file may hold either form.
const exceptionSuffix = "Exception"

func (r response) isEventStream() bool { return r.mediaType() == mediaTypes()[".eventstream"] }

// text returns what the body says, for the suite to edit: see [response.with].
func (r response) text() []byte {
	if !r.isEventStream() {
		return r.body
	}
	var text []byte
	r.eachMessage(func(f transport.Frame) {
		text = fmt.Appendf(text, "event: %s\n", f.Name)
		for line := range bytes.SplitSeq(f.Data, []byte("\n")) {
			text = fmt.Appendf(text, "data: %s\n", line)
		}
		text = append(text, '\n')
	})
	return text
}

// eachMessage reads the messages of an event stream, up to one that cannot be read.
func (r response) eachMessage(do func(transport.Frame)) {
	frames := transport.NewFrameReader(bytes.NewReader(r.body), transport.EventStream, len(r.body))
	for f, err := frames.Next(); err == nil; f, err = frames.Next() {
		do(f)
	}
}

// framed returns a text as the body of an event stream.
func framed(text []byte) []byte {
	frames := transport.NewFrameReader(bytes.NewReader(text), transport.SSE, max(len(text), 1))
	var body []byte
	for f, err := frames.Next(); err == nil; f, err = frames.Next() {
		f.Exception = bytes.HasSuffix(f.Name, []byte(exceptionSuffix))
		body = transport.AppendMessage(body, f)
	}
	return body
}

// binary returns the response with its body framed, where the file holds it as
// text. The length that a message begins with is less than 32 MiB.
func (r response) binary() response {
	if r.isEventStream() && len(r.body) > 0 && r.body[0] > 1 {
		r.body = framed(r.body)
	}
	return r
}

// messages returns the body of an event stream cut at the edges of its messages.
func (r response) messages() [][]byte {
	var all [][]byte
	rest := r.body
	r.eachMessage(func(transport.Frame) {
		size := numberOf(rest)
		all = append(all, rest[:size])
		rest = rest[size:]
	})
	if len(rest) > 0 {
		all = append(all, rest)
	}
	return all
}

// placesOf returns a place in each part of a message: its prelude, its headers, its
// payload, and the checksum at its end.
func placesOf(message []byte) map[string]int {
	const prelude, checksum = 12, 4
	if len(message) < prelude+checksum {
		return nil // the beginning of one, which the body ends in
	}
	places := map[string]int{"its length": 3, "its checksum": len(message) - 1}
	from := prelude + numberOf(message[4:])
	if from > prelude {
		places["its headers"] = prelude + 2
	}
	if to := len(message) - checksum; from < to {
		places["its payload"], places["the end of its payload"] = (from+to)/2, max(from, to-3)
	}
	return places
}

// numberOf reads the number of four bytes that b begins with.
func numberOf(b []byte) int {
	n := 0
	for _, digit := range b[:4] {
		n = n<<8 | int(digit)
	}
	return n
}

// spoiled flips one bit of one message at a time: what it said is not passed over
// in silence, and is not read.
func (g *group) spoiled(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	at := 0
	for n, message := range g.messages() {
		for what, place := range placesOf(message) {
			a := g.whole()
			a.body = bytes.Clone(g.body)
			a.body[at+place] ^= 1
			st.open(a)
			how := fmt.Sprintf("message %d: a bit of %s flipped", n+1, what)
			p := g.at(how, at+place).play(t.Context(), m, g.req)
			if !g.checkGrammar(p, how, at+place) {
				continue
			}
			here := g.at(how, at+place)
			here.check(!p.completed() || g.sameContent(p), m17, "Failed, or all that the body says", g.tellContent(p))
			here.check(!p.completed() || g.countsWithin(p), m09, "counts of the body, or unknown ones", g.tellCounts(p))
			f := p.failure()
			here.check(p.completed() || !g.base.completed() || f.Kind == events.InvalidReply, m18, "Failed: invalid_reply", p.tellEnd)
			g.checkClosed(st, how, at+place)
		}
		at += len(message)
	}
}
