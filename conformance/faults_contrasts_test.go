package conformance

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// faultsOfContrasts ask for the same where something else is asked for, without a
// word.
func faultsOfContrasts() []broken {
	row := func(what, why string, mend func(*request.Request)) broken {
		return broken{
			clause: m19, why: why, on: []string{"text/contrast of " + what}, want: "two requests that differ", with: mending(mend),
		}
	}
	return slices.Concat(
		faultsOfParameters(row), faultsOfTurns(row),
		[]broken{
			row("tool choice", "a tool choice is not sent", func(r *request.Request) { r.ToolChoice = request.ToolChoice{} }),
			row("tool choice", "that no tool may be called is not sent", func(r *request.Request) {
				if r.ToolChoice.Mode == request.ToolNone {
					r.ToolChoice = request.ToolChoice{}
				}
			}),
			row("tool choice", "of the named tool only that one is required is sent", func(r *request.Request) {
				if r.ToolChoice.Mode == request.ToolNamed {
					r.ToolChoice = request.ToolChoice{Mode: request.ToolRequired}
				}
			}),
			row("parallel calls", "several calls are not forbidden", func(r *request.Request) { r.Parallel = nil }),
			row("web search", "a web search is not asked for", func(r *request.Request) { r.HostedTools = nil }),
			{
				clause: m19, why: "an effort is not sent, and each request has a number in its head", on: []string{"text/contrast of effort"},
				want: "two requests that differ", with: both(noncedHead(), mending(func(r *request.Request) { r.Effort = "" })),
			},
			{
				clause: m19, why: "an effort is not sent, and every stream tells something else", on: []string{"text/contrast of effort"},
				want: "two requests that differ", with: func(m *toy) providers.Model {
					noting := telling(func(ev events.Event) []events.Event {
						if ev.Kind.IsTerminal() {
							return []events.Event{events.NewNotice(events.NoticeParameterDropped, "what is not known is left out"), ev}
						}
						return []events.Event{ev}
					})(m)
					return &bent{Model: m, stream: func(ctx context.Context, req request.Request) stream.Stream {
						req.Effort = ""
						return noting.Stream(ctx, req)
					}}
				},
			},
			{
				clause: m06, why: "a high effort fails, but not as a bad request", on: []string{"text/contrast of effort"},
				want: "one request, or Failed: invalid_request", with: refusingEffort(request.EffortHigh, events.Other),
			},
		},
	)
}

type contrastRow func(what, why string, mend func(*request.Request)) broken

func faultsOfParameters(row contrastRow) []broken {
	return []broken{
		row("temperature", "a temperature of 0 is none", func(r *request.Request) {
			if r.Temperature != nil && *r.Temperature == 0 {
				r.Temperature = nil
			}
		}),
		row("top_p", "top_p is not sent", func(r *request.Request) { r.TopP = nil }),
		row("seed", "a seed of 0 is none", func(r *request.Request) {
			if r.Seed != nil && *r.Seed == 0 {
				r.Seed = nil
			}
		}),
		row("stop sequences", "only the first stop sequence is sent", func(r *request.Request) { r.Stop = r.Stop[:min(len(r.Stop), 1)] }),
		row("output limit", "the output limit is rounded", func(r *request.Request) { r.MaxOutputTokens = (r.MaxOutputTokens + 9) / 10 * 10 }),
		row("output limit", "without an output limit there is one all the same", func(r *request.Request) {
			if r.MaxOutputTokens == 0 {
				r.MaxOutputTokens = 1358
			}
		}),
		row("effort", "an effort is not sent", func(r *request.Request) { r.Effort = "" }),
		row("effort", "any effort is the highest", func(r *request.Request) {
			if r.Effort == request.EffortLow {
				r.Effort = request.EffortHigh
			}
		}),
		row("thinking budget", "a thinking budget is not sent", func(r *request.Request) { r.ThinkingBudget = nil }),
	}
}

func faultsOfTurns(row contrastRow) []broken {
	each := func(change func(*request.Block)) func(*request.Request) {
		return func(r *request.Request) {
			for n := range r.Messages {
				r.Messages[n].Blocks = slices.Clone(r.Messages[n].Blocks)
				for i := range r.Messages[n].Blocks {
					change(&r.Messages[n].Blocks[i])
				}
			}
		}
	}
	return []broken{
		row("result", "that a tool failed is not sent", each(func(b *request.Block) { b.Result.IsError = false })),
		row("results", "that one of several tools failed is not sent", func(r *request.Request) {
			for _, m := range r.Messages {
				for i := range m.Blocks {
					m.Blocks[i].Result.IsError = m.Blocks[i].Result.IsError && len(m.Blocks) == 1
				}
			}
		}),
		row("called tool", "calls go back as those of the first tool", each(func(b *request.Block) {
			if b.Kind == request.BlockToolCall {
				b.Call.Name = "weather"
			}
		})),
		row("role", "every turn is the user's", func(r *request.Request) {
			for n := range r.Messages {
				r.Messages[n].Role = request.RoleUser
			}
		}),
	}
}

// noncedHead gives each request a number in its head.
func noncedHead() made {
	var n atomic.Int64
	return over(func(req *http.Request, under http.RoundTripper) (*http.Response, error) {
		req = req.Clone(req.Context())
		req.Header.Set("Idempotency-Key", strconv.FormatInt(n.Add(1), 10))
		return under.RoundTrip(req)
	})
}

// refusingEffort fails requests of an effort before they are sent.
func refusingEffort(effort request.Effort, kind events.FailureKind) made {
	return func(m *toy) providers.Model {
		return &bent{Model: m, stream: func(ctx context.Context, req request.Request) stream.Stream {
			if req.Effort != effort {
				return m.Stream(ctx, req)
			}
			return stream.New(func(emit func(events.Event) bool) {
				if emit(events.NewStarted(events.Start{})) {
					emit(events.NewFailed(&events.Failure{Kind: kind, Sent: events.NotSent}))
				}
			})
		}}
	}
}

// TestContrastTakesEveryChoice: what is refused, told, or asked for in a header alone is
// no fault.
func TestContrastTakesEveryChoice(t *testing.T) {
	t.Parallel()
	dropped := mending(func(r *request.Request) { r.Effort = "" })
	for _, row := range []struct {
		why  string
		with made
	}{
		{"all is refused that would be told", mending(func(r *request.Request) { r.Strict = true })},
		{"one way is refused", refusingEffort(request.EffortHigh, events.InvalidRequest)},
		{"all is refused", ranging(func(_ *toy, _ stream.Stream, yield func(events.Event) bool) {
			if yield(events.NewStarted(events.Start{})) {
				yield(events.NewFailed(&events.Failure{Kind: events.InvalidRequest, Sent: events.NotSent}))
			}
		})},
		{"a header says it", func(m *toy) providers.Model {
			return &bent{Model: m, stream: func(ctx context.Context, req request.Request) stream.Stream {
				effort := string(req.Effort)
				said := over(func(sent *http.Request, under http.RoundTripper) (*http.Response, error) {
					sent = sent.Clone(sent.Context())
					sent.Header.Set("Toy-Effort", effort)
					return under.RoundTrip(sent)
				})
				one := *m
				return dropped(said(&one).(*toy)).Stream(ctx, req)
			}}
		}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			b := broken{with: row.with}
			for _, c := range contrasts() {
				b.on = append(b.on, "text/contrast of "+c.what)
			}
			for _, f := range findingsOf(t, b.adapter(t), b.plays) {
				if f.scenario == "text" && groupOf(f.mutation) != asItIs {
					assert.Fail(t, "a choice that the contract leaves", "%s", f)
				}
			}
		})
	}
}

// TestNoModel: where the model is not named, which is claimed, nothing is found; and
// where it is named in any place.
func TestNoModel(t *testing.T) {
	t.Parallel()
	a := broken{fault: dropsTheModel}.adapter(t)
	a.Unsupported = map[string]string{NoModel: "one model is served"}
	for _, f := range findingsOf(t, a, func(name string) bool { return name == "text/identity" }) {
		assert.Fail(t, "a finding of what is claimed", "%s", f)
	}
	for why, s := range map[string]sent{
		"in the address":                    {url: "https://a.example/m/toy-1/say"},
		"in the address, escaped":           {url: "https://a.example/m/toy%2D1/say"},
		"in an address that cannot be read": {url: "https://a.example/m/toy-1/%zz"},
		"in the head":                       {header: http.Header{"A": {"x"}, "B": {"y", "toy-1"}}},
		"in the body":                       {body: []byte(`{"model":"models/toy-1"}`)},
		"in the body, escaped":              {body: []byte(`{"model":"toy\u002d1"}`)},
	} {
		assert.True(t, s.names("toy-1"), why)
	}
	other := sent{url: "https://a.example/toy", header: http.Header{"Toy": {"1"}}, body: []byte(`{"model":"toy-2"}`)}
	assert.False(t, other.names("toy-1"))
}

// TestSameRequest: address, head and body are compared, some headers aside.
func TestSameRequest(t *testing.T) {
	t.Parallel()
	base := sent{"https://a.example/", http.Header{"A": {"1"}, "N": {"1"}}, []byte("{}")}
	for _, row := range []struct {
		why  string
		with sent
		same bool
	}{
		{"the same", base, true},
		{"another number", sent{base.url, http.Header{"A": {"1"}, "N": {"2"}}, base.body}, true},
		{"no number", sent{base.url, http.Header{"A": {"1"}}, base.body}, true},
		{"another address", sent{"https://b.example/", base.header, base.body}, false},
		{"another body", sent{base.url, base.header, []byte("[]")}, false},
		{"another header", sent{base.url, http.Header{"A": {"2"}, "N": {"1"}}, base.body}, false},
		{"a header less", sent{base.url, http.Header{"N": {"1"}}, base.body}, false},
		{"a header more", sent{base.url, http.Header{"A": {"1"}, "B": {"1"}, "N": {"1"}}, base.body}, false},
	} {
		assert.Equal(t, row.same, base.same(&row.with, []string{"N"}), row.why)
	}
}
