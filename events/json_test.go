package events_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/events"
)

var update = flag.Bool("update", false, "write the golden files")

func TestJSONGolden(t *testing.T) {
	t.Parallel()
	var got []byte
	for _, ev := range samples() {
		got = append(events.AppendJSON(got, ev), '\n')
	}
	path := filepath.Join("testdata", "events.jsonl")
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	lines := bytes.Split(bytes.TrimSuffix(want, []byte("\n")), []byte("\n"))
	for i, ev := range samples() {
		var read events.Event
		require.NoError(t, read.UnmarshalJSON(lines[i]))
		assert.True(t, ev.Equal(read), "%s", lines[i])
	}
}

// The lines of the documentation of the command-line tool, with values filled
// in: reading and writing one gives the same bytes.
func TestJSONIsAsDocumented(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"kind":"started","response_id":"a","model":"b","request_id":"c"}`,
		`{"kind":"started","model":"b","billing_stops":true,"metadata":{"provider":"p"}}`,
		`{"kind":"text_delta","index":0,"text":"t"}`,
		`{"kind":"thinking_delta","index":0,"text":"t"}`,
		`{"kind":"refusal_delta","index":0,"text":"t"}`,
		`{"kind":"tool_call_started","index":1,"id":"i","name":"n","minted":true}`,
		`{"kind":"tool_arguments_delta","index":1,"text":"t"}`,
		`{"kind":"tool_call_completed","index":1,"id":"i","name":"n","arguments":"{\"a\":1}","replay":{"format":"f","origin":"o","value":"v"}}`,
		`{"kind":"tool_call_invalid","index":1,"id":"i","name":"n","text":"{\"a\":","issue":"truncated"}`,
		`{"kind":"hosted_tool_started","index":2,"id":"i","name":"web_search"}`,
		`{"kind":"hosted_tool_completed","index":2,"id":"i","name":"web_search","arguments":"{}","outcome":"ok","sources":[{"url":"u","title":"t","snippet":"s"}]}`,
		`{"kind":"citation_added","index":0,"citation":{"url":"u","title":"t","text":"x","start":0,"end":10}}`,
		`{"kind":"media_completed","index":3,"media_type":"image/png","data":"iVBORw=="}`,
		`{"kind":"usage_updated","usage":{"input":null,"cache_read":null,"cache_write":null,"cache_write_long":null,"output":null,"thinking":null}}`,
		`{"kind":"notice","code":"c","detail":"d"}`,
		`{"kind":"completed","stop":"end","raw_stop":"end_turn","usage":{"input":12,"cache_read":0,"cache_write":null,"cache_write_long":null,"output":7,"thinking":null},"data":{"format":"messages.v1","origin":"anthropic","value":"{}"}}`,
		`{"kind":"failed","failure":{"kind":"rate_limited","reason":"rate_limit","detail":"d","status":429,"provider_code":"p","retry_after_ms":2000,"sent":"answered","usage":null}}`,
	} {
		var ev events.Event
		require.NoError(t, ev.UnmarshalJSON([]byte(line)))
		assert.Equal(t, line, string(events.AppendJSON(nil, ev)))
		assert.True(t, ev.HasDetail())
	}
}

func genData() *rapid.Generator[events.ProviderData] {
	return rapid.Custom(func(t *rapid.T) events.ProviderData {
		return events.ProviderData{
			Format: rapid.String().Draw(t, "format"), Origin: rapid.String().Draw(t, "origin"), Value: rapid.String().Draw(t, "value"),
		}
	})
}

func genCount() *rapid.Generator[events.Count] {
	return rapid.OneOf(rapid.Just(events.Count{}), rapid.Map(rapid.Int64(), events.Known))
}

func genUsage() *rapid.Generator[events.Usage] {
	return rapid.Custom(func(t *rapid.T) events.Usage {
		n := func(name string) events.Count { return genCount().Draw(t, name) }
		return events.Usage{
			Input: n("input"), CacheRead: n("read"), CacheWrite: n("write"), CacheWriteLong: n("long"), Output: n("output"), Thinking: n("thinking"),
			InputAudio: n("ia"), InputImage: n("ii"), OutputAudio: n("oa"), OutputImage: n("oi"),
			Final: rapid.Bool().Draw(t, "final"), Inconsistent: rapid.Bool().Draw(t, "inconsistent"), Raw: rapid.String().Draw(t, "raw"),
		}
	})
}

func genWait() *rapid.Generator[time.Duration] {
	return rapid.Map(rapid.Int64Range(-1, math.MaxInt64/int64(time.Millisecond)), func(ms int64) time.Duration {
		return max(0, time.Duration(ms)*time.Millisecond)
	})
}

func genLimits() *rapid.Generator[*events.RateLimits] {
	window := rapid.Custom(func(t *rapid.T) events.RateWindow {
		return events.RateWindow{Limit: genCount().Draw(t, "limit"), Remaining: genCount().Draw(t, "left"), Reset: genWait().Draw(t, "reset")}
	})
	return rapid.OneOf(rapid.Just[*events.RateLimits](nil), rapid.Custom(func(t *rapid.T) *events.RateLimits {
		return &events.RateLimits{
			Requests: window.Draw(t, "requests"), Tokens: window.Draw(t, "tokens"),
			InputTokens: window.Draw(t, "in"), OutputTokens: window.Draw(t, "out"),
		}
	}))
}

func genFailure() *rapid.Generator[*events.Failure] {
	return rapid.Custom(func(t *rapid.T) *events.Failure {
		s := func(name string) string { return rapid.String().Draw(t, name) }
		return &events.Failure{
			Kind: events.FailureKind(s("kind")), Reason: events.Reason(s("reason")), Detail: s("detail"), Provider: s("provider"),
			Status: rapid.Int().Draw(t, "status"), ProviderCode: s("code"), RequestID: s("request"), RetryAfter: genWait().Draw(t, "after"),
			ShouldRetry: rapid.OneOf(rapid.Just[*bool](nil), rapid.Map(rapid.Bool(), func(b bool) *bool { return &b })).Draw(t, "should"),
			Sent:        rapid.SampledFrom([]events.Sent{"", events.NotSent, events.MaybeSent, events.Answered, events.Served}).Draw(t, "sent"),
			Usage:       genUsage().Draw(t, "usage"), RateLimits: genLimits().Draw(t, "limits"), Feature: s("feature"),
		}
	})
}

func genEvent() *rapid.Generator[events.Event] {
	return rapid.Custom(func(t *rapid.T) events.Event {
		s := func(name string) string { return rapid.String().Draw(t, name) }
		index := rapid.IntRange(0, 1023).Draw(t, "index")
		call := events.ToolCall{ID: s("id"), Name: s("name"), Arguments: s("arguments"), Minted: rapid.Bool().Draw(t, "minted"), Replay: genData().Draw(t, "replay")}
		switch kind := rapid.SampledFrom(events.Kinds()).Draw(t, "kind"); kind {
		case events.Started:
			return events.NewStarted(events.Start{
				ResponseID: s("response"), Model: s("model"), RequestID: s("request"), RateLimits: genLimits().Draw(t, "limits"),
				BillingStops: rapid.Bool().Draw(t, "billing stops"),
				Metadata:     rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "metadata"),
			})
		case events.ToolCallStarted:
			return events.NewToolCallStarted(index, call.ID, call.Name, call.Minted)
		case events.ToolCallCompleted:
			return events.NewToolCallCompleted(index, call)
		case events.ToolCallInvalid:
			return events.NewToolCallInvalid(index, call, events.Issue{Kind: events.IssueKind(s("issue")), Detail: s("detail")})
		case events.HostedToolStarted:
			return events.NewHostedToolStarted(index, call.ID, call.Name)
		case events.HostedToolCompleted:
			sources := rapid.SliceOf(rapid.Custom(func(t *rapid.T) events.Source {
				return events.Source{URL: rapid.String().Draw(t, "url"), Title: rapid.String().Draw(t, "title"), Snippet: rapid.String().Draw(t, "snippet")}
			})).Draw(t, "sources")
			return events.NewHostedToolCompleted(index, events.HostedTool{
				ID: call.ID, Name: call.Name, Arguments: call.Arguments, Outcome: s("outcome"), Sources: sources, Replay: call.Replay,
			})
		case events.CitationAdded:
			return events.NewCitationAdded(index, events.Citation{
				URL: s("url"), Title: s("title"), Text: s("text"), Start: rapid.Int().Draw(t, "start"), End: rapid.Int().Draw(t, "end"),
			})
		case events.MediaCompleted:
			return events.NewMediaCompleted(index, s("type"), rapid.SliceOf(rapid.Byte()).Draw(t, "data"))
		case events.UsageUpdated:
			return events.NewUsageUpdated(genUsage().Draw(t, "usage"))
		case events.Notice:
			return events.NewNotice(events.NoticeCode(s("code")), s("detail"))
		case events.Completed:
			c := events.Completion{Stop: events.Stop(s("stop")), RawStop: s("raw"), ServiceTier: s("tier"), Usage: genUsage().Draw(t, "usage"), Data: genData().Draw(t, "data")}
			if rapid.Bool().Draw(t, "costs") {
				c.Cost = &events.Cost{Micros: events.Micros(rapid.Int64().Draw(t, "micros")), Text: s("cost")}
			}
			return events.NewCompleted(c)
		case events.Failed:
			return events.NewFailed(genFailure().Draw(t, "failure"))
		default:
			return events.Event{Kind: kind, Index: int32(index), Text: s("text")}
		}
	})
}

func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ev := genEvent().Draw(t, "event")
		line := events.AppendJSON([]byte("before"), ev)[len("before"):]
		require.True(t, json.Valid(line), "%s", line)
		require.NotContains(t, string(line), "\n")
		var back events.Event
		require.NoError(t, back.UnmarshalJSON(line))
		require.True(t, ev.Equal(back), "%s\n%s", line, events.AppendJSON(nil, back))
		require.Equal(t, string(line), string(events.AppendJSON(nil, back)))
		viaJSON, err := json.Marshal(ev)
		require.NoError(t, err)
		back = events.Event{}
		require.NoError(t, json.Unmarshal(viaJSON, &back))
		require.True(t, ev.Equal(back), "encoding/json escapes more but says the same")
	})
}

func TestJSONOfInvalidUTF8(t *testing.T) {
	t.Parallel()
	line := events.AppendJSON(nil, events.NewTextDelta(0, "a\xffb\xe2\x82"))
	assert.Equal(t, "{\"kind\":\"text_delta\",\"index\":0,\"text\":\"a\uFFFDb\uFFFD\uFFFD\"}", string(line))
	assert.Equal(t, "\"\uFFFD\"", string(events.AppendQuoted(nil, "\uFFFD")), "the real character stays")
}

func TestJSONEscapesOnlyWhatItMust(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `{"kind":"text_delta","index":0,"text":"<a href='x'>&\u2028\u2029\u0085`+"\x7f"+`"}`,
		string(events.AppendJSON(nil, events.NewTextDelta(0, "<a href='x'>&\u2028\u2029\u0085\x7f"))), "an event is one line, for every reader of lines")
	assert.Equal(t, `"\"\\/\b\f\n\r\t\u0000"`,
		strings.NewReplacer(`\u0008`, `\b`, `\u000c`, `\f`).Replace(string(events.AppendQuoted(nil, "\"\\/\b\f\n\r\t\x00"))))
}

func TestJSONOfHandMadeEvents(t *testing.T) {
	t.Parallel()
	for _, k := range append(events.Kinds(), 0, 200) {
		assert.True(t, json.Valid(events.AppendJSON(nil, events.Event{Kind: k})), "%v without a payload", k)
	}
}

func TestJSONToleratesUnknownFields(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]events.Event{
		`{"kind":"text_delta","index":3,"text":"x","colour":{"deep":[1]}}`: events.NewTextDelta(3, "x"),
		` { "text" : "x" , "kind" : "text_delta" } `:                       events.NewTextDelta(0, "x"),
		`{"kind":"usage_updated","usage":{"input":1,"moon":2}}`:            events.NewUsageUpdated(events.Usage{Input: events.Known(1)}),
		`{"kind":"usage_updated"}`:                                         events.NewUsageUpdated(events.Usage{}),
		`{"kind":"completed","stop":"end","usage":null,"data":null}`:       events.NewCompleted(events.Completion{Stop: events.StopEnd}),
		`{"kind":"failed","failure":{"kind":"other","moon":1}}`:            events.NewFailed(&events.Failure{Kind: events.Other}),
	} {
		var ev events.Event
		require.NoError(t, ev.UnmarshalJSON([]byte(line)))
		assert.True(t, want.Equal(ev), line)
	}
}

func TestJSONRefuses(t *testing.T) {
	t.Parallel()
	for line, why := range map[string]string{
		``:                                      "nothing",
		`null`:                                  "null is no event",
		`[]`:                                    "an array",
		`{`:                                     "cut",
		`{}`:                                    "no kind",
		`{"kind":"kind_0"}`:                     "the name of no kind",
		`{"kind":"song"}`:                       "a kind of tomorrow",
		`{"kind":1}`:                            "a kind that is a number",
		`{"kind":"text_delta"} x`:               "more text",
		`{"kind":"text_delta","index":1e99}`:    "an index out of range",
		`{"kind":"text_delta","text":[]}`:       "a text that is none",
		`{"kind":"media_completed"}`:            "no data",
		`{"kind":"media_completed","data":"%"}`: "no base64",
		`{"kind":"media_completed","data":{}}`:  "an object for media",
		`{"kind":"completed","data":"x"}`:       "text for an object",
		`{"kind":"completed","usage":{"input":"12"}}`:         "a count as text",
		`{"kind":"completed","usage":{"input":1.5}}`:          "half a token",
		`{"kind":"completed","usage":{"input":1e99}}`:         "a count beyond int64",
		`{"kind":"completed","usage":[]}`:                     "usage that is none",
		`{"kind":"failed"}`:                                   "no failure",
		`{"kind":"failed","failure":null}`:                    "no failure either",
		`{"kind":"failed","failure":[]}`:                      "a failure that is none",
		`{"kind":"failed","failure":{"status":"x"}}`:          "a status as text",
		`{"kind":"failed","failure":{"usage":{"output":{}}}}`: "a count deep inside",
	} {
		want := events.NewTextDelta(1, "as before")
		got := want
		err := got.UnmarshalJSON([]byte(line))
		require.ErrorIs(t, err, malformed(), why)
		assert.True(t, want.Equal(got), "unchanged on error")
	}
}

func malformed() error {
	return &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonMalformed}
}

func TestPartsRefuse(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `{`, `[]`, `"x"`, `{"kind":1,"input":"x"}`} {
		var (
			usage   = events.Usage{Input: events.Known(1)}
			count   = events.Known(1)
			failure = events.Failure{Kind: events.Other}
		)
		require.ErrorIs(t, usage.UnmarshalJSON([]byte(text)), malformed())
		require.ErrorIs(t, count.UnmarshalJSON([]byte(text)), malformed())
		require.ErrorIs(t, failure.UnmarshalJSON([]byte(text)), malformed())
		assert.Equal(t, events.Usage{Input: events.Known(1)}, usage)
		assert.Equal(t, events.Known(1), count)
		assert.Equal(t, events.Failure{Kind: events.Other}, failure)
	}
}

func TestPartsRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		usage, count := genUsage().Draw(t, "usage"), genCount().Draw(t, "count")
		text, err := json.Marshal(map[string]any{"usage": usage, "count": count})
		require.NoError(t, err)
		back := struct {
			Usage events.Usage
			Count events.Count
		}{Count: events.Known(1)}
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, usage, back.Usage)
		require.Equal(t, count, back.Count)
	})
}

func TestJSONOfWaits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why  string
		wait time.Duration
		text string
		back time.Duration
	}{
		{"none", 0, "", 0},
		{"negative is absent", -time.Second, "", 0},
		{"rounded up: a wait is never shortened", 1, `"retry_after_ms":1,`, time.Millisecond},
		{"rounded up", 1500*time.Microsecond + 1, `"retry_after_ms":2,`, 2 * time.Millisecond},
		{"whole", 2 * time.Second, `"retry_after_ms":2000,`, 2 * time.Second},
		{"the longest saturates", math.MaxInt64, `"retry_after_ms":9223372036855,`, math.MaxInt64 / int64ms * int64ms},
	} {
		text := string(events.AppendFailureJSON(nil, &events.Failure{Kind: events.Overloaded, RetryAfter: tt.wait}))
		assert.Equal(t, `{"kind":"overloaded",`+tt.text+`"sent":"maybe_sent","usage":null}`, text, tt.why)
		var f events.Failure
		require.NoError(t, f.UnmarshalJSON([]byte(text)))
		assert.Equal(t, tt.back, f.RetryAfter, tt.why)
	}
	var f events.Failure
	require.NoError(t, f.UnmarshalJSON([]byte(`{"kind":"other","retry_after_ms":-5,"rate_limits":{"tokens":{"limit":1,"reset_ms":-5}}}`)))
	assert.Zero(t, f.RetryAfter)
	assert.Zero(t, f.RateLimits.Tokens.Reset)
}

const int64ms = time.Millisecond

func TestFailureMarshalsCanonically(t *testing.T) {
	t.Parallel()
	f := events.NewFailure(events.Other, events.ReasonNotRecorded, "x")
	text, err := json.Marshal(f)
	require.NoError(t, err)
	assert.Equal(t, `{"kind":"other","reason":"not_recorded","detail":"x","sent":"maybe_sent","usage":null}`, string(text))
}
