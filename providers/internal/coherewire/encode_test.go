package coherewire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

func prepared(t testing.TB, r request.Request) request.Prepared {
	t.Helper()
	p, err := schema.Prepare(r, request.Target{Format: coherewire.Format, Origin: "cohere"}, schema.Cohere)
	require.NoError(t, err)
	return p
}

func ask(messages ...request.Message) request.Request { return request.Request{Messages: messages} }

func tool(t testing.TB, name, description string) request.Tool {
	t.Helper()
	made, err := request.NewTool(name, description, `{"type":"object","properties":{"city":{"type":"string"}} }`)
	require.NoError(t, err)
	return made
}

func answer(t testing.TB) request.Answer {
	t.Helper()
	a, err := request.NewAnswer("fact", `{"type":"object","properties":{"title":{"type":"string"}},"required":["title"],"additionalProperties":false}`)
	require.NoError(t, err)
	return a
}

func call(id, name, arguments string) request.Block {
	return request.Call(events.ToolCall{ID: id, Name: name, Arguments: arguments})
}

func kept(value string) events.ProviderData {
	return events.ProviderData{Format: coherewire.Format, Origin: "cohere", Value: value}
}

// turn is an assistant turn with its data.
func turn(data string, blocks ...request.Block) request.Message {
	m := request.Assistant(blocks...)
	m.Data = kept(data)
	return m
}

type encodeCase struct {
	name, why string
	request   request.Request
}

func historyCases() []encodeCase {
	const thought = `{"type":"thinking","thinking":"hm <\"> "}`
	q := request.UserText("q")
	results := request.Results(request.Result("t1", "ok"))
	return []encodeCase{
		{"results-one-message-each", "parallel results are messages of their own, in their order", ask(
			q, request.Assistant(call("t1", "f", `{"a": 1E2}`), call("t2", "g", "{}")), request.Results(request.Result("t2", "2"), request.Result("t1", "1")))},
		{"result-of-a-failed-tool", "there is no flag: the text says it", ask(
			q, request.Assistant(call("t1", "f", "{}")), request.Results(request.ResultError("t1", "no such city")))},
		{"result-of-a-failed-tool-silent", "a failure without a word is one all the same", ask(
			q, request.Assistant(call("t1", "f", "{}")), request.Results(request.ResultError("t1", "")))},
		{"result-empty", "a result without content keeps its message", ask(
			q, request.Assistant(call("t1", "f", "{}")), request.Results(request.Result("t1", "")))},
		{"result-of-blocks", "several texts are a list", ask(
			q, request.Assistant(call("t1", "f", "{}")), request.Results(request.ResultBlocks("t1", request.Text("a"), request.Text("b"))))},
		{"plan-replayed", "the plan goes back beside the calls", ask(q, turn(`{"tool_plan":"I will <look>."}`, call("t1", "f", "{}")), results)},
		{"thinking-replayed", "thinking goes back in its place, before the text", ask(
			q, turn(`{"content":[`+thought+`,{"slot":"text"}]}`, request.Text("Looking."), call("t1", "f", "{}")), results)},
		{"thinking-alone-replayed", "thinking before a call has no text beside it", ask(q, turn(`{"content":[`+thought+`]}`, call("t1", "f", "{}")), results)},
		{"thinking-between-texts", "each text in its slot", ask(
			q, turn(`{"content":[{"slot":"text"},`+thought+`,{"slot":"text"}]}`, request.Text("a"), request.Text("b")), q)},
		{"slot-without-text", "a text that was taken out leaves its slot empty, one that has none follows", ask(
			q, turn(`{"content":[`+thought+`,{"slot":"text"},{"slot":"text"}]}`, request.Text("a")), q,
			turn(`{"content":[`+thought+`]}`, request.Text("b"), request.Text("c")), q)},
		{"citations-replayed", "byte for byte, those whose passage the text still has", ask(
			q, turn(`{"content":[{"slot":"text"}],"citations":[{"start":0,"end":4,"text":"blue","sources":[{"type":"document","id":"doc:0","x":1.0}]},`+
				`{"text":"green","sources":[]},{"text":"hm","type":"PLAN"},7]}`, request.Text("blue")), q)},
		{"citations-edited-away", "no citation is left of a text that was rewritten", ask(
			q, turn(`{"citations":[{"text":"green"}]}`, request.Text("blue")), q)},
		{"data-alone", "a turn that only thought", ask(q, turn(`{"content":[`+thought+`]}`), q)},
		{"texts-of-a-turn", "several texts of the assistant are a list", ask(q, request.Assistant(request.Text("a"), request.Text("b")), q)},
		{"media", "images inline and by address, among texts", ask(request.User(
			request.Text("look <b>&"), request.ImageBytes("image/png", []byte{1, 2, 3}), request.ImageURL("https://example.com/a.png")))},
		{"documents", "text files are documents of the request, in the order of the history", ask(
			request.User(request.FileBytes("facts.txt", "text/plain", []byte("Ruby is red.\n")), request.Text("Who?")), request.AssistantText("Matz."),
			request.User(request.Text("And this?"), request.FileBytes("", "application/json", []byte(`{"a":1}`))))},
		{"documents-of-types", "a media type is one in any letter case and with parameters", ask(request.User(
			request.Text("Which?"), request.FileBytes("", "TEXT/Plain", []byte("a")), request.FileBytes("", "application/json; charset=utf-8", []byte(`{"a":1}`))))},
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
	choose := func(mode request.ToolMode, name string) request.Request {
		return with(func(r *request.Request) {
			r.Tools, r.ToolChoice = tools, request.ToolChoice{Mode: mode, Name: name}
		})
	}
	return []encodeCase{
		{"defaults", "nothing but what is asked", hi},
		{"parameters", "zero is a value; the system prompt is the first message", with(func(r *request.Request) {
			r.System, r.MaxOutputTokens, r.Stop = "Be \"brief\" & kind.", 100, []string{"\n\n", "END"}
			r.Temperature, r.TopP, r.Seed = new(0.0), new(0.25), new(int64(-7))
		})},
		{"tools-auto", "auto is what the wire does anyway; names are mapped", choose(request.ToolAuto, "")},
		{"tools-none", "tools stay declared for the history", choose(request.ToolNone, "")},
		{"tools-required", "at least one", choose(request.ToolRequired, "")},
		{"tools-named", "the only one that is declared, and required", choose(request.ToolNamed, "über tool")},
		{"effort-off", "thinking that is on by default is turned off", with(func(r *request.Request) { r.Effort = request.EffortOff })},
		{"effort", "the wire knows whether, not how much", with(func(r *request.Request) { r.Effort = request.EffortLow })},
		{"budget", "a number, which says more than an effort", with(func(r *request.Request) {
			r.ThinkingBudget, r.Effort = new(2000), request.EffortHigh
		})},
		{"answer", "a structured answer", with(func(r *request.Request) { r.Answer = answer(t) })},
		{"extra", "merged last, and into what is there", with(func(r *request.Request) {
			r.ThinkingBudget = new(100)
			r.Extra = map[string]string{"cohere": `{"thinking":{"x":1},"k":5,"citation_options":{"mode":"FAST"},"n":1e400,"documents":["a"]}`, "chat": `{"x":1}`}
		})},
	}
}

func TestEncodeGolden(t *testing.T) {
	t.Parallel()
	for _, c := range append(historyCases(), parameterCases(t)...) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, c.why)
			p := prepared(t, c.request)
			canned.Encoded(t, c.name, *update, func() ([]byte, error) { return coherewire.Encode("command-test", p, profile()) })
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	q := request.UserText("q")
	extra := func(text string) request.Request {
		r := ask(q)
		r.Extra = map[string]string{"cohere": text}
		return r
	}
	foreign := func(data events.ProviderData) request.Request {
		m := request.AssistantText("a")
		m.Data = data
		return ask(q, m)
	}
	withFile := ask(request.User(request.Text("q"), request.FileBytes("", "text/plain", []byte("a"))))
	withFile.Extra = map[string]string{"cohere": `{"documents":["b"]}`}
	for _, c := range []struct {
		why    string
		r      request.Request
		reason events.Reason
	}{
		{"extra overrides the messages", extra(`{"messages":[]}`), events.ReasonBadParameter},
		{"extra overrides the model", extra(`{"model":"x"}`), events.ReasonBadParameter},
		{"extra overrides the tools", extra(`{"tools":[]}`), events.ReasonBadParameter},
		{"extra turns streaming off", extra(`{"stream":false}`), events.ReasonBadParameter},
		{"extra is no object", extra(`[]`), events.ReasonBadParameter},
		{"extra replaces the documents that files became", withFile, events.ReasonBadParameter},
		{"audio", ask(request.User(request.AudioBytes("audio/wav", []byte{1}))), events.ReasonBadParameter},
		{"a file that is no text", ask(request.User(request.Text("q"), request.FileBytes("", "application/pdf", []byte("%PDF")))), events.ReasonBadParameter},
		{"a text file that is none", ask(request.User(request.Text("q"), request.FileBytes("", "text/plain", []byte{0xff}))), events.ReasonBadParameter},
		{"a file by address", ask(request.User(request.Text("q"), request.FileURL("", "text/plain", "https://example.com/a"))), events.ReasonBadParameter},
		{"a turn of files alone", ask(request.User(request.FileBytes("", "text/plain", []byte("a")))), events.ReasonBadHistory},
		{"an image of a tool", ask(q, request.Assistant(call("t1", "f", "{}")),
			request.Results(request.ResultBlocks("t1", request.ImageBytes("image/png", []byte{1})))), events.ReasonBadParameter},
		{"an image of the assistant", ask(q, request.Assistant(request.ImageBytes("image/png", []byte{1}))), events.ReasonBadHistory},
		{"damaged data", foreign(kept(`{"content":[`)), events.ReasonBadHistory},
		{"data with an element that is neither thinking nor slot", foreign(kept(`{"content":[{"x":1}]}`)), events.ReasonBadHistory},
		{"data of another origin", foreign(events.ProviderData{Format: coherewire.Format, Origin: "other", Value: "{}"}), events.ReasonForeignData},
		{"data of another format", foreign(events.ProviderData{Format: "chat.v1", Origin: "cohere", Value: "{}"}), events.ReasonForeignData},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			_, err := coherewire.Encode("m", request.Prepared{Request: c.r}, profile())
			f, ok := events.AsFailure(err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, events.InvalidRequest, f.Kind)
			assert.Equal(t, c.reason, f.Reason)
		})
	}
}
