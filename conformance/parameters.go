package conformance

import (
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// parameters asks for everything that a request may ask for: each parameter is sent,
// or what is left out is told; a Strict request is refused instead.
func (g *group) parameters(t *testing.T) {
	t.Helper()
	req := g.req
	req.Temperature, req.TopP, req.Seed = new(0.625), new(0.375), new(int64(424242))
	req.Stop = []string{"weir-stop"}
	m, st := g.model(t, g.whole())
	p := g.at("", -1).play(t.Context(), m, req)
	got := st.requests()
	if !g.check(p.completed() && len(got) == 1, m19, "a request that is sent", p.tellEnd) {
		return
	}
	told := 0
	for _, n := range p.reply.Notices() {
		if n.Code == events.NoticeParameterDropped {
			told++
		}
	}
	missing := 0
	for _, text := range []string{"0.625", "0.375", "424242", "weir-stop"} {
		if tells(got[0].body, text) {
			continue
		}
		missing++
		g.check(told >= missing, m19, say("%s in the request, or a Notice parameter_dropped for it", text),
			func() string { return clip(got[0].body) })
	}
	g.strict(t, req, missing > 0)
	g.foreignTool(t)
}

// strict asks the same strictly.
func (g *group) strict(t *testing.T, req request.Request, left bool) {
	t.Helper()
	const how = "strict"
	req.Strict = true
	m, st := g.model(t, g.whole())
	p := g.at(how, -1).play(t.Context(), m, req)
	if !left {
		g.at(how, -1).check(p.completed(), m19, "a request that is sent: nothing has to be left out", p.tellEnd)
		return
	}
	f := p.failure()
	g.at(how, -1).check(f.Kind == events.InvalidRequest && f.Sent == events.NotSent && len(st.requests()) == 0, m06,
		"Failed: invalid_request, not_sent, instead of something left out", p.tellEnd)
}

// foreignTool asks for a hosted tool in the words of a family that nobody speaks: it is
// refused, or told to be left out.
func (g *group) foreignTool(t *testing.T) {
	t.Helper()
	const how = "a hosted tool of another family"
	req := g.req
	req.HostedTools = []request.HostedTool{request.HostedRaw("weir-unknown", `{"type":"weir-unknown"}`)}
	m, st := g.model(t, g.whole())
	p := g.at(how, -1).play(t.Context(), m, req)
	refused := p.failure().Kind == events.InvalidRequest && len(st.requests()) == 0
	g.at(how, -1).check(refused || len(p.reply.Notices()) > 0, m19, "Failed: invalid_request, nothing sent, or a Notice", p.tellEnd)
}
