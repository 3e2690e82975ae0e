package charge_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

func TestEstimateOf(t *testing.T) {
	t.Parallel()
	req := request.Request{Messages: []request.Message{request.User(request.Text("hello"))}}
	e := charge.EstimateOf(req)
	assert.Equal(t, charge.Estimate{Input: req.EstimateInputTokens()}, e, "without a cap the output is unknown")
	assert.False(t, e.Usage().Output.IsKnown())
	req.MaxOutputTokens = 50
	assert.Equal(t, charge.Estimate{Input: req.EstimateInputTokens(), Output: n(50)}, charge.EstimateOf(req))
	assert.Equal(t, inOut(100, 50), capped().Usage())
	huge := charge.Estimate{Input: math.MaxInt64, Output: n(math.MaxInt64)}
	assert.Equal(t, inOut(events.MaxCount, events.MaxCount), huge.Usage(), "saturated")
	assert.Equal(t, inOut(0, 0), charge.Estimate{Input: -1, Output: n(-1)}.Usage())
}

func TestObserve(t *testing.T) {
	t.Parallel()
	call := events.ToolCall{ID: "1", Name: "find", Arguments: `{"q":1}`}
	issue := events.Issue{}
	for _, tt := range []struct {
		why     string
		events  []events.Event
		arrived int64
	}{
		{"text, thinking and refusal", []events.Event{
			events.NewTextDelta(0, "héllo"), events.NewThinkingDelta(1, "hm"), events.NewRefusalDelta(2, "no"),
		}, 6 + 2 + 2},
		{"a call in fragments counts once", []events.Event{
			events.NewToolCallStarted(0, "1", "find", false), events.NewToolArgumentsDelta(0, `{"q"`), events.NewToolArgumentsDelta(0, `:1}`), events.NewToolCallCompleted(0, call),
		}, 4 + 7},
		{"a call that comes whole", []events.Event{events.NewToolCallStarted(0, "1", "find", false), events.NewToolCallCompleted(0, call)}, 4 + 7},
		{"a call that is cut in its fragments", []events.Event{events.NewToolCallStarted(0, "1", "find", false), events.NewToolArgumentsDelta(0, `{"q"`)}, 4 + 4},
		{"an invalid call, whole", []events.Event{events.NewToolCallStarted(0, "1", "find", false), events.NewToolCallInvalid(0, call, issue)}, 4 + 7},
		{"an invalid call, in fragments", []events.Event{
			events.NewToolCallStarted(0, "1", "find", false), events.NewToolArgumentsDelta(0, `{"q":1}`), events.NewToolCallInvalid(0, call, issue),
		}, 4 + 7},
		{"calls side by side are told apart, far ones too", []events.Event{
			events.NewToolArgumentsDelta(64, "abc"), events.NewToolCallCompleted(64, call), events.NewToolCallCompleted(0, call), events.NewToolCallCompleted(65, call),
			events.NewToolArgumentsDelta(1023, "ab"), events.NewToolCallCompleted(1023, call), events.NewToolCallCompleted(1022, call),
		}, 3 + 7 + 7 + 2 + 7},
		{"an index that no response has", []events.Event{
			events.NewToolArgumentsDelta(-1, "abc"), events.NewToolCallCompleted(-1, call), events.NewToolArgumentsDelta(1024, "abc"), events.NewToolCallCompleted(1024, call),
		}, 3 + 7 + 3 + 7},
		{"a hosted tool", []events.Event{
			events.NewHostedToolStarted(0, "1", "web"), events.NewHostedToolCompleted(0, events.HostedTool{Name: "web", Arguments: "{}", Sources: []events.Source{{URL: "https://x.test"}}}),
		}, 3 + 2},
		{"what is no output", []events.Event{
			events.NewStarted(events.Start{ResponseID: "r"}), events.NewNotice(events.NoticeUnknownFrame, "x"), events.NewCitationAdded(0, events.Citation{Text: "x"}),
			events.NewMediaCompleted(0, "image/png", make([]byte, 1000)), events.NewUsageUpdated(inOut(1, 1)), completed(inOut(1, 1)),
		}, 0},
		{"nothing after the terminal", []events.Event{completed(events.Usage{}), events.NewTextDelta(0, "late")}, 0},
	} {
		var a charge.Attempt
		for _, ev := range tt.events {
			a.Observe(ev)
		}
		assert.Equal(t, tt.arrived, a.Arrived, tt.why)
	}
}

func TestObserveKeepsCountsAndTerminal(t *testing.T) {
	t.Parallel()
	var a charge.Attempt
	a.Observe(events.NewUsageUpdated(events.Usage{Input: n(10), CacheRead: n(4), Output: n(1)}))
	a.Observe(events.NewUsageUpdated(events.Usage{Output: n(3), Final: true}))
	assert.Equal(t, events.Usage{Input: n(10), CacheRead: n(4), Output: n(3), Final: true}, a.Seen, "replaced, never added")
	assert.False(t, a.HiddenOutput)
	a.Observe(events.NewMediaCompleted(0, "image/png", []byte("x")))
	assert.True(t, a.HiddenOutput, "nobody knows how many tokens a picture is")
	first := failed(events.Failure{Kind: events.Overloaded})
	a.Observe(first)
	a.Observe(completed(inOut(99, 99)))
	a.Observe(events.NewUsageUpdated(inOut(99, 99)))
	assert.Equal(t, events.Failed, a.Terminal.Kind, "the first terminal is the terminal")
	assert.Equal(t, n(10), a.Seen.Input)
	assert.Equal(t, inOut(10, 3).Output, charge.Settle(a).Usage.Output)
}

func TestObserveHangUp(t *testing.T) {
	t.Parallel()
	a := charge.Attempt{AllShown: true}
	a.Observe(events.NewStarted(events.Start{BillingStops: true}))
	a.Observe(events.NewTextDelta(0, "hm"))
	assert.True(t, a.BillingStops)
	assert.True(t, a.AllShown)
	a.Observe(events.NewThinkingDelta(1, "hm"))
	assert.False(t, a.AllShown, "what thinks may show a summary")
	a = charge.Attempt{BillingStops: true}
	a.Observe(events.NewStarted(events.Start{}))
	assert.False(t, a.BillingStops, "the provider that answers says it")
}

func BenchmarkObserve(b *testing.B) {
	delta := events.NewTextDelta(0, "a token")
	var a charge.Attempt
	b.ReportAllocs()
	for b.Loop() {
		a.Observe(delta)
	}
}

func BenchmarkSettle(b *testing.B) {
	a := charge.Attempt{Estimate: capped(), Terminal: completed(inOut(10, 5))}
	b.ReportAllocs()
	for b.Loop() {
		charge.Settle(a)
	}
}
