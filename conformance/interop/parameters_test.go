package interop_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
)

// A parameter is something that a request asks for, beyond its words.
type parameter struct {
	// field is how notices and failures call it, name the value asked for.
	field, name string
	set         func(r *request.Request)
	// says reports whether what a body has in addition says it. nil: any difference does.
	says func(added []leaf) bool
	// unsaid says of which adapters a body without it is right, because what is asked
	// for is what happens unasked; nil: of none.
	unsaid func(a adapter, spec request.Spec) bool
}

func (p parameter) String() string { return p.field + " " + p.name }

// valued reports whether a leaf has exactly one of these values.
func valued(values ...string) func([]leaf) bool {
	return func(added []leaf) bool {
		return slices.ContainsFunc(added, func(l leaf) bool { return slices.Contains(values, l.value) })
	}
}

// parameters returns what is asked of every model.
func parameters(tb testing.TB) []parameter {
	tb.Helper()
	answer, err := request.NewAnswer("report", `{"type":"object","properties":{"probed":{"type":"string"}},"required":["probed"],"additionalProperties":false}`)
	require.NoError(tb, err)
	named := func(added []leaf) bool {
		return slices.ContainsFunc(added, func(l leaf) bool { return strings.Contains(l.path+l.value, "probed") })
	}
	all := []parameter{
		{field: "temperature", name: "0.25", set: func(r *request.Request) { r.Temperature = new(0.25) }, says: valued("0.25")},
		{field: "temperature", name: "0", set: func(r *request.Request) { r.Temperature = new(0.0) }, says: valued("0")},
		{field: "top_p", name: "0.75", set: func(r *request.Request) { r.TopP = new(0.75) }, says: valued("0.75")},
		{field: "seed", name: "12345678901", set: func(r *request.Request) { r.Seed = new(int64(12345678901)) }, says: valued("12345678901")},
		{field: "seed", name: "0", set: func(r *request.Request) { r.Seed = new(int64(0)) }, says: valued("0")},
		{field: "stop", name: "two", set: func(r *request.Request) { r.Stop = []string{"E<N>D", "\n\n"} }, says: func(added []leaf) bool {
			return valued("E<N>D")(added) && valued("\n\n")(added)
		}},
		{field: "max_output_tokens", name: "321", set: func(r *request.Request) { r.MaxOutputTokens = 321 }, says: valued("321")},
		{field: "max_output_tokens", name: "9999999", set: func(r *request.Request) { r.MaxOutputTokens = 9_999_999 }, says: valued("9999999")},
		{field: "tool_choice", name: "none", set: func(r *request.Request) { r.ToolChoice.Mode = request.ToolNone }, unsaid: func(_ adapter, spec request.Spec) bool {
			return spec.Tools == request.No // there are none to choose from
		}},
		{field: "tool_choice", name: "required", set: func(r *request.Request) { r.ToolChoice.Mode = request.ToolRequired }, says: valued("required", "REQUIRED", "any", "ANY", "{}")},
		{
			field: "tool_choice", name: "named", says: valued("look", "required", "REQUIRED", "any", "ANY"),
			set: func(r *request.Request) { r.ToolChoice = request.ToolChoice{Mode: request.ToolNamed, Name: "look"} },
		},
		{field: "parallel", name: "true", set: func(r *request.Request) { r.Parallel = new(true) }, unsaid: func(a adapter, _ request.Spec) bool {
			return a.family == messages // there is a word for false only
		}},
		{field: "parallel", name: "false", set: func(r *request.Request) { r.Parallel = new(false) }},
		{field: "answer", name: "plain", set: func(r *request.Request) { r.Answer = answer }, says: named},
		{field: "answer", name: "strict", set: func(r *request.Request) { r.Answer = answer.WithStrict() }, says: named},
		{field: "citations", name: "true", set: func(r *request.Request) {
			r.Citations = true
			r.Messages = []request.Message{request.User(request.Text("q"), request.FileBytes("x.txt", "text/plain", []byte("probed")))}
		}, says: func(added []leaf) bool {
			return slices.ContainsFunc(added, func(l leaf) bool { return strings.Contains(l.path, "citations") || l.path == "documents.0.data.text" }) // Cohere cites those unasked
		}},
		{field: "hosted_tools", name: "search", set: search(request.WebSearch{})},
		{field: "hosted_tools", name: "7 uses", set: search(request.WebSearch{MaxUses: 7}), says: valued("7")},
		{field: "hosted_tools", name: "domains", set: search(request.WebSearch{AllowedDomains: []string{"a.example"}}), says: valued("a.example")},
		{field: "hosted_tools", name: "not domains", set: search(request.WebSearch{BlockedDomains: []string{"b.example"}}), says: valued("b.example")},
		{field: "hosted_tools", name: "in Graz", set: search(request.WebSearch{Location: request.Location{City: "Graz"}}), says: valued("Graz")},
		{field: "cache.key", name: "k9", set: func(r *request.Request) { r.Cache.Key = "k9" }, says: valued("k9")},
		{field: "cache.tools", name: "5m", set: func(r *request.Request) { r.Cache.Tools = request.CacheShort }},
		{field: "cache.system", name: "5m", set: func(r *request.Request) { r.Cache.System = request.CacheShort }},
		{field: "cache.automatic", name: "5m", set: func(r *request.Request) { r.Cache.Automatic = request.CacheShort }, unsaid: func(a adapter, spec request.Spec) bool {
			// What keeps prompts keeps them unasked, OpenAI's models with markers too.
			return spec.CacheMarkers != request.Yes || a.family == responses
		}},
		{field: "cache.automatic", name: "1h", set: func(r *request.Request) { r.Cache.Automatic = request.CacheLong }},
		{field: ".cache", name: "1h", set: func(r *request.Request) {
			r.Messages = []request.Message{request.User(request.Text("q").Cached(request.CacheLong))}
		}},
	}
	for _, budget := range []int{1, 1024, 100_000} {
		text := strconv.Itoa(budget)
		all = append(all, parameter{field: "thinking_budget", name: text, set: func(r *request.Request) { r.ThinkingBudget = new(budget) }, says: valued(text)})
	}
	return all
}

func search(s request.WebSearch) func(*request.Request) {
	return func(r *request.Request) { r.HostedTools = []request.HostedTool{request.SearchWeb(s)} }
}

// question is a request for every model, with a tool for those that take one.
func question(tb testing.TB, spec request.Spec) request.Request {
	tb.Helper()
	r := request.Request{System: "Be brief.", Messages: []request.Message{request.UserText("q")}}
	if spec.Tools != request.No {
		r.Tools = []request.Tool{tool(tb, "look")}
	}
	return r
}

func tool(tb testing.TB, name string) request.Tool {
	tb.Helper()
	t, err := request.NewTool(name, "Look.", `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	require.NoError(tb, err)
	return t
}

func TestParametersAreSentOrTold(t *testing.T) {
	t.Parallel()
	all := parameters(t)
	every(t, func(t *testing.T, a adapter) {
		for _, id := range a.some(mostModels) {
			s := a.saying(t, "ok")
			m := a.model(t, id, s)
			req := question(t, m.Spec())
			base := ask(t, m, s, req)
			require.Nil(t, base.failure, "%s: %v", id, base.failure)
			require.Empty(t, base.notices, id)
			for _, p := range all {
				asked := req
				p.set(&asked)
				got := ask(t, m, s, asked)
				silent := false
				switch {
				case got.failure != nil:
					assert.True(t, got.refused(), "%s, %s: %v", id, p, got.failure)
				case got.tells(p.field):
				case got.body == base.body:
					silent = p.unsaid == nil || !p.unsaid(a, m.Spec())
					assert.False(t, silent, "%s, %s: nothing of it is sent, and nothing is told", id, p)
				default:
					added := got.changed(base)
					assert.True(t, p.says == nil || p.says(added), "%s, %s: what is sent does not say it: %v", id, p, added)
				}
				asked.Strict = true
				strict := ask(t, m, s, asked)
				if len(got.notices) > 0 || got.failure != nil {
					assert.True(t, strict.refused(), "%s, %s: strict, and not refused", id, p)
				} else {
					assert.Equal(t, got.body, strict.body, "%s, %s: strict", id, p)
					assert.Empty(t, strict.notices, "%s, %s: strict", id, p)
				}
			}
		}
	})
}

func TestEffortsAreSentOrTold(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, a adapter) {
		for _, id := range a.some(mostModels) {
			s := a.saying(t, "ok")
			m := a.model(t, id, s)
			req := question(t, m.Spec())
			base := ask(t, m, s, req)
			spoken := map[string]request.Effort{} // bodies that were sent with nothing told
			for _, effort := range request.Efforts() {
				req.Effort = effort
				got := ask(t, m, s, req)
				other, taken := spoken[got.body]
				switch {
				case got.failure != nil:
					assert.True(t, got.refused(), "%s, %s: %v", id, effort, got.failure)
				case got.tells("effort"):
				case got.body == base.body:
					assert.True(t, effort == request.EffortOff && m.Spec().Thinking == request.No,
						"%s, %s: nothing of it is sent, and nothing is told", id, effort)
				case taken && other == request.EffortXHigh && effort == request.EffortMax && numbered(got.changed(base)):
					// As many tokens as the model takes are both.
				case taken:
					assert.Fail(t, "silent", "%s: %s is sent as %s is, and nothing is told", id, effort, other)
				default:
					spoken[got.body] = effort
					for _, l := range got.changed(base) {
						word := request.Effort(strings.ToLower(l.value))
						assert.False(t, slices.Contains(request.Efforts(), word) && word != effort, "%s: %s is sent as %v, and nothing is told", id, effort, l)
					}
				}
				req.Strict = true
				strict := ask(t, m, s, req)
				req.Strict = false
				if len(got.notices) > 0 {
					require.NotNil(t, strict.failure, "%s, %s: strict, and not refused", id, effort)
					assert.ErrorIs(t, strict.failure, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
				} else {
					assert.Equal(t, got.body, strict.body, "%s, %s: strict", id, effort)
				}
			}
		}
	})
}

// numbered reports whether one of the leaves is a number of tokens.
func numbered(all []leaf) bool {
	return slices.ContainsFunc(all, func(l leaf) bool {
		n, err := strconv.Atoi(l.value)
		return err == nil && n >= 1024
	})
}

// thoughts returns the efforts and budgets as parameters.
func thoughts(all []parameter) []parameter {
	var out []parameter
	for _, effort := range request.Efforts() {
		out = append(out, parameter{field: "effort", name: string(effort), set: func(r *request.Request) { r.Effort = effort }})
	}
	for _, p := range all {
		if p.field == "thinking_budget" {
			out = append(out, p)
		}
	}
	return out
}

// Thinking meets what some models do not take beside it: each of the two is still
// sent or told.
func TestThinkingBesideOthers(t *testing.T) {
	t.Parallel()
	others := []string{"temperature 0.25", "top_p 0.75", "stop two", "max_output_tokens 321", "tool_choice required", "tool_choice named", "parallel false", "answer plain"}
	all := parameters(t)
	efforts := thoughts(all)
	every(t, func(t *testing.T, a adapter) {
		for _, id := range a.some(4) {
			b := besides{id: id, s: a.saying(t, "ok"), alone: map[string]outcome{}}
			b.m = a.model(t, id, b.s)
			b.req = question(t, b.m.Spec())
			for _, p := range efforts {
				for _, q := range all {
					budget := p.field == "effort" && q.field == "thinking_budget"
					if budget || slices.Contains(others, q.String()) {
						b.check(t, p, q)
					}
				}
			}
		}
	})
}

// besides asks one model for two parameters at once.
type besides struct {
	id  string
	m   providers.Model
	s   *script
	req request.Request
	// alone remembers what came of each parameter alone.
	alone map[string]outcome
}

// ask sends a request with some parameters.
func (b besides) ask(t *testing.T, ps ...parameter) outcome {
	t.Helper()
	name := ""
	req := b.req
	for _, p := range ps {
		name += p.String()
		p.set(&req)
	}
	if got, ok := b.alone[name]; ok {
		return got
	}
	got := ask(t, b.m, b.s, req)
	if len(ps) < 2 {
		b.alone[name] = got
	}
	return got
}

// check wants both of two parameters sent or told.
func (b besides) check(t *testing.T, p, q parameter) {
	t.Helper()
	both := b.ask(t, p, q)
	if both.failure != nil {
		assert.True(t, both.refused(), "%s, %s beside %s: %v", b.id, p, q, both.failure)
		return
	}
	b.stays(t, q, p, both)
	b.stays(t, p, q, both)
}

// stays wants a parameter that is sent alone in the body of both.
func (b besides) stays(t *testing.T, p, beside parameter, both outcome) {
	t.Helper()
	alone := b.ask(t, p)
	if alone.failure != nil || alone.tells(p.field) || alone.body == b.ask(t).body || both.tells(p.field) {
		return
	}
	if p.field == "effort" && beside.field == "thinking_budget" && len(alone.changed(both)) == 0 {
		return // where an effort is on or off, a budget says on too
	}
	other := b.ask(t, beside)
	if other.failure != nil || p.field == "thinking_budget" && beside.field == "effort" {
		other = b.ask(t)
	}
	added := both.changed(other)
	assert.NotEmpty(t, added, "%s, %s beside %s: nothing of it is sent, and nothing is told", b.id, p, beside)
	assert.True(t, p.says == nil || p.says(added), "%s, %s beside %s: %v", b.id, p, beside, added)
}
