package conversewire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/conversewire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

// An encodeCase is a request, and the body that it becomes in
// testdata/encode/<name>.json.
type encodeCase struct {
	name, why string
	request   request.Request
	profile   conversewire.Profile
}

func ask(turns ...request.Message) request.Request { return request.Request{Messages: turns} }

func call(id, name, args string) request.Block {
	return request.Call(events.ToolCall{ID: id, Name: name, Arguments: args})
}

func kept(value string) events.ProviderData {
	return events.ProviderData{Format: conversewire.Format, Origin: "bedrock", Value: value}
}

func tool(t testing.TB, name, description string) request.Tool {
	t.Helper()
	tool, err := request.NewTool(name, description, `{"type":"object","properties":{"b":{"type":"number"},"a":{"type":"string"}}}`)
	require.NoError(t, err)
	return tool
}

func answer(t testing.TB) request.Answer {
	t.Helper()
	a, err := request.NewAnswer("report", `{"type":"object","properties":{"city":{"type":"string"},"n":{"type":"integer"}},"required":["city"]}`)
	require.NoError(t, err)
	return a
}

func prepared(t testing.TB, r request.Request) request.Prepared {
	t.Helper()
	p, err := schema.Prepare(r, request.Target{Format: conversewire.Format, Origin: "bedrock", Cites: true}, schema.AnthropicStrict)
	require.NoError(t, err)
	return p
}

func historyCases() []encodeCase {
	thinking := request.Assistant(request.Text("Looking."), call("t1", "f", `{"a": 1.0}`))
	thinking.Data = kept(`{"content":[{"reasoningContent":{"reasoningText":{"text":"hm <\"> ","signature":"SIG=="}}},{"slot":"text"},{"slot":"tool_use","id":"t1"}]}`)
	hosted := request.AssistantText("Two.")
	hosted.Data = kept(`{"content":[{"toolUse":{"toolUseId":"s1","name":"nova_code_interpreter","type":"server_tool_use","input":{"snippet": "1+1"}}},` +
		`{"toolResult":{"toolUseId":"s1","content":[{"json":{"out":"\u007f"}}]}},{"slot":"text"}]}`)
	alone := request.Message{Role: request.RoleAssistant, Data: kept(`{"content":[{"reasoningContent":{"redactedContent":"AAE="}}]}`)}
	use := request.Message{Role: request.RoleAssistant, Data: kept(`{"content":[{"toolUse":{"toolUseId":"s1","name":"x","type":"server_tool_use","input":{}}}]}`)}
	gone := request.Assistant(call("t2", "g", `{}`), request.Text("after"))
	gone.Data = kept(`{"content":[{"slot":"text"},{"reasoningContent":{"redactedContent":"AAE="}},{"slot":"tool_use","id":"t1"},{"slot":"tool_use","id":"t2"}]}`)
	cited := request.Assistant(call("t1", "f", `{}`))
	cited.Data = kept(`{"content":[{"slot":"tool_use","id":"t1","citations":[{"source":"s"}]}]}`)
	twice := request.Assistant(request.Text("a"), call("t1", "f", `{}`), request.Text("b"))
	twice.Data = kept(`{"content":[{"slot":"tool_use","id":"t1"},{"reasoningContent":{"redactedContent":"AAE="}},{"slot":"tool_use","id":"t1"},{"slot":"tool_use","id":"gone"},{"slot":"text"}]}`)
	long := strings.Repeat("x", 70)
	return []encodeCase{
		{name: "results-in-one-message", why: "roles alternate, and all results of a turn stand first in the next user message", request: ask(
			request.UserText("q"), request.Assistant(call("u1", "a", "{}"), call("u2", "b", "{}")),
			request.Results(request.Result("u1", "1")), request.Results(request.ResultError("u2", "no")), request.UserText("go on"))},
		{name: "turns-of-one-side", why: "turns of one side that follow each other are one message", request: ask(
			request.UserText("q"), request.UserText("and"), request.AssistantText("a"), request.AssistantText("b"), request.UserText("next"))},
		{name: "result-without-content", why: "a blank text is refused, an empty list is not", request: ask(
			request.UserText("q"), request.Assistant(request.Text(""), call("u1", "now", "{}")), request.Results(request.Result("u1", "")))},
		{name: "thinking-replayed", why: "signed reasoning goes back verbatim, before the call", request: ask(
			request.UserText("q"), thinking, request.Results(request.Result("t1", "ok")))},
		{name: "hosted-replayed", why: "the use of a hosted tool and its result go back verbatim", request: ask(request.UserText("q"), hosted, request.UserText("next"))},
		{name: "reasoning-alone", why: "a turn of reasoning alone is refused as a prefill, and left out; the user's turns around it are one", request: ask(
			request.UserText("q"), alone, request.UserText("next"))},
		{name: "slots-forged", why: "what stood behind a call goes back behind it, and a slot that is named twice takes nothing more", request: ask(
			request.UserText("q"), twice, request.Results(request.Result("t1", "ok")))},
		{name: "citations-forged", why: "citations that a forged history puts on the slot of a call do not swallow the call", request: ask(
			request.UserText("q"), cited, request.Results(request.Result("t1", "ok")))},
		{name: "hosted-alone", why: "a turn of a hosted tool alone goes back", request: ask(request.UserText("q"), use, request.UserText("next"))},
		{name: "slots-without-blocks", why: "what a history cleaner took out leaves its slot empty; what has no slot follows", request: ask(
			request.UserText("q"), gone, request.Results(request.Result("t2", "ok")))},
		{name: "foreign-ids", why: "ids of other providers may be longer or hold characters that this wire refuses; call and result still match", request: ask(
			request.UserText("q"), request.Assistant(call("functions.x:0", "x", "{}"), call(long, "x", "{}")),
			request.Results(request.Result("functions.x:0", "1"), request.Result(long, "2")))},
		{name: "media", why: "images, clips, documents and films, inline and in S3; names of documents are clean and unique", request: ask(request.User(
			request.Text("look <b>&"), request.ImageBytes("image/png", []byte{1, 2, 3}), request.AudioBytes("audio/wav", []byte{4}),
			request.FileBytes("a  plan/v1.pdf", "application/pdf", []byte("%PDF")), request.FileBytes("a plan-v1-pdf", "text/plain; charset=utf-8", []byte("note\n")),
			request.FileBytes("", "text/markdown", []byte("#")), request.FileURL("film", "video/mp4", "s3://bucket/a.mp4")))},
		{name: "document-names", why: "equal names are numbered past those that look numbered, and long ones cut before the number", request: ask(request.User(append(
			documents("a", "a 2", "a", "a", "a 2", strings.Repeat("long name ", 30), strings.Repeat("long name ", 30)), request.Text("q"))...))},
		{name: "files-to-cite", why: "every document says that it may be cited", request: cite(ask(request.User(
			request.Text("q"), request.FileBytes("a.pdf", "application/pdf", []byte("%PDF")), request.FileURL("film", "video/mp4", "s3://bucket/a.mp4"))))},
		{name: "result-with-image", why: "a result of several blocks is a list", request: ask(
			request.UserText("q"), request.Assistant(call("u1", "shot", "{}")),
			request.Results(request.ResultBlocks("u1", request.Text("here"), request.ImageBytes("image/png", []byte{1}))))},
		{name: "tools-gone", why: "a history with calls needs their tools declared, though none may be called", request: ask(
			request.UserText("q"), request.Assistant(call("u1", "now", "{}"), call("u2", "über", "{}"), call("u3", "now", "{}")),
			request.Results(request.Result("u1", "1"), request.Result("u2", "2"), request.Result("u3", "3")))},
	}
}

// documents returns a text file for each name.
func documents(names ...string) []request.Block {
	blocks := make([]request.Block, len(names))
	for i, name := range names {
		blocks[i] = request.FileBytes(name, "text/plain", []byte("x"))
	}
	return blocks
}

// The name of one more document is not searched for among all that were given.
func TestManyDocuments(t *testing.T) {
	const many = 1000
	p := request.Prepared{Request: ask(request.User(documents(slices.Repeat([]string{"a"}, many)...)...))}
	body, err := conversewire.Encode(p, bedrock())
	require.NoError(t, err)
	assert.Contains(t, string(body), `"name":"a 1000"`)
	assert.Less(t, testing.AllocsPerRun(1, func() { _, _ = conversewire.Encode(p, bedrock()) }), 100.0*many, "a search of every name allocates for each")
}

// historyCase returns the request of one of the cases.
func historyCase(name string) request.Request {
	for _, c := range historyCases() {
		if c.name == name {
			return c.request
		}
	}
	panic("no case " + name)
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
	effort := func(e request.Effort) request.Request { return with(func(r *request.Request) { r.Effort = e }) }
	budget := conversewire.Profile{Thinking: conversewire.ThinkingBudget}
	adaptive := conversewire.Profile{Thinking: conversewire.ThinkingAdaptive}
	nova := conversewire.Profile{Thinking: conversewire.ReasoningConfig, SystemTools: []string{"nova_grounding"}}
	return []encodeCase{
		{name: "defaults", why: "nothing but the messages is required", request: hi},
		{name: "everything", why: "every feature at once; Extra is merged last, and into what is there", request: everything(t), profile: everyProfile()},
		{name: "tools-auto", why: "auto is what the wire does anyway; names the wire refuses are mapped", request: choose(request.ToolChoice{})},
		{name: "tools-none", why: "there is no word for none: without calls in the history no tool is declared", request: choose(request.ToolChoice{Mode: request.ToolNone}), profile: nova},
		{name: "tools-required", why: "any tool", request: choose(request.ToolChoice{Mode: request.ToolRequired})},
		{name: "tools-named", why: "one tool, by its wire name", request: choose(request.ToolChoice{Mode: request.ToolNamed, Name: "über tool"})},
		{name: "tools-of-the-provider", why: "the provider's own tools stand beside none of the user's", request: hi, profile: nova},
		{name: "effort-adaptive", why: "as hard as the effort says", request: effort(request.EffortLow), profile: adaptive},
		{name: "effort-adaptive-off", why: "thinking that is on by default is turned off", request: effort(request.EffortOff), profile: adaptive},
		{name: "effort-as-budget", why: "a model without efforts gets a budget", request: effort(request.EffortMedium), profile: budget},
		{name: "effort-as-budget-off", why: "no budget", request: effort(request.EffortOff), profile: budget},
		{name: "effort-as-budget-below-cap", why: "the budget stays below maxTokens", request: with(func(r *request.Request) { r.Effort, r.MaxOutputTokens = request.EffortMax, 5000 }), profile: budget},
		{name: "effort-without-room", why: "no budget fits: the model answers without thinking", request: with(func(r *request.Request) { r.Effort, r.MaxOutputTokens = request.EffortHigh, 500 }), profile: budget},
		{name: "effort-reasoning-config", why: "Amazon Nova 2", request: effort(request.EffortHigh), profile: nova},
		{name: "effort-reasoning-config-off", why: "Amazon Nova 2, told not to", request: effort(request.EffortOff), profile: nova},
		{name: "effort-reasoning-effort", why: "gpt-oss", request: effort(request.EffortHigh), profile: conversewire.Profile{Thinking: conversewire.ReasoningEffort}},
		{name: "effort-reasoning", why: "GPT-5.6 and 6", request: effort(request.EffortXHigh), profile: conversewire.Profile{Thinking: conversewire.Reasoning}},
		{name: "effort-reasoning-off", why: "which have a word for off", request: effort(request.EffortOff), profile: conversewire.Profile{Thinking: conversewire.Reasoning}},
		{name: "effort-alone", why: "the wire's own word", request: effort(request.EffortLow)},
		{name: "effort-alone-off", why: "which has none for off", request: effort(request.EffortOff)},
		{name: "answer", why: "the schema of a structured answer is a text", request: with(func(r *request.Request) { r.Answer = answer(t) })},
	}
}

func TestEncodeGolden(t *testing.T) {
	t.Parallel()
	for _, c := range append(historyCases(), parameterCases(t)...) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, c.why)
			c.profile.Origin = "bedrock"
			p := prepared(t, c.request)
			canned.Encoded(t, c.name, *update, func() ([]byte, error) { return conversewire.Encode(p, c.profile) })
		})
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
	with := func(change func(*request.Request)) request.Prepared {
		p := hi
		change(&p.Request)
		return p
	}
	extra := func(text string) request.Prepared {
		return with(func(r *request.Request) { r.Extra = map[string]string{conversewire.ExtraKey: text} })
	}
	user := func(b request.Block) request.Prepared { return request.Prepared{Request: ask(request.User(b))} }
	foreign := request.Call(events.ToolCall{ID: "t", Name: "f", Arguments: "{}", Replay: events.ProviderData{Format: "chat.v1", Origin: "bedrock", Value: "{}"}})
	for _, c := range []struct {
		why    string
		p      request.Prepared
		reason events.Reason
	}{
		{"extra overrides the messages", extra(`{"messages":[]}`), events.ReasonBadParameter},
		{"extra overrides the tools", extra(`{"toolConfig":{}}`), events.ReasonBadParameter},
		{"extra is no object", extra(`[]`), events.ReasonBadParameter},
		{"a type of media that the wire does not have", user(request.FileBytes("a", "application/zip", []byte{1})), events.ReasonBadParameter},
		{"an image by address", user(request.ImageURL("https://example.com/a.png")), events.ReasonBadParameter},
		{"a file by address", user(request.FileURL("a", "application/pdf", "https://example.com/a.pdf")), events.ReasonBadParameter},
		{"damaged data", turn(kept(`{"content":[`)), events.ReasonBadHistory},
		{"data with an element that is neither block nor slot", turn(kept(`{"content":[{"x":1}]}`)), events.ReasonBadHistory},
		{"data with an element that is both", turn(kept(`{"content":[{"slot":"text","toolUse":{}}]}`)), events.ReasonBadHistory},
		{"data with an element that is no object", turn(kept(`{"content":[5]}`)), events.ReasonBadHistory},
		{"damaged data of a turn without blocks", request.Prepared{Request: ask(request.UserText("q"), request.Message{Role: request.RoleAssistant, Data: kept(`{`)})}, events.ReasonBadHistory},
		{"data of another origin", turn(events.ProviderData{Format: conversewire.Format, Origin: "other", Value: "{}"}), events.ReasonForeignData},
		{"data of another format", turn(events.ProviderData{Format: "messages.v1", Origin: "bedrock", Value: "{}"}), events.ReasonForeignData},
		{"a call of another format", request.Prepared{Request: ask(request.UserText("q"), request.Assistant(foreign))}, events.ReasonForeignData},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			_, err := conversewire.Encode(c.p, conversewire.Profile{Origin: "bedrock", Thinking: conversewire.ThinkingBudget})
			f, ok := events.AsFailure(err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, events.InvalidRequest, f.Kind)
			assert.Equal(t, c.reason, f.Reason)
		})
	}
}

// What the wire or the model has no word for is told, and refused under Strict.
func TestPrepareTellsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	tools := []request.Tool{tool(t, "f", "")}
	for _, c := range []struct {
		why      string
		request  request.Request
		thinking conversewire.Thinking
		told     int
	}{
		{"a turn of reasoning alone", request.Request{Messages: historyCase("reasoning-alone").Messages}, conversewire.ThinkingEffort, 1},
		{"parallel calls", request.Request{Parallel: new(false), Tools: tools}, conversewire.ThinkingEffort, 1},
		{"a family that does not exist", request.Request{Extra: map[string]string{"tpyo": "{}"}}, conversewire.ThinkingEffort, 1},
	} {
		r := c.request
		if r.Messages == nil {
			r.Messages = []request.Message{request.UserText("hi")}
		}
		profile := conversewire.Profile{Origin: "bedrock", Thinking: c.thinking}
		call, decoder, err := conversewire.Prepare(r, request.Spec{}, profile)
		require.NoError(t, err, c.why)
		require.NotNil(t, decoder, c.why)
		assert.Len(t, call.Notices, c.told, c.why)
		r.Strict = true
		_, _, err = conversewire.Prepare(r, request.Spec{}, profile)
		f, refused := events.AsFailure(err)
		require.Equal(t, c.told > 0, refused, c.why)
		if refused {
			assert.Equal(t, events.InvalidRequest, f.Kind, c.why)
		}
	}
	_, _, err := conversewire.Prepare(request.Request{}, request.Spec{}, bedrock())
	require.Error(t, err, "a request that no model takes")
}

// cite asks for citations.
func cite(r request.Request) request.Request {
	r.Citations = true
	return r
}
