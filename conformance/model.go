package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// runModel checks what no reply of a provider decides.
func (s *suite) runModel(t *testing.T) {
	t.Helper()
	text := texts()[0]
	r, there, err := load(s.adapter.Wire, text)
	if !there || err != nil {
		s.fault(t, text.Name, "every adapter has bytes for it")
		return
	}
	tr := s.newTrial(text, r)
	s.checkToolClaim(t)
	tr.mutate(t, "identity", func(t *testing.T, g *group) { g.identity(t) })
	tr.mutate(t, "bad request", func(t *testing.T, g *group) { g.badRequest(t) })
	tr.mutate(t, "parameters", func(t *testing.T, g *group) { g.parameters(t) })
	tr.mutate(t, "history", func(t *testing.T, g *group) { g.history(t) })
	for _, c := range contrasts() {
		tr.mutate(t, "contrast of "+c.what, func(t *testing.T, g *group) { g.contrast(t, c) })
	}
	tr.mutate(t, "image", func(t *testing.T, g *group) { g.image(t) })
	tr.mutate(t, "reach", func(t *testing.T, g *group) { g.reaches(t) })
	tr.mutate(t, "printed", func(t *testing.T, g *group) { g.printed(t) })
	tr.mutate(t, "no stream", func(t *testing.T, g *group) { g.noStream(t) })
	tr.mutate(t, "too much", func(t *testing.T, g *group) {
		g.tooMuch(t)
		g.longText(t)
	})
	tr.mutate(t, "concurrent", func(t *testing.T, g *group) { g.concurrent(t) })
}

// identity checks the name and the Spec.
func (g *group) identity(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	provider, id, found := strings.Cut(m.Name(), ":")
	g.check(found && provider != "" && id != "", m01, `"<provider>:<model>"`, say("%q", m.Name()))
	other, _ := g.model(t, g.whole())
	spec := m.Spec()
	g.at("", -1).play(t.Context(), m, g.req)
	g.at("asked twice", -1).check(m.Name() == other.Name(), m01, m.Name(), other.Name())
	g.at("asked twice", -1).check(reflect.DeepEqual(spec, m.Spec()), m02, say("%+v", spec), say("%+v", m.Spec()))
	g.check(len(st.requests()) == 1, m02, "no request but that of the stream", len(st.requests()))
	if g.adapter.Unsupported[NoModel] == "" {
		g.check(slices.ContainsFunc(st.requests(), func(r sent) bool { return r.names(id) }), m01,
			say("%q of the name in the request (or the claim conformance.NoModel)", id), "it was not sent")
	}
}

// names reports whether a request tells a text in its address, its head or its body.
func (s *sent) names(text string) bool {
	address, err := url.PathUnescape(s.url)
	if err != nil {
		address = s.url
	}
	for _, values := range s.header {
		if slices.ContainsFunc(values, func(value string) bool { return strings.Contains(value, text) }) {
			return true
		}
	}
	return strings.Contains(address, text) || tells(s.body, text)
}

// badRequest asks what no model takes.
func (g *group) badRequest(t *testing.T) {
	t.Helper()
	foreign := request.AssistantText("Hello.")
	foreign.Data = events.ProviderData{Format: "weir-unknown.v1", Origin: "weir-unknown", Value: "{}"}
	for how, req := range map[string]request.Request{
		"no message":                     {},
		"a tool's result without a call": {Messages: []request.Message{request.UserText(question), request.Results(request.Result("call_9", "x"))}},
		"the zero tool":                  {Messages: []request.Message{request.UserText(question)}, Tools: []request.Tool{{}}},
		"another provider's data":        {Messages: []request.Message{request.UserText(question), foreign, request.UserText(question)}},
	} {
		m, st := g.model(t, g.whole())
		p := g.at(how, -1).play(t.Context(), m, req)
		if !g.checkGrammar(p, how, -1) {
			continue
		}
		f := p.failure()
		g.at(how, -1).check(f.Kind == events.InvalidRequest && f.Sent == events.NotSent, m06, "Failed: invalid_request, not_sent", p.tellEnd)
		g.at(how, -1).check(len(st.requests()) == 0, m06, "nothing sent", number(len(st.requests()), "request"))
	}
}

// reaches lets the request end on its way.
func (g *group) reaches(t *testing.T) {
	t.Helper()
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	reset := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	for _, c := range []struct {
		how   string
		reach reach
		err   error
		sent  events.Sent
	}{
		{"no connection", reachDial, refused, events.NotSent},
		{"an error of a transport that fires no hook", reachNone, errors.New("proxy: no"), events.MaybeSent},
		{"a connection that breaks at once", reachConn, reset, events.MaybeSent},
		{"a request that is not answered", reachWritten, reset, events.MaybeSent},
	} {
		a := g.whole()
		a.reach, a.err = c.reach, c.err
		m, _ := g.model(t, a)
		p := g.at(c.how, -1).play(t.Context(), m, g.req)
		if !g.checkGrammar(p, c.how, -1) {
			continue
		}
		f := p.failure()
		g.at(c.how, -1).check(f.Kind == events.Unreachable, m13, "Failed: unreachable", p.tellEnd)
		g.at(c.how, -1).check(f.Sent == c.sent, m13, string(c.sent), string(f.Sent))
		attempt := charge.Attempt{Estimate: g.estimate, Terminal: p.last()}
		settled := charge.Settle(attempt)
		free := settled.Certainty == charge.None
		g.at(c.how, -1).check(free == (c.sent == events.NotSent), m13, "a charge exactly when something may have been sent", settled.Outcome)
	}
}

// printed looks for the credential in every printed form of the model, and for
// its place in the request.
func (g *group) printed(t *testing.T) {
	t.Helper()
	m, st := g.model(t, g.whole())
	text := fmt.Sprintf("%v %+v %#v %s %q", m, m, m, m, m)
	encoded, _ := json.Marshal(m)
	text += string(encoded) + m.Name()
	g.check(!strings.Contains(text, Canary), m14, "no credential in a printed form of the model", events.CutText(text, 500))
	if g.adapter.Unsupported[NoCredential] != "" {
		return
	}
	g.at("", -1).play(t.Context(), m, g.req)
	there := false
	for _, r := range st.requests() {
		header := new(bytes.Buffer)
		_ = r.header.Write(header)
		there = there || strings.Contains(header.String()+r.url+string(r.body), Canary)
	}
	g.check(there, m14, "conformance.Canary in the request, so that the checks of clause M14 mean something (or the claim "+
		"conformance.NoCredential)", "it was not sent")
}

// noStream answers 200 with what is no stream.
func (g *group) noStream(t *testing.T) {
	t.Helper()
	page := []byte("<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>no</body></html>")
	object := []byte(`{"weir":"a document where a stream was due"}`)
	for _, c := range []struct {
		how, mediaType string
		status         int
		body           []byte
		kind           events.FailureKind
	}{
		{"a page of a proxy", "text/html", 200, page, events.InvalidReply},
		{"a page of a proxy that is called a stream", g.header.Get("Content-Type"), 200, page, events.InvalidReply},
		{"an empty body", g.header.Get("Content-Type"), 200, nil, events.InvalidReply},
		{"a document", "application/json", 200, object, events.InvalidReply},
		{"a page of a proxy with status 502", "text/html", 502, page, events.Overloaded},
		{"an empty body with status 500", "", 500, nil, events.Overloaded},
		{"a page with a status that nobody knows, of the client's fault", "text/html", 498, page, events.Rejected},
		{"a page with a status that nobody knows, of the server's fault", "text/html", 599, page, events.Overloaded},
		{"a page with status 422", "text/html", 422, page, events.Rejected},
		{"a redirect", "text/html", 302, page, events.Rejected},
	} {
		a := response{status: c.status, header: http.Header{"Content-Type": {c.mediaType}}, body: c.body}.whole()
		if c.status == 302 {
			a.header.Set("Location", "https://elsewhere.example/")
		}
		m, st := g.model(t, a)
		p := g.at(c.how, -1).play(t.Context(), m, g.req)
		if g.checkGrammar(p, c.how, -1) {
			f := p.failure()
			if g.at(c.how, -1).check(f.Kind == c.kind, m18, "Failed: "+string(c.kind), p.tellEnd) {
				g.at(c.how, -1).check(f.Sent == events.Answered, m13, "answered", string(f.Sent))
				g.at(c.how, -1).check(c.status == 200 || f.Retryable() == (c.kind == events.Overloaded), m18,
					"a failure that is retried when that may help", p.tellEnd)
			}
		}
		g.at(c.how, -1).check(len(st.requests()) == 1, m18, "one request: a redirect would carry the credential elsewhere", len(st.requests()))
		g.checkClosed(st, c.how, -1)
	}
}

// checkToolClaim checks that a model whose Spec does not say that it takes no tools
// was not excused from them.
func (s *suite) checkToolClaim(t *testing.T) {
	t.Helper()
	m, _ := s.model(t, act{})
	if _, claimed := s.adapter.Unsupported["tool-call"]; claimed && m.Spec().Tools != request.No {
		s.fault(t, "tool-call", "a claim that the model's Spec contradicts: Spec.Tools is not No")
	}
}

// concurrent ranges streams of one model at the same time.
func (g *group) concurrent(t *testing.T) {
	t.Helper()
	m, _ := g.model(t, g.whole())
	here := g.at("8 streams of one model at the same time", -1)
	want := lines(here.play(t.Context(), m, g.req).events)
	const many = 8
	got := make([]played, many)
	var all sync.WaitGroup
	for n := range many {
		all.Go(func() { got[n] = collect(t.Context(), m, g.req) })
	}
	all.Wait()
	for _, p := range got {
		here.checkSecret(p)
		text := lines(p.events)
		here.check(bytes.Equal(text, want), m10, "the same events", func() string { return firstDifference(want, text) })
	}
}
