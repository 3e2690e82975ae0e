package vertex_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/vertex"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// Every model of Google's is told every effort and every budget its own way: what it
// does not take is the next that it takes, with a notice, and refused under Strict.
func TestThinkingOfGemini(t *testing.T) {
	t.Parallel()
	flash := []string{"0", "1024", "2048", "8192", "16384", "24576", "24576*"}
	minimal := []string{"minimal!", "minimal", "low", "medium", "high", "high!", "high!"}
	low := []string{"low!", "low!", "low", "medium", "high", "high!", "high!"}
	xhigh := []string{"low!", "low!", "low", "medium", "high", "xhigh", "xhigh!"}
	as := []string{"1", "100", "5000", "30000", "100000"}
	dropped := []string{"!", "!", "!", "!", "!"}
	for id, want := range map[string]struct{ efforts, budgets []string }{
		"gemini-2.5-pro":         {[]string{"1024!", "1024", "2048", "8192", "16384", "24576", "32768"}, []string{"128!", "128!", "5000", "30000", "32768!"}},
		"gemini-2.5-flash":       {flash, []string{"1", "100", "5000", "24576!", "24576!"}},
		"gemini-2.5-flash-lite":  {flash, []string{"512!", "512!", "5000", "24576!", "24576!"}},
		"gemini-3-flash-preview": {minimal, as},
		"gemini-3.1-pro-preview": {low, as},
		"gemini-3.1-flash-lite":  {minimal, as},
		"gemini-3.5-flash":       {minimal, as},
		"gemini-3.5-flash-lite":  {minimal, as},
		"gemini-3.6-flash":       {minimal, as},
		"gemini-3.7-flash":       {low, as},
		"gemini-3.8-flash":       {low, as},
		"gemini-4-argon":         {low, dropped},
		"gemini-4-carbon":        {low, dropped},
		"gemini-4-neon":          {xhigh, dropped},
		"gemini-4-hydrogen":      {xhigh, dropped},
		"gemini-next":            {[]string{"0", "minimal", "low", "medium", "high", "xhigh", "xhigh!"}, as},
	} {
		for i, effort := range request.Efforts() {
			r := ask()
			r.Effort = effort
			thinksAs(t, id, string(effort), r, want.efforts[i])
		}
		for i, budget := range []int{1, 100, 5000, 30_000, 100_000} {
			r := ask()
			r.ThinkingBudget = &budget
			thinksAs(t, id, strconv.Itoa(budget), r, want.budgets[i])
		}
	}
}

// thinksAs holds a request to the budget or level that is sent for it, with a mark where
// a notice tells that it is another one. A star marks a size of weir's own that is the
// same as the one below.
func thinksAs(t *testing.T, id, asked string, r request.Request, want string) {
	t.Helper()
	want, told := strings.CutSuffix(strings.TrimSuffix(want, "*"), "!")
	config := `"thinkingLevel":"` + want + `"`
	if _, err := strconv.Atoi(want); err == nil {
		config = `"thinkingBudget":` + want + "}"
	}
	rt := ok(geminiReply)
	m := model(t, vertex.Config{Model: id}, rt)
	evs := slices.Collect(m.Stream(t.Context(), r))
	require.Len(t, rt.Requests(), 1, id)
	body := string(rt.Requests()[0].Body)
	if want == "" {
		assert.NotContains(t, body, "thinking", "%s: %s", id, asked)
	} else {
		assert.Contains(t, body, config, "%s: %s", id, asked)
	}
	notice := slices.ContainsFunc(evs, func(e events.Event) bool { return e.Kind == events.Notice })
	assert.Equal(t, told, notice, "%s: %s", id, asked)
	r.Strict = true
	strict := slices.Collect(m.Stream(t.Context(), r))
	assert.Equal(t, told, last(t, strict).Kind == events.Failed, "strict: %s: %s", id, asked)
}

// A call that another model made goes back without the id that Vertex AI did not give,
// and with a signature where the model refuses it otherwise.
func TestForeignCall(t *testing.T) {
	t.Parallel()
	for id, signed := range map[string]bool{
		"gemini-3.8-flash": true, "google/gemini-next": true, "gemini-2.5-pro": false, "endpoints/123": false,
	} {
		rt := ok(geminiReply)
		call := events.ToolCall{
			ID: "u2", Name: "f", Arguments: "{}", Replay: events.ProviderData{Format: "gemini.v1", Origin: "gemini", Value: `{"thoughtSignature":"S"}`},
		}
		r := request.Request{Foreign: request.ForeignDrop, Messages: []request.Message{
			request.UserText("q"), request.Assistant(request.Call(call)), request.Results(request.Result("u2", "a")),
		}}
		require.Equal(t, events.Completed, last(t, slices.Collect(model(t, vertex.Config{Model: id}, rt).Stream(t.Context(), r))).Kind)
		signature := ""
		if signed {
			signature = `,"thoughtSignature":"skip_thought_signature_validator"`
		}
		assert.Contains(t, string(rt.Requests()[0].Body), `{"functionCall":{"name":"f","args":{}}`+signature+`}]},`+
			`{"role":"user","parts":[{"functionResponse":{"name":"f",`, id)
	}
}

// Google's own tools: a search that is kept off domains, others as they are, beside
// declared ones where the model takes both, and without a word about it, which this API
// does not know.
func TestHostedTools(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("f", "", `{"type":"object"}`)
	require.NoError(t, err)
	const hosted = `{"googleSearch":{"excludeDomains":["a.example"]}},{"enterpriseWebSearch":{}}]`
	for id, want := range map[string]string{"gemini-3.8-flash": hosted, "gemini-next": hosted, "gemini-2.5-pro": `"parametersJsonSchema":{"type":"object"}}]}]`} {
		rt := ok(geminiReply)
		r := ask()
		r.Tools = []request.Tool{tool}
		r.HostedTools = []request.HostedTool{
			request.SearchWeb(request.WebSearch{BlockedDomains: []string{"a.example"}}), request.HostedRaw(vertex.GenerateContentExtraKey, `{"enterpriseWebSearch":{}}`),
		}
		require.NotEmpty(t, slices.Collect(model(t, vertex.Config{Model: id}, rt).Stream(t.Context(), r)))
		assert.Contains(t, string(rt.Requests()[0].Body), want, id)
		assert.NotContains(t, string(rt.Requests()[0].Body), "includeServerSideToolInvocations", id)
	}
}

// Arguments come in pieces where they are asked for so, beside labels and a choice, and
// the call goes back whole, with its signature.
func TestStreamedArguments(t *testing.T) {
	t.Parallel()
	const pieces = `data: {"candidates": [{"content": {"role": "model","parts": [{"functionCall": {"name": "f","willContinue": true},"thoughtSignature": "Cm\u002b1"}]}}]}

data: {"candidates": [{"content": {"role": "model","parts": [{"functionCall": {"partialArgs": [{"jsonPath": "$.city","stringValue": "Gr","willContinue": true}],"willContinue": true}}]}}]}

data: {"candidates": [{"content": {"role": "model","parts": [{"functionCall": {"partialArgs": [{"jsonPath": "$.city","stringValue": "az"}],"willContinue": true}}]}}]}

data: {"candidates": [{"content": {"role": "model","parts": [{"functionCall": {}}]},"finishReason": "STOP"}],"usageMetadata": {"promptTokenCount": 1,"candidatesTokenCount": 1,"totalTokenCount": 2}}

`
	tool, err := request.NewTool("f", "", `{"type":"object"}`)
	require.NoError(t, err)
	r := ask()
	r.Tools, r.ToolChoice.Mode = []request.Tool{tool}, request.ToolRequired
	r.Extra = map[string]string{
		vertex.GenerateContentExtraKey: `{"toolConfig":{"functionCallingConfig":{"streamFunctionCallArguments":true}},"labels":{"team":"a"}}`,
	}
	rt := ok(pieces)
	reply, err := stream.Collect(model(t, vertex.Config{Model: "gemini-3.8-flash"}, rt).Stream(t.Context(), r))
	require.NoError(t, err)
	body := string(rt.Requests()[0].Body)
	assert.Contains(t, body, `"toolConfig":{"functionCallingConfig":{"mode":"ANY","streamFunctionCallArguments":true}}`)
	assert.Contains(t, body, `"labels":{"team":"a"}`)
	require.Len(t, reply.ToolCalls(), 1)
	assert.Equal(t, `{"city":"Graz"}`, reply.ToolCalls()[0].Arguments)

	r.Messages = append(r.Messages, reply.Turn(), reply.Answer(func(events.ToolCall) (string, error) { return "sun", nil }))
	rt = ok(geminiReply)
	require.NotEmpty(t, slices.Collect(model(t, vertex.Config{Model: "gemini-3.8-flash"}, rt).Stream(t.Context(), r)))
	assert.Contains(t, string(rt.Requests()[0].Body), `{"functionCall":{"name":"f","args":{"city":"Graz"}},"thoughtSignature":"Cm\u002b1"}`)
}

// A reply that stops at the bound of one request goes on from the same one.
func TestLongReply(t *testing.T) {
	t.Parallel()
	const hop = `data: {"candidates": [{"content": {"role": "model","parts": [{"text": "Once "}]},"finishReason": "CONTINUATION","continuationToken": "dDE\u003d"}],"usageMetadata": {"promptTokenCount": 1,"candidatesTokenCount": 1,"totalTokenCount": 2}}

`
	rt := &canned.Script{Answers: []*canned.Transport{ok(hop), ok(geminiReply)}}
	m := model(t, vertex.Config{Model: "gemini-4-neon"}, rt)
	r := ask()
	r.MaxOutputTokens = 200_000
	text := ""
	for {
		reply, err := stream.Collect(m.Stream(t.Context(), r))
		require.NoError(t, err)
		text += reply.Text()
		r.Messages = append(r.Messages, reply.Turn())
		if reply.Outcome() != stream.OutcomePaused {
			break
		}
	}
	assert.Equal(t, "Once Hi!", text)
	require.Len(t, rt.Sent(), 2)
	assert.Equal(t, `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"maxOutputTokens":200000}}`, rt.Sent()[0])
	assert.Equal(t, strings.TrimSuffix(rt.Sent()[0], "}")+`,"continuationToken":"dDE\u003d"}`, rt.Sent()[1])
}

// Images are inside a result of the model of which that is known.
func TestImagesInResults(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"gemini-4-hydrogen": `"response":{"output":""},"parts":[{"inlineData":{"mimeType":"image/png","data":"AQ=="}}]}}]`,
		"gemini-3.8-flash":  `"response":{"output":""}}},{"inlineData":{"mimeType":"image/png","data":"AQ=="}}]`,
	} {
		rt := ok(geminiReply)
		r := request.Request{Messages: []request.Message{
			request.UserText("q"), request.Assistant(request.Call(events.ToolCall{ID: "a", Name: "f", Arguments: "{}"})),
			request.Results(request.ResultBlocks("a", request.ImageBytes("image/png", []byte{1}))),
		}}
		require.NotEmpty(t, slices.Collect(model(t, vertex.Config{Model: id}, rt).Stream(t.Context(), r)))
		assert.Contains(t, string(rt.Requests()[0].Body), want, id)
	}
}

// What Vertex AI fetches itself has a media type, told by its address or by the request.
func TestFilesAreTyped(t *testing.T) {
	t.Parallel()
	rt := ok(geminiReply)
	m := model(t, vertex.Config{}, rt)
	send := func(b request.Block) events.Event {
		return last(t, slices.Collect(m.Stream(t.Context(), request.Request{Messages: []request.Message{request.User(b)}})))
	}
	require.Equal(t, events.Completed, send(request.ImageURL("gs://bucket/a.webp")).Kind)
	assert.Contains(t, string(rt.Requests()[0].Body), `{"fileData":{"mimeType":"image/webp","fileUri":"gs://bucket/a.webp"}}`)
	f, failed := send(request.ImageURL("https://example.com/a")).Failure()
	require.True(t, failed)
	assert.Equal(t, events.InvalidRequest, f.Kind)
	assert.Len(t, rt.Requests(), 1)
}

// The models are listed by their publisher, where a beta has the list, in pages, with a
// token; a wrong one is told.
func TestListModels(t *testing.T) {
	t.Parallel()
	page := func(body string) *canned.Transport {
		return &canned.Transport{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
	}
	for api, publisher := range map[vertex.API]string{vertex.GenerateContent: "google", vertex.Messages: "anthropic"} {
		pages := []*canned.Transport{
			page(`{"publisherModels":[{"name":"publishers/` + publisher + `/models/a","versionId":"001"}],"nextPageToken":"x/y"}`),
			page(`{"publisherModels":[{"name":"publishers/` + publisher + `/models/b"}]}`),
		}
		m := model(t, vertex.Config{API: api, Location: "global", Token: tokens("canary")}, &canned.Script{Answers: slices.Clone(pages)})
		all, err := m.ListModels(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 2)
		assert.Equal(t, []string{"a", "b"}, []string{all[0].ID, all[1].ID})
		assert.Contains(t, all[0].Raw, `"versionId":"001"`)
		const list = "https://aiplatform.googleapis.com/v1beta1/publishers/"
		assert.Equal(t, list+publisher+"/models?pageSize=100", pages[0].Requests()[0].URL)
		assert.Equal(t, list+publisher+"/models?pageSize=100&pageToken=x%2Fy", pages[1].Requests()[0].URL)
		assert.Equal(t, "Bearer canary", pages[1].Requests()[0].Header.Get("Authorization"))
	}
	rt := page(`{"publisherModels":[]}`)
	m, err := vertex.New(vertex.Config{Key: "canary", Model: "m", BaseURL: "http://127.0.0.1:1/x", HTTPClient: &http.Client{Transport: rt}})
	require.NoError(t, err)
	_, err = m.ListModels(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "http://127.0.0.1:1/x/publishers/google/models?pageSize=100", rt.Requests()[0].URL)
	assert.Equal(t, "canary", rt.Requests()[0].Header.Get("X-Goog-Api-Key"))

	rt.Status, rt.Body = http.StatusForbidden, []byte(`{"error":{"code":403,"message":"not with canary","status":"PERMISSION_DENIED"}}`)
	_, err = m.ListModels(t.Context())
	require.ErrorIs(t, err, &events.Failure{Kind: events.Rejected, Reason: events.ReasonPermission})
	assert.NotContains(t, err.Error(), "canary")
	lister, is := providers.As[providers.ModelLister](m)
	assert.True(t, is && lister != nil)
}
