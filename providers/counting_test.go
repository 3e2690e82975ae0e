package providers_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/texttools"
	"github.com/weirsdk/weir/providers/vertex"
	"github.com/weirsdk/weir/replay/wire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// vertexMessages stands beside the vendors of model for the second API of Vertex AI.
const vertexMessages = "vertex-messages"

// counters are the adapters whose provider counts, and how it is asked.
func counters() []struct{ api, vendor, url, header, body, answer string } {
	const tools = `{"name":"look","description":"Look.","input_schema":{"type":"object","properties":{}}}`
	const declared = `{"functionDeclarations":[{"name":"look","description":"Look.","parametersJsonSchema":{"type":"object","properties":{}}}]}`
	const contents = `"contents":[{"role":"user","parts":[{"text":"hello"}]}],"systemInstruction":{"parts":[{"text":"Be brief."}]}`
	const config = `"generationConfig":{"maxOutputTokens":100,"temperature":0.5,"topP":0.9,"stopSequences":["END"]}`
	const choice = `"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}`
	const messages = `"messages":[{"role":"user","content":[{"type":"text","text":"hello"}]}],"system":"Be brief.","tool_choice":{"type":"any"}}`
	const google = "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/"
	return []struct{ api, vendor, url, header, body, answer string }{
		{
			apiMessages, "", "https://api.anthropic.com/v1/messages/count_tokens", "X-Api-Key",
			`{"model":"m","tools":[` + tools + `],` + messages, `{"input_tokens":14}`,
		},
		{
			apiGemini, "", "https://generativelanguage.googleapis.com/v1beta/models/m:countTokens", "X-Goog-Api-Key",
			`{"generateContentRequest":{"model":"models/m",` + contents + `,` + choice + `,` + config + `,"tools":[` + declared + `]}}`,
			`{"totalTokens":14,"promptTokensDetails":[{"modality":"TEXT","tokenCount":14}]}`,
		},
		{
			apiGemini, "vertex", google + "google/models/m:countTokens", "Authorization",
			`{` + contents + `,` + config + `,"tools":[` + declared + `]}`, `{"totalTokens":14,"totalBillableCharacters":9}`,
		},
		{
			apiMessages, vertexMessages, google + "anthropic/models/count-tokens:rawPredict", "Authorization",
			`{"model":"m","anthropic_version":"vertex-2023-10-16","tools":[` + tools + `],` + messages, `{"input_tokens":14}`,
		},
		{
			apiResponses, "", "https://api.openai.com/v1/responses/input_tokens", "Authorization",
			`{"model":"m","input":[{"role":"user","content":"hello"}],"instructions":"Be brief.",` +
				`"tools":[{"type":"function","name":"look","description":"Look.","parameters":{"type":"object","properties":{}},"strict":false}],` +
				`"tool_choice":"required"}`,
			`{"object":"response.input_tokens","input_tokens":14}`,
		},
		{
			apiResponses, "mistral", "https://api.test/v1/responses/input_tokens", "Authorization",
			`{"model":"m","input":[{"role":"user","content":"hello"}],"instructions":"Be brief.",` +
				`"tools":[{"type":"function","name":"look","description":"Look.","parameters":{"type":"object","properties":{}},"strict":false}],` +
				`"tool_choice":"required"}`,
			`{"object":"response.input_tokens","input_tokens":14}`,
		},
	}
}

func counterOf(t *testing.T, api, vendor string, rt http.RoundTripper) providers.TokenCounter {
	t.Helper()
	var m providers.Model
	if vendor == vertexMessages {
		v, err := vertex.New(vertex.Config{
			Project: "p", Location: "global", Token: canaryToken, API: vertex.Messages, Model: "m", HTTPClient: &http.Client{Transport: rt},
		})
		require.NoError(t, err)
		m = v
	} else {
		m = model(t, api, vendor, rt)
	}
	counter, ok := providers.As[providers.TokenCounter](m)
	require.True(t, ok, api+" "+vendor)
	return counter
}

// counted is a request with what counts, and with what does not.
func counted(t *testing.T) request.Request {
	t.Helper()
	tool, err := request.NewTool("look", "Look.", `{"type":"object","properties":{}}`)
	require.NoError(t, err)
	half, most := 0.5, 0.9
	req := hello()
	req.System, req.Tools, req.ToolChoice = "Be brief.", []request.Tool{tool}, request.ToolChoice{Mode: request.ToolRequired}
	req.Temperature, req.TopP, req.Stop = &half, &most, []string{"END"}
	return req
}

func jsonAnswer(body string) *canned.Transport {
	return &canned.Transport{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
}

// The question is the body that Stream sends, byte for byte, but for what does not
// count or has no place in it.
func TestCountTokens(t *testing.T) {
	t.Parallel()
	for _, tt := range counters() {
		name := tt.api + " " + tt.vendor
		rt := jsonAnswer(tt.answer)
		n, err := counterOf(t, tt.api, tt.vendor, rt).CountTokens(t.Context(), counted(t))
		require.NoError(t, err, name)
		assert.Equal(t, int64(14), n, name)
		sent := rt.Requests()
		require.Len(t, sent, 1, name)
		assert.Equal(t, http.MethodPost, sent[0].Method, name)
		assert.Equal(t, tt.url, sent[0].URL, name)
		assert.Equal(t, tt.body, string(sent[0].Body), name)
		assert.Equal(t, "application/json", sent[0].Header.Get("Accept"), name)
		assert.Equal(t, "application/json", sent[0].Header.Get("Content-Type"), name)
		assert.Contains(t, sent[0].Header.Get(tt.header), canary, name)
		assert.Equal(t, []int{1}, rt.Closes(), name)
	}
}

// What goes wrong is a failure, with the credential in none of it.
func TestCountTokensFails(t *testing.T) {
	t.Parallel()
	for _, tt := range counters() {
		for _, bad := range []struct {
			why    string
			rt     *canned.Transport
			kind   events.FailureKind
			reason events.Reason
		}{
			{"refused, with the credential in it", &canned.Transport{Status: http.StatusUnauthorized, Body: []byte(`{"error":{"message":"bad key ` + canary + `"}}`)}, events.Rejected, events.ReasonAuth},
			{"no such address: nothing is counted there", &canned.Transport{Status: http.StatusNotFound, Body: []byte("<html>")}, events.Rejected, events.ReasonNotFound},
			{"an answer without the number", jsonAnswer(`{"object":"x"}`), events.InvalidReply, events.ReasonBadContent},
			{"no JSON", jsonAnswer(`{"input_tokens":14,"totalTokens":`), events.InvalidReply, events.ReasonMalformed},
			{"a list", jsonAnswer(`[14]`), events.InvalidReply, events.ReasonBadContent},
			{"no number, but a credential", jsonAnswer(`{"input_tokens":"` + canary + `","totalTokens":"` + canary + `"}`), events.InvalidReply, events.ReasonUnusableUsage},
			{"no count", jsonAnswer(`{"input_tokens":-1,"totalTokens":1.5}`), events.InvalidReply, events.ReasonUnusableUsage},
			{"no connection", &canned.Transport{Err: errors.New("refused " + canary)}, events.Unreachable, ""},
		} {
			name := tt.api + " " + tt.vendor + ": " + bad.why
			n, err := counterOf(t, tt.api, tt.vendor, bad.rt).CountTokens(t.Context(), counted(t))
			f, ok := events.AsFailure(err)
			require.True(t, ok, name)
			assert.Zero(t, n, name)
			assert.Equal(t, bad.kind, f.Kind, name)
			if bad.reason != "" {
				assert.Equal(t, bad.reason, f.Reason, name)
			}
			assert.NotEmpty(t, f.Provider, name)
			assert.NotContains(t, f.Error(), "canary", name)
			if cause := errors.Unwrap(f); cause != nil {
				assert.NotContains(t, cause.Error(), "canary", name)
			}
			for _, closed := range bad.rt.Closes() {
				assert.Equal(t, 1, closed, name)
			}
		}
	}
}

// A request that the model cannot take fails as its stream does, and nothing is sent.
func TestCountTokensRefusesWhatStreamRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range counters() {
		name := tt.api + " " + tt.vendor
		rt := jsonAnswer(tt.answer)
		counter := counterOf(t, tt.api, tt.vendor, rt)
		for _, req := range []request.Request{{}, {Messages: hello().Messages, Extra: map[string]string{"nobody": "{}"}, Strict: true}} {
			n, err := counter.CountTokens(t.Context(), req)
			assert.Zero(t, n, name)
			_, want := stream.Collect(counter.(providers.Model).Stream(t.Context(), req))
			assert.Equal(t, want, err, name)
			assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest}, name)
		}
		assert.Empty(t, rt.Requests(), name)
	}
}

// An answer that hangs is given up by the clocks of a call, and one that is not wanted
// any more is left, with nothing left open.
func TestCountTokensIsBoundedInTime(t *testing.T) {
	t.Parallel()
	for _, tt := range counters() {
		name := tt.api + " " + tt.vendor
		synctest.Test(t, func(t *testing.T) {
			rt := &canned.Transport{Body: []byte(`{`), Hang: true}
			_, err := counterOf(t, tt.api, tt.vendor, rt).CountTokens(t.Context(), counted(t))
			assert.ErrorIs(t, err, &events.Failure{Kind: events.TimedOut, Reason: events.Reason(cancel.Idle)}, name)
			assert.Equal(t, []int{1}, rt.Closes(), name)

			ctx, stop := context.WithCancel(t.Context())
			rt = &canned.Transport{Body: []byte(`{`), Hang: true}
			done := make(chan error)
			go func() {
				_, err := counterOf(t, tt.api, tt.vendor, rt).CountTokens(ctx, counted(t))
				done <- err
			}()
			synctest.Wait()
			stop()
			assert.ErrorIs(t, <-done, &events.Failure{Kind: events.Cancelled}, name)
			assert.Equal(t, []int{1}, rt.Closes(), name)
		})
	}
}

// A token source is asked for each count, and without a token nothing is sent.
func TestCountTokensAsksForAToken(t *testing.T) {
	t.Parallel()
	asked := 0
	source := func(context.Context) (providers.Secret, error) {
		if asked++; asked > 1 {
			return "", errors.New("expired " + canary)
		}
		return canary, nil
	}
	rt := jsonAnswer(`{"totalTokens":14}`)
	m, err := vertex.New(vertex.Config{Project: "p", Location: "global", Token: source, Model: "m", HTTPClient: &http.Client{Transport: rt}})
	require.NoError(t, err)
	_, err = m.CountTokens(t.Context(), hello())
	require.NoError(t, err)
	_, err = m.CountTokens(t.Context(), hello())
	require.ErrorIs(t, err, &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth})
	assert.NotContains(t, err.Error(), "canary")
	assert.Len(t, rt.Requests(), 1)
}

// Chat Completions has no count, and no other API is asked in its place.
func TestChatCompletionsCountNothing(t *testing.T) {
	t.Parallel()
	rt := jsonAnswer(`{"input_tokens":14}`)
	m, err := openai.New(openai.Config{Key: canary, Model: "m", HTTPClient: &http.Client{Transport: rt}})
	require.NoError(t, err)
	_, err = m.CountTokens(t.Context(), hello())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})
	assert.Empty(t, rt.Requests())
}

// With tools over text the words of the tools are counted, because they are sent.
func TestCountTokensOverText(t *testing.T) {
	t.Parallel()
	rt := jsonAnswer(`{"input_tokens":14}`)
	m, err := texttools.New(wrapper{model(t, apiMessages, "", rt)})
	require.NoError(t, err)
	counter, ok := providers.As[providers.TokenCounter](wrapper{m})
	require.True(t, ok)
	_, err = counter.CountTokens(t.Context(), counted(t))
	require.NoError(t, err)
	for range m.Stream(t.Context(), counted(t)) {
		continue
	}
	sent := rt.Requests()
	require.Len(t, sent, 2)
	count, reply := string(sent[0].Body), string(sent[1].Body)
	assert.NotContains(t, count, `"tools"`)
	system := func(body string) string {
		return body[strings.Index(body, `"system"`):strings.Index(body, "must call a tool")]
	}
	assert.Equal(t, system(reply), system(count))

	_, err = counter.CountTokens(t.Context(), request.Request{Tools: counted(t).Tools})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest}, "what cannot be put into words")
	m, err = texttools.New(opaque{model(t, apiMessages, "", rt)})
	require.NoError(t, err)
	_, err = m.CountTokens(t.Context(), counted(t))
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, "nobody counts")
	assert.Len(t, rt.Requests(), 2)
}

// A count is recorded and played by the transport like any exchange.
func TestCountTokensIsRecorded(t *testing.T) {
	t.Parallel()
	for _, tt := range counters() {
		name := tt.api + " " + tt.vendor
		dir := t.TempDir()
		record := &wire.Transport{Mode: wire.Record, Dir: dir, Base: jsonAnswer(tt.answer)}
		_, err := counterOf(t, tt.api, tt.vendor, record).CountTokens(t.Context(), counted(t))
		require.NoError(t, err, name)
		require.NoError(t, record.Err(), name)
		play := &wire.Transport{Mode: wire.Replay, Dir: dir}
		n, err := counterOf(t, tt.api, tt.vendor, play).CountTokens(t.Context(), counted(t))
		require.NoError(t, err, name)
		assert.Equal(t, int64(14), n, name)
		assert.Empty(t, play.Unused(), name)
		require.NoError(t, play.Err(), name)
	}
}
