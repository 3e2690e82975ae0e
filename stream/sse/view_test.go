package sse_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream/sse"
)

func TestPublicKeepsServerSideMattersBack(t *testing.T) {
	t.Parallel()
	for _, ev := range append(everyKind(), events.NewFailed(aFailure())) {
		shown, ok := sse.Public(ev)
		require.True(t, ok, "%v is shown", ev.Kind)
		text := string(events.AppendJSON(nil, shown))
		assert.NotContains(t, text, secret)
		assert.NotContains(t, text, "123456", "the cost")
		assert.NotContains(t, text, "77", "the account's limits")
		assert.Equal(t, ev.Kind, shown.Kind)
		assert.Equal(t, ev.Index, shown.Index)
		assert.Equal(t, ev.Text, shown.Text)
		assert.True(t, shown.HasDetail(), "%v still obeys the grammar", ev.Kind)
	}
}

func TestPublicKeepsWhatAPageShows(t *testing.T) {
	t.Parallel()
	public := func(ev events.Event) string {
		shown, _ := sse.Public(ev)
		return string(events.AppendJSON(nil, shown))
	}
	all := everyKind()
	for i, want := range map[int]string{
		0:  `{"kind":"started","response_id":"r1","model":"m-1"}`,
		4:  `{"kind":"tool_call_started","index":3,"id":"1","name":"f","minted":true}`,
		6:  `{"kind":"tool_call_completed","index":3,"id":"1","name":"f","arguments":"{\"a\":\"line\\nbreak\"}"}`,
		7:  `{"kind":"tool_call_invalid","index":4,"id":"1","name":"f","text":"{\"a\":\"line\\nbreak\"}","issue":"schema","detail":"at /a"}`,
		8:  `{"kind":"hosted_tool_started","index":5,"id":"h","name":"search"}`,
		9:  `{"kind":"hosted_tool_completed","index":5,"id":"h","name":"search","outcome":"ok","sources":[{"url":"u"}]}`,
		13: `{"kind":"notice","code":"unknown_frame"}`,
		14: `{"kind":"completed","stop":"tool_use","raw_stop":"tool_calls","usage":{"input":3,"cache_read":null,"cache_write":null,"cache_write_long":null,"output":4,"thinking":null}}`,
	} {
		assert.Equal(t, want, public(all[i]))
	}
	assert.Equal(t, `{"kind":"failed","failure":{"kind":"rate_limited","reason":"rate_limit","retry_after_ms":2000,"should_retry":true,"sent":"answered",`+
		`"usage":{"input":3,"cache_read":null,"cache_write":null,"cache_write_long":null,"output":4,"thinking":null}}}`, public(events.NewFailed(aFailure())))
}

// TestPublicTellsWhetherToTryAgain: without kind tables of its own, in the bytes.
func TestPublicTellsWhetherToTryAgain(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why    string
		f      *events.Failure
		advice string
	}{
		{"by its kind", &events.Failure{Kind: events.Overloaded}, `"should_retry":true`},
		{"by its kind, not", &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth}, `"should_retry":false`},
		{"by its reason", &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonLostConnection}, `"should_retry":true`},
		{"the provider says no", &events.Failure{Kind: events.Overloaded, ShouldRetry: new(false)}, `"should_retry":false`},
		{"the provider says yes", &events.Failure{Kind: events.Rejected, ShouldRetry: new(true)}, `"should_retry":true`},
		{"never, whatever the advice", &events.Failure{Kind: events.LimitReached, ShouldRetry: new(true)}, `"should_retry":false`},
	} {
		shown, _ := sse.Public(events.NewFailed(row.f))
		assert.Contains(t, string(events.AppendJSON(nil, shown)), row.advice, row.why)
		f, _ := shown.Failure()
		assert.Equal(t, row.f.Retryable(), f.Retryable(), "the reader comes to the same: %s", row.why)
	}
}

// TestPublicOfRelabelledEvents: a payload under another kind does not slip out.
func TestPublicOfRelabelledEvents(t *testing.T) {
	t.Parallel()
	for _, ev := range everyKind() {
		for k := range events.Kind(20) {
			ev.Kind = k
			shown, ok := sse.Public(ev)
			assert.NotContains(t, string(events.AppendJSON(nil, shown)), secret, "%v", k)
			assert.Equal(t, k >= events.Started && k <= events.Failed, ok, "%v", k)
		}
	}
}

func TestEverything(t *testing.T) {
	t.Parallel()
	for _, ev := range everyKind() {
		shown, ok := sse.Everything(ev)
		assert.True(t, ok)
		assert.True(t, ev.Equal(shown))
	}
}
