package openrouter_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-or-canary-0123456789abcdef"

func sse(body string) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(body)}
}

func model(t *testing.T, rt *canned.Transport) *openrouter.Model {
	t.Helper()
	m, err := openrouter.New(openrouter.Config{
		Key: key, Model: "a/b", Referer: "https://app.test", Title: "App", HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(t, err)
	return m
}

// A call, its turn sent back with the reasoning details it came with, and the
// cost that OpenRouter itself names.
func TestConversation(t *testing.T) {
	t.Parallel()
	rt := sse(": OPENROUTER PROCESSING\n\n" +
		`data: {"id":"gen-1","provider":"X","choices":[{"index":0,"delta":{"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"aB+/=","index":0}]},"finish_reason":null}]}` + "\n\n" +
		`data: {"id":"gen-1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t1","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\n\n" +
		`data: {"id":"gen-1","choices":[{"index":0,"delta":{"content":""},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"cost":0.00001234}}` + "\n\ndata: [DONE]\n\n")
	m := model(t, rt)
	assert.Equal(t, "openrouter:a/b", m.Name())
	r := request.Request{Messages: []request.Message{request.UserText("hi")}, Effort: request.EffortHigh}
	reply, err := stream.Collect(m.Stream(context.Background(), r))
	require.NoError(t, err)
	assert.Equal(t, "hm", reply.Thinking())
	assert.Equal(t, map[string]string{"provider": "X"}, reply.Start().Metadata)
	cost, ok := reply.Cost()
	assert.True(t, ok)
	assert.Equal(t, events.Cost{Micros: 13, Text: "0.00001234"}, cost)
	sent := rt.Requests()[0]
	assert.Equal(t, openrouter.DefaultBaseURL+"/chat/completions", sent.URL)
	assert.Equal(t, "https://app.test", sent.Header.Get("HTTP-Referer"))
	assert.Equal(t, "App", sent.Header.Get("X-OpenRouter-Title"))
	assert.Contains(t, string(sent.Body), `"reasoning":{"effort":"high"}`)

	r.Messages = append(r.Messages, reply.Turn(), request.Results(request.Result("t1", "ok")))
	_, err = stream.Collect(m.Stream(context.Background(), r))
	require.NoError(t, err)
	assert.Contains(t, string(rt.Requests()[1].Body),
		`"reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"aB+/=","index":0}]`)
}

func TestErrorInTheMiddle(t *testing.T) {
	t.Parallel()
	rt := sse(`data: {"id":"g","choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}` + "\n\n" +
		`data: {"id":"g","choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"error":{"code":429,"message":"slow","metadata":{"error_type":"rate_limit_exceeded"}}}` + "\n\n")
	reply, err := stream.Collect(model(t, rt).Stream(context.Background(), request.Request{Messages: []request.Message{request.UserText("hi")}}))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.RateLimited})
	assert.Equal(t, "Hel", reply.Text())
	f, _ := events.AsFailure(err)
	assert.Equal(t, openrouter.Provider, f.Provider)
}

func TestConfig(t *testing.T) {
	t.Parallel()
	_, err := openrouter.New(openrouter.Config{Key: key})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
	_, err = openrouter.New(openrouter.Config{Model: "m", Key: key + "\n"})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, "a key with the line end of its file")
	_, err = openrouter.New(openrouter.Config{Model: "m", BaseURL: openrouter.DefaultBaseURL + "/chat/completions"})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
	_, err = openrouter.New(openrouter.Config{Key: key, Model: "m", BaseURL: "ftp://x"})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
	spec := request.Spec{MaxOutput: 5}
	c := openrouter.Config{Key: key, Model: "m", Name: "mine", Spec: &spec}
	m, err := openrouter.New(c)
	require.NoError(t, err)
	assert.Equal(t, "mine", m.Name())
	assert.Equal(t, spec, m.Spec())
	assert.NotContains(t, canned.Printed(nil, c, &c, m, *m), "canary")
}

// What was left out is told of a call that fails before its first frame too, and
// a refusal for want of a key says that there is none.
func TestRefusedCall(t *testing.T) {
	t.Parallel()
	for _, secret := range []providers.Secret{"", key} {
		canned.Refused(t, openrouter.ExtraKey, secret == "", func(client *http.Client) providers.Model {
			m, err := openrouter.New(openrouter.Config{Model: "m", Key: secret, HTTPClient: client})
			require.NoError(t, err)
			return m
		})
	}
}
