package azure_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/azure"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	key      = "azure-canary-0123456789abcdef"
	resource = "https://acme.openai.azure.com"
)

const prompt = `data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}` + "\n\n"

func chunk(choice, more string) string {
	return `data: {"choices":[` + choice + `],"id":"chatcmpl-1","model":"gpt-5-2025-08-07"` + more + "}\n\n"
}

func sse(body string) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(body)}
}

func hello() *canned.Transport {
	return sse(prompt + chunk(`{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop","content_filter_results":{}}`, "") + "data: [DONE]\n\n")
}

func ask() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hi")}, MaxOutputTokens: 50}
}

func model(t *testing.T, rt http.RoundTripper, change func(*azure.Config)) *azure.Model {
	t.Helper()
	c := azure.Config{Endpoint: resource, Deployment: "my/gpt?", Key: key, HTTPClient: &http.Client{Transport: rt}}
	if change != nil {
		change(&c)
	}
	m, err := azure.New(c)
	require.NoError(t, err)
	return m
}

// The two paths, and what is at either.
func TestPaths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ why, endpoint, version, call, models string }{
		{"v1", resource, "", resource + "/openai/v1/chat/completions", resource + "/openai/v1/models"},
		{"classic", resource, "2024-10-21", resource + "/openai/deployments/my%2Fgpt%3F/chat/completions?api-version=2024-10-21", resource + "/openai/models?api-version=2024-10-21"},
		{"a slash at the end", resource + "/", "", resource + "/openai/v1/chat/completions", resource + "/openai/v1/models"},
		{"a gateway in front", "https://gate.test/team-a", "2024-10-21", "https://gate.test/team-a/openai/deployments/my%2Fgpt%3F/chat/completions?api-version=2024-10-21", "https://gate.test/team-a/openai/models?api-version=2024-10-21"},
		{"a version that would add to the query", resource, "a&b=c", resource + "/openai/deployments/my%2Fgpt%3F/chat/completions?api-version=a%26b%3Dc", resource + "/openai/models?api-version=a%26b%3Dc"},
	} {
		rt := hello()
		m := model(t, rt, func(c *azure.Config) { c.Endpoint, c.APIVersion = tt.endpoint, tt.version })
		assert.Equal(t, "azure:my/gpt?", m.Name())
		reply, err := stream.Collect(m.Stream(t.Context(), ask()))
		require.NoError(t, err, tt.why)
		assert.Equal(t, "Hi", reply.Text())
		assert.Equal(t, "chatcmpl-1", reply.Start().ResponseID, "not the empty one of the first chunk")
		_, _ = m.ListModels(t.Context())
		sent := rt.Requests()
		require.Len(t, sent, 2)
		assert.Equal(t, tt.call, sent[0].URL, tt.why)
		assert.Equal(t, tt.models, sent[1].URL, tt.why)
		for _, r := range sent {
			assert.Equal(t, key, r.Header.Get("Api-Key"))
			assert.Empty(t, r.Header.Get("Authorization"))
		}
		assert.Equal(t, `{"model":"my/gpt?","messages":[{"role":"user","content":"hi"}],"stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":50}`, string(sent[0].Body))
	}
}

// Responses has the deployment in the body on both paths, and asks for sealed reasoning
// where the deployment is known to think: others refuse to be asked.
func TestResponses(t *testing.T) {
	t.Parallel()
	const text = `data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"item_id":"m","delta":"Hi"}` + "\n\n"
	const end = `data: {"type":"response.completed","response":{"id":"resp_1","model":"gpt-5","status":"completed","content_filters":null,"output":[{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"Hi"}]}],"usage":{"input_tokens":3,"output_tokens":1,"total_tokens":4}}}` + "\n\n"
	for _, tt := range []struct{ version, call, models string }{
		{"", resource + "/openai/v1/responses", resource + "/openai/v1/models"},
		{"2025-04-01-preview", resource + "/openai/responses?api-version=2025-04-01-preview", resource + "/openai/models?api-version=2025-04-01-preview"},
	} {
		rt := sse(text + end)
		m := model(t, rt, func(c *azure.Config) { c.API, c.APIVersion = azure.Responses, tt.version })
		reply, err := stream.Collect(m.Stream(t.Context(), ask()))
		require.NoError(t, err)
		assert.Equal(t, "Hi", reply.Text())
		_, _ = m.ListModels(t.Context())
		sent := rt.Requests()
		assert.Equal(t, tt.call, sent[0].URL)
		assert.Equal(t, tt.models, sent[1].URL)
		assert.Equal(t, key, sent[0].Header.Get("Api-Key"))
		assert.Contains(t, string(sent[0].Body), `"model":"my/gpt?"`)
		assert.Contains(t, string(sent[0].Body), `"store":false`)
		assert.NotContains(t, string(sent[0].Body), "include")

		m = model(t, rt, func(c *azure.Config) {
			c.API, c.APIVersion, c.Spec = azure.Responses, tt.version, &request.Spec{Thinking: request.Yes}
		})
		_, err = stream.Collect(m.Stream(t.Context(), ask()))
		require.NoError(t, err)
		assert.Contains(t, string(rt.Requests()[2].Body), `"include":["reasoning.encrypted_content"]`)
	}
	rt := &canned.Transport{Status: http.StatusUnauthorized, Body: []byte(`{"error":{"code":"401","message":"Access denied"}}`)}
	_, err := stream.Collect(model(t, rt, func(c *azure.Config) { c.API, c.Key = azure.Responses, "" }).Stream(t.Context(), ask()))
	f, _ := events.AsFailure(err)
	assert.Contains(t, f.Detail, "no key is configured")
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	token := func(context.Context) (providers.Secret, error) { return "t", nil }
	for _, tt := range []struct {
		why    string
		config azure.Config
	}{
		{"no endpoint", azure.Config{Deployment: "d"}},
		{"no deployment", azure.Config{Endpoint: resource}},
		{"an API that there is not", azure.Config{Endpoint: resource, Deployment: "d", API: "assistants"}},
		{"a deployment that climbs", azure.Config{Endpoint: resource, Deployment: "..", APIVersion: "v"}},
		{"a key and tokens", azure.Config{Endpoint: resource, Deployment: "d", Key: key, Token: token}},
		{"a key over plain http", azure.Config{Endpoint: "http://acme.test", Deployment: "d", Key: key}},
		{"tokens over plain http", azure.Config{Endpoint: "http://acme.test", Deployment: "d", Token: token}},
		{"a key with the line end of its file", azure.Config{Endpoint: resource, Deployment: "d", Key: key + "\n"}},
		{"the base URL of v1", azure.Config{Endpoint: resource + "/openai/v1/", Deployment: "d"}},
		{"the start of it", azure.Config{Endpoint: resource + "/openai", Deployment: "d"}},
		{"the whole address", azure.Config{Endpoint: resource + "/openai/deployments/d/chat/completions?api-version=v", Deployment: "d"}},
		{"a query", azure.Config{Endpoint: resource + "?code=" + key, Deployment: "d"}},
		{"no address", azure.Config{Endpoint: "acme", Deployment: "d"}},
	} {
		m, err := azure.New(tt.config)
		f, ok := events.AsFailure(err)
		require.True(t, ok, tt.why)
		assert.Nil(t, m, tt.why)
		assert.Equal(t, events.InvalidRequest, f.Kind, tt.why)
		assert.Equal(t, events.ReasonBadConfig, f.Reason, tt.why)
		assert.NotContains(t, f.Error(), "canary", tt.why)
	}
	spec := request.Spec{MaxOutput: 5}
	m := model(t, hello(), func(c *azure.Config) { c.Name, c.Spec, c.Key = "mine", &spec, "" })
	assert.Equal(t, "mine", m.Name())
	assert.Equal(t, spec, m.Spec())
}

// Every call asks for a token, when it is ranged and not before, and the token goes
// where a key would: into the header, to the scrubber, and into nothing that is told.
func TestTokens(t *testing.T) {
	t.Parallel()
	rt := &canned.Transport{Status: http.StatusUnauthorized, Body: []byte(`{"error":{"code":"401","message":"bad token canary-1 canary-2"}}`)}
	asked := 0
	m := model(t, rt, func(c *azure.Config) {
		c.Key = ""
		c.Token = func(context.Context) (providers.Secret, error) {
			asked++
			return providers.Secret(fmt.Sprintf("canary-%d", asked)), nil
		}
	})
	var scrubber providers.Scrubber
	ctx := providers.WithScrubber(t.Context(), &scrubber)
	first, second := m.Stream(ctx, ask()), m.Stream(ctx, ask())
	assert.Zero(t, asked, "nothing is asked before a stream is ranged")
	for n, s := range []stream.Stream{first, second} {
		_, err := stream.Collect(s)
		f, ok := events.AsFailure(err)
		require.True(t, ok)
		assert.Equal(t, events.ReasonAuth, f.Reason)
		mine := fmt.Sprintf("canary-%d", n+1)
		assert.NotContains(t, f.Detail, mine)
		assert.NotContains(t, f.Detail, "no key", "there is one")
		assert.Equal(t, "Bearer "+mine, rt.Requests()[n].Header.Get("Authorization"))
		assert.Empty(t, rt.Requests()[n].Header.Get("Api-Key"))
		assert.Equal(t, "[redacted]", scrubber.Scrub(mine))
	}
	_, _ = m.ListModels(ctx)
	assert.Equal(t, "Bearer canary-3", rt.Requests()[2].Header.Get("Authorization"))

	bad := ask()
	bad.Extra = map[string]string{azure.ExtraKey: `{"model":"x"}`}
	_, err := stream.Collect(m.Stream(ctx, bad))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest})
	assert.Equal(t, 3, asked, "a request that cannot be built needs none")
}

// Without a token nothing is sent, and the reason is that of the source.
func TestNoToken(t *testing.T) {
	t.Parallel()
	expired := errors.New("the refresh token has expired")
	rt := hello()
	m := model(t, rt, func(c *azure.Config) {
		c.Key = ""
		c.Token = func(context.Context) (providers.Secret, error) { return "", expired }
	})
	_, err := stream.Collect(m.Stream(t.Context(), ask()))
	_, listed := m.ListModels(t.Context())
	for _, err := range []error{err, listed} {
		require.ErrorIs(t, err, &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth})
		require.ErrorIs(t, err, expired)
		f, _ := events.AsFailure(err)
		assert.Equal(t, events.NotSent, f.Sent)
		assert.Equal(t, azure.Provider, f.Provider)
	}
	assert.Empty(t, rt.Requests())
}

// A prompt that the filter refuses, an answer that it cuts, and what it tells of
// contents that pass.
func TestContentFilter(t *testing.T) {
	t.Parallel()
	refused := &canned.Transport{Status: http.StatusBadRequest, Body: []byte(`{"error":{"message":"The prompt was filtered.","type":null,"param":"prompt","code":"content_filter","status":400,` +
		`"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{"hate":{"filtered":false,"severity":"safe"},"violence":{"filtered":true,"severity":"high"}}}}}`)}
	_, err := stream.Collect(model(t, refused, nil).Stream(t.Context(), ask()))
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.Rejected, f.Kind)
	assert.Equal(t, events.ReasonContentBlocked, f.Reason)
	assert.Equal(t, "content_filter", f.ProviderCode)
	assert.Equal(t, "The prompt was filtered.: filtered: violence", f.Detail)
	assert.False(t, f.Retryable())

	cut := prompt + chunk(`{"index":0,"delta":{"content":"Well"},"finish_reason":null,"content_filter_results":{}}`, "") +
		chunk(`{"index":0,"delta":{},"finish_reason":"content_filter","content_filter_results":{"violence":{"filtered":true,"severity":"medium"}}}`, "") + "data: [DONE]\n\n"
	reply, err := stream.Collect(model(t, sse(cut), nil).Stream(t.Context(), ask()))
	require.NoError(t, err)
	assert.Equal(t, "Well", reply.Text())
	assert.Equal(t, events.StopContentFilter, reply.Stop())

	// The asynchronous filter tells in chunks of its own, before and after the end,
	// and when it fails itself.
	annotations := prompt + "event: keepalive\ndata: {}\n\n" +
		chunk(`{"index":0,"delta":{"content":"Hi"},"finish_reason":null}`, "") +
		chunk(`{"index":0,"finish_reason":null,"content_filter_offsets":{"check_offset":0,"start_offset":0,"end_offset":2},"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}`, "") +
		chunk(`{"index":0,"delta":{},"finish_reason":"stop"}`, "") +
		chunk(`{"index":0,"finish_reason":null,"content_filter_offsets":{"check_offset":2,"start_offset":0,"end_offset":2},"content_filter_results":{"error":{"code":"content_filter_error","message":"The contents are not filtered"}}}`, "") +
		chunk("", `,"latency_checkpoint":{"engine_ttft_ms":3},"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}`) + "data: [DONE]\n\n"
	evs := slices.Collect(model(t, sse(annotations), nil).Stream(t.Context(), ask()))
	var kinds []events.Kind
	for _, ev := range evs {
		kinds = append(kinds, ev.Kind)
	}
	assert.Equal(t, []events.Kind{events.Started, events.TextDelta, events.UsageUpdated, events.Completed}, kinds, "nothing of it is anybody's error")
	done, _ := evs[len(evs)-1].Completion()
	assert.Equal(t, events.StopEnd, done.Stop)
	assert.Equal(t, events.Known(3), done.Usage.Input)
}

// What a tool call needs comes back in the next request, byte for byte.
func TestToolLoop(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("weather", "The weather.", `{"type":"object","properties":{"city":{"type":"string"}}}`)
	require.NoError(t, err)
	rt := sse(prompt + chunk(`{"index":0,"delta":{"content":null,"tool_calls":[{"id":"call_1","index":0,"type":"function","function":{"name":"weather","arguments":""}}]},"finish_reason":null,"content_filter_results":{}}`, "") +
		chunk(`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"city\": \"Oslo\"}"}}]},"finish_reason":null,"content_filter_results":{}}`, "") +
		chunk(`{"index":0,"delta":{},"finish_reason":"tool_calls","content_filter_results":{}}`, "") + "data: [DONE]\n\n")
	m := model(t, rt, nil)
	r := ask()
	r.Tools = []request.Tool{tool}
	reply, err := stream.Collect(m.Stream(t.Context(), r))
	require.NoError(t, err)
	require.Len(t, reply.ToolCalls(), 1)
	r.Messages = append(r.Messages, reply.Turn(), request.Results(request.Result("call_1", "rain")))
	_, err = stream.Collect(m.Stream(t.Context(), r))
	require.NoError(t, err)
	const tools = `"tools":[{"type":"function","function":{"name":"weather","description":"The weather.","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]`
	assert.Equal(t, `{"model":"my/gpt?","messages":[{"role":"user","content":"hi"},`+
		`{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"weather","arguments":"{\"city\": \"Oslo\"}"}}]},`+
		`{"role":"tool","tool_call_id":"call_1","content":"rain"}],`+tools+
		`,"stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":50}`, string(rt.Requests()[1].Body))
}

// No printer reaches the key.
func TestKeyIsNeverPrinted(t *testing.T) {
	t.Parallel()
	c := azure.Config{Endpoint: resource, Deployment: "d", Key: key}
	m, err := azure.New(c)
	require.NoError(t, err)
	printed := canned.Printed(nil, c, &c, c.Key, m, *m)
	assert.NotContains(t, printed, "canary")
	assert.Contains(t, printed, "[redacted]")
}

// A refusal for want of a credential says that there is none.
func TestRefusedCall(t *testing.T) {
	t.Parallel()
	rt := &canned.Transport{Status: http.StatusUnauthorized, Body: []byte(`{"error":{"code":"401","message":"Access denied"}}`)}
	_, err := stream.Collect(model(t, rt, func(c *azure.Config) { c.Key = "" }).Stream(t.Context(), ask()))
	f, _ := events.AsFailure(err)
	assert.Equal(t, events.ReasonAuth, f.Reason)
	assert.Contains(t, f.Detail, "no key is configured")
	assert.Equal(t, "401", f.ProviderCode)
}
