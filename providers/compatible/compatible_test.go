package compatible_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-canary-0123456789abcdef"

const hello = "data: {\"id\":\"c1\",\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

func sse(body string) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(body)}
}

func ask() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hi")}}
}

func TestStream(t *testing.T) {
	t.Parallel()
	rt := sse(hello)
	m, err := compatible.New(compatible.Config{
		Provider: "acme", BaseURL: "https://acme.test/v1/", Model: "m", Key: key,
		Header: http.Header{"X-Team": {"blue"}}, ExtraBody: `{"top_k":3,"seed":1}`,
		HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(t, err)
	assert.Equal(t, "acme:m", m.Name())
	r := ask()
	r.Seed = new(int64(9))
	r.Extra = map[string]string{"chat": `{"top_k":4}`}
	s := m.Stream(context.Background(), r)
	assert.Empty(t, rt.Requests(), "nothing is sent before the stream is ranged")
	reply, err := stream.Collect(s)
	require.NoError(t, err)
	assert.Equal(t, "Hi", reply.Text())
	assert.Equal(t, "m-1", reply.Start().Model)
	sent := rt.Requests()
	require.Len(t, sent, 1)
	assert.Equal(t, "https://acme.test/v1/chat/completions", sent[0].URL)
	assert.Equal(t, "Bearer "+key, sent[0].Header.Get("Authorization"))
	assert.Equal(t, "blue", sent[0].Header.Get("X-Team"))
	assert.Contains(t, string(sent[0].Body), `"seed":1`, "the endpoint's own extra replaces parameters")
	assert.Contains(t, string(sent[0].Body), `"top_k":4`, "the request's extra comes last")
	assert.Equal(t, []int{1}, rt.Closes())
}

func TestKeyHeader(t *testing.T) {
	t.Parallel()
	rt := sse(hello)
	m, err := compatible.New(compatible.Config{
		Provider: "azure", BaseURL: "https://a.test/openai/v1", Model: "m", Name: "mine", Key: key, KeyHeader: "api-key",
		HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(t, err)
	_, err = stream.Collect(m.Stream(context.Background(), ask()))
	require.NoError(t, err)
	assert.Equal(t, "mine", m.Name())
	h := rt.Requests()[0].Header
	assert.Equal(t, key, h.Get("Api-Key"))
	assert.Empty(t, h.Get("Authorization"))
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	gateway := map[string]providers.Secret{"x-gateway-token": key}
	tests := []struct {
		why    string
		config compatible.Config
	}{
		{"no provider", compatible.Config{BaseURL: "https://a.test", Model: "m"}},
		{"no model", compatible.Config{Provider: "a", BaseURL: "https://a.test"}},
		{"no endpoint", compatible.Config{Provider: "a", Model: "m"}},
		{"a key over plain http", compatible.Config{Provider: "a", BaseURL: "http://a.test", Model: "m", Key: key}},
		{"a key with the line end of its file", compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Key: key + "\n"}},
		{"a secret header with it", compatible.Config{
			Provider: "a", BaseURL: "https://a.test", Model: "m", SecretHeader: map[string]providers.Secret{"x-a": key + "\r\n"},
		}},
		{"a credential in the address", compatible.Config{Provider: "a", BaseURL: "https://u:p@a.test", Model: "m"}},
		{"a query in the address", compatible.Config{Provider: "a", BaseURL: "https://a.test?key=" + key, Model: "m"}},
		{"the whole address", compatible.Config{Provider: "a", BaseURL: "https://a.test/v1/chat/completions", Model: "m"}},
		{"a key and tokens", compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Key: key, Token: tokens("t")}},
		{"tokens over plain http", compatible.Config{Provider: "a", BaseURL: "http://a.test", Model: "m", Token: tokens("t")}},
		{"a secret header where the token goes", compatible.Config{
			Provider: "a", BaseURL: "https://a.test", Model: "m", Token: tokens("t"),
			SecretHeader: map[string]providers.Secret{"authorization": key},
		}},
		{"a secret header over plain http", compatible.Config{Provider: "a", BaseURL: "http://a.test", Model: "m", SecretHeader: gateway}},
		{"a secret header that is the key's", compatible.Config{
			Provider: "a", BaseURL: "https://a.test", Model: "m", Key: key, KeyHeader: "X-gateway-Token", SecretHeader: gateway,
		}},
		{"a secret header where the key goes", compatible.Config{
			Provider: "a", BaseURL: "https://a.test", Model: "m", Key: key,
			SecretHeader: map[string]providers.Secret{"authorization": key},
		}},
		{"a secret header that is no secret", compatible.Config{
			Provider: "a", BaseURL: "https://a.test", Model: "m", SecretHeader: gateway, Header: http.Header{"x-gateway-token": {"x"}},
		}},
		{"a secret header twice", compatible.Config{
			Provider: "a", BaseURL: "https://a.test", Model: "m",
			SecretHeader: map[string]providers.Secret{"x-a": key, "X-A": key},
		}},
		{"an unknown way to ask for an answer", compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Quirks: &compatible.Quirks{Answer: 9}}},
		{"an unknown spelling", compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Quirks: &compatible.Quirks{Effort: 9}}},
		{"an unknown spelling of a web search", compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Quirks: &compatible.Quirks{Search: 9}}},
		{"an unknown spelling of ids of calls", compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Quirks: &compatible.Quirks{CallIDs: 9}}},
		{"an unknown spelling of speech and files", compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Quirks: &compatible.Quirks{Media: 9}}},
		{"an unknown spelling of a cache marker", compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Quirks: &compatible.Quirks{CacheMarkers: 9}}},
	}
	for _, tt := range tests {
		m, err := compatible.New(tt.config)
		f, ok := events.AsFailure(err)
		require.True(t, ok, tt.why)
		assert.Nil(t, m, tt.why)
		assert.Equal(t, events.InvalidRequest, f.Kind, tt.why)
		assert.Equal(t, events.ReasonBadConfig, f.Reason, tt.why)
		assert.Equal(t, events.NotSent, f.Sent, tt.why)
		assert.NotContains(t, f.Error(), key, tt.why)
	}
}

// No printer reaches the key, and no failure holds it.
func TestKeyIsNeverPrinted(t *testing.T) {
	t.Parallel()
	rt := &canned.Transport{Status: 401, Body: []byte(`{"error":{"message":"bad key ` + key + `","code":"` + key + `"}}`)}
	c := compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Key: key, HTTPClient: &http.Client{Transport: rt}}
	m, err := compatible.New(c)
	require.NoError(t, err)
	printed := canned.Printed(slices.Collect(m.Stream(t.Context(), ask())), c, &c, c.Key, m, *m)
	assert.NotContains(t, printed, key)
	assert.NotContains(t, printed, "canary")
}

// The credentials of a gateway go beside the key, or alone, and no printer and no
// failure holds them.
func TestSecretHeader(t *testing.T) {
	t.Parallel()
	const token = "cf-canary-fedcba9876543210"
	rt := &canned.Transport{Status: 401, Body: []byte(`{"error":{"message":"bad token ` + token + `"}}`)}
	secret := map[string]providers.Secret{"cf-aig-authorization": "Bearer " + token, "X-Empty": ""}
	c := compatible.Config{
		Provider: "a", BaseURL: "https://a.test", Model: "m", Key: key, Header: http.Header{"X-Team": {"blue"}},
		SecretHeader: secret, HTTPClient: &http.Client{Transport: rt},
	}
	m, err := compatible.New(c)
	require.NoError(t, err)
	secret["Cf-Late"] = "late"
	var out bytes.Buffer
	for _, v := range []any{c, &c, m, *m} {
		fmt.Fprintf(&out, "%v %+v %#v %s %q\n", v, v, v, v, v)
	}
	text, err := json.Marshal(c.SecretHeader)
	require.NoError(t, err)
	out.Write(text)
	for range 2 {
		for ev := range m.Stream(t.Context(), ask()) {
			out.Write(events.AppendJSON(nil, ev))
			fmt.Fprintf(&out, "%v %+v", ev, ev.Err())
		}
	}
	assert.Contains(t, out.String(), "bad token [redacted]")
	assert.NotContains(t, out.String(), "canary")
	h := rt.Requests()[1].Header
	assert.Equal(t, "Bearer "+token, h.Get("Cf-Aig-Authorization"))
	assert.Equal(t, "Bearer "+key, h.Get("Authorization"))
	assert.Equal(t, "blue", h.Get("X-Team"))
	assert.NotContains(t, h, "X-Empty")
	assert.NotContains(t, h, "Cf-Late", "the model does not change")

	c.Key, c.SecretHeader = "", map[string]providers.Secret{"X-Token": token}
	m, err = compatible.New(c)
	require.NoError(t, err)
	_, err = stream.Collect(m.Stream(t.Context(), ask()))
	f, _ := events.AsFailure(err)
	assert.Equal(t, events.ReasonAuth, f.Reason)
	assert.NotContains(t, f.Detail, "no key", "there is one, of the gateway")
	assert.Empty(t, rt.Requests()[2].Header.Get("Authorization"))
}

// tokens is a source of tokens that end in ever other numbers.
func tokens(prefix string) providers.TokenSource {
	n := 0
	return func(context.Context) (providers.Secret, error) {
		n++
		return providers.Secret(fmt.Sprint(prefix, n)), nil
	}
}

// Every call asks for a token, and the token goes where the key would.
func TestTokens(t *testing.T) {
	t.Parallel()
	rt := &canned.Transport{Status: 401, Body: []byte(`{"error":{"message":"bad canary-1 canary-2"}}`)}
	c, _ := compatible.Preset("databricks")
	c.Account, c.Model, c.Token, c.HTTPClient = "dbc-1.cloud.databricks.com", "m", tokens("canary-"), &http.Client{Transport: rt}
	m, err := compatible.New(c)
	require.NoError(t, err)
	var scrubber providers.Scrubber
	_, err = stream.Collect(m.Stream(providers.WithScrubber(t.Context(), &scrubber), ask()))
	f, _ := events.AsFailure(err)
	assert.Equal(t, events.ReasonAuth, f.Reason)
	assert.Equal(t, "bad [redacted] canary-2", f.Detail, "no key of another call is known")
	assert.Equal(t, "[redacted]", scrubber.Scrub("canary-1"))
	_, _ = m.ListModels(t.Context())
	assert.Equal(t, "Bearer canary-1", rt.Requests()[0].Header.Get("Authorization"))
	assert.Equal(t, "Bearer canary-2", rt.Requests()[1].Header.Get("Authorization"))

	c.KeyHeader, c.Token = "X-Token", tokens("canary-")
	m, err = compatible.New(c)
	require.NoError(t, err)
	_, _ = stream.Collect(m.Stream(t.Context(), ask()))
	assert.Equal(t, "canary-1", rt.Requests()[2].Header.Get("X-Token"))

	c.Token = func(context.Context) (providers.Secret, error) { return "", io.ErrUnexpectedEOF }
	m, err = compatible.New(c)
	require.NoError(t, err)
	_, err = stream.Collect(m.Stream(t.Context(), ask()))
	require.ErrorIs(t, err, &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	_, err = m.ListModels(t.Context())
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Len(t, rt.Requests(), 3, "nothing is sent without one")
}

func TestPreset(t *testing.T) {
	t.Parallel()
	for _, name := range compatible.Presets() {
		c, ok := compatible.Preset(name)
		require.True(t, ok)
		c.Model = "m"
		if strings.HasPrefix(c.BaseURL, "https:") {
			c.Key = key
		}
		if compatible.NeedsAccount(name) != "" {
			c.Account = "a"
		}
		m, err := compatible.New(c)
		require.NoError(t, err, name)
		assert.Equal(t, name+":m", m.Name())
	}
	c, ok := compatible.Preset("nobody")
	assert.False(t, ok)
	assert.Equal(t, compatible.Config{Provider: "nobody"}, c)
}

// The quirks that are given are the ones that are used, each of them.
func TestQuirks(t *testing.T) {
	t.Parallel()
	body := func(q *compatible.Quirks, change func(*request.Request)) string {
		rt := sse(hello)
		m, err := compatible.New(compatible.Config{
			Provider: "deepseek", BaseURL: "https://a.test", Model: "m", Quirks: q, HTTPClient: &http.Client{Transport: rt},
		})
		require.NoError(t, err)
		r := ask()
		r.System, r.MaxOutputTokens, r.Effort = "be", 5, request.EffortHigh
		if change != nil {
			change(&r)
		}
		_, err = stream.Collect(m.Stream(context.Background(), r))
		require.NoError(t, err)
		return string(rt.Requests()[0].Body)
	}
	known := body(nil, nil)
	assert.Contains(t, known, `"thinking":{"type":"enabled"}`, "what is known of the provider by name")
	assert.Contains(t, known, `"max_tokens":5`)
	own := body(&compatible.Quirks{CompletionTokens: true, SystemRole: "developer", NoStreamOptions: true, Effort: compatible.EffortObject}, nil)
	assert.Contains(t, own, `"max_completion_tokens":5`)
	assert.Contains(t, own, `"role":"developer"`)
	assert.NotContains(t, own, "stream_options")
	assert.Contains(t, own, `"reasoning":{"effort":"high"}`)

	answer := func(r *request.Request) {
		var err error
		r.Answer, err = request.NewAnswer("", `{"type":"object"}`)
		require.NoError(t, err)
		tool, err := request.NewTool("f", "", `{"type":"object"}`)
		require.NoError(t, err)
		r.Tools = []request.Tool{tool}
	}
	assert.Contains(t, body(nil, answer), `"response_format":{"type":"json_object"}`, "of the provider")
	assert.Contains(t, body(&compatible.Quirks{}, answer), `"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object","properties":{},"required":[],"additionalProperties":false}}}`)
	assert.Contains(t, body(&compatible.Quirks{Answer: compatible.AnswerStrict}, answer), `"strict":true`)
	assert.NotContains(t, body(&compatible.Quirks{Answer: compatible.AnswerWords}, answer), "response_format")
	assert.NotContains(t, body(&compatible.Quirks{AnswerWithoutTools: true}, answer), "response_format")
}

// What is known of a provider is the profile that its family has.
func TestQuirksOfAnswers(t *testing.T) {
	t.Parallel()
	for provider, want := range map[string]compatible.Quirks{
		"deepseek": {Answer: compatible.AnswerObject},
		"mistral":  {Answer: compatible.AnswerStrict},
		"groq":     {Answer: compatible.AnswerSchema, AnswerWithoutTools: true},
		"ollama":   {AnswerWithoutTools: true},
		"vllm":     {AnswerWithoutTools: true},
		"xai":      {}, "together": {}, "llamacpp": {}, "lmstudio": {}, "of nobody": {},
	} {
		got := compatible.QuirksOf(provider)
		assert.Equal(t, want, compatible.Quirks{Answer: got.Answer, AnswerWithoutTools: got.AnswerWithoutTools}, provider)
	}
}

func TestQuirksOfReply(t *testing.T) {
	t.Parallel()
	call := func(args ...string) string {
		var b strings.Builder
		for _, a := range args {
			text, _ := json.Marshal(a)
			fmt.Fprintf(&b, `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":%s}}]}}]}`+"\n\n", text)
		}
		return b.String() + `data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}` + "\n\n"
	}
	usage := `data: {"choices":[{"delta":{"reasoning_content":"r","content":"x"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.5,` +
		`"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}}` + "\n\n"
	collect := func(q compatible.Quirks, body string) (*stream.Reply, error) {
		m, err := compatible.New(compatible.Config{
			Provider: "a", BaseURL: "https://a.test", Model: "m", Quirks: &q, HTTPClient: &http.Client{Transport: sse(body)},
		})
		require.NoError(t, err)
		return stream.Collect(m.Stream(context.Background(), ask()))
	}
	cumulative, placeholder := call(`{"q"`, `{"q":1}`), call(`{}`, `{"q":1}`)
	for _, body := range []string{cumulative, placeholder} {
		_, err := collect(compatible.Quirks{}, body)
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonBadToolArguments})
	}
	r, err := collect(compatible.Quirks{CumulativeArguments: true}, cumulative)
	require.NoError(t, err)
	assert.Equal(t, `{"q":1}`, r.ToolCalls()[0].Arguments)
	r, err = collect(compatible.Quirks{PlaceholderArguments: true}, placeholder)
	require.NoError(t, err)
	assert.Equal(t, `{"q":1}`, r.ToolCalls()[0].Arguments)

	r, err = collect(compatible.Quirks{}, usage)
	require.NoError(t, err)
	_, told := r.Cost()
	assert.False(t, told, "a number called cost is nobody's price")
	assert.Equal(t, events.Known(4), r.Usage().Input)
	assert.True(t, r.Usage().Inconsistent)
	assert.Equal(t, events.Known(2), r.Usage().Output)
	assert.True(t, r.Turn().Data.IsZero())

	r, err = collect(compatible.Quirks{UsageCost: true, CachedExclusive: true, ReasoningExclusive: true, ReplayReasoning: true}, usage)
	require.NoError(t, err)
	cost, told := r.Cost()
	assert.True(t, told)
	assert.Equal(t, events.Micros(500_000), cost.Micros)
	assert.Equal(t, events.Known(5), r.Usage().Input)
	assert.False(t, r.Usage().Inconsistent)
	assert.Equal(t, events.Known(3), r.Usage().Output)
	assert.Equal(t, `{"reasoning_content":"r"}`, r.Turn().Data.Value)
}

// Every way out of the loop closes the body once; the consumer's own panic is
// its own.
func TestLeaving(t *testing.T) {
	t.Parallel()
	for stop := range 2 {
		rt := sse(hello)
		m, err := compatible.New(compatible.Config{
			Provider: "a", BaseURL: "https://a.test", Model: "m", HTTPClient: &http.Client{Transport: rt},
		})
		require.NoError(t, err)
		n := 0
		for range m.Stream(context.Background(), ask()) {
			if n == stop {
				break
			}
			n++
		}
		assert.Equal(t, []int{1}, rt.Closes(), "left at %d", stop)
		assert.PanicsWithValue(t, "mine", func() {
			for range m.Stream(context.Background(), ask()) {
				panic("mine")
			}
		})
		assert.Equal(t, []int{1, 1}, rt.Closes())
	}
	rt := sse(strings.TrimSuffix(hello, "data: [DONE]\n\n"))
	rt.End = io.ErrUnexpectedEOF
	m, err := compatible.New(compatible.Config{
		Provider: "a", BaseURL: "https://a.test", Model: "m", HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(t, err)
	_, err = stream.Collect(m.Stream(context.Background(), ask()))
	assert.NoError(t, err, "a body that breaks after the evidence")
}

// What was left out is told of a call that fails before its first frame too, and
// a refusal for want of a key says that there is none.
func TestRefusedCall(t *testing.T) {
	t.Parallel()
	for _, secret := range []providers.Secret{"", key} {
		canned.Refused(t, compatible.ExtraKey, secret == "", func(client *http.Client) providers.Model {
			m, err := compatible.New(compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Key: secret, HTTPClient: client})
			require.NoError(t, err)
			return m
		})
	}
}
