package conformance

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weirsdk/weir/events"
)

// tooMuchBytes is a line that no reader should hold: 20 MB.
const tooMuchBytes = 20_000_000

// tooMuch sends more than anybody should read.
func (g *group) tooMuch(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	prefix := "data: "
	if !g.isSSE() && !g.isEventStream() {
		prefix = ""
	}
	var first []byte
	if frames := g.framesOf(g.text()); len(frames) > 0 {
		first = frames[0]
	}
	line := append(bytes.Clone(first), prefix+`{"weir":"`+strings.Repeat("a", tooMuchBytes)+"\"}\n\n"...)
	st.open(g.with(line).whole())
	const long = "a line of 20 MB"
	p := g.at(long, -1).play(t.Context(), m, g.req)
	if g.isFramed() && g.checkGrammar(p, long, -1) {
		f := p.failure()
		g.at(long, -1).check(f.Kind == events.InvalidReply && f.Reason == events.ReasonTooLarge, m15, "Failed: invalid_reply/too_large", p.tellEnd)
		g.at(long, -1).check(st.taken() < int64(len(g.with(line).body)), m15, "no more read than is bearable", st.taken())
	}
	g.checkClosed(st, long, -1)
	deep := prefix + `{"weir":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}\n\n"
	st.open(g.with(append([]byte(deep), g.text()...)).whole())
	const nested = "JSON that is 100,000 levels deep"
	p = g.at(nested, -1).play(t.Context(), m, g.req)
	g.checkGrammar(p, nested, -1)
	st.open(response{status: 500, header: http.Header{"Content-Type": {"application/json"}}, body: bytes.Repeat([]byte("["), tooMuchBytes)}.whole())
	const fat = "an error body of 20 MB"
	p = g.at(fat, -1).play(t.Context(), m, g.req)
	if g.checkGrammar(p, fat, -1) {
		f := p.failure()
		g.at(fat, -1).check(f.Status == 500 && len(f.Detail) <= events.MaxDetail, m15, "Failed with a bounded detail", p.tellEnd)
		g.at(fat, -1).check(st.taken() < tooMuchBytes, m15, "no more read than is bearable", st.taken())
	}
}

// longText makes each piece of the text very long in its turn.
func (g *group) longText(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	g.base = g.at("", -1).play(t.Context(), m, g.req)
	const how, length = "a piece of text of 200,000 bytes", 200_000
	text := g.text()
	for _, v := range values(text) {
		var piece string
		if json.Unmarshal(text[v.from:v.to], &piece) != nil || !g.says(piece) {
			continue
		}
		long := strconv.Quote(strings.Repeat("w", length))
		st.open(g.with(bytes.Join([][]byte{text[:v.from], []byte(long), text[v.to:]}, nil)).whole())
		p := g.at(how, v.from).play(t.Context(), m, g.req)
		if g.checkGrammar(p, how, v.from) {
			g.at(how, v.from).check(p.completed() && len(p.reply.Text()) >= length, m17, "all of the text, in pieces that the grammar takes", p.tellEnd)
		}
	}
}

// says reports whether a text is one delta of the scenario's.
func (g *group) says(piece string) bool {
	return slices.ContainsFunc(g.base.events, func(ev events.Event) bool { return ev.Kind == events.TextDelta && ev.Text == piece })
}
