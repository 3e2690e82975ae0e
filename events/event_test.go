package events_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

// samples returns events of every kind, full and bare ones.
func samples() []events.Event {
	replay := events.ProviderData{Format: "messages.v1", Origin: "anthropic", Value: `{"signature":"<&>"}`}
	advice := false
	limits := &events.RateLimits{
		Requests:    events.RateWindow{Limit: events.Known(60), Remaining: events.Known(0), Reset: 1500 * time.Millisecond},
		InputTokens: events.RateWindow{Remaining: events.Known(12)},
	}
	usage := events.Usage{
		Input: events.Known(12), CacheRead: events.Known(0), CacheWrite: events.Known(3), CacheWriteLong: events.Known(4),
		Output: events.Known(7), Thinking: events.Known(2), InputAudio: events.Known(1), InputImage: events.Known(5),
		OutputAudio: events.Known(6), OutputImage: events.Known(8), Final: true, Inconsistent: true, Raw: `{"prompt_tokens":12}`,
	}
	return []events.Event{
		events.NewStarted(events.Start{}),
		events.NewStarted(events.Start{
			ResponseID: "resp_1", Model: "m-1", RequestID: "req_1", RateLimits: limits,
			Metadata: map[string]string{"service_tier": "flex", "a \"b\"": "c\u2028"},
		}),
		events.NewTextDelta(0, "a <b> & \"c\" \\ \u2028 \x00\x1f\x7f\n\r\t é 👍"),
		events.NewThinkingDelta(1023, "hm"),
		events.NewRefusalDelta(1, "no"),
		events.NewToolCallStarted(2, "call_1", "look_up", false),
		events.NewToolCallStarted(2, "call_w0", "look_up", true),
		events.NewToolArgumentsDelta(2, `{"q":`),
		events.NewToolCallCompleted(2, events.ToolCall{ID: "call_1", Name: "look_up", Arguments: `{"q":1e3}`}),
		events.NewToolCallCompleted(2, events.ToolCall{ID: "call_w0", Name: "look_up", Arguments: "{}", Minted: true, Replay: replay}),
		events.NewToolCallInvalid(2, events.ToolCall{ID: "call_1", Name: "look_up", Arguments: `{"q":`}, events.Issue{Kind: events.IssueTruncated}),
		events.NewToolCallInvalid(2, events.ToolCall{ID: "call_w0", Name: "look_up", Arguments: `[]`, Minted: true, Replay: replay},
			events.Issue{Kind: events.IssueNotObject, Detail: "at byte 0"}),
		events.NewHostedToolStarted(3, "ws_1", "web_search"),
		events.NewHostedToolCompleted(3, events.HostedTool{ID: "ws_1", Name: "web_search"}),
		events.NewHostedToolCompleted(3, events.HostedTool{
			ID: "ws_1", Name: "web_search", Arguments: `{"query":"weirs"}`, Outcome: "ok", Replay: replay,
			Sources: []events.Source{{URL: "https://example.org/?a=1&b=2", Title: "Weirs", Snippet: "low dams"}, {URL: "https://example.org/"}},
		}),
		events.NewCitationAdded(0, events.Citation{URL: "https://example.org/"}),
		events.NewCitationAdded(0, events.Citation{URL: "https://example.org/", Title: "Weirs", Text: "low dam", Start: 0, End: 10, SourceStart: 3, SourceEnd: 9}),
		events.NewMediaCompleted(4, "image/png", []byte{0x89, 'P', 'N', 'G', 0}),
		events.NewMediaCompleted(4, "audio/wav", nil),
		events.NewUsageUpdated(events.Usage{}),
		events.NewUsageUpdated(usage),
		events.NewNotice(events.NoticeEffortClamped, "max to high"),
		events.NewNotice(events.NoticeUnknownFrame, ""),
		events.NewCompleted(events.Completion{Stop: events.StopUnknown}),
		events.NewCompleted(events.Completion{
			Stop: events.StopEnd, RawStop: "end_turn", Usage: events.Usage{Input: events.Known(12), CacheRead: events.Known(0), Output: events.Known(7)},
			Cost: &events.Cost{Micros: 123, Text: "0.0001225"}, Data: replay,
		}),
		events.NewCompleted(events.Completion{Stop: events.StopEnd, ServiceTier: "priority"}),
		events.NewFailed(nil),
		events.NewFailed(events.NewFailure(events.InvalidReply, events.ReasonTruncated, "")),
		events.NewFailed(&events.Failure{
			Kind: events.RateLimited, Reason: events.ReasonRateLimit, Detail: "slow down", Provider: "openai", Status: 429,
			ProviderCode: "rate_limit_exceeded", RequestID: "req_1", RetryAfter: 2 * time.Second, ShouldRetry: &advice,
			Sent: events.Answered, Usage: usage, RateLimits: limits, Feature: "tools",
		}),
	}
}

func TestEventIsSmall(t *testing.T) {
	t.Parallel()
	assert.EqualValues(t, 32, unsafe.Sizeof(events.Event{}), "four words stay in registers")
}

func TestKindsAreExhaustive(t *testing.T) {
	t.Parallel()
	seen := map[events.Kind]bool{}
	for _, ev := range samples() {
		seen[ev.Kind] = true
		assert.True(t, ev.HasDetail(), "%v", ev)
		assert.NotEmpty(t, ev.String())
	}
	names := map[string]bool{}
	for _, k := range events.Kinds() {
		assert.True(t, seen[k], "%v has no sample", k)
		assert.False(t, strings.HasPrefix(k.String(), "kind_"), "%d has no name", k)
		assert.False(t, names[k.String()], "%v twice", k)
		names[k.String()] = true
	}
	assert.Len(t, names, len(seen))
	after := events.Kinds()[len(events.Kinds())-1] + 1
	assert.Equal(t, "kind_17", after.String())
	assert.Equal(t, "kind_0", events.Kind(0).String())
	assert.False(t, events.Event{}.HasDetail())
	assert.False(t, events.Event{Kind: after}.HasDetail())
}

func TestKindPredicates(t *testing.T) {
	t.Parallel()
	const (
		content = 1 << iota
		delta
		index
		terminal
	)
	want := map[events.Kind]int{
		events.Started: 0, events.UsageUpdated: 0, events.Notice: 0,
		events.TextDelta: content | delta | index, events.ThinkingDelta: content | delta | index, events.RefusalDelta: content | delta | index,
		events.ToolCallStarted: content | index, events.ToolArgumentsDelta: delta | index,
		events.ToolCallCompleted: index, events.ToolCallInvalid: index,
		events.HostedToolStarted: content | index, events.HostedToolCompleted: index,
		events.CitationAdded: content | index, events.MediaCompleted: content | index,
		events.Completed: terminal, events.Failed: terminal,
	}
	for _, k := range append(events.Kinds(), 0, 99) {
		w := want[k]
		assert.Equal(t, w&content != 0, k.IsContent(), "%v content", k)
		assert.Equal(t, w&delta != 0, k.IsDelta(), "%v delta", k)
		assert.Equal(t, w&index != 0, k.HasIndex(), "%v index", k)
		assert.Equal(t, w&terminal != 0, k.IsTerminal(), "%v terminal", k)
	}
}

// An event built by hand carries nothing, so only deltas are as they should be.
func TestHasDetailOfHandMadeEvents(t *testing.T) {
	t.Parallel()
	for _, k := range events.Kinds() {
		assert.Equal(t, k.IsDelta(), events.Event{Kind: k}.HasDetail(), "%v", k)
		for _, ev := range samples() {
			if ev.Kind == k || k.IsDelta() && ev.Kind.IsDelta() {
				continue
			}
			other := ev
			other.Kind = k
			if _, both := ev.Call(); both && (k == events.ToolCallStarted || k == events.ToolCallCompleted) && ev.Kind != events.ToolCallInvalid {
				continue
			}
			if _, both := ev.Hosted(); both && (k == events.HostedToolStarted || k == events.HostedToolCompleted) {
				continue
			}
			assert.False(t, other.HasDetail(), "a payload of %v in a %v", ev.Kind, k)
		}
	}
}

// applies lists what the accessors of an event say.
func applies(ev events.Event) map[string]bool {
	said := map[string]bool{}
	_, said["start"] = ev.Start()
	_, said["call"] = ev.Call()
	_, said["issue"] = ev.Issue()
	_, said["hosted"] = ev.Hosted()
	_, said["citation"] = ev.Citation()
	_, said["media"] = ev.Media()
	_, said["usage"] = ev.Usage()
	_, said["notice"] = ev.Notice()
	_, said["completion"] = ev.Completion()
	_, said["failure"] = ev.Failure()
	said["err"] = ev.Err() != nil
	for name, yes := range said {
		if !yes {
			delete(said, name)
		}
	}
	return said
}

func TestAccessorsApply(t *testing.T) {
	t.Parallel()
	want := map[events.Kind][]string{
		events.Started: {"start"}, events.TextDelta: nil, events.ThinkingDelta: nil, events.RefusalDelta: nil,
		events.ToolCallStarted: {"call"}, events.ToolArgumentsDelta: nil, events.ToolCallCompleted: {"call"},
		events.ToolCallInvalid: {"call", "issue"}, events.HostedToolStarted: {"hosted"}, events.HostedToolCompleted: {"hosted"},
		events.CitationAdded: {"citation"}, events.MediaCompleted: {"media"}, events.UsageUpdated: {"usage"},
		events.Notice: {"notice"}, events.Completed: {"usage", "completion"}, events.Failed: {"failure", "err"},
	}
	for _, ev := range samples() {
		said := map[string]bool{}
		for _, name := range want[ev.Kind] {
			said[name] = true
		}
		if f, ok := ev.Failure(); ok && f.Usage.Reported() {
			said["usage"] = true
		}
		assert.Equal(t, said, applies(ev), "%v", ev)
	}
	for _, k := range events.Kinds() {
		want := map[string]bool{}
		if k == events.Failed {
			want["err"] = true
		}
		assert.Equal(t, want, applies(events.Event{Kind: k}), "%v by hand", k)
	}
}

func TestPayloadsAreCopies(t *testing.T) {
	t.Parallel()
	limits := &events.RateLimits{Tokens: events.RateWindow{Limit: events.Known(1)}}
	metadata := map[string]string{"k": "v"}
	sources := []events.Source{{URL: "u"}}
	data := []byte("data")
	cost := &events.Cost{Micros: 1}
	advice := true
	failure := &events.Failure{Kind: events.Other, ShouldRetry: &advice, RateLimits: limits}
	made := func() []events.Event {
		return []events.Event{
			events.NewStarted(events.Start{RateLimits: limits, Metadata: metadata}),
			events.NewHostedToolCompleted(0, events.HostedTool{Sources: sources}),
			events.NewMediaCompleted(0, "a/b", data),
			events.NewCompleted(events.Completion{Cost: cost}),
			events.NewFailed(failure),
		}
	}
	before, kept := made(), made()
	limits.Tokens.Limit = events.Known(2)
	metadata["k"] = "w"
	sources[0].URL = "w"
	data[0] = 'D'
	cost.Micros = 2
	advice = false
	failure.Kind = events.Crashed
	for i, ev := range kept {
		assert.True(t, ev.Equal(before[i]), "%v", ev.Kind)
		assert.False(t, ev.Equal(made()[i]), "%v: the arguments did change", ev.Kind)
	}
	lines := make([]string, len(kept))
	for i, ev := range kept {
		lines[i] = string(events.AppendJSON(nil, ev))
	}
	s, _ := kept[0].Start()
	s.RateLimits.Tokens.Limit = events.Known(3)
	s.Metadata["k"] = "x"
	h, _ := kept[1].Hosted()
	h.Sources[0].URL = "x"
	m, _ := kept[2].Media()
	m.Data[0] = 'x'
	c, _ := kept[3].Completion()
	c.Cost.Micros = 3
	f, _ := kept[4].Failure()
	f.Kind = events.Crashed
	*f.ShouldRetry = false
	f.RateLimits.Tokens.Limit = events.Known(3)
	for i, ev := range kept {
		assert.Equal(t, lines[i], string(events.AppendJSON(nil, ev)), "%v", ev.Kind)
	}
	assert.Equal(t, 4, kept[2].MediaSize())
	assert.Zero(t, kept[1].MediaSize())
}

func TestToolCallInvalidHasNoExecutableArguments(t *testing.T) {
	t.Parallel()
	ev := events.NewToolCallInvalid(0, events.ToolCall{ID: "1", Name: "n", Arguments: "{}"}, events.Issue{Kind: events.IssueSchema})
	c, _ := ev.Call()
	assert.Empty(t, c.Arguments)
	assert.Equal(t, "{}", ev.Text)
}

func TestToolCallEndsAsItsArgumentsSay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, arguments, whole, issue string }{
		{"an object is whole, byte for byte", `{"a": 1.0}`, `{"a": 1.0}`, ""},
		{"none at all are the empty object", "", "{}", ""},
		{"a piece is none", `{"a":`, "", "not_object"},
		{"nor is a key that comes twice", `{"a":1,"a":2}`, "", "duplicate_key"},
	} {
		ev := events.NewToolCallEnded(3, events.ToolCall{ID: "t", Name: "n", Arguments: c.arguments})
		call, ok := ev.Call()
		require.True(t, ok, c.why)
		issue, _ := ev.Issue()
		assert.Equal(t, c.issue, string(issue.Kind), c.why)
		assert.Equal(t, c.whole, call.Arguments, c.why)
		assert.EqualValues(t, 3, ev.Index)
	}
}

func TestErr(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	ev := events.NewFailed(events.NewFailure(events.Cancelled, events.ReasonUser, "").WithCause(cause))
	require.ErrorIs(t, ev.Err(), cause)
	require.ErrorIs(t, ev.Err(), &events.Failure{Kind: events.Cancelled, Reason: events.ReasonUser})
	assert.ErrorIs(t, events.NewFailed(nil).Err(), &events.Failure{Kind: events.Other})
	assert.ErrorIs(t, events.Event{Kind: events.Failed}.Err(), &events.Failure{Kind: events.Other})
}

func TestIndexOutOfRange(t *testing.T) {
	t.Parallel()
	for _, index := range []int{math.MaxInt32 + 1, 1 << 32, math.MinInt32 - 1} {
		assert.EqualValues(t, -1, events.NewTextDelta(index, "x").Index, "%d must not become another block's", index)
	}
	assert.EqualValues(t, math.MaxInt32, events.NewTextDelta(math.MaxInt32, "x").Index)
}

func TestEqual(t *testing.T) {
	t.Parallel()
	all := samples()
	for i, a := range all {
		for j, b := range samples() {
			assert.Equal(t, i == j, a.Equal(b), "%v and %v", a, b)
		}
	}
	f := events.NewFailure(events.Other, "", "x")
	assert.True(t, events.NewFailed(f).Equal(events.NewFailed(f.WithCause(errors.New("y")))), "causes do not count")
	f.Sent = events.MaybeSent
	assert.True(t, events.NewFailed(f).Equal(events.NewFailed(events.NewFailure(events.Other, "", "x"))), "empty means maybe")
	f.Sent = events.NotSent
	assert.False(t, events.NewFailed(f).Equal(events.NewFailed(events.NewFailure(events.Other, "", "x"))))
	assert.False(t, events.Event{Kind: events.Started}.Equal(events.NewStarted(events.Start{})), "one by hand has no payload")
	assert.True(t, events.Event{}.Equal(events.Event{}))
	none := events.NewStarted(events.Start{RateLimits: &events.RateLimits{}, Metadata: map[string]string{}})
	assert.True(t, none.Equal(events.NewStarted(events.Start{})), "nothing has one form")
	nothing := events.NewFailed(&events.Failure{Kind: events.Other, Usage: events.Usage{Final: true}})
	assert.True(t, nothing.Equal(events.NewFailed(&events.Failure{Kind: events.Other})), "final of nothing is nothing")
}

func TestStringIsShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 10_000)
	for _, ev := range []events.Event{
		events.NewTextDelta(0, long),
		events.NewToolCallCompleted(0, events.ToolCall{ID: long, Name: long, Arguments: long}),
		events.NewToolCallInvalid(0, events.ToolCall{ID: long, Name: long, Arguments: long}, events.Issue{Kind: events.IssueSchema, Detail: long}),
		events.NewNotice(events.NoticeAttemptFailed, long),
		events.NewFailed(&events.Failure{Kind: events.Other, Detail: long}),
	} {
		assert.Less(t, len(ev.String()), 500)
	}
}
