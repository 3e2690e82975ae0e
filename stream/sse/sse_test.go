package sse_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "server-side-only"

func sealed() events.ProviderData {
	return events.ProviderData{Format: "chat.v1", Origin: "acme", Value: secret}
}

func counts() events.Usage {
	return events.Usage{Input: events.Known(3), Output: events.Known(4), Raw: `{"note":"` + secret + `"}`}
}

// everyKind is a reply with an event of every kind but Failed, each with
// something that only the server should see.
func everyKind() []events.Event {
	call := events.ToolCall{ID: "1", Name: "f", Arguments: "{\"a\":\"line\\nbreak\"}", Replay: sealed()}
	return []events.Event{
		events.NewStarted(events.Start{
			ResponseID: "r1", Model: "m-1", RequestID: secret,
			RateLimits: &events.RateLimits{Tokens: events.RateWindow{Limit: events.Known(77)}},
			Metadata:   map[string]string{"tier": secret},
		}),
		events.NewThinkingDelta(0, "hm"),
		events.NewTextDelta(1, "two\nlines, \r a tab\t, <b> and é\u2028"),
		events.NewRefusalDelta(2, "no"),
		events.NewToolCallStarted(3, "1", "f", true),
		events.NewToolArgumentsDelta(3, `{"a":`),
		events.NewToolCallCompleted(3, call),
		events.NewToolCallInvalid(4, call, events.Issue{Kind: events.IssueSchema, Detail: "at /a"}),
		events.NewHostedToolStarted(5, "h", "search"),
		events.NewHostedToolCompleted(5, events.HostedTool{ID: "h", Name: "search", Outcome: "ok", Sources: []events.Source{{URL: "u"}}, Replay: sealed()}),
		events.NewCitationAdded(1, events.Citation{URL: "u", Start: 1, End: 2, SourceStart: 3, SourceEnd: 4}),
		events.NewMediaCompleted(6, "image/png", []byte{0, 10, 13, 255}),
		events.NewUsageUpdated(counts()),
		events.NewNotice(events.NoticeUnknownFrame, secret),
		events.NewCompleted(events.Completion{Stop: events.StopToolUse, RawStop: "tool_calls", Usage: counts(), Cost: &events.Cost{Micros: 123456, Text: "0.123456"}, Data: sealed()}),
	}
}

func aFailure() *events.Failure {
	again := true
	return &events.Failure{
		Kind: events.RateLimited, Reason: events.ReasonRateLimit, Detail: secret, Provider: secret, Status: 429,
		ProviderCode: secret, RequestID: secret, RetryAfter: 2_000_000_000, ShouldRetry: &again, Sent: events.Answered,
		Usage: counts(), RateLimits: &events.RateLimits{Tokens: events.RateWindow{Limit: events.Known(77)}}, Feature: secret,
	}
}

func play(evs ...events.Event) stream.Stream {
	return stream.New(func(emit func(events.Event) bool) {
		for _, ev := range evs {
			if !emit(ev) {
				return
			}
		}
	})
}

func requireEqual(t *testing.T, want, got []events.Event) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.True(t, want[i].Equal(got[i]), "event %d: want %s, got %s", i, events.AppendJSON(nil, want[i]), events.AppendJSON(nil, got[i]))
	}
}

func requireFailure(t *testing.T, err error) *events.Failure {
	t.Helper()
	f, ok := events.AsFailure(err)
	require.True(t, ok, "a failure is due, got %v", err)
	return f
}

// spell writes events as Serve does, for tests of the reader alone.
func spell(evs ...events.Event) string {
	var b bytes.Buffer
	for _, ev := range evs {
		b.WriteString("event: " + ev.Kind.String() + "\ndata: ")
		b.Write(events.AppendJSON(nil, ev))
		b.WriteString("\n\n")
	}
	return b.String()
}

func lastFailure(t *testing.T, evs []events.Event) *events.Failure {
	t.Helper()
	require.NotEmpty(t, evs)
	return requireFailure(t, evs[len(evs)-1].Err())
}

func kindsOf(evs []events.Event) []events.Kind {
	found := make([]events.Kind, 0, len(evs))
	for _, ev := range evs {
		found = append(found, ev.Kind)
	}
	return found
}

func TestEveryKindIsTested(t *testing.T) {
	t.Parallel()
	have := append(kindsOf(everyKind()), events.Failed)
	for _, k := range events.Kinds() {
		assert.True(t, slices.Contains(have, k), "%v", k)
	}
	assert.Contains(t, spell(everyKind()...), secret)
}
