package main

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// testAgent returns an agent on the recording.
func testAgent(t *testing.T, out io.Writer, limits caller.Limits) *agent {
	t.Helper()
	s, err := openDemo(t.Context(), demoPace/5)
	require.NoError(t, err)
	t.Cleanup(s.close)
	return agentOf(t, out, s, limits)
}

func agentOf(t *testing.T, out io.Writer, s *source, limits caller.Limits) *agent {
	t.Helper()
	a, err := newAgent(t.Context(), out, s, limits)
	require.NoError(t, err)
	return a
}

func TestQuote(t *testing.T) {
	t.Parallel()
	a := testAgent(t, io.Discard, defaultLimits())
	quote, err := a.quote(t.Context(), order)
	require.NoError(t, err)
	assert.Equal(t, []Line{{"KETTLE-2", 12, 41880}, {"LAMP-7", 3, 17700}}, quote.Lines)
	assert.Equal(t, int64(3300), quote.ShippingCents)
	assert.Equal(t, int64(62880), quote.TotalCents)
	assert.NotEmpty(t, quote.Note)

	state := added(t, a)
	assert.True(t, state.Totals.Cost.IsComplete())
	assert.Equal(t, events.Micros(2376), state.Totals.SpentCost())
	assert.Equal(t, int64(4), state.ToolCalls, "the call that did not fit was not run")

	records, err := ledger.All(a.run.Records(t.Context()))
	require.NoError(t, err)
	require.Len(t, records, 6)
	assert.Equal(t, charge.Error, records[1].Status())
	assert.Equal(t, events.RateLimited, records[1].Settled.FailureKind)
	assert.Equal(t, records[1].Call, records[2].Call, "a retry is an attempt of the same call")
	assert.Equal(t, "summary", records[3].Purpose)
	assert.Equal(t, "openai:demo-mini", records[3].Model)
}

// unsent is a model that must not be asked.
type unsent struct {
	providers.Model
	t *testing.T
}

func (u unsent) Stream(context.Context, request.Request) stream.Stream {
	u.t.Error(u.Name() + " was asked")
	return stream.Fail(nil)
}

func TestTinyBudget(t *testing.T) {
	t.Parallel()
	s, err := openDemo(t.Context(), 0)
	require.NoError(t, err)
	t.Cleanup(s.close)
	s.model, s.cheap = unsent{s.model, t}, unsent{s.cheap, t}
	limits := defaultLimits()
	limits.MaxCost = 1000
	a := agentOf(t, io.Discard, s, limits)
	_, err = a.quote(t.Context(), order)
	exceeded := exceededBy(t, err, ledger.LimitCost)
	assert.Equal(t, int64(1000), exceeded.Max)
	assert.Greater(t, exceeded.Value, exceeded.Max)
	state := added(t, a)
	assert.Zero(t, state.Totals.Calls)
	assert.NotNil(t, state.Closed)
}

// exceededBy returns the refusal that a run ended with.
func exceededBy(t *testing.T, err error, limit ledger.Limit) *caller.Exceeded {
	t.Helper()
	var exceeded *caller.Exceeded
	require.ErrorAs(t, err, &exceeded)
	assert.Equal(t, limit, exceeded.Limit)
	require.ErrorIs(t, err, &events.Failure{Kind: events.LimitReached})
	return exceeded
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why       string
		change    func(*caller.Limits)
		limit     ledger.Limit
		calls     int64
		toolCalls int64
	}{
		{"the second turn does not fit", func(l *caller.Limits) { l.MaxCost = 17_100 }, ledger.LimitCost, 1, 2},
		{"the third turn does not fit", func(l *caller.Limits) { l.MaxCost = 17_500 }, ledger.LimitCost, 4, 3},
		{"a retry is a call too", func(l *caller.Limits) { l.MaxCalls = 2 }, ledger.LimitCalls, 2, 2},
		{"the helper's call is a call too", func(l *caller.Limits) { l.MaxCalls = 3 }, ledger.LimitCalls, 3, 3},
		{"a tool too many ends the run", func(l *caller.Limits) { l.MaxToolCalls = 1 }, ledger.LimitToolCalls, 1, 1},
		{"tokens", func(l *caller.Limits) { l.MaxTotalTokens = 4800 }, ledger.LimitTokens, 1, 2},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			limits := defaultLimits()
			c.change(&limits)
			a := testAgent(t, io.Discard, limits)
			quote, err := a.quote(t.Context(), order)
			exceededBy(t, err, c.limit)
			assert.Zero(t, quote)
			state := added(t, a)
			assert.Equal(t, c.calls, state.Totals.Calls)
			assert.Equal(t, c.toolCalls, state.ToolCalls)
			assert.Zero(t, state.Totals.Open)
		})
	}
}

// The recording is played only to a loop that answers what it was asked.
func TestScript(t *testing.T) {
	t.Parallel()
	answered := func(results map[string]string) []message {
		said := []message{{Role: "user"}, {Role: "assistant"}}
		for id, text := range results {
			content, err := json.Marshal(text)
			require.NoError(t, err)
			said = append(said, message{Role: "tool", ToolCallID: id, Content: content})
		}
		return said
	}
	whole := script()[1].results
	tools := []any{"any"}
	for _, c := range []struct {
		why  string
		a    asked
		want string
	}{
		{"the first turn", asked{Messages: answered(nil)[:1], Tools: tools}, "turn-1.sse"},
		{"the second", asked{Messages: answered(whole), Tools: tools}, "turn-2.sse"},
		{"the helper", asked{Model: demoCheap}, "summary.sse"},
		{"no tools", asked{Messages: answered(whole)}, ""},
		{"no result", asked{Messages: answered(nil), Tools: tools}, ""},
		{"one result of two", asked{Messages: answered(map[string]string{"call_Xn2kettle": whole["call_Xn2kettle"]}), Tools: tools}, ""},
		{"a result of something else", asked{Messages: answered(map[string]string{"call_Xn2kettle": "?", "call_Xn2lamp": "?"}), Tools: tools}, ""},
		{"results before the turn that they answer", asked{Messages: append(answered(script()[2].results), message{Role: "assistant"}), Tools: tools}, ""},
		{"results after it", asked{Messages: append([]message{{Role: "assistant"}}, answered(script()[2].results)...), Tools: tools}, "turn-3.sse"},
		{"after the end", asked{Messages: slices.Repeat([]message{{Role: "assistant"}}, 4), Tools: tools}, ""},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			file, err := c.a.reply()
			assert.Equal(t, c.want, file)
			assert.Equal(t, c.want == "", err != nil)
		})
	}
}

// A loop that forgets a result fails visibly.
func TestBrokenLoop(t *testing.T) {
	t.Parallel()
	a := testAgent(t, io.Discard, defaultLimits())
	for i, tool := range a.tools {
		silent, err := caller.NewTool(tool.Name(), "", func(context.Context, map[string]any) (string, error) { return "", nil })
		require.NoError(t, err)
		a.tools[i] = silent
	}
	_, err := a.quote(t.Context(), order)
	require.ErrorIs(t, err, &events.Failure{Kind: events.Rejected})
	assert.Contains(t, err.Error(), "turn 2 has no result of call", "it says what is missing")
}

func TestTools(t *testing.T) {
	t.Parallel()
	a := testAgent(t, io.Discard, defaultLimits())
	for _, c := range []struct {
		why, name, arguments, want string
		fails                      bool
	}{
		{"an article", "inventory", `{"sku":"ROPE-30"}`, `"in_stock":12`, false},
		{"no such article", "inventory", `{"sku":"X"}`, "", true},
		{"nor its handling", "handling", `{"sku":"X"}`, "", true},
		{"rounded up to a cent", "shipping", `{"weight_kg":0.001,"country":"DE"}`, `"price_cents":901`, false},
		{"too heavy", "shipping", `{"weight_kg":30.5,"country":"DE"}`, "", true},
		{"no weight", "shipping", `{"weight_kg":0,"country":"DE"}`, "", true},
		{"no such tool", "cancel_order", `{}`, "", true},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			text, err := a.tools.Handle(t.Context(), events.ToolCall{Name: c.name, Arguments: c.arguments})
			assert.Contains(t, text, c.want)
			assert.Equal(t, c.fails, err != nil)
		})
	}
}
