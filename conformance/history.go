package conformance

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// history asks at the end of a conversation of several turns: each text of it is in
// the request, in order.
func (g *group) history(t *testing.T) {
	t.Helper()
	long := strings.Repeat("weir ", maxPrompt/len("weir "))
	words := []string{"weir-first", "weir-second", "weir-third", "weir-fourth", "weir-fifth"}
	req := g.req
	req.Messages = []request.Message{
		request.User(request.Text(words[0]), request.Text(words[1])), request.AssistantText(words[2]),
		request.UserText(words[3]), request.AssistantText(long), request.UserText(words[4]),
	}
	m, st := g.model(t, g.whole())
	p := g.at("", -1).play(t.Context(), m, req)
	got := st.requests()
	if !g.check(p.completed() && len(got) == 1, m19, "a request that is sent", p.tellEnd) {
		return
	}
	at := 0
	g.check(tells(got[0].body, instruction), m19, say("%q", instruction), func() string { return clip(got[0].body) })
	for _, word := range words {
		next := bytes.Index(got[0].body[at:], []byte(word))
		if !g.check(next >= 0, m19, say("%q, and the other texts of the conversation in their order", word), func() string { return clip(got[0].body) }) {
			return
		}
		at += next
	}
	g.check(tells(got[0].body, long), m19, say("the whole of a text of %d bytes", len(long)), say("%d bytes of a request", len(got[0].body)))
}

// maxPrompt is the length of a text that no adapter may cut: 200,000 bytes.
const maxPrompt = 200_000

// image sends a picture: it is in the request, or the request is refused, or what is
// left out is told.
func (g *group) image(t *testing.T) {
	t.Helper()
	picture := []byte("\x89PNG\r\n\x1a\n, and no more of a picture")
	req := g.req
	req.Messages = []request.Message{request.User(request.ImageBytes("image/png", picture), request.Text(question))}
	m, st := g.model(t, g.whole())
	p := g.at("", -1).play(t.Context(), m, req)
	got := st.requests()
	if len(got) == 0 {
		f := p.failure()
		g.check(f.Kind == events.InvalidRequest && f.Sent == events.NotSent, m06, "Failed: invalid_request, not_sent", p.tellEnd)
		return
	}
	there := tells(got[0].body, base64.StdEncoding.EncodeToString(picture))
	g.check(there || len(p.reply.Notices()) > 0, m19, "the picture, or a Notice that it was left out", func() string { return clip(got[0].body) })
}
