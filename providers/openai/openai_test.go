package openai_test

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
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-canary-0123456789abcdef"

const hello = "data: {\"id\":\"c1\",\"model\":\"gpt-5-2025-08-07\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}],\"usage\":null}\n\n" +
	"data: {\"id\":\"c1\",\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n"

func TestStream(t *testing.T) {
	t.Parallel()
	rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}, "X-Request-Id": {"req_1"}}, Body: []byte(hello)}
	m, err := openai.New(openai.Config{
		Key: key, Model: "gpt-5", Organization: "org", Project: "proj", HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(t, err)
	assert.Equal(t, "openai:gpt-5", m.Name())
	reply, err := stream.Collect(m.Stream(context.Background(), request.Request{
		Messages: []request.Message{request.UserText("hi")}, MaxOutputTokens: 9, Temperature: new(0.0), Effort: request.EffortOff,
	}))
	require.NoError(t, err)
	assert.Equal(t, "Hi", reply.Text())
	assert.Equal(t, "req_1", reply.Start().RequestID)
	assert.Equal(t, events.Known(2), reply.Usage().Output)
	sent := rt.Requests()[0]
	assert.Equal(t, openai.DefaultBaseURL+"/chat/completions", sent.URL)
	assert.Equal(t, "Bearer "+key, sent.Header.Get("Authorization"))
	assert.Equal(t, "org", sent.Header.Get("OpenAI-Organization"))
	assert.Equal(t, "proj", sent.Header.Get("OpenAI-Project"))
	assert.Contains(t, string(sent.Body), `"max_completion_tokens":9`)
	assert.NotContains(t, string(sent.Body), "temperature", "a reasoning model refuses it")
	assert.Contains(t, string(sent.Body), `"reasoning_effort":"minimal"`, "the nearest that this model takes")
	assert.Len(t, reply.Notices(), 2)
}

func TestConfig(t *testing.T) {
	t.Parallel()
	_, err := openai.New(openai.Config{})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
	_, err = openai.New(openai.Config{Model: "m", Key: key + "\n"})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, "a key with the line end of its file")
	_, err = openai.New(openai.Config{Model: "m", BaseURL: openai.DefaultBaseURL + "/chat/completions"})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
	_, err = openai.New(openai.Config{Model: "m", Key: key, BaseURL: "http://proxy.test/v1"})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})

	rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(hello)}
	spec := request.Spec{ContextWindow: 7}
	m, err := openai.New(openai.Config{
		Model: "m", Name: "mine", BaseURL: "http://localhost:9/v1/", Spec: &spec, HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(t, err, "no key is needed to replay")
	assert.Equal(t, "mine", m.Name())
	assert.Equal(t, spec, m.Spec())
	_, err = stream.Collect(m.Stream(context.Background(), request.Request{Messages: []request.Message{request.UserText("hi")}}))
	require.NoError(t, err)
	sent := rt.Requests()[0]
	assert.Equal(t, "http://localhost:9/v1/chat/completions", sent.URL)
	assert.Empty(t, sent.Header.Get("Authorization"))
}

// The second API has an address, a key of Extra and a Spec of its own.
func TestResponses(t *testing.T) {
	t.Parallel()
	_, err := openai.New(openai.Config{Model: "m", API: "completions"})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
	_, err = openai.New(openai.Config{Model: "m", API: openai.Responses, BaseURL: openai.DefaultBaseURL + "/responses"})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})

	body := "data: {\"type\":\"response.output_text.done\",\"text\":\"Hi\"}\n\ndata: {\"type\":\"response.completed\"}\n\n"
	rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte(body)}
	m, err := openai.New(openai.Config{
		Key: key, Model: "gpt-4o", API: openai.Responses, Organization: "org", BaseURL: "http://localhost:9/v1", HTTPClient: &http.Client{Transport: rt},
	})
	require.NoError(t, err)
	assert.Equal(t, "openai:gpt-4o", m.Name())
	assert.Equal(t, openai.ResponsesSpecFor("gpt-4o"), m.Spec())
	reply, err := stream.Collect(m.Stream(t.Context(), request.Request{
		Messages: []request.Message{request.UserText("hi")}, Stop: []string{"x"},
		Extra: map[string]string{openai.ResponsesExtraKey: `{"tools":[{"type":"web_search"}]}`, openai.ExtraKey: `{"n":1}`},
	}))
	require.NoError(t, err)
	assert.Equal(t, "Hi", reply.Text())
	require.Len(t, reply.Notices(), 1)
	assert.Equal(t, events.NoticeParameterDropped, reply.Notices()[0].Code, "there are no stop sequences")
	sent := rt.Requests()[0]
	assert.Equal(t, "http://localhost:9/v1/responses", sent.URL)
	assert.Equal(t, "org", sent.Header.Get("OpenAI-Organization"))
	assert.JSONEq(t, `{"model":"gpt-4o","input":[{"role":"user","content":"hi"}],"stream":true,"store":false,"tools":[{"type":"web_search"}]}`,
		string(sent.Body), "a model that does not think refuses to be asked for its reasoning")
}

func TestResponsesSpecFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, model string
		thinking   request.Support
		highest    request.Effort
		window     int
	}{
		{"as through the other API", "gpt-5.2", request.Yes, request.EffortXHigh, 400_000},
		{"what the other API does not take beside tools", "gpt-5.5-2026-04-23", request.Yes, request.EffortXHigh, 1_050_000},
		{"the newest effort", "gpt-5.6-sol", request.Yes, request.EffortMax, 1_050_000},
		{"one that does not think", "gpt-4.1", request.No, "", 1_047_576},
		{"one of which nothing else is told", "gpt-5-chat-latest", request.No, "", 0},
		{"nothing is known", "what", request.Unknown, "", 0},
	} {
		s := openai.ResponsesSpecFor(c.model)
		assert.Equal(t, c.thinking, s.Thinking, c.why)
		assert.Equal(t, c.window, s.ContextWindow, c.why)
		if c.highest != "" {
			assert.Equal(t, c.highest, s.Efforts[len(s.Efforts)-1], c.why)
		}
		assert.Equal(t, request.No, s.StopSequences, c.why)
		assert.Equal(t, request.No, s.Seed, c.why)
	}
	assert.NotContains(t, openai.ResponsesSpecFor("gpt-5.2").Efforts, request.EffortMax, "no row changes another")
}

func TestKeyIsNeverPrinted(t *testing.T) {
	t.Parallel()
	c := openai.Config{Key: key, Model: "m"}
	m, err := openai.New(c)
	require.NoError(t, err)
	assert.NotContains(t, canned.Printed(nil, c, &c, m, *m), "canary")
}

func TestSpecFor(t *testing.T) {
	t.Parallel()
	tests := []struct {
		why, model            string
		thinking, temperature request.Support
		efforts               []request.Effort
	}{
		{"a dated id", "gpt-4o-2024-08-06", request.No, request.Yes, nil},
		{"a fine-tuned model", "ft:gpt-4o:org::id", request.No, request.Yes, nil},
		{"a reasoning model", "o4-mini", request.Yes, request.No, []request.Effort{"low", "medium", "high"}},
		{"another model of the same beginning", "gpt-5-chat-latest", request.Unknown, request.Unknown, nil},
		{"a later version", "gpt-5.4", request.Unknown, request.Unknown, nil},
		{"a later version, dated", "gpt-5.4-2026-03-05", request.Unknown, request.Unknown, nil},
		{"a fine-tuned model of a dated one", "ft:gpt-4.1-mini-2025-04-14:org::id", request.No, request.Yes, nil},
		{"a smaller one of a family", "gpt-5-mini", request.Yes, request.No, []request.Effort{"minimal", "low", "medium", "high"}},
		{"effort off and above high", "gpt-5.2", request.Yes, request.Unknown, []request.Effort{"off", "low", "medium", "high", "xhigh"}},
		{"nothing is known", "what", request.Unknown, request.Unknown, nil},
	}
	for _, tt := range tests {
		got := openai.SpecFor(tt.model)
		assert.Equal(t, tt.thinking, got.Thinking, tt.why)
		assert.Equal(t, tt.temperature, got.Temperature, tt.why)
		assert.Equal(t, tt.efforts, got.Efforts, tt.why)
	}
	for model, want := range map[string]request.Support{
		"gpt-4o": request.Yes, "gpt-4o-2024-05-13": request.No, "gpt-4o-2024-08-06": request.Yes, "o1": request.Yes,
		"gpt-5-mini": request.Yes, "gpt-5.2": request.Yes, "ft:gpt-4.1:org::id": request.Yes, "what": request.Unknown,
	} {
		assert.Equal(t, want, openai.SpecFor(model).StructuredAnswer, model)
	}
	assert.Equal(t, 4_096, openai.SpecFor("gpt-4o-2024-05-13").MaxOutput, "a snapshot that differs from the others")
	assert.Equal(t, request.No, openai.SpecFor("o4-mini-2025-04-16").StopSequences, "refused, as the API reference says")
	assert.Equal(t, request.Unknown, openai.SpecFor("o3-mini").StopSequences, "nobody says so of this one")
}

// What was left out is told of a call that fails before its first frame too, and
// a refusal for want of a key says that there is none.
func TestRefusedCall(t *testing.T) {
	t.Parallel()
	for _, secret := range []providers.Secret{"", key} {
		canned.Refused(t, openai.ExtraKey, secret == "", func(client *http.Client) providers.Model {
			m, err := openai.New(openai.Config{Model: "m", Key: secret, HTTPClient: client})
			require.NoError(t, err)
			return m
		})
	}
}
