package transport_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/transport"
)

func zipped(t *testing.T, words ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, w := range words {
		_, err := z.Write(body(w))
		require.NoError(t, err)
		require.NoError(t, z.Flush())
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// errorObject maps {"error": "..."} bodies.
func errorObject(_ int, _ http.Header, text []byte) *events.Failure {
	var e struct{ Error string }
	if json.Unmarshal(text, &e) != nil || e.Error == "" {
		return nil
	}
	return events.NewFailure(events.Rejected, events.ReasonQuota, e.Error)
}

func TestAnswersThatAreNoStream(t *testing.T) {
	t.Parallel()
	header := func(pairs ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
		return h
	}
	for _, c := range []struct {
		why    string
		status int
		header http.Header
		body   string
		kind   events.FailureKind
		reason events.Reason
	}{
		{"the body's own word wins", 429, nil, `{"error":"no money"}`, events.Rejected, events.ReasonQuota},
		{"an unreadable body leaves the status", 429, nil, `oops`, events.RateLimited, events.ReasonRateLimit},
		{"an HTML page of a proxy", 502, header("Content-Type", "text/html"), `<h1>no</h1>`, events.Overloaded, events.ReasonServer},
		{"401", 401, nil, ``, events.Rejected, events.ReasonAuth},
		{"402", 402, nil, ``, events.Rejected, events.ReasonBilling},
		{"403", 403, nil, ``, events.Rejected, events.ReasonPermission},
		{"404", 404, nil, ``, events.Rejected, events.ReasonNotFound},
		{"408", 408, nil, ``, events.TimedOut, events.ReasonHTTP},
		{"413", 413, nil, ``, events.Rejected, events.ReasonTooLarge},
		{"422", 422, nil, ``, events.Rejected, events.ReasonBadRequest},
		{"500", 500, nil, ``, events.Overloaded, events.ReasonServer},
		{"503", 503, nil, ``, events.Overloaded, events.ReasonOverloaded},
		{"504", 504, nil, ``, events.TimedOut, events.ReasonHTTP},
		{"529", 529, nil, ``, events.Overloaded, events.ReasonOverloaded},
		{"a redirect is not followed", 307, header("Location", "https://evil.test/?key=1"), ``, events.Rejected, events.ReasonRedirect},
		{"an error object on 200", 200, header("Content-Type", "application/json"), `{"error":"no money"}`, events.Rejected, events.ReasonQuota},
		{"an error object on 200, labelled as a stream", 200, header("Content-Type", "text/event-stream"), ` {"error":"no money"}`, events.Rejected, events.ReasonQuota},
		{"a whole reply on 200", 200, header("Content-Type", "application/json"), `{"choices":[]}`, events.InvalidReply, events.ReasonBadContent},
		{"HTML on 200", 200, header("Content-Type", "text/html"), `<html>`, events.InvalidReply, events.ReasonBadContent},
		{"HTML on 200, labelled as a stream", 200, header("Content-Type", "text/event-stream"), "\n<html>", events.InvalidReply, events.ReasonBadContent},
		{"an encoding that was not asked for", 200, header("Content-Encoding", "br"), `x`, events.InvalidReply, events.ReasonBadContent},
		{"garbled gzip", 200, header("Content-Encoding", "gzip"), `not gzip at all`, events.InvalidReply, events.ReasonLostConnection},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			rt := &canned.Transport{Status: c.status, Header: c.header, Body: []byte(c.body)}
			all := play(open(t.Context(), rt, func(call *transport.Call) { call.Failure = errorObject }))
			assert.Equal(t, "started failed", kinds(all))
			f := failure(all)
			assert.Equal(t, c.kind, f.Kind)
			assert.Equal(t, c.reason, f.Reason)
			assert.Equal(t, events.Answered, f.Sent)
			assert.NotContains(t, f.Detail, "key=1", "a query may hold a credential")
			if f.Kind != events.InvalidReply {
				assert.Equal(t, c.status, f.Status)
			}
			assert.Equal(t, []int{1}, rt.Closes())
			assert.Len(t, rt.Requests(), 1)
		})
	}
}

func TestStreamsUnderOtherNames(t *testing.T) {
	t.Parallel()
	for why, rt := range map[string]*canned.Transport{
		"labelled as JSON": {Header: http.Header{"Content-Type": {"application/json"}}, Body: body("a", "done")},
		"without a label":  {Body: body("a", "done")},
		"comments first":   {Body: append([]byte(": hello\n\n"), body("a", "done")...)},
		"blank lines first and a byte order mark": {
			Header: http.Header{"Content-Type": {"application/json"}}, Body: append([]byte("\xef\xbb\xbf\n\n"), body("a", "done")...),
		},
		"gzip that nobody decoded": {Header: http.Header{"Content-Encoding": {"gzip"}}, Body: zipped(t, "a", "done")},
	} {
		assert.Equal(t, "started text:a completed", kinds(play(open(t.Context(), rt, nil))), why)
	}
}

func TestGzipComesThroughAsItArrives(t *testing.T) {
	t.Parallel()
	// The end of the body never comes: what was flushed must be told all the same.
	z := zipped(t, "a", "done")
	rt := &canned.Transport{Header: http.Header{"Content-Encoding": {"gzip"}}, Body: z[:len(z)-13], Hang: true}
	assert.Equal(t, "started text:a completed", kinds(play(open(t.Context(), rt, nil))))
}

func TestNDJSONErrorsAreFrames(t *testing.T) {
	t.Parallel()
	rt := &canned.Transport{Header: http.Header{"Content-Type": {"application/x-ndjson"}}, Body: []byte("{}\ndone\n")}
	all := play(open(t.Context(), rt, func(c *transport.Call) { c.Framing = transport.NDJSON }))
	assert.Equal(t, "started text:{} completed", kinds(all))
	assert.Equal(t, "application/x-ndjson", rt.Requests()[0].Header.Get("Accept"))
}

func TestBounds(t *testing.T) {
	t.Parallel()
	limits := transport.Limits{MaxFrame: 10_000, MaxErrorBody: 100, MaxBody: 1000}
	for why, rt := range map[string]*canned.Transport{
		"a frame":    sseAnswer("a", strings.Repeat("x", 50_000), "done"),
		"a document": {Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte("{" + strings.Repeat(" ", 5000) + "}")},
	} {
		all := play(open(t.Context(), rt, func(c *transport.Call) { c.Limits = limits }))
		f := failure(all)
		assert.Equal(t, events.InvalidReply, f.Kind, why)
		assert.Equal(t, events.ReasonTooLarge, f.Reason, why)
		assert.False(t, f.Retryable(), why)
	}
	var seen int
	rt := &canned.Transport{Status: 500, Body: bytes.Repeat([]byte("x"), 5000)}
	play(open(t.Context(), rt, func(c *transport.Call) {
		c.Limits = limits
		c.Failure = func(_ int, _ http.Header, body []byte) *events.Failure { seen = len(body); return nil }
	}))
	assert.Equal(t, limits.MaxErrorBody, seen)
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 1, 1, 0, 0, 2, 0, time.UTC)
	for _, c := range []struct {
		why             string
		ms, after, date string
		want            time.Duration
		absent          bool
	}{
		{why: "seconds", after: "3", want: 3 * time.Second},
		{why: "decimals", after: "1.5", want: 1500 * time.Millisecond},
		{why: "zero is a wait of zero", after: "0"},
		{why: "milliseconds come first", ms: "250", after: "3", want: 250 * time.Millisecond},
		{why: "bad milliseconds are passed over", ms: "soon", after: "3", want: 3 * time.Second},
		{why: "a date, by the server's clock", after: "Wed, 01 Jan 2025 00:00:07 GMT", date: "Wed, 01 Jan 2025 00:00:00 GMT", want: 7 * time.Second},
		{why: "a date, by our clock", after: "Wed, 01 Jan 2025 00:00:07 GMT", want: 5 * time.Second},
		{why: "a date in the past", after: "Wed, 01 Jan 2020 00:00:00 GMT"},
		{why: "three hours are not cut", after: "10800", want: 3 * time.Hour},
		{why: "more than a duration holds", after: strings.Repeat("9", 400), want: 1<<63 - 1},
		{why: "a word", after: "soon", absent: true},
		{why: "negative", after: "-5", absent: true},
		{why: "empty", absent: true},
		{why: "hexadecimal", after: "0x10", absent: true},
		{why: "an exponent", after: "1e3", absent: true},
		{why: "infinite", after: "Inf", absent: true},
		{why: "two points", after: "1.2.3", absent: true},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			h := http.Header{}
			for name, value := range map[string]string{"retry-after-ms": c.ms, "retry-after": c.after, "date": c.date} {
				if value != "" {
					h.Set(name, value)
				}
			}
			got, ok := transport.RetryAfter(h, now)
			assert.Equal(t, !c.absent, ok)
			assert.Equal(t, c.want, got)
		})
	}
	rt := &canned.Transport{Status: 503, Header: http.Header{"Retry-After": {"3"}, "X-Should-Retry": {"false"}}}
	f := failure(play(open(t.Context(), rt, nil)))
	assert.Equal(t, 3*time.Second, f.RetryAfter)
	assert.False(t, f.Retryable(), "the provider said so")
}

func TestRateLimits(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	window := func(limit, remaining int64, reset time.Duration) events.RateWindow {
		return events.RateWindow{Limit: events.Known(limit), Remaining: events.Known(remaining), Reset: reset}
	}
	for _, c := range []struct {
		why  string
		head map[string]string
		want *events.RateLimits
	}{
		{"nothing was told", nil, nil},
		{"OpenAI's durations", map[string]string{
			"x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "59", "x-ratelimit-reset-requests": "6m0s",
			"x-ratelimit-limit-tokens": "1000", "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "12ms",
		}, &events.RateLimits{Requests: window(60, 59, 6*time.Minute), Tokens: window(1000, 0, 12*time.Millisecond)}},
		{"Anthropic's times, by the server's clock", map[string]string{
			"date":                                   "Wed, 01 Jan 2025 00:00:10 GMT",
			"anthropic-ratelimit-input-tokens-limit": "5",
			"anthropic-ratelimit-input-tokens-remaining": "4",
			"anthropic-ratelimit-input-tokens-reset":     "2025-01-01T00:00:30Z",
		}, &events.RateLimits{InputTokens: window(5, 4, 20*time.Second)}},
		{"OpenRouter's Unix milliseconds", map[string]string{
			"x-ratelimit-limit": "20", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1735689660000",
		}, &events.RateLimits{Requests: window(20, 0, time.Minute)}},
		{"plain seconds", map[string]string{
			"x-ratelimit-limit": "20", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "59.5",
		}, &events.RateLimits{Requests: window(20, 0, 59500*time.Millisecond)}},
		{
			"Azure's minus one is unknown",
			map[string]string{"x-ratelimit-limit-tokens": "-1", "x-ratelimit-remaining-tokens": "7"},
			&events.RateLimits{Tokens: events.RateWindow{Remaining: events.Known(7)}},
		},
		{"words are unknown", map[string]string{"x-ratelimit-limit-tokens": "many", "x-ratelimit-reset-tokens": "soon"}, nil},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			h := http.Header{}
			for name, value := range c.head {
				h.Set(name, value)
			}
			assert.Equal(t, c.want, transport.RateLimits(h, now))
		})
	}
}

func TestCheckEndpoint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, url string
		key, ok  bool
	}{
		{"https", "https://api.toy.test/v1", true, true},
		{"http without a key", "http://10.0.0.1:8000", false, true},
		{"http with a key", "http://10.0.0.1:8000", true, false},
		{"http with a key to loopback", "http://127.0.0.1:8000", true, true},
		{"http with a key to loopback, IPv6", "http://[::1]:8000", true, true},
		{"http with a key to loopback, mapped", "http://[::ffff:127.0.0.1]", true, true},
		{"http with a key to localhost", "http://localhost:8000", true, true},
		{"another spelling of localhost is a name", "http://LOCALHOST:8000", true, false},
		{"a name that may be anybody's", "http://localhost.evil.test", true, false},
		{"a short form", "http://127.1", true, false},
		{"a number", "http://2130706433", true, false},
		{"user info", "https://user:pw@api.toy.test", false, false},
		{"a query", "https://api.toy.test?key=1", false, false},
		{"a fragment", "https://api.toy.test#x", false, false},
		{"no host", "https:///v1", false, false},
		{"another scheme", "ftp://api.toy.test", false, false},
		{"no URL", "http://a b", false, false},
		{"empty", "", false, false},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			err := transport.CheckEndpoint("toy", c.url, c.key)
			if c.ok {
				assert.NoError(t, err)
				return
			}
			f, ok := events.AsFailure(err)
			require.True(t, ok)
			assert.Equal(t, events.InvalidRequest, f.Kind)
			assert.Equal(t, events.ReasonBadConfig, f.Reason)
			assert.NotContains(t, f.Error(), "pw")
			assert.NotContains(t, f.Error(), "key=1")
		})
	}
}

func TestNewClient(t *testing.T) {
	t.Parallel()
	user := &http.Client{Timeout: time.Second, Transport: sseAnswer("done")}
	c := transport.NewClient(user)
	assert.Zero(t, c.Timeout, "it would cut the reading of a stream")
	assert.Equal(t, time.Second, user.Timeout, "the user's client is not changed")
	assert.Same(t, user.Transport, c.Transport, "connections are shared")
	policy := func(*http.Request, []*http.Request) error { return nil }
	assert.NotNil(t, transport.NewClient(&http.Client{CheckRedirect: policy}).CheckRedirect)
	assert.NotNil(t, transport.NewClient(nil).CheckRedirect)
}

func TestTapSeesErrorBodiesDecoded(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(`{"error":"no money"}`))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	for why, rt := range map[string]*canned.Transport{
		"plain": {Status: 429, Body: []byte(`{"error":"no money"}`)},
		"gzip":  {Status: 429, Header: http.Header{"Content-Encoding": {"gzip"}}, Body: b.Bytes()},
	} {
		var seen []byte
		ctx := providers.WithTap(t.Context(), func(p []byte) { seen = append(seen, p...) })
		f := failure(play(open(ctx, rt, func(c *transport.Call) { c.Failure = errorObject })))
		assert.JSONEq(t, `{"error":"no money"}`, string(seen), why)
		assert.Equal(t, events.ReasonQuota, f.Reason, why)
	}
}

func TestTheProvidersAdviceWins(t *testing.T) {
	t.Parallel()
	rt := &canned.Transport{Status: 409, Header: http.Header{"X-Should-Retry": {"true"}}}
	assert.True(t, failure(play(open(t.Context(), rt, nil))).Retryable())
}

func TestASecretIsFoundInEverySpelling(t *testing.T) {
	t.Parallel()
	const key = `ab+cd/ef==g"h12345678`
	for why, echo := range map[string]string{
		"as it is":               key,
		"URL-escaped":            "ab%2Bcd%2Fef%3D%3Dg%22h12345678",
		"as a JSON string":       `ab+cd/ef==g\"h12345678`,
		"cut at the end of 1 KB": strings.Repeat("x", 1013) + key,
	} {
		rt := &canned.Transport{Status: 401, Body: []byte(echo)}
		f := failure(play(open(t.Context(), rt, func(c *transport.Call) {
			c.Secrets = []string{"", "abc", key}
			c.Failure = func(_ int, _ http.Header, body []byte) *events.Failure {
				return events.NewFailure(events.Rejected, events.ReasonAuth, string(body))
			}
		})))
		assert.NotContains(t, f.Detail, "cd", why)
		assert.NotContains(t, f.Detail, "ab+", why)
		assert.Contains(t, f.Detail, "[redacted]", why)
	}
}

func TestCheckKey(t *testing.T) {
	t.Parallel()
	assert.NoError(t, transport.CheckKey("toy", "", "good-key"))
	err := transport.CheckKey("toy", "good-key", "from-a-file\n")
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.ReasonBadConfig, f.Reason)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.NotContains(t, f.Error(), "from-a-file")
}

func TestStatusesThatAreNoAnswer(t *testing.T) {
	t.Parallel()
	never := func(status int, _ http.Header, _ []byte) *events.Failure {
		return events.NewFailure(events.Overloaded, events.ReasonServer, "a family takes any error object for its own")
	}
	for status, want := range map[int]events.Reason{
		302: events.ReasonRedirect, 304: events.ReasonRedirect, 101: events.ReasonBadContent, 999: events.ReasonServer,
	} {
		rt := &canned.Transport{Status: status, Body: []byte(`{"error":{"message":"moved"}}`)}
		f := failure(play(open(t.Context(), rt, func(c *transport.Call) { c.Failure = never })))
		assert.Equal(t, want, f.Reason, status)
		if status < 400 {
			assert.False(t, f.Retryable(), status)
		}
	}
}

func TestBlankLinesFirstAreReadOnce(t *testing.T) {
	t.Parallel()
	// Looking at the same blank lines again and again took 13 s for these.
	rt := sseAnswer("a", "done")
	rt.Body = append(bytes.Repeat([]byte("\r\n"), 1<<19), rt.Body...)
	rt.Read = func(int) int { return 1400 }
	assert.Equal(t, "started text:a completed", kinds(play(open(t.Context(), rt, nil))))
}
