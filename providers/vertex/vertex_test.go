package vertex_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/vertex"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	geminiReply = `data: {"candidates": [{"content": {"role": "model","parts": [{"text": "Hi"}]}}],"usageMetadata": {"trafficType": "ON_DEMAND"},"modelVersion": "gemini-test","createTime": "2026-03-12T18:06:15.185613Z","responseId": "r7"}

data: {"candidates": [{"content": {"role": "model","parts": [{"text": "!"}]},"finishReason": "STOP"}],"usageMetadata": {"promptTokenCount": 20,"candidatesTokenCount": 5,"totalTokenCount": 25,"trafficType": "ON_DEMAND"},"modelVersion": "gemini-test","createTime": "2026-03-12T18:06:15.185613Z","responseId": "r7"}

`
	claudeReply = `event: message_start
data: {"type":"message_start","message":{"id":"msg_vrtx_1","model":"claude-test","content":[],"usage":{"input_tokens":20,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi!"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}

event: message_stop
data: {"type":"message_stop"}

`
)

func ok(body string) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(body)}
}

func ask() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hi")}}
}

// model returns a model; of a config without a place in my-project, us-east5.
func model(t testing.TB, c vertex.Config, rt http.RoundTripper) *vertex.Model {
	t.Helper()
	if c.Model == "" {
		c.Model = "gemini-test"
	}
	if c.Key == "" && c.Project == "" {
		c.Project = "my-project"
	}
	if c.Key == "" && c.Location == "" {
		c.Location = "us-east5"
	}
	c.HTTPClient = &http.Client{Transport: rt}
	m, err := vertex.New(c)
	require.NoError(t, err)
	return m
}

func last(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	require.NotEmpty(t, evs)
	return evs[len(evs)-1]
}

func tokens(token providers.Secret) providers.TokenSource {
	return func(context.Context) (providers.Secret, error) { return token, nil }
}

func TestGenerateContent(t *testing.T) {
	t.Parallel()
	answer := ok(geminiReply)
	s := model(t, vertex.Config{Token: tokens("canary")}, answer).Stream(t.Context(), ask())
	assert.Empty(t, answer.Requests(), "nothing is sent before the stream is ranged")
	reply, err := stream.Collect(s)
	require.NoError(t, err)
	assert.Equal(t, "Hi!", reply.Text())
	assert.Equal(t, "r7", reply.Start().ResponseID)
	assert.Equal(t, events.Known(20), reply.Usage().Input)
	require.Len(t, answer.Requests(), 1)
	sent := answer.Requests()[0]
	assert.Equal(t, "POST", sent.Method)
	assert.Equal(t, "https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/publishers/google/models/gemini-test:streamGenerateContent?alt=sse", sent.URL)
	assert.Equal(t, "Bearer canary", sent.Header.Get("Authorization"))
	assert.Empty(t, sent.Header.Get("X-Goog-Api-Key"))
	assert.Empty(t, sent.Header.Get("Anthropic-Beta"))
	assert.Equal(t, `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`, string(sent.Body))
}

func TestMessages(t *testing.T) {
	t.Parallel()
	answer := ok(claudeReply)
	m := model(t, vertex.Config{API: vertex.Messages, Model: "claude-test@20260101", Token: tokens("canary"), Beta: []string{"a-1", "b-2"}}, answer)
	reply, err := stream.Collect(m.Stream(t.Context(), ask()))
	require.NoError(t, err)
	assert.Equal(t, "Hi!", reply.Text())
	assert.Equal(t, events.Known(5), reply.Usage().Output)
	sent := answer.Requests()[0]
	assert.Equal(t, "https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/publishers/anthropic/models/claude-test@20260101:streamRawPredict", sent.URL)
	assert.Equal(t, "Bearer canary", sent.Header.Get("Authorization"))
	assert.Equal(t, "a-1,b-2", sent.Header.Get("Anthropic-Beta"))
	assert.Empty(t, sent.Header.Get("Anthropic-Version"), "the version is in the body")
	assert.Equal(t, `{"anthropic_version":"vertex-2023-10-16","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"stream":true,"max_tokens":4096}`, string(sent.Body))
}

func TestExpressMode(t *testing.T) {
	t.Parallel()
	for _, key := range []providers.Secret{"canary", ""} { // and what was recorded, without one
		answer := ok(geminiReply)
		m, err := vertex.New(vertex.Config{Key: key, Model: "gemini-test", HTTPClient: &http.Client{Transport: answer}})
		require.NoError(t, err)
		_, err = stream.Collect(m.Stream(t.Context(), ask()))
		require.NoError(t, err)
		sent := answer.Requests()[0]
		assert.Equal(t, "https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-test:streamGenerateContent?alt=sse", sent.URL)
		assert.Equal(t, string(key), sent.Header.Get("X-Goog-Api-Key"))
		assert.Empty(t, sent.Header.Get("Authorization"))
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	const generate, predict = ":streamGenerateContent?alt=sse", ":streamRawPredict"
	for _, c := range []struct {
		why    string
		config vertex.Config
		want   string
	}{
		{"the global endpoint", vertex.Config{Location: "global"}, "https://aiplatform.googleapis.com/v1/projects/my-project/locations/global/publishers/google/models/gemini-test" + generate},
		{"a multi-region", vertex.Config{Location: "eu", API: vertex.Messages, Model: "m"}, "https://aiplatform.eu.rep.googleapis.com/v1/projects/my-project/locations/eu/publishers/anthropic/models/m" + predict},
		{"the other one", vertex.Config{Location: "us"}, "https://aiplatform.us.rep.googleapis.com/v1/projects/my-project/locations/us/publishers/google/models/gemini-test" + generate},
		{"a region", vertex.Config{Location: "europe-west4"}, "https://europe-west4-aiplatform.googleapis.com/v1/projects/my-project/locations/europe-west4/publishers/google/models/gemini-test" + generate},
		{"a tuned model", vertex.Config{Model: "endpoints/123"}, "https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/endpoints/123" + generate},
		{"a tuned model by its whole name", vertex.Config{Project: "my-project", Location: "us-east5", Model: "projects/my-project/locations/us-east5/endpoints/123"}, "https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/endpoints/123" + generate},
		{"a model with its publisher", vertex.Config{Model: "publishers/google/models/m"}, "https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/publishers/google/models/m" + generate},
		{"and short", vertex.Config{Model: "google/m"}, "https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/publishers/google/models/m" + generate},
		{"a short one of Anthropic's", vertex.Config{Model: "anthropic/m@1", API: vertex.Messages}, "https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5/publishers/anthropic/models/m@1" + predict},
		{"another version, and a gateway", vertex.Config{BaseURL: "https://gateway.example/vertex/v1beta1/"}, "https://gateway.example/vertex/v1beta1/projects/my-project/locations/us-east5/publishers/google/models/gemini-test" + generate},
		{"a gateway in express mode", vertex.Config{BaseURL: "http://127.0.0.1:1", Key: "k"}, "http://127.0.0.1:1/publishers/google/models/gemini-test" + generate},
		{"names that would add to the address", vertex.Config{Project: "example.com:p/q", Model: "m?key=x#y"}, "https://us-east5-aiplatform.googleapis.com/v1/projects/example.com:p%2Fq/locations/us-east5/publishers/google/models/m%3Fkey=x%23y" + generate},
	} {
		answer := ok(geminiReply)
		if c.config.API == vertex.Messages {
			answer = ok(claudeReply)
		}
		_, err := stream.Collect(model(t, c.config, answer).Stream(t.Context(), ask()))
		require.NoError(t, err, c.why)
		assert.Equal(t, c.want, answer.Requests()[0].URL, c.why)
	}
}

// Without events one JSON array comes, which says the same.
func TestArray(t *testing.T) {
	t.Parallel()
	answer := &canned.Transport{Header: http.Header{"Content-Type": {"application/json; charset=UTF-8"}}, Body: []byte(
		`[{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi!"}]},"finishReason":"STOP"}]}]`)}
	reply, err := stream.Collect(model(t, vertex.Config{}, answer).Stream(t.Context(), ask()))
	require.NoError(t, err)
	assert.Equal(t, "Hi!", reply.Text())
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		config vertex.Config
	}{
		{"nothing", vertex.Config{}},
		{"no model", vertex.Config{Project: "p", Location: "global"}},
		{"no project", vertex.Config{Location: "global", Model: "m"}},
		{"neither, with tokens", vertex.Config{Model: "m", Token: tokens("t")}},
		{"neither, for Claude", vertex.Config{Model: "m", API: vertex.Messages}},
		{"no location", vertex.Config{Project: "p", Model: "m"}},
		{"a location that is an address", vertex.Config{Project: "p", Location: "evil.example/", Model: "m"}},
		{"a location in capitals", vertex.Config{Project: "p", Location: "US", Model: "m"}},
		{"a project that climbs", vertex.Config{Project: "..", Location: "us", Model: "m"}},
		{"a model that climbs", vertex.Config{Project: "p", Location: "us", Model: "endpoints/../x"}},
		{"a model that is a folder", vertex.Config{Project: "p", Location: "us", Model: "endpoints/"}},
		{"a resource of another project", vertex.Config{Project: "p", Location: "us", Model: "projects/q/locations/us/endpoints/1"}},
		{"a resource of another location", vertex.Config{Project: "p", Location: "us", Model: "projects/p/locations/eu/endpoints/1"}},
		{"a project and no resource", vertex.Config{Project: "p", Location: "us", Model: "projects/p/locations/us"}},
		{"a resource of no location", vertex.Config{Model: "projects/p/places/us/endpoints/1", Token: tokens("t")}},
		{"a resource whose location is an address", vertex.Config{Model: "projects/p/locations/evil.example/endpoints/1", Token: tokens("t")}},
		{"a key for a resource of a project", vertex.Config{Model: "projects/p/locations/us/endpoints/1", Key: "canary"}},
		{"an API that there is not", vertex.Config{Project: "p", Location: "us", Model: "m", API: vertex.Messages + 1}},
		{"a beta of Gemini", vertex.Config{Project: "p", Location: "us", Model: "m", Beta: []string{"b"}}},
		{"a key and tokens", vertex.Config{Model: "m", Key: "canary", Token: tokens("t")}},
		{"a key and a place", vertex.Config{Project: "p", Location: "us", Model: "m", Key: "canary"}},
		{"a key, tokens and a place", vertex.Config{Project: "p", Location: "us", Model: "m", Key: "canary", Token: tokens("t")}},
		{"a key for Claude", vertex.Config{Model: "m", Key: "canary", API: vertex.Messages}},
		{"a key for Claude in a place", vertex.Config{Project: "p", Location: "us", Model: "m", Key: "canary", API: vertex.Messages}},
		{"a key over plain http", vertex.Config{Model: "m", Key: "canary", BaseURL: "http://example.com/v1"}},
		{"tokens over plain http", vertex.Config{Project: "p", Location: "us", Model: "m", Token: tokens("t"), BaseURL: "http://example.com/v1"}},
		{"a key with the line end of its file", vertex.Config{Model: "m", Key: "canary\n"}},
		{"no URL", vertex.Config{Project: "p", Location: "us", Model: "m", BaseURL: "://"}},
	} {
		m, err := vertex.New(c.config)
		f, isFailure := events.AsFailure(err)
		require.True(t, isFailure, c.why)
		assert.Nil(t, m, c.why)
		assert.Equal(t, events.InvalidRequest, f.Kind, c.why)
		assert.Equal(t, events.ReasonBadConfig, f.Reason, c.why)
		assert.NotContains(t, f.Error(), "canary", c.why)
	}
	spec := request.Spec{MaxOutput: 5}
	m := model(t, vertex.Config{Name: "mine", Spec: &spec}, ok(geminiReply))
	assert.Equal(t, "mine", m.Name())
	assert.Equal(t, spec, m.Spec())
	assert.Equal(t, "vertex:gemini-test", model(t, vertex.Config{}, ok(geminiReply)).Name())
}

// Every call asks for a token, when it is ranged, and the token goes into its header,
// to the scrubber, and into nothing that is told or printed.
func TestTokens(t *testing.T) {
	t.Parallel()
	for _, api := range []vertex.API{vertex.GenerateContent, vertex.Messages} {
		rt := &canned.Transport{Status: http.StatusUnauthorized, Body: []byte(`[{"error":{"code":401,"message":"bad token canary-1 canary-2","status":"UNAUTHENTICATED"}}]`)}
		asked := 0
		m := model(t, vertex.Config{API: api, Token: func(context.Context) (providers.Secret, error) {
			asked++
			return providers.Secret(fmt.Sprintf("canary-%d", asked)), nil
		}}, rt)
		var scrubber providers.Scrubber
		ctx := providers.WithScrubber(t.Context(), &scrubber)
		first, second := m.Stream(ctx, ask()), m.Stream(ctx, ask())
		assert.Zero(t, asked, "nothing is asked before a stream is ranged")
		for n, s := range []stream.Stream{first, second} {
			_, err := stream.Collect(s)
			f, isFailure := events.AsFailure(err)
			require.True(t, isFailure)
			assert.Equal(t, events.ReasonAuth, f.Reason)
			mine := fmt.Sprintf("canary-%d", n+1)
			assert.NotContains(t, f.Detail, mine)
			assert.NotContains(t, f.Detail, "no key", "there is one")
			assert.Equal(t, "Bearer "+mine, rt.Requests()[n].Header.Get("Authorization"))
			assert.Equal(t, "[redacted]", scrubber.Scrub(mine))
		}
		bad := ask()
		bad.Extra = map[string]string{vertex.GenerateContentExtraKey: `{"contents":[]}`, vertex.MessagesExtraKey: `{"model":"x"}`}
		_, err := stream.Collect(m.Stream(ctx, bad))
		require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest})
		assert.Equal(t, 2, asked, "a request that cannot be built needs none")
	}
}

// Without a token nothing is sent, and the reason is that of the source.
func TestNoToken(t *testing.T) {
	t.Parallel()
	expired := errors.New("the refresh token has expired")
	rt := ok(geminiReply)
	m := model(t, vertex.Config{Token: func(context.Context) (providers.Secret, error) { return "", expired }}, rt)
	_, err := stream.Collect(m.Stream(t.Context(), ask()))
	require.ErrorIs(t, err, &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth})
	require.ErrorIs(t, err, expired)
	f, _ := events.AsFailure(err)
	assert.Equal(t, events.NotSent, f.Sent)
	assert.Equal(t, vertex.Provider, f.Provider)
	assert.Empty(t, rt.Requests())
}

// Models are used by several at once, each call with a header of its own.
func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	m := model(t, vertex.Config{API: vertex.Messages, Beta: []string{"b"}, Token: tokens("canary")}, ok(claudeReply))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			_, err := stream.Collect(m.Stream(t.Context(), ask()))
			assert.NoError(t, err)
		})
	}
	group.Wait()
}

func TestKeyStaysHidden(t *testing.T) {
	t.Parallel()
	const key = "canary-key-5f1d"
	c := vertex.Config{Key: key, Model: "m"}
	m := model(t, c, &canned.Transport{Status: 403, Body: []byte(`{"error":{"code":403,"message":"not with ` + key + `","status":"PERMISSION_DENIED"}}`)})
	printed := canned.Printed(slices.Collect(m.Stream(t.Context(), ask())), c.Key, &c.Key, m, *m)
	assert.NotContains(t, printed, key)
	assert.Contains(t, printed, "PERMISSION_DENIED")
}

// Two speak on the way to Claude, each its own error; what has neither form is told
// by its status.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, body    string
		status       int
		kind         events.FailureKind
		reason       events.Reason
		code, detail string
	}{
		{"Anthropic's", `{"type":"error","error":{"type":"overloaded_error","message":"busy"},"request_id":"req_vrtx_1"}`, 529, events.Overloaded, events.ReasonOverloaded, "overloaded_error", "busy"},
		{"Google's, in a list", `[{"error":{"code":429,"message":"Quota exceeded.","status":"RESOURCE_EXHAUSTED"}}]`, 429, events.RateLimited, events.ReasonRateLimit, "RESOURCE_EXHAUSTED", "Quota exceeded."},
		{"Google's, with more than its status says", `{"error":{"code":400,"message":"no","status":"FAILED_PRECONDITION"}}`, 400, events.Rejected, events.ReasonBadRequest, "FAILED_PRECONDITION", "no"},
		{"a page of a proxy", "<html>", 502, events.Overloaded, events.ReasonServer, "", "HTTP 502 Bad Gateway"},
		{"no key", `{"error":{"code":401,"message":"who?","status":"UNAUTHENTICATED"}}`, 401, events.Rejected, events.ReasonAuth, "UNAUTHENTICATED", "who? (no key is configured)"},
		{"no key, says Anthropic", `{"type":"error","error":{"type":"authentication_error","message":"who?"}}`, 401, events.Rejected, events.ReasonAuth, "authentication_error", "who? (no key is configured)"},
	} {
		m := model(t, vertex.Config{API: vertex.Messages}, &canned.Transport{Status: c.status, Body: []byte(c.body)})
		f, failed := last(t, slices.Collect(m.Stream(t.Context(), ask()))).Failure()
		require.True(t, failed, c.why)
		assert.Equal(t, []any{c.kind, c.reason, c.code, c.status}, []any{f.Kind, f.Reason, f.ProviderCode, f.Status}, c.why)
		assert.Equal(t, c.detail, f.Detail, c.why)
	}
}

// A good body that is an error all the same, and one that is none.
func TestErrorInPlaceOfAStream(t *testing.T) {
	t.Parallel()
	for body, reason := range map[string]events.Reason{
		`{"error":{"code":503,"message":"later","status":"UNAVAILABLE"}}`: events.ReasonOverloaded,
		`{"id":"msg_1","type":"message"}`:                                 events.ReasonBadContent,
	} {
		rt := &canned.Transport{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
		f, failed := last(t, slices.Collect(model(t, vertex.Config{API: vertex.Messages}, rt).Stream(t.Context(), ask()))).Failure()
		require.True(t, failed, body)
		assert.Equal(t, reason, f.Reason, body)
	}
}

// Over a real connection the address arrives as it was meant.
func TestOverLoopback(t *testing.T) {
	t.Parallel()
	paths := make(chan string, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths <- r.URL.Path
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(geminiReply))
	}))
	defer server.Close()
	m, err := vertex.New(vertex.Config{
		Project: "p", Location: "global", Model: "gemini-test", Token: tokens("t"), BaseURL: server.URL + "/v1", HTTPClient: server.Client(),
	})
	require.NoError(t, err)
	_, err = stream.Collect(m.Stream(t.Context(), ask()))
	require.NoError(t, err)
	assert.Equal(t, "/v1/projects/p/locations/global/publishers/google/models/gemini-test:streamGenerateContent", <-paths)
	server.Client().CloseIdleConnections()
}
