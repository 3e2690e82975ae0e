package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/weirsdk/weir/events"
)

// noise adds to the body what says nothing: the reply stays the same.
func (g *group) noise(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	want, plain := lines(g.base.events), g.text()
	same := func(how, clause string, text []byte) {
		if bytes.Equal(text, plain) {
			return
		}
		st.open(g.with(text).whole())
		p := g.at(how, -1).play(t.Context(), m, g.req)
		if g.checkGrammar(p, how, -1) {
			g.at(how, -1).check(g.sameContent(p) && g.countsWithin(p) && g.sameEnd(p), clause, g.base.tellEnd, g.tellOther(p))
			if clause == m10 {
				got := lines(p.events)
				g.at(how, -1).check(bytes.Equal(want, got), m10, "the events of the body as it is", func() string { return firstDifference(want, got) })
			}
		}
		g.checkClosed(st, how, -1)
	}
	g.unknownStop(t)
	same("a member that nobody knows in each object", m16, g.eachFrame(withUnknownMember))
	if g.isEventStream() {
		same("messages that nobody knows between the others", m16, g.eachFrame(func(f []byte) []byte {
			return append([]byte("event: weirUnknown\ndata: {\"weir\":1}\n\n"), f...)
		}))
		same("messages without a payload", m16, g.eachFrame(func(f []byte) []byte { return append([]byte("event: weirEmpty\ndata\n\n"), f...) }))
		return
	}
	if g.isNDJSON() {
		same("blank lines", m16, g.eachFrame(func(f []byte) []byte { return append([]byte("\n"), f...) }))
		same("lines that end in CRLF", m10, crlf(plain))
		return
	}
	same("comments between the frames", m16, g.eachFrame(func(f []byte) []byte { return append([]byte(": keep-alive\n\n"), f...) }))
	same("comments inside the frames", m16, g.eachFrame(func(f []byte) []byte { return append([]byte(": keep-alive\n"), f...) }))
	same("id and retry fields", m16, g.eachFrame(func(f []byte) []byte {
		return append([]byte("id: 7\nretry: 1000\nweir: 1\n"), f...)
	}))
	same("empty frames", m16, g.eachFrame(func(f []byte) []byte { return append([]byte("\n\ndata\n\n"), f...) }))
	same("lines that end in CRLF", m10, crlf(plain))
	same("lines that end in CR", m10, bytes.ReplaceAll(crlf(plain), []byte("\r\n"), []byte("\r")))
	if !bytes.HasPrefix(plain, byteOrderMark()) {
		same("a byte order mark", m10, append(byteOrderMark(), plain...))
	}
	same("no space after the colon", m10, bytes.ReplaceAll(plain, []byte("\ndata: "), []byte("\ndata:")))
}

// unknownStop puts a word that nobody knows in the place of the provider's word for
// the stop: it is kept, and is no other stop's.
func (g *group) unknownStop(t *testing.T) {
	t.Helper()
	const word = "weir_unknown"
	stop := g.base.reply.Stop()
	if stop != events.StopEnd && stop != events.StopToolUse {
		return // a cut of the reply is told by its word alone
	}
	m, st := g.model(t, g.whole())
	text := g.text()
	for _, v := range values(text) {
		if string(text[v.from:v.to]) != strconv.Quote(g.base.reply.RawStop()) {
			continue
		}
		st.open(g.with(bytes.Join([][]byte{text[:v.from], []byte(strconv.Quote(word)), text[v.to:]}, nil)).whole())
		here := g.at("a word for the stop that nobody knows", v.from)
		p := here.play(t.Context(), m, g.req)
		if p.reply.RawStop() != word {
			continue // the same word with another meaning
		}
		want := events.StopOther
		if stop == events.StopToolUse {
			want = stop
		}
		here.check(p.reply.Stop() == want, m16, want, p.tellEnd)
	}
}

func crlf(text []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
}

// eachFrame returns the body with every frame changed.
func (g *group) eachFrame(change func([]byte) []byte) []byte {
	var b []byte
	for n, frame := range g.framesOf(g.text()) {
		if rest, marked := bytes.CutPrefix(frame, byteOrderMark()); n == 0 && marked {
			b, frame = append(b, byteOrderMark()...), rest
		}
		b = append(b, change(bytes.Clone(frame))...)
	}
	return b
}

func byteOrderMark() []byte { return []byte("\xef\xbb\xbf") }

// withUnknownMember puts a member that nobody knows first into the object of a
// frame.
func withUnknownMember(frame []byte) []byte {
	from, _, ok := object(frame)
	if !ok {
		return frame
	}
	member := `"weir_unknown":{"a":[1,null,"x"]}`
	if rest := bytes.TrimLeft(frame[from+1:], " \t"); len(rest) > 0 && rest[0] != '}' {
		member += ","
	}
	return bytes.Join([][]byte{frame[:from+1], []byte(member), frame[from+1:]}, nil)
}

// object returns where the object of a frame begins and ends: the first { at the
// beginning of a line or of its data, and the last }.
func object(frame []byte) (from, to int, ok bool) {
	at := 0
	for line := range bytes.SplitAfterSeq(frame, []byte("\n")) {
		text := bytes.TrimLeft(bytes.TrimPrefix(line, []byte("data:")), " ")
		if strings.HasPrefix(string(text), "{") {
			from = at + len(line) - len(text)
			to = bytes.LastIndexByte(frame, '}') + 1
			return from, to, to > from
		}
		at += len(line)
	}
	return 0, 0, false
}

// corrupt breaks the syntax of one frame at a time: what it said is not passed
// over in silence.
func (g *group) corrupt(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	try := func(how string, at int, text []byte) {
		st.open(g.with(text).whole())
		p := g.at(how, at).play(t.Context(), m, g.req)
		if !g.checkGrammar(p, how, at) {
			return
		}
		g.at(how, at).check(!p.completed() || g.sameContent(p), m17, "Failed, or all that the body says", g.tellContent(p))
		g.at(how, at).check(!p.completed() || g.countsWithin(p), m09, "counts of the body, or unknown ones", g.tellCounts(p))
		g.checkClosed(st, how, at)
	}
	at, plain := 0, g.text()
	frames := g.framesOf(plain)
	every := 1 + len(frames)/maxTried
	for n, frame := range frames {
		if from, to, ok := object(frame); ok && n%every == 0 {
			broken := map[string]string{
				"an object without its end":   string(frame[from : to-1]),
				"an object that is torn":      string(frame[from:from+(to-from)/2]) + "\"}",
				"text where an object is due": "<html>502</html>",
			}
			for how, text := range broken {
				if json.Valid([]byte(text)) {
					continue // torn inside a string: another object, and no broken one
				}
				body := bytes.Join([][]byte{plain[:at+from], []byte(text), plain[at+to:]}, nil)
				try(fmt.Sprintf("frame %d: %s", n+1, how), at, body)
			}
		}
		at += len(frame)
	}
	if g.isEventStream() {
		g.spoiled(t)
	}
	g.repeated(t)
}

// repeated repeats the frame that holds the terminal evidence, and lets content
// follow it.
func (g *group) repeated(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	plain := g.text()
	frames := g.framesOf(plain)
	try := func(how string, body []byte) {
		st.open(g.with(body).whole())
		p := g.at(how, -1).play(t.Context(), m, g.req)
		if g.checkGrammar(p, how, -1) {
			g.at(how, -1).check(!p.completed() || g.sameContent(p), m05, "Failed, or what the whole body says", g.tellContent(p))
		}
	}
	upTo := func(n int) []byte { return bytes.Join(frames[:n+1], nil) }
	evidence := sort.Search(len(frames), func(n int) bool {
		st.open(g.with(upTo(n)).whole())
		return g.at("the body up to a frame", -1).play(t.Context(), m, g.req).completed()
	})
	if evidence == len(frames) {
		return
	}
	at := len(upTo(evidence))
	again := bytes.Join([][]byte{plain[:at], frames[evidence], plain[at:]}, nil)
	try("the frame with the terminal evidence twice", again)
	try("the whole body twice", append(bytes.Clone(plain), plain...))
}
