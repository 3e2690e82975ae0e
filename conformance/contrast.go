package conformance

import (
	"bytes"
	"net/http"
	"slices"
	"testing"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// A contrast is one thing that requests ask for in several ways. The suite does not
// know how a provider spells it, but each way is another request, or is refused or
// told to be left out.
type contrast struct {
	what string
	// tools: the request declares tools.
	tools bool
	// plain makes of the question a request that says nothing of it, or what all
	// ways say; nil: the question.
	plain func(*request.Request)
	ways  []way
}

// A way changes a plain request.
type way struct {
	how    string
	change func(*request.Request)
}

// contrasts are the parts of a request whose spelling no scenario knows. Not among
// their ways is what two providers may rightly spell the same: an effort, or several
// calls at once, that is what the model does anyway.
func contrasts() []contrast {
	return slices.Concat(contrastsOfParameters(), contrastsOfTools(), contrastsOfTurns())
}

func contrastsOfParameters() []contrast {
	absent := way{"none", func(*request.Request) {}}
	effort := func(e request.Effort) way {
		return way{string(e), func(r *request.Request) { r.Effort = e }}
	}
	return []contrast{
		{what: "temperature", ways: []way{
			absent,
			{"0", func(r *request.Request) { r.Temperature = new(0.0) }},
			{"0.625", func(r *request.Request) { r.Temperature = new(0.625) }},
		}},
		{what: "top_p", ways: []way{
			absent,
			{"0", func(r *request.Request) { r.TopP = new(0.0) }},
			{"0.375", func(r *request.Request) { r.TopP = new(0.375) }},
		}},
		{what: "seed", ways: []way{
			absent,
			{"0", func(r *request.Request) { r.Seed = new(int64(0)) }},
			{"7", func(r *request.Request) { r.Seed = new(int64(7)) }},
		}},
		{what: "stop sequences", ways: []way{
			absent,
			{"one", func(r *request.Request) { r.Stop = []string{"weir-stop"} }},
			{"two", func(r *request.Request) { r.Stop = []string{"weir-stop", "weir-other"} }},
		}},
		{what: "output limit", ways: []way{
			{"none", func(r *request.Request) { r.MaxOutputTokens = 0 }},
			{"1357", func(r *request.Request) { r.MaxOutputTokens = 1357 }},
			{"1358", func(r *request.Request) { r.MaxOutputTokens = 1358 }},
		}},
		// Under a limit on the output many efforts are the most that it leaves.
		{
			what: "effort", plain: func(r *request.Request) { r.MaxOutputTokens = 0 },
			ways: []way{effort(request.EffortOff), effort(request.EffortLow), effort(request.EffortHigh)},
		},
		{what: "thinking budget", ways: []way{
			{"1024", func(r *request.Request) { r.ThinkingBudget = new(1024) }},
			{"1280", func(r *request.Request) { r.ThinkingBudget = new(1280) }},
		}},
	}
}

func contrastsOfTools() []contrast {
	choice := func(how string, c request.ToolChoice) way {
		return way{how, func(r *request.Request) { r.ToolChoice = c }}
	}
	named := func(tool string) way {
		return choice("the tool "+tool, request.ToolChoice{Mode: request.ToolNamed, Name: tool})
	}
	search := func(how string, s request.WebSearch) way {
		return way{how, func(r *request.Request) { r.HostedTools = []request.HostedTool{request.SearchWeb(s)} }}
	}
	return []contrast{
		{what: "tool choice", tools: true, ways: []way{
			choice("auto", request.ToolChoice{}),
			choice("none", request.ToolChoice{Mode: request.ToolNone}),
			choice("required", request.ToolChoice{Mode: request.ToolRequired}),
			named("weather"), named("clock"),
		}},
		{what: "parallel calls", tools: true, ways: []way{
			{"allowed", func(r *request.Request) { r.Parallel = new(true) }},
			{"forbidden", func(r *request.Request) { r.Parallel = new(false) }},
		}},
		{what: "web search", ways: []way{
			{"none", func(*request.Request) {}},
			search("any", request.WebSearch{}),
			search("at most seven", request.WebSearch{MaxUses: 7}),
			search("one domain", request.WebSearch{AllowedDomains: []string{"weather.example"}}),
		}},
	}
}

func contrastsOfTurns() []contrast {
	answered := func(tool string, result request.Block) func(*request.Request) {
		return func(r *request.Request) {
			r.Messages = []request.Message{
				request.UserText(question), request.Assistant(request.Call(call("call_1", tool, "{}"))), request.Results(result),
			}
		}
	}
	const text = "It is 21 degrees."
	succeeded := answered("weather", request.Result("call_1", text))
	both := func(weather, clock request.Block) func(*request.Request) {
		return func(r *request.Request) {
			r.Messages = []request.Message{
				request.UserText(question),
				request.Assistant(request.Call(call("call_1", "weather", "{}")), request.Call(call("call_2", "clock", "{}"))),
				request.Results(weather, clock),
			}
		}
	}
	first, second := request.Result("call_1", text), request.Result("call_2", text)
	said := func(turn request.Message) func(*request.Request) {
		return func(r *request.Request) {
			r.Messages = []request.Message{request.UserText(question), turn, request.UserText("Go on.")}
		}
	}
	asks := func(block request.Block) func(*request.Request) {
		return func(r *request.Request) { r.Messages = []request.Message{request.User(block)} }
	}
	return []contrast{
		{what: "cache marker", ways: []way{
			{"none", asks(request.Text(question))},
			{"one", asks(request.Text(question).Cached(request.CacheShort))},
		}},
		{what: "result", tools: true, plain: succeeded, ways: []way{
			{"a tool's answer", succeeded},
			{"the same text as its failure", answered("weather", request.ResultError("call_1", text))},
		}},
		{what: "results", tools: true, plain: both(first, second), ways: []way{
			{"two tools' answers", both(first, second)},
			{"the first one's failure and an answer", both(request.ResultError("call_1", text), second)},
			{"an answer and the second one's failure", both(first, request.ResultError("call_2", text))},
		}},
		{what: "called tool", tools: true, plain: succeeded, ways: []way{
			{"a call of weather", succeeded},
			{"a call of clock", answered("clock", request.Result("call_1", text))},
		}},
		{what: "role", plain: said(request.UserText(text)), ways: []way{
			{"a text of the user", said(request.UserText(text))},
			{"the same text of the assistant", said(request.AssistantText(text))},
		}},
	}
}

// contrast sends one request for each way and compares each with each.
func (g *group) contrast(t *testing.T, c contrast) {
	t.Helper()
	req := g.req
	if c.tools {
		req = askTools()
	}
	if c.plain != nil {
		c.plain(&req)
	}
	plain, again := g.asked(t, req, "plain"), g.asked(t, req, "plain")
	if plain.sent == nil || again.sent == nil {
		return // a model that takes none of it refuses all
	}
	varying := differing(plain.sent.header, again.sent.header)
	var all []asked
	for _, w := range c.ways {
		changed := req
		w.change(&changed)
		all = append(all, g.asked(t, changed, w.how))
	}
	for n, b := range all {
		for _, a := range all[:n] {
			told := a.tells(plain) || b.tells(plain) || a.sent == nil || b.sent == nil
			g.at(c.what+": "+a.how+" and "+b.how, -1).check(told || !a.sent.same(b.sent, varying), m19,
				"two requests that differ, or a Notice or a refusal of what they cannot say",
				func() string { return "twice " + clip(b.sent.body) })
		}
	}
}

// An asked is what came of a request.
type asked struct {
	how     string
	sent    *sent // nil: refused
	notices []events.NoticeInfo
}

// asked sends one request, or sees it refused.
func (g *group) asked(t *testing.T, req request.Request, how string) asked {
	t.Helper()
	here := g.at(how, -1)
	m, st := g.model(t, g.whole())
	p := here.play(t.Context(), m, req)
	a := asked{how: how, notices: p.reply.Notices()}
	got := st.requests()
	if len(got) == 1 {
		a.sent = &got[0]
		return a
	}
	f := p.failure()
	here.check(len(got) == 0 && f.Kind == events.InvalidRequest && f.Sent == events.NotSent, m06,
		"one request, or Failed: invalid_request, not_sent", p.tellEnd)
	return a
}

// tells reports whether something is told that is not told of a plain request.
func (a asked) tells(plain asked) bool {
	return slices.ContainsFunc(a.notices, func(n events.NoticeInfo) bool { return !slices.Contains(plain.notices, n) })
}

// same reports whether two requests are the same, some headers aside.
func (s *sent) same(o *sent, aside []string) bool {
	left := func(name string) bool { return slices.Contains(aside, name) }
	return s.url == o.url && bytes.Equal(s.body, o.body) &&
		!slices.ContainsFunc(differing(s.header, o.header), func(name string) bool { return !left(name) })
}

// differing returns the names of the headers that two requests do not share: of two
// that ask for the same those are numbers of the exchange, times and signatures.
func differing(a, b http.Header) []string {
	var names []string
	for name := range a {
		if !slices.Equal(a[name], b[name]) {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	return names
}
