package geminiwire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/geminiwire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

func prepared(t testing.TB, r request.Request) request.Prepared {
	t.Helper()
	p, err := schema.Prepare(r, request.Target{Format: geminiwire.Format, Origin: "gemini"}, schema.GeminiJSON)
	require.NoError(t, err)
	return p
}

// answer has a keyword that the wire's subset lacks and a property of that name.
func answer(t testing.TB) request.Answer {
	t.Helper()
	a, err := request.NewAnswer("fact", `{
		"type": "object",
		"properties": {"title": {"type": "string", "title": "Title", "pattern": "^."}, "n": {"type": "integer", "maximum": 9007199254740993}},
		"required": ["title"], "additionalProperties": false
	}`)
	require.NoError(t, err)
	return a
}

func ask(messages ...request.Message) request.Request { return request.Request{Messages: messages} }

func tool(t testing.TB, name, description string) request.Tool {
	t.Helper()
	made, err := request.NewTool(name, description, `{"type":"object","properties":{"city":{"type":"string"}} }`)
	require.NoError(t, err)
	return made
}

func call(id, name, arguments string) request.Block {
	return request.Call(events.ToolCall{ID: id, Name: name, Arguments: arguments})
}

// signed is a call whose id is weir's own, with what goes back with it.
func signed(id, name, arguments, replay string) request.Block {
	return request.Call(events.ToolCall{ID: id, Name: name, Arguments: arguments, Minted: true, Replay: kept(replay)})
}

func kept(value string) events.ProviderData {
	return events.ProviderData{Format: geminiwire.Format, Origin: "gemini", Value: value}
}

// pausedTurn is a turn that paused, with the JSON text of its token.
func pausedTurn(text, token string) request.Message {
	m := request.AssistantText(text)
	m.Data = kept(`{"parts":[{"slot":"text"}],"continuationToken":"` + token + `"}`)
	return m
}

type encodeCase struct {
	name, why string
	request   request.Request
	profile   geminiwire.Profile
}

func historyCases() []encodeCase {
	parallel := request.Assistant(signed("call_w1", "a", `{}`, `{"thoughtSignature":"S1"}`), request.Call(events.ToolCall{ID: "call_w2", Name: "b", Arguments: `{"n": 1.0}`, Minted: true}))
	texts := request.Assistant(request.Text("One."), request.Text("Two <b>."), request.Text("Three."))
	texts.Data = kept(`{"parts":[{"slot":"text"},{"slot":"text","thoughtSignature":"A\u003d"},{"slot":"text"},{"text":"","thoughtSignature":"B=="}]}`)
	code := request.Assistant(request.Text("I run it."), request.Text("Done."))
	code.Data = kept(`{"parts":[{"slot":"text"},{"executableCode":{"language":"PYTHON","code":"print(1)","id":"x"},"thoughtSignature":"C"},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1\n"}},{"slot":"text"}]}`)
	gone := request.Assistant(call("b", "b", `{}`), request.Text("after"))
	gone.Data = kept(`{"parts":[{"slot":"text","thoughtSignature":"A"},{"slot":"call","id":"a"},{"text":"","thoughtSignature":"B"},{"slot":"call","id":"b"}]}`)
	image := request.Message{Role: request.RoleAssistant, Data: kept(`{"parts":[{"inlineData":{"mimeType":"image/png","data":"AQ=="},"thoughtSignature":"D"}]}`)}
	shot := ask(request.UserText("q"), request.Assistant(call("u1", "shot", "{}"), call("u2", "shot", "{}")),
		request.Results(request.ResultBlocks("u1", request.Text("here"), request.ImageBytes("image/png", []byte{1})), request.ResultBlocks("u2", request.ImageURL("https://example.com/a.png"))))
	return []encodeCase{
		{name: "signature-first-call-only", why: "each signature stays on its part, minted ids are not sent, all results are one content, in the order of the calls", request: ask(
			request.UserText("q"), parallel, request.Results(request.Result("call_w2", "2")), request.Results(request.ResultError("call_w1", "no")), request.UserText("go on"))},
		{name: "call-ids", why: "ids that the provider gave go back, a repeated one in place of weir's", request: ask(
			request.UserText("q"), request.Assistant(call("x", "f", "{}"), signed("call_w1", "g", "{}", `{"id":"x"}`)), request.Results(request.Result("x", "1"), request.Result("call_w1", "2")))},
		{name: "own-ids", why: "a host that gives no ids takes none; one that it gave goes back", profile: geminiwire.Profile{OwnIDs: true}, request: ask(
			request.UserText("q"), request.Assistant(call("toolu_1", "f", "{}"), request.Call(events.ToolCall{ID: "y", Name: "g", Arguments: "{}", Replay: kept(`{"id":"y"}`)})),
			request.Results(request.Result("toolu_1", "1"), request.Result("y", "2")))},
		{name: "foreign-calls", why: "the first call of a turn that another provider's model made gets the documented placeholder, no other call one", profile: geminiwire.Profile{SignedCalls: true}, request: ask(
			request.UserText("q"), request.Assistant(call("x", "f", "{}"), call("y", "g", "{}")), request.Results(request.Result("x", "1"), request.Result("y", "2")),
			request.Assistant(signed("call_w1", "f", "{}", `{"thoughtSignature":"S1"}`), call("z", "g", "{}")), request.Results(request.Result("call_w1", "1"), request.Result("z", "2")))},
		{name: "same-id-in-another-turn", why: "ids pair calls and results within one turn", request: ask(
			request.UserText("q"), request.Assistant(call("x", "f", "{}")), request.Results(request.Result("x", "1")),
			request.Assistant(call("x", "g", "{}")), request.Results(request.Result("x", "2")))},
		{name: "text-signatures", why: "a signed text is a part of its own, an empty one goes back empty", request: ask(request.UserText("q"), texts, request.UserText("next"))},
		{name: "code-replayed", why: "parts of the provider's own go back in their places", request: ask(request.UserText("q"), code, request.UserText("next"))},
		{name: "slots-without-blocks", why: "what a history cleaner took out leaves its slot empty; what has no slot follows", request: ask(
			request.UserText("q"), gone, request.Results(request.Result("b", "ok")))},
		{name: "image-replayed", why: "a turn of the provider's own parts alone", request: ask(request.UserText("draw"), image, request.UserText("in red"))},
		{name: "long-decode-goes-on", why: "an answer that paused goes on from the same request with the last token, without what it said", request: ask(
			request.UserText("q"), pausedTurn("One ", "dDE="), pausedTurn("two ", `d\u002b==`))},
		{name: "long-decode-then-more", why: "once it is over its turns are one content", request: ask(
			request.UserText("q"), pausedTurn("One ", "dDE="), pausedTurn("two ", "dDI="), request.AssistantText("three."), request.UserText("go on"))},
		{name: "long-decode-left", why: "an answer that is not gone on with is a turn like any other", request: ask(
			request.UserText("q"), pausedTurn("One ", "dDE="), request.UserText("Enough."), request.AssistantText("Yes."), request.AssistantText("Sure."))},
		{name: "empty-text-dropped", why: "an empty text is no part; a result without content is an empty text", request: ask(
			request.UserText("q"), request.Assistant(request.Text(""), call("u1", "now", "{}")), request.Results(request.Result("u1", "")))},
		{name: "media", why: "images, audio and files, inline and by address", request: ask(request.User(
			request.Text("look <b>&"), request.ImageBytes("image/png", []byte{1, 2, 3}), request.ImageURL("https://example.com/a.png"), request.AudioBytes("audio/wav", []byte("RIFF")),
			request.FileBytes("a.pdf", "application/pdf", []byte("%PDF")), request.FileURL("", "application/pdf", "https://generativelanguage.googleapis.com/v1beta/files/abc")))},
		{name: "media-typed", why: "a host that wants media types is told them by the end of the address", profile: geminiwire.Profile{TypedFiles: true, MediaResults: true}, request: ask(
			request.User(request.ImageURL("https://example.com/A.PNG?v=1"), request.FileURL("", "image/x-own", "gs://b/a.png"), request.FileURL("", "", "gs://bucket/a.pdf")),
			request.Assistant(call("u1", "shot", "{}")), request.Results(request.ResultBlocks("u1", request.ImageURL("https://example.com/b.jpeg"))))},
		{name: "result-with-image", why: "images that a result cannot hold follow the results", request: shot},
		{name: "result-holds-image", why: "newer models take them inside", request: shot, profile: geminiwire.Profile{MediaResults: true}},
	}
}

func parameterCases(t testing.TB) []encodeCase {
	hi := ask(request.UserText("hi"))
	with := func(change func(*request.Request)) request.Request {
		r := hi
		change(&r)
		return r
	}
	tools := []request.Tool{tool(t, "get_weather", "weather <of> a city"), tool(t, "über tool", "")}
	choose := func(c request.ToolChoice) request.Request {
		return with(func(r *request.Request) { r.Tools, r.ToolChoice = tools, c })
	}
	effort := func(e request.Effort) request.Request {
		return with(func(r *request.Request) { r.Effort = e })
	}
	extra := func(text string) request.Request {
		return with(func(r *request.Request) { r.Extra = map[string]string{"gemini": text, "chat": `{"x":1}`} })
	}
	budgets := geminiwire.Profile{Thinking: geminiwire.ThinkingBudget, LeastBudget: 512, MostBudget: 20_000}
	return []encodeCase{
		{name: "defaults", why: "nothing but the contents is required", request: hi},
		{name: "parameters", why: "zero is a value", request: with(func(r *request.Request) {
			r.System, r.MaxOutputTokens, r.Stop = "Be \"brief\" & kind.", 100, []string{"\n\n", "END"}
			r.Temperature, r.TopP, r.Seed = new(0.0), new(0.25), new(int64(-2147483648))
		})},
		{name: "tools-auto", why: "auto is what the wire does anyway; names the wire refuses are mapped, schemas go as they are", request: choose(request.ToolChoice{})},
		{name: "tools-none", why: "tools stay declared for the history", request: choose(request.ToolChoice{Mode: request.ToolNone})},
		{name: "tools-required", why: "any", request: choose(request.ToolChoice{Mode: request.ToolRequired})},
		{name: "tools-named", why: "one tool, by its wire name", request: choose(request.ToolChoice{Mode: request.ToolNamed, Name: "über tool"})},
		{name: "effort-level", why: "the newest models take levels", request: effort(request.EffortLow)},
		{name: "effort-above-high", why: "the newest models have a level above high", request: effort(request.EffortXHigh)},
		{name: "effort-off", why: "no thinking is a budget of none", request: effort(request.EffortOff)},
		{name: "effort-as-budget", why: "a model without levels gets a budget", request: effort(request.EffortMedium), profile: budgets},
		{name: "effort-as-budget-bounded", why: "within its bounds", request: effort(request.EffortMax), profile: budgets},
		{name: "budget", why: "a budget goes before an effort: the wire refuses both together", request: with(func(r *request.Request) { r.ThinkingBudget, r.Effort = new(8000), request.EffortHigh })},
		{name: "answer", why: "a structured answer, in the wire's subset", request: with(func(r *request.Request) { r.Answer = answer(t) })},
		{name: "answer-beside-tools", why: "for models that take both", request: with(func(r *request.Request) { r.Answer, r.Tools = answer(t), tools })},
		{name: "extra", why: "merged last, and into what is there", request: with(func(r *request.Request) {
			r.Effort, r.MaxOutputTokens = request.EffortLow, 50
			r.Extra = map[string]string{"gemini": `{"generationConfig":{"thinkingConfig":{"includeThoughts":false},"maxOutputTokens":77,"topK":4},"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}],"cachedContent":"cachedContents/abc","n":1e400}`}
		})},
		{name: "hosted-beside", why: "uses of the provider's own tools are to be told, so that they can come back", profile: geminiwire.Profile{Hosted: geminiwire.HostedTold}, request: with(func(r *request.Request) {
			r.Tools, r.ToolChoice = tools[:1], request.ToolChoice{Mode: request.ToolRequired}
			r.HostedTools = []request.HostedTool{request.HostedRaw("gemini", `{"urlContext":{}}`)}
		})},
		{name: "hosted-beside-by-extra", why: "however they are asked for", profile: geminiwire.Profile{Hosted: geminiwire.HostedTold}, request: with(func(r *request.Request) {
			r.Tools, r.Extra = tools[:1], map[string]string{"gemini": `{"tools":[{"urlContext":{}}]}`}
		})},
		{name: "hosted-alone", why: "alone they come without being asked for", profile: geminiwire.Profile{Hosted: geminiwire.HostedTold}, request: with(func(r *request.Request) {
			r.HostedTools = []request.HostedTool{request.SearchWeb(request.WebSearch{})}
		})},
		{name: "search-kept-off-domains", why: "where the host can", profile: geminiwire.Profile{ExcludeDomains: true}, request: with(func(r *request.Request) {
			r.HostedTools = []request.HostedTool{request.SearchWeb(request.WebSearch{BlockedDomains: []string{"a.example", "b.example"}})}
		})},
		{name: "extra-streams-arguments", why: "arguments in pieces are asked for beside the choice", request: with(func(r *request.Request) {
			r.Tools, r.ToolChoice = tools[:1], request.ToolChoice{Mode: request.ToolRequired}
			r.Extra = map[string]string{"gemini": `{"toolConfig":{"functionCallingConfig":{"streamFunctionCallArguments":true}}}`}
		})},
		{name: "extra-hosted-tools", why: "the provider's own tools stand alone", request: extra(`{"tools":[{"googleSearch":{}},{"urlContext":{}}]}`)},
		{name: "extra-hosted-tools-beside", why: "or after the declared ones", request: with(func(r *request.Request) {
			r.Tools = tools[:1]
			r.Extra = map[string]string{"gemini": `{"toolConfig":{"includeServerSideToolInvocations":true},"tools":[{"googleSearch":{"timeRangeFilter":{}}}]}`}
		})},
		{name: "everything", why: "a request with every feature set", profile: everyWay(), request: everything(t, tools)},
	}
}

// everyWay is a profile of a model that takes all there is.
func everyWay() geminiwire.Profile {
	return geminiwire.Profile{
		Origin: "gemini", AnswerBesideTools: true, MediaResults: true, SignedCalls: true, Hosted: geminiwire.HostedTold, ExcludeDomains: true,
	}
}

// everything is a request with every feature that this wire has: all kinds of content in
// and out, calls of this provider's and of others, an answer that paused, and one that
// pauses.
func everything(t testing.TB, tools []request.Tool) request.Request {
	t.Helper()
	asked := request.User(
		request.Text("Weather?"), request.ImageBytes("image/png", []byte{1}), request.ImageURL("https://example.com/a.png"), request.AudioBytes("audio/wav", []byte("RIFF")),
		request.FileBytes("a.pdf", "application/pdf", []byte("%PDF")), request.FileURL("", "video/mp4", "gs://bucket/a.mp4"))
	model := request.Assistant(request.Text("Looking."), signed("call_w1", "get_weather", `{"city": "Graz", "n": 12345678901234567890}`, `{"thoughtSignature":"S1"}`),
		signed("call_w2", "über tool", `{}`, `{"id":"x"}`))
	model.Data = kept(`{"parts":[{"text":"hm","thought":true,"thoughtSignature":"S0"},{"executableCode":{"code":"1"}},{"slot":"text","thoughtSignature":"S2"},{"slot":"call","id":"call_w1"},{"slot":"call","id":"call_w2"},{"text":"","thoughtSignature":"S3"}]}`)
	foreign := request.Assistant(call("toolu_1", "get_weather", `{"city":"Wien"}`))
	paused, rest, pausing := request.AssistantText("Once upon "), request.AssistantText("a time."), request.AssistantText("There ")
	paused.Data, pausing.Data = kept(`{"parts":[{"slot":"text"}],"continuationToken":"dDE="}`), kept(`{"parts":[{"slot":"text"}],"continuationToken":"dDI="}`)
	r := ask(asked, model,
		request.Results(request.ResultBlocks("call_w1", request.Text("rain"), request.ImageBytes("image/png", []byte{2}))), request.Results(request.ResultError("call_w2", "no")),
		foreign, request.Results(request.Result("toolu_1", "sun")), request.UserText("A story."), paused, rest, request.UserText("And another."), pausing)
	r.System, r.Tools, r.ToolChoice = "Be brief.", tools, request.ToolChoice{Mode: request.ToolNamed, Name: "get_weather"}
	r.HostedTools = []request.HostedTool{
		request.SearchWeb(request.WebSearch{BlockedDomains: []string{"a.example"}}), request.HostedRaw("gemini", `{"codeExecution":{}}`),
	}
	r.Answer, r.MaxOutputTokens, r.Effort = answer(t), 1000, request.EffortHigh
	r.Temperature, r.TopP, r.Seed, r.Stop = new(0.5), new(0.9), new(int64(7)), []string{"END"}
	r.Extra = map[string]string{"gemini": `{"labels":{"team":"a"},"cachedContent":"cachedContents/abc","serviceTier":"flex","tools":[{"urlContext":{}}],` +
		`"toolConfig":{"retrievalConfig":{"languageCode":"de"}},"generationConfig":{"topK":4}}`}
	return r
}

func TestEncodeGolden(t *testing.T) {
	t.Parallel()
	for _, c := range append(historyCases(), parameterCases(t)...) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, c.why)
			c.profile.Origin = "gemini"
			p := prepared(t, c.request)
			canned.Encoded(t, c.name, *update, func() ([]byte, error) { return geminiwire.Encode(p, c.profile) })
		})
	}
}

// A host that wants media types gets no address that does not tell its own.
func TestEncodeWantsTypes(t *testing.T) {
	t.Parallel()
	image := request.ImageURL("https://example.com/a")
	for why, r := range map[string]request.Request{
		"asked about": ask(request.User(image)),
		"in a result": ask(request.UserText("q"), request.Assistant(call("a", "f", "{}")), request.Results(request.ResultBlocks("a", image))),
	} {
		for _, inside := range []bool{true, false} {
			_, err := geminiwire.Encode(request.Prepared{Request: r}, geminiwire.Profile{TypedFiles: true, MediaResults: inside})
			require.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadHistory}, why)
			_, err = geminiwire.Encode(request.Prepared{Request: r}, geminiwire.Profile{MediaResults: inside})
			require.NoError(t, err, why)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	hi := request.Prepared{Request: ask(request.UserText("hi"))}
	turn := func(data events.ProviderData) request.Prepared {
		m := request.AssistantText("a")
		m.Data = data
		return request.Prepared{Request: ask(request.UserText("q"), m)}
	}
	extra := func(text string) request.Prepared {
		p := hi
		p.Request.Extra = map[string]string{"gemini": text}
		return p
	}
	result := func(blocks ...request.Block) request.Prepared {
		return request.Prepared{Request: ask(request.UserText("q"), request.Assistant(call("a", "f", "{}")), request.Results(blocks...))}
	}
	for _, c := range []struct {
		why    string
		p      request.Prepared
		reason events.Reason
	}{
		{"extra overrides the contents", extra(`{"contents":[]}`), events.ReasonBadParameter},
		{"in any case", extra(`{"Contents":[]}`), events.ReasonBadParameter},
		{"extra names a model", extra(`{"model":"x"}`), events.ReasonBadParameter},
		{"extra declares functions", extra(`{"tools":[{"functionDeclarations":[]}]}`), events.ReasonBadParameter},
		{"by the other spelling", extra(`{"tools":[{"function_declarations":[]}]}`), events.ReasonBadParameter},
		{"tools by another case", extra(`{"TOOLS":[{"googleSearch":{}}]}`), events.ReasonBadParameter},
		{"tools that are no list", extra(`{"tools":{"googleSearch":{}}}`), events.ReasonBadParameter},
		{"a tool that is none", extra(`{"tools":[7]}`), events.ReasonBadParameter},
		{"a tool that is null", extra(`{"tools":[null]}`), events.ReasonBadParameter},
		{"no tools at all", extra(`{"tools":[]}`), events.ReasonBadParameter},
		{"extra is no object", extra(`[]`), events.ReasonBadParameter},
		{"damaged data", turn(kept(`{"parts":[`)), events.ReasonBadHistory},
		{"data with an element that is no part", turn(kept(`{"parts":[7]}`)), events.ReasonBadHistory},
		{"data of another origin", turn(events.ProviderData{Format: geminiwire.Format, Origin: "other", Value: "{}"}), events.ReasonForeignData},
		{"data of another format", turn(events.ProviderData{Format: "chat.v1", Origin: "gemini", Value: "{}"}), events.ReasonForeignData},
		{"a result of no call", result(request.Result("b", "x")), events.ReasonBadHistory},
		{"a seed that the wire has no room for", request.Prepared{Request: request.Request{Messages: hi.Request.Messages, Seed: new(int64(1 << 31))}}, events.ReasonBadParameter},
		{"a text among results", result(request.Text("x")), events.ReasonBadHistory},
		{"a result that holds a file", result(request.ResultBlocks("a", request.FileBytes("", "text/plain", []byte("x")))), events.ReasonBadHistory},
		{"a result in a user's turn", request.Prepared{Request: ask(request.User(request.Result("a", "x")))}, events.ReasonBadHistory},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			_, err := geminiwire.Encode(c.p, gemini())
			f, ok := events.AsFailure(err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, events.InvalidRequest, f.Kind)
			assert.Equal(t, c.reason, f.Reason)
		})
	}
}
