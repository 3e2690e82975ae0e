package conformance

import (
	"bytes"
	"net/http"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// wishes asks for what providers spell too differently to be looked for by words: a
// request that asks is another one than without, or a Notice tells of it.
func (g *group) wishes(t *testing.T) {
	t.Helper()
	plain, ok := g.wish(t, "without wishes", g.req)
	if !ok {
		return
	}
	marked := g.req
	marked.Messages = []request.Message{request.User(request.Text(question).Cached(request.CacheShort))}
	unmarked := g.req
	unmarked.Messages = []request.Message{request.UserText(question)}
	if plain, ok := g.wish(t, "without a cache marker", unmarked); ok {
		g.wished(t, "a cache marker", marked, plain)
	}
	searching := g.req
	searching.HostedTools = []request.HostedTool{request.SearchWeb(request.WebSearch{MaxUses: 7})}
	g.wished(t, "a web search", searching, plain)

	const how = "a tool of another family"
	foreign := g.req
	foreign.HostedTools = []request.HostedTool{request.HostedRaw("weir-unknown", `{"type":"weir-unknown"}`)}
	m, st := g.model(t, g.whole())
	p := g.at(how, -1).play(t.Context(), m, foreign)
	refused := p.failure().Kind == events.InvalidRequest && len(st.requests()) == 0
	g.at(how, -1).check(refused || len(p.reply.Notices()) > 0, m19, "Failed: invalid_request, nothing sent, or a Notice", p.tellEnd)
}

// wish returns what is sent for a request.
func (g *group) wish(t *testing.T, how string, req request.Request) (sent []byte, ok bool) {
	t.Helper()
	m, st := g.model(t, g.whole())
	p := g.at(how, -1).play(t.Context(), m, req)
	got := st.requests()
	ok = g.at(how, -1).check(p.completed() && len(got) == 1, m19, "a request that is sent", p.tellEnd)
	if !ok {
		return nil, false
	}
	return written(got[0].url, got[0].header, got[0].body), true
}

// wished checks that a request differs from one without the wish, or that it is told
// or refused.
func (g *group) wished(t *testing.T, how string, req request.Request, plain []byte) {
	t.Helper()
	m, st := g.model(t, g.whole())
	p := g.at(how, -1).play(t.Context(), m, req)
	got := st.requests()
	told := len(p.reply.Notices()) > 0 || p.failure().Kind == events.InvalidRequest && len(got) == 0
	differs := len(got) == 1 && !bytes.Equal(plain, written(got[0].url, got[0].header, got[0].body))
	g.at(how, -1).check(told || differs, m19, say("%s in the request, or a Notice for it", how), func() string {
		if len(got) == 0 {
			return p.tellEnd()
		}
		return clip(got[0].body)
	})
}

// written returns all of a request, for a wish may be in its head.
func written(url string, header http.Header, body []byte) []byte {
	var all bytes.Buffer
	all.WriteString(url)
	header = header.Clone()
	header.Del("Content-Length") // follows the body
	_ = header.Write(&all)
	all.Write(body)
	return all.Bytes()
}
