package transport_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStreamIsLazyAndSingleUse(t *testing.T) {
	t.Parallel()
	rt := sseAnswer("a", "done")
	s := open(t.Context(), rt, nil)
	require.Empty(t, rt.Requests(), "making a stream sends nothing")
	assert.Equal(t, "started text:a completed", kinds(play(s)))
	f := failure(play(s))
	assert.Equal(t, events.ReasonStreamUsed, f.Reason)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.Len(t, rt.Requests(), 1, "a second range sends nothing")
	assert.Equal(t, []int{1}, rt.Closes())
}

func TestStreamSendsTheCall(t *testing.T) {
	t.Parallel()
	rt := sseAnswer("done")
	rt.Header.Set("X-Request-Id", "req-1")
	rt.Header.Set("X-Ratelimit-Limit-Requests", "10")
	all := play(open(t.Context(), rt, func(c *transport.Call) { c.Body = []byte(`{"a":1}`) }))
	req := rt.Requests()[0]
	assert.Equal(t, http.MethodPost, req.Method)
	assert.JSONEq(t, `{"a":1}`, string(req.Body))
	assert.Equal(t, "application/json", req.Header.Get("Content-Type"))
	assert.Equal(t, "text/event-stream", req.Header.Get("Accept"))
	assert.Empty(t, req.Header.Get("Accept-Encoding"), "net/http asks for gzip itself, and decodes it")
	start, ok := all[0].Start()
	require.True(t, ok)
	assert.Equal(t, "req-1", start.RequestID)
	require.NotNil(t, start.RateLimits)
	assert.Equal(t, events.Known(10), start.RateLimits.Requests.Limit)
}

func TestStreamEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, c := range []struct {
		why    string
		rt     *canned.Transport
		want   string
		reason events.Reason
		sent   events.Sent
	}{
		{"the end marker", sseAnswer("a", "done", "ignored"), "started text:a completed", "", ""},
		{"evidence, then the body ends", sseAnswer("a", "end"), "started text:a completed", "", ""},
		{"evidence, then the body breaks", ending(sseAnswer("a", "end"), broken), "started text:a completed", "", ""},
		{"the body ends before the evidence", sseAnswer("a"), "started text:a failed", events.ReasonTruncated, events.Answered},
		{"nothing came", sseAnswer(), "started failed", events.ReasonTruncated, events.Answered},
		{"the body breaks before the evidence", ending(sseAnswer("a"), broken), "started text:a failed", events.ReasonLostConnection, events.Answered},
		{"a frame cannot be read", sseAnswer("a", "bad", "done"), "started text:a failed", events.ReasonMalformed, events.Answered},
		{"the last frame was cut", cut(sseAnswer("a", "bad"), 2), "started text:a failed", events.ReasonTruncated, events.Answered},
		{"the last frame was cut by a break", ending(cut(sseAnswer("a", "bad"), 2), broken), "started text:a failed", events.ReasonLostConnection, events.Answered},
		{"evidence, then a cut frame", cut(sseAnswer("a", "end", "bad"), 2), "started text:a completed", "", ""},
		{"the last frame is whole though it lacks its end", cut(sseAnswer("a", "done"), 2), "started text:a completed", "", ""},
		{"an in-band error", sseAnswer("a", "err", "done"), "started text:a failed", events.ReasonServer, events.Answered},
		{"the decoder panics", sseAnswer("a", "panic"), "started text:a failed", "", events.Answered},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			all := play(open(t.Context(), c.rt, nil))
			assert.Equal(t, c.want, kinds(all))
			f := failure(all)
			assert.Equal(t, c.reason, f.Reason)
			assert.Equal(t, c.sent, f.Sent)
			assert.Equal(t, []int{1}, c.rt.Closes(), "the body is closed once")
			if f.Kind != "" {
				assert.Equal(t, "toy", f.Provider)
				assert.Zero(t, f.Status, "a stream had begun")
			}
		})
	}
}

func ending(rt *canned.Transport, err error) *canned.Transport {
	rt.End = err
	return rt
}

// cut drops the last n bytes.
func cut(rt *canned.Transport, n int) *canned.Transport {
	rt.Body = rt.Body[:len(rt.Body)-n]
	return rt
}

func TestStreamIsTheSameHoweverItIsSplit(t *testing.T) {
	t.Parallel()
	whole := play(open(t.Context(), sseAnswer("a", "b", "say hi", "c", "end", "done"), nil))
	for size := 1; size < 20; size++ {
		for _, joined := range []bool{false, true} {
			rt := sseAnswer("a", "b", "say hi", "c", "end", "done")
			rt.Read, rt.Joined = func(int) int { return size }, joined
			assert.Equal(t, whole, play(open(t.Context(), rt, nil)))
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	t.Parallel()
	foreign := events.NewFailure(events.InvalidRequest, events.ReasonForeignData, "foreign")
	for _, c := range []struct {
		why     string
		prepare func() (transport.Call, transport.Decoder, error)
		kind    events.FailureKind
		reason  events.Reason
	}{
		{"a failure is passed on", func() (transport.Call, transport.Decoder, error) { return transport.Call{}, nil, foreign }, events.InvalidRequest, events.ReasonForeignData},
		{"an error becomes one", func() (transport.Call, transport.Decoder, error) { return transport.Call{}, nil, io.ErrNoProgress }, events.InvalidRequest, ""},
		{"a panic is contained", func() (transport.Call, transport.Decoder, error) { panic("prepare") }, events.Crashed, ""},
		{"the URL is none", func() (transport.Call, transport.Decoder, error) { return call("http://a b/"), &toy{}, nil }, events.InvalidRequest, events.ReasonBadConfig},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			all := play(transport.Stream(t.Context(), transport.NewClient(nil), c.prepare))
			assert.Equal(t, "started failed", kinds(all))
			f := failure(all)
			assert.Equal(t, c.kind, f.Kind)
			assert.Equal(t, c.reason, f.Reason)
			assert.Equal(t, events.NotSent, f.Sent)
		})
	}
}

func TestConsumerLeaves(t *testing.T) {
	t.Parallel()
	words := []string{"a", "b", "c", "end", "done"}
	last := len(play(open(t.Context(), sseAnswer(words...), nil)))
	for at := range last {
		for how, leave := range map[string]func(){
			"panic":  func() { panic("consumer") },
			"goexit": runtime.Goexit,
		} {
			rt := sseAnswer(words...)
			assert.Equal(t, how == "panic", leaves(open(t.Context(), rt, nil), at, leave), how)
			assert.Equal(t, []int{1}, rt.Closes(), "%s at event %d", how, at)
		}
		rt := sseAnswer(words...)
		n := 0
		for range open(t.Context(), rt, nil) {
			if n == at {
				break
			}
			n++
		}
		assert.Equal(t, []int{1}, rt.Closes(), "break at event %d", at)
	}
}

// leaves calls leave at the nth event on a goroutine of its own and reports
// whether the panic that came out is the consumer's.
func leaves(s func(func(events.Event) bool), nth int, leave func()) (panicked bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() == "consumer" }()
		n := 0
		for range s {
			if n == nth {
				leave()
			}
			n++
		}
	}()
	<-done
	return panicked
}

func TestCancelAtEveryEvent(t *testing.T) {
	t.Parallel()
	for at := range 3 {
		rt := sseAnswer("a", "b", "c")
		rt.Hang = true
		scope := cancel.New(t.Context())
		var all []events.Event
		for ev := range open(scope.Context(), rt, nil) {
			if len(all) == at {
				scope.Cancel(cancel.Superseded)
			}
			all = append(all, ev)
		}
		f := failure(all)
		assert.Equal(t, events.Cancelled, f.Kind)
		assert.Equal(t, events.ReasonSuperseded, f.Reason)
		assert.ErrorIs(t, f, cancel.Superseded)
		assert.ErrorIs(t, f, context.Canceled)
		assert.LessOrEqual(t, len(all), at+3, "at most the frame under way is still delivered")
		assert.Equal(t, []int{1}, rt.Closes())
	}
}

func TestCancelledBeforeItIsRanged(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	rt := sseAnswer("a", "done")
	all := play(open(ctx, rt, nil))
	assert.Equal(t, "started failed", kinds(all))
	assert.Equal(t, events.ReasonUser, failure(all).Reason)
	assert.Equal(t, events.NotSent, failure(all).Sent)
	assert.Empty(t, rt.Requests())
}

func TestTapSeesTheBodyExactly(t *testing.T) {
	t.Parallel()
	rt := sseAnswer("a", "b", "done")
	rt.Read = func(int) int { return 3 }
	var seen, outer []byte
	ctx := providers.WithTap(t.Context(), func(p []byte) { outer = append(outer, p...) })
	ctx = providers.WithTap(ctx, func(p []byte) { seen = append(seen, p...) })
	play(open(ctx, rt, nil))
	assert.Equal(t, string(rt.Body), string(seen))
	assert.Equal(t, seen, outer)
}

func TestNoCredentialIsTold(t *testing.T) {
	t.Parallel()
	echo := func(_ int, _ http.Header, body []byte) *events.Failure {
		f := events.NewFailure(events.Rejected, events.ReasonAuth, "bad key "+string(body))
		f.ProviderCode = string(body)
		return f
	}
	for why, rt := range map[string]*canned.Transport{
		"echoed in an error body":     {Status: 401, Body: []byte(canary), Header: http.Header{"X-Request-Id": {canary}}},
		"in the error of the sending": {Err: errors.New("dial with " + canary)},
		"in the error of the reading": {Header: http.Header{"X-Request-Id": {canary}}, Body: body("a"), End: errors.New("broke " + canary)},
		"in an in-band error":         sseAnswer("err"),
		"in a notice":                 sseAnswer("say "+canary, "done"),
		"in what Started tells":       sseAnswer("id "+canary, "done"),
		"in raw usage":                sseAnswer("usage "+canary, "done"),
		"in the stop":                 sseAnswer("stop "+canary, "done"),
	} {
		all := play(open(t.Context(), rt, func(c *transport.Call) { c.Failure = echo }))
		for _, ev := range all {
			assert.NotContains(t, string(events.AppendJSON(nil, ev)), canary, why)
			assert.NotContains(t, ev.String(), canary, why)
		}
		assert.NotContains(t, failure(all).Error(), canary, why)
		told := ""
		for _, ev := range all {
			told += string(events.AppendJSON(nil, ev))
		}
		assert.Contains(t, told, "redacted", "what held the key is still told: "+why)
	}
}

func TestADecoderThatPanicsLosesNoEvidence(t *testing.T) {
	t.Parallel()
	for why, words := range map[string][]string{
		"in a frame": {"a", "usage {}", "panic", "done"},
		"at the end": {"a", "usage {}", "late", "done"},
	} {
		rt := sseAnswer(words...)
		rt.Header.Set("X-Request-Id", "req-1")
		rt.Header.Set("X-Ratelimit-Limit-Requests", "10")
		f := failure(play(open(t.Context(), rt, nil)))
		assert.Equal(t, events.Crashed, f.Kind, why)
		assert.NotEqual(t, events.MaybeSent, f.Sent, why)
		assert.Equal(t, "toy", f.Provider, why)
		assert.Equal(t, "req-1", f.RequestID, why)
		require.NotNil(t, f.RateLimits, why)
		assert.Equal(t, []int{1}, rt.Closes(), why)
	}
}

func TestEveryFailureSaysWhose(t *testing.T) {
	t.Parallel()
	for why, rt := range map[string]*canned.Transport{
		"a status":             {Status: 429, Header: http.Header{"X-Ratelimit-Remaining-Tokens": {"0"}}},
		"the grammar":          sseAnswer("a", "wrong"),
		"final usage reported": sseAnswer("final"),
	} {
		f := failure(play(open(t.Context(), rt, nil)))
		assert.NotEmpty(t, f.Kind, why)
		assert.Equal(t, "toy", f.Provider, why)
		if why == "a status" {
			require.NotNil(t, f.RateLimits)
			assert.Equal(t, events.Known(0), f.RateLimits.Tokens.Remaining)
		}
		if f.Usage.Final {
			assert.Equal(t, events.Served, f.Sent, "usage that is final was counted by who did the work")
		}
	}
}

func TestNoticesFollowStartedWhateverComes(t *testing.T) {
	t.Parallel()
	notices := []events.NoticeInfo{{Code: events.NoticeParameterDropped, Detail: "temperature"}}
	for why, rt := range map[string]*canned.Transport{
		"a reply": sseAnswer("a", "done"), "a status": {Status: 500}, "no answer": {Err: io.ErrNoProgress}, "nothing": sseAnswer(),
	} {
		all := play(open(t.Context(), rt, func(c *transport.Call) { c.Notices = notices }))
		require.Greater(t, len(all), 2, why)
		n, ok := all[1].Notice()
		require.True(t, ok, why)
		assert.Equal(t, notices[0], n, why)
	}
}

func TestNilClient(t *testing.T) {
	t.Parallel()
	all := play(transport.Stream(t.Context(), nil, func() (transport.Call, transport.Decoder, error) {
		return call("http://127.0.0.1:1/"), &toy{}, nil
	}))
	assert.Equal(t, events.Unreachable, failure(all).Kind)
}

func TestAPlainCancelHasAReasonToo(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	f := failure(play(open(ctx, sseAnswer("a"), nil)))
	assert.ErrorIs(t, f, cancel.User)
	assert.ErrorIs(t, f, context.Canceled)
	assert.ErrorIs(t, f, &events.Failure{Kind: events.Cancelled})
}

func TestEmitDelta(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", transport.MaxDelta) // two bytes each
	var all []string
	collect := func(ev events.Event) bool {
		assert.Equal(t, events.ThinkingDelta, ev.Kind)
		assert.Equal(t, int32(3), ev.Index)
		assert.True(t, utf8.ValidString(ev.Text))
		assert.LessOrEqual(t, len(ev.Text), transport.MaxDelta)
		all = append(all, ev.Text)
		return true
	}
	assert.True(t, transport.EmitDelta(collect, events.ThinkingDelta, 3, ""))
	assert.Empty(t, all, "the grammar has no empty delta")
	assert.True(t, transport.EmitDelta(collect, events.ThinkingDelta, 3, "x"+long))
	assert.Equal(t, "x"+long, strings.Join(all, ""))
	n := 0
	transport.EmitDelta(func(ev events.Event) bool {
		return assert.EqualValues(t, -1, ev.Index, "and not block 0")
	}, events.TextDelta, 1<<32, "x")
	assert.False(t, transport.EmitDelta(func(events.Event) bool { n++; return false }, events.TextDelta, 0, long))
	assert.Equal(t, 1, n, "nothing after the consumer left")
}

// panics is a round tripper whose request, or whose body after some frames,
// panics.
type panics struct{ body []byte }

func (p panics) RoundTrip(*http.Request) (*http.Response, error) {
	if p.body == nil {
		panic(canary)
	}
	r := io.NopCloser(io.MultiReader(bytes.NewReader(p.body), panicReader{}))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: r}, nil
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic(canary) }

func TestCrashesBelowTheTransport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why  string
		rt   http.RoundTripper
		want string
		sent events.Sent
	}{
		{"the round tripper", panics{}, "started failed", events.MaybeSent},
		{"the body, before the evidence", panics{body: body("a")}, "started text:a failed", events.Answered},
		{"the body, after the evidence", panics{body: body("a", "end")}, "started text:a completed", ""},
	} {
		all := play(open(t.Context(), c.rt, nil))
		assert.Equal(t, c.want, kinds(all), c.why)
		f := failure(all)
		assert.Equal(t, c.sent, f.Sent, c.why)
		if f.Kind != "" {
			assert.Equal(t, events.Crashed, f.Kind, c.why)
			assert.Equal(t, "toy", f.Provider, c.why)
			assert.NotContains(t, f.Error(), canary, "what was panicked with is not told")
		}
	}
}
