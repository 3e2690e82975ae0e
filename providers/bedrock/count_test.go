package bedrock_test

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
)

func counting() *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"inputTokens":14}`)}
}

// counted is a request with what counts, and with what does not.
func counted(t *testing.T) request.Request {
	t.Helper()
	tool, err := request.NewTool("look", "Look.", `{"type":"object","properties":{}}`)
	require.NoError(t, err)
	req := ask()
	req.System, req.Tools, req.Stop, req.MaxOutputTokens = "Be brief.", []request.Tool{tool}, []string{"END"}, 100
	return req
}

// The model behind a profile of AWS's is asked, with what CountTokens takes of the body
// of Converse, and with the whole body of InvokeModel.
func TestCountTokens(t *testing.T) {
	t.Parallel()
	rt := counting()
	m := model(t, bedrock.Config{Key: "canary-key", Model: "us.anthropic.claude-haiku-4-5-20251001-v1:0"}, rt)
	counter, ok := providers.As[providers.TokenCounter](m)
	require.True(t, ok)
	n, err := counter.CountTokens(t.Context(), counted(t))
	require.NoError(t, err)
	assert.Equal(t, int64(14), n)
	sent := rt.Requests()[0]
	assert.Equal(t, http.MethodPost, sent.Method)
	assert.Equal(t, "https://bedrock-runtime.us-west-2.amazonaws.com/model/anthropic.claude-haiku-4-5-20251001-v1%3A0/count-tokens", sent.URL)
	assert.Equal(t, "application/json", sent.Header.Get("Accept"))
	assert.Equal(t, "Bearer canary-key", sent.Header.Get("Authorization"))
	assert.Equal(t, `{"input":{"converse":{"messages":[{"role":"user","content":[{"text":"hi"}]}],`+
		`"toolConfig":{"tools":[{"toolSpec":{"name":"look","description":"Look.","inputSchema":{"json":{"type":"object","properties":{}}}}}]},`+
		`"system":[{"text":"Be brief."}]}}}`, string(sent.Body))

	const profile = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1"
	rt = counting()
	m = model(t, bedrock.Config{API: bedrock.InvokeMessages, Model: profile}, rt)
	_, err = m.CountTokens(t.Context(), counted(t))
	require.NoError(t, err)
	drain(m.Stream(t.Context(), counted(t)))
	count, reply := rt.Requests()[0], rt.Requests()[1]
	assert.True(t, strings.HasSuffix(count.URL, "application-inference-profile%2Fa1/count-tokens"), "which model is behind it is not known here")
	assert.Equal(t, `{"input":{"invokeModel":{"body":"`+base64.StdEncoding.EncodeToString(reply.Body)+`"}}}`, string(count.Body))
	assert.Equal(t, []int{1, 1}, rt.Closes())
}

// A count is signed like a reply, and nothing of it is changed after that.
func TestCountTokensIsSigned(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var complaints []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		complaints = append(complaints, verify(r)...)
		_, _ = w.Write([]byte(`{"inputTokens":14}`))
	}))
	defer server.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	for _, api := range []bedrock.API{bedrock.Converse, bedrock.InvokeMessages} {
		c := bedrock.Config{Credentials: bedrock.StaticCredentials(keys()), BaseURL: server.URL, API: api}
		n, err := model(t, c, transport).CountTokens(t.Context(), ask())
		require.NoError(t, err)
		assert.Equal(t, int64(14), n)
	}
	mu.Lock()
	defer mu.Unlock()
	assert.Empty(t, complaints)
}

// What goes wrong is a failure, with the credential in none of it.
func TestCountTokensFails(t *testing.T) {
	t.Parallel()
	refusal := func(status int, name string) *canned.Transport {
		return &canned.Transport{
			Status: status, Header: http.Header{"Content-Type": {"application/json"}, "X-Amzn-Errortype": {name}},
			Body: []byte(`{"message":"The provided model doesn't support counting tokens, canary-key"}`),
		}
	}
	for _, tt := range []struct {
		why    string
		rt     *canned.Transport
		req    request.Request
		kind   events.FailureKind
		reason events.Reason
		sent   events.Sent
	}{
		{"a model that does not count", refusal(400, "ValidationException:x"), ask(), events.Rejected, events.ReasonBadRequest, events.Answered},
		{"a credential that is none", refusal(403, "UnrecognizedClientException:x"), ask(), events.Rejected, events.ReasonAuth, events.Answered},
		{"no number", &canned.Transport{Body: []byte(`{"inputTokens":"canary-key"}`)}, ask(), events.InvalidReply, events.ReasonUnusableUsage, events.Answered},
		{"what Stream refuses too", counting(), request.Request{}, events.InvalidRequest, "", events.NotSent},
	} {
		_, err := model(t, bedrock.Config{Key: "canary-key"}, tt.rt).CountTokens(t.Context(), tt.req)
		f, ok := events.AsFailure(err)
		require.True(t, ok, tt.why)
		assert.Equal(t, tt.kind, f.Kind, tt.why)
		if tt.reason != "" {
			assert.Equal(t, tt.reason, f.Reason, tt.why)
		}
		assert.Equal(t, tt.sent, f.Sent, tt.why)
		assert.Equal(t, bedrock.Provider, f.Provider, tt.why)
		assert.NotContains(t, f.Error(), "canary", tt.why)
		assert.Equal(t, tt.sent == events.NotSent, len(tt.rt.Requests()) == 0, tt.why)
	}
	synctest.Test(t, func(t *testing.T) {
		rt := &canned.Transport{Body: []byte(`{`), Hang: true}
		_, err := model(t, bedrock.Config{}, rt).CountTokens(t.Context(), ask())
		assert.ErrorIs(t, err, &events.Failure{Kind: events.TimedOut, Reason: events.Reason(cancel.Idle)})
		assert.Equal(t, []int{1}, rt.Closes())
	})
}
