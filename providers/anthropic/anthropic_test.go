package anthropic_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const reply = `event: message_start
data: {"type":"message_start","message":{"id":"msg_1","model":"claude-test","content":[],"usage":{"input_tokens":20,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}

event: message_stop
data: {"type":"message_stop"}

`

func ok(body string) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}, "Request-Id": {"req_7"}}, Body: []byte(body)}
}

func ask() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hi")}}
}

func model(t testing.TB, c anthropic.Config) *anthropic.Model {
	t.Helper()
	if c.Model == "" {
		c.Model = "claude-test"
	}
	m, err := anthropic.New(c)
	require.NoError(t, err)
	return m
}

func last(t testing.TB, evs []events.Event) events.Event {
	t.Helper()
	require.NotEmpty(t, evs)
	return evs[len(evs)-1]
}

func TestStream(t *testing.T) {
	t.Parallel()
	answer := ok(reply)
	m := model(t, anthropic.Config{Key: "sk-ant-canary", Beta: []string{"a-1", "b-2"}, HTTPClient: &http.Client{Transport: answer}})
	s := m.Stream(context.Background(), ask())
	assert.Empty(t, answer.Requests(), "nothing is sent before the stream is ranged")
	evs := slices.Collect(s)
	start, _ := evs[0].Start()
	assert.Equal(t, events.Start{ResponseID: "msg_1", Model: "claude-test", RequestID: "req_7"}, start)
	done, completed := last(t, evs).Completion()
	require.True(t, completed, "%v", last(t, evs))
	assert.Equal(t, events.StopEnd, done.Stop)

	require.Len(t, answer.Requests(), 1)
	sent := answer.Requests()[0]
	assert.Equal(t, "POST", sent.Method)
	assert.Equal(t, "https://api.anthropic.com/v1/messages", sent.URL)
	assert.Equal(t, "sk-ant-canary", sent.Header.Get("X-Api-Key"))
	assert.Empty(t, sent.Header.Get("Authorization"))
	assert.Equal(t, "2023-06-01", sent.Header.Get("Anthropic-Version"))
	assert.Equal(t, "a-1,b-2", sent.Header.Get("Anthropic-Beta"))
	assert.JSONEq(t, `{"model":"claude-test","max_tokens":4096,"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`, string(sent.Body))
}

func TestOAuth(t *testing.T) {
	t.Parallel()
	answer := ok(reply)
	m := model(t, anthropic.Config{
		OAuthToken: "oat-canary", BaseURL: "https://gateway.example/anthropic/v1/", Version: "2024-01-01",
		HTTPClient: &http.Client{Transport: answer},
	})
	require.Equal(t, events.Completed, last(t, slices.Collect(m.Stream(context.Background(), ask()))).Kind)
	sent := answer.Requests()[0]
	assert.Equal(t, "https://gateway.example/anthropic/v1/messages", sent.URL)
	assert.Equal(t, "Bearer oat-canary", sent.Header.Get("Authorization"))
	assert.Empty(t, sent.Header.Get("X-Api-Key"))
	assert.Equal(t, "2024-01-01", sent.Header.Get("Anthropic-Version"))
	assert.Empty(t, sent.Header.Values("Anthropic-Beta"))
}

func TestName(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "anthropic:claude-test", model(t, anthropic.Config{}).Name())
	assert.Equal(t, "mine", model(t, anthropic.Config{Name: "mine"}).Name())
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		config anthropic.Config
	}{
		{"no model", anthropic.Config{Key: "k"}},
		{"two credentials", anthropic.Config{Model: "m", Key: "k", OAuthToken: "t"}},
		{"a key over plain http", anthropic.Config{Model: "m", Key: "k", BaseURL: "http://example.com/v1"}},
		{"a token over plain http", anthropic.Config{Model: "m", OAuthToken: "t", BaseURL: "http://example.com/v1"}},
		{"a key with the line end of its file", anthropic.Config{Model: "m", Key: "canary-key\n"}},
		{"a token with the line end of its file", anthropic.Config{Model: "m", OAuthToken: "canary-token\r\n"}},
		{"no URL", anthropic.Config{Model: "m", BaseURL: "://"}},
	} {
		_, err := anthropic.New(c.config)
		f, isFailure := events.AsFailure(err)
		require.True(t, isFailure, c.why)
		assert.Equal(t, events.InvalidRequest, f.Kind, c.why)
		assert.Equal(t, events.ReasonBadConfig, f.Reason, c.why)
		assert.Equal(t, events.NotSent, f.Sent, c.why)
	}
	_, err := anthropic.New(anthropic.Config{Model: "m", Key: "k", BaseURL: "http://127.0.0.1:8080"})
	assert.NoError(t, err, "loopback is as good as https")
}

// A request that does not fit is refused before anything is sent.
func TestBadRequestIsNotSent(t *testing.T) {
	t.Parallel()
	answer := ok(reply)
	m := model(t, anthropic.Config{HTTPClient: &http.Client{Transport: answer}})
	open := request.Assistant(request.Call(events.ToolCall{ID: "u2", Name: "f", Arguments: "{}"}))
	for why, r := range map[string]request.Request{
		"a call without its result": {Messages: []request.Message{request.UserText("q"), open, request.UserText("go on")}},
		"a strict budget too small": {Messages: ask().Messages, ThinkingBudget: new(1000), Strict: true},
		"audio":                     {Messages: []request.Message{request.User(request.AudioBytes("audio/wav", []byte{1}))}},
	} {
		f, failed := last(t, slices.Collect(m.Stream(context.Background(), r))).Failure()
		require.True(t, failed, why)
		assert.Equal(t, events.InvalidRequest, f.Kind, why)
		assert.Equal(t, events.NotSent, f.Sent, why)
	}
	assert.Empty(t, answer.Requests())
}

// No credential reaches a printer, a failure or an event.
func TestCredentialsStayHidden(t *testing.T) {
	t.Parallel()
	const key, token = "canary-key-5f1d", "canary-token-77aa"
	refusal := []byte(`{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key ` + key + ` or Bearer ` + token + `"}}`)
	for _, c := range []anthropic.Config{{Key: key}, {OAuthToken: token}} {
		c.Model = "claude-test"
		c.HTTPClient = &http.Client{Transport: &canned.Transport{Status: 401, Header: http.Header{"Content-Type": {"application/json"}}, Body: refusal}}
		m := model(t, c)
		printed := canned.Printed(slices.Collect(m.Stream(context.Background(), ask())), c, &c, m, *m)
		assert.NotContains(t, printed, string(c.Key+c.OAuthToken))
		assert.Contains(t, printed, "authentication_error")
	}
}

// Every way out of the loop, at every event, closes the body once.
func TestLeavingClosesTheBody(t *testing.T) {
	t.Parallel()
	canned.Left(t, func() *canned.Transport { return ok(reply) }, func(client *http.Client) providers.Model {
		return model(t, anthropic.Config{HTTPClient: client})
	})
}

// Over a real connection, with what a server's own pauses do to the reads.
func TestOverLoopback(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !json.Valid(body) || r.URL.Path != "/v1/messages" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Anthropic-Ratelimit-Requests-Remaining", "9")
		for _, frame := range strings.SplitAfter(reply, "\n\n") {
			_, _ = io.WriteString(w, frame)
			w.(http.Flusher).Flush()
		}
	}))
	defer server.Close()
	m := model(t, anthropic.Config{Key: "k", BaseURL: server.URL + "/v1", HTTPClient: server.Client()})
	evs := slices.Collect(m.Stream(context.Background(), ask()))
	require.Equal(t, events.Completed, last(t, evs).Kind, "%v", last(t, evs))
	start, _ := evs[0].Start()
	require.NotNil(t, start.RateLimits)
	assert.Equal(t, int64(9), start.RateLimits.Requests.Remaining.Or(-1))
	server.Client().CloseIdleConnections()
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	m := model(t, anthropic.Config{HTTPClient: &http.Client{Transport: &canned.Transport{Err: errors.New("refused")}}})
	f, failed := last(t, slices.Collect(m.Stream(context.Background(), ask()))).Failure()
	require.True(t, failed)
	assert.Equal(t, events.Unreachable, f.Kind)
	assert.Equal(t, anthropic.Provider, f.Provider)
}

// What was left out is told of a call that fails before its first frame too, and
// a refusal for want of a key says that there is none.
func TestRefusedCall(t *testing.T) {
	t.Parallel()
	for _, c := range []anthropic.Config{{}, {Key: "canary-key-5f1d"}, {OAuthToken: "canary-token-77aa"}} {
		canned.Refused(t, anthropic.ExtraKey, c.Key+c.OAuthToken == "", func(client *http.Client) providers.Model {
			c.HTTPClient = client
			return model(t, c)
		})
	}
}
