package request_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// full is a request with every field and every type of block.
func full(tb testing.TB) request.Request {
	tool, err := request.NewTool("math.add", "Adds <two> numbers.", "{ \"type\": \"object\",\n \"properties\": {\"b\": {\"maximum\": 1.50}, \"a\": {\"enum\": [1e2, \"\\u00e9\"]}} }")
	require.NoError(tb, err)
	data := events.ProviderData{Format: "chat.v1", Origin: "openai", Value: `{"b":1, "a":"<\u00e9>"}`}
	return request.Request{
		System: "Be & <brief>\u2028",
		Messages: []request.Message{
			request.User(request.Text("q\n\"x\"\\ \x01"), request.ImageBytes("image/png", []byte{0xfb, 0xff}), request.ImageURL("https://x.test/a?b=1&c=2"),
				request.AudioBytes("audio/wav", []byte("wav")), request.AudioURL("audio/mp3", "https://x.test/a.mp3"), request.FileBytes("a.pdf", "application/pdf", []byte("%PDF")), request.FileURL("b", "text/plain", "https://x.test/b")),
			{Role: request.RoleAssistant, Data: data, Blocks: []request.Block{
				request.Text("a"),
				request.Call(events.ToolCall{ID: "call_w1", Name: "math.add", Arguments: `{"b": 9007199254740993, "a": 1.0}`, Minted: true, Replay: data}),
			}},
			request.Results(request.ResultError("call_w1", "no")),
			request.Assistant(call("c2", "math.add", "{}")),
			request.Results(request.ResultBlocks("c2")),
		},
		Tools:           []request.Tool{tool},
		ToolChoice:      request.ToolChoice{Mode: request.ToolNamed, Name: "math.add"},
		Parallel:        new(false),
		MaxOutputTokens: 100,
		Temperature:     new(0.0),
		TopP:            new(1e-7),
		Stop:            []string{"a", "</b>"},
		Seed:            new(int64(math.MinInt64)),
		Effort:          request.EffortHigh,
		ThinkingBudget:  new(50),
		Citations:       true,
		Strict:          true,
		Extra:           map[string]string{"ollama": `{ "options": {"num_ctx": 32768.0, "a": null} }`, "chat": `{}`},
		Foreign:         request.ForeignDrop,
		Correlation:     request.Correlation{Run: "run", Turn: "1", Actor: "me", Purpose: "test"},
		Options:         request.Options{Without: []string{request.FeatureTools}},
	}
}

func golden(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return strings.TrimSuffix(string(text), "\n")
}

func TestCanonicalGolden(t *testing.T) {
	t.Parallel()
	got, err := full(t).Canonical()
	require.NoError(t, err)
	assert.Equal(t, golden(t, "full.canonical.json"), string(got))
	assert.True(t, json.Valid(got))
	for _, absent := range []string{"correlation", "foreign", "without", `"run"`, `\u003c`, `\u0026`} {
		assert.NotContains(t, string(got), absent)
	}
}

func TestMarshalGolden(t *testing.T) {
	t.Parallel()
	req := full(t)
	got, err := req.MarshalJSON()
	require.NoError(t, err)
	assert.Equal(t, golden(t, "full.json"), strings.ReplaceAll(string(got), "\n", ""), "schemas and extras as they were declared")
	assert.Contains(t, string(got), req.Tools[0].Schema())

	parsed, err := request.Parse(got)
	require.NoError(t, err)
	require.Len(t, parsed.Tools, 1)
	assert.True(t, req.Tools[0].Equal(parsed.Tools[0]))
	parsed.Tools = req.Tools // the compiled schema is another
	parsed.Foreign, parsed.Correlation, parsed.Options = req.Foreign, req.Correlation, req.Options
	assert.Equal(t, req, parsed, "nothing else is lost")
}

func TestCanonicalOfTheZeroRequest(t *testing.T) {
	t.Parallel()
	got, err := request.Request{}.Canonical()
	require.NoError(t, err)
	assert.Equal(t, `{"messages":[]}`, string(got))
	parsed, err := request.Parse([]byte(`{}`))
	require.NoError(t, err)
	assert.Equal(t, request.Request{}, parsed)
}

// The canonical text is what sorting the keys of the plain text gives.
func TestCanonicalIsSorted(t *testing.T) {
	t.Parallel()
	plain, err := full(t).MarshalJSON()
	require.NoError(t, err)
	var tree any
	d := json.NewDecoder(strings.NewReader(string(plain)))
	d.UseNumber()
	require.NoError(t, d.Decode(&tree))
	var want strings.Builder
	e := json.NewEncoder(&want)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(tree))
	got, err := full(t).Canonical()
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(want.String()), string(got))
}

func TestCanonicalRefuses(t *testing.T) {
	t.Parallel()
	for why, change := range map[string]func(*request.Request){
		"no number":          func(r *request.Request) { r.Temperature = new(math.NaN()) },
		"infinite":           func(r *request.Request) { r.TopP = new(math.Inf(-1)) },
		"extra not JSON":     func(r *request.Request) { r.Extra = map[string]string{"chat": "{"} },
		"extra would escape": func(r *request.Request) { r.Extra = map[string]string{"chat": `{}},"tools":[{`} },
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			_, err := with(change).Canonical()
			requireInvalid(t, err, events.ReasonBadParameter)
			_, err = with(change).MarshalJSON()
			requireInvalid(t, err, events.ReasonBadParameter)
		})
	}
}

func TestParseConveniences(t *testing.T) {
	t.Parallel()
	got, err := request.Parse([]byte(` {
		"system": null, "parallel": null, "extra": null, "tools": null, "tool_choice": "auto",
		"messages": [
			{"role": "user", "content": "q"},
			{"role": "assistant", "content": [{"id": "c", "name": "f", "arguments": "{}", "type": "tool_call"}], "data": null},
			{"role": "tool", "content": [{"type": "tool_result", "id": "c", "content": "1"}, {"type": "tool_result", "id": "d", "content": null}]},
			{"role": "assistant", "content": null},
			{"role": "user", "content": "half \ud83d"}
		] } `))
	require.NoError(t, err)
	assert.Equal(t, request.Request{Messages: []request.Message{
		request.UserText("q"),
		request.Assistant(call("c", "f", "{}")),
		request.Results(request.Result("c", "1"), request.ResultBlocks("d")),
		request.Assistant(),
		request.UserText("half \uFFFD"),
	}}, got)

	got, err = request.Parse([]byte(`{"tool_choice":"required"}`))
	require.NoError(t, err)
	assert.Equal(t, request.ToolChoice{Mode: request.ToolRequired}, got.ToolChoice)
	got, err = request.Parse([]byte(`{"tool_choice":null}`))
	require.NoError(t, err)
	assert.Zero(t, got.ToolChoice)
	got, err = request.Parse([]byte(`{"extra":{"chat":null}}`))
	require.NoError(t, err)
	assert.Zero(t, got.Extra)
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	block := func(b string) string { return `{"messages":[{"role":"user","content":[` + b + `]}]}` }
	for _, row := range []struct {
		why, text string
		names     string // the field, in the detail
		reason    events.Reason
	}{
		{"nothing", ``, "request", events.ReasonBadParameter},
		{"null", `null`, "request", events.ReasonBadParameter},
		{"a list", `[]`, "request", events.ReasonBadParameter},
		{"cut", `{"system":"a`, "request", events.ReasonBadParameter},
		{"trailing text", `{} {}`, "request", events.ReasonBadParameter},
		{"not UTF-8", "{\"system\":\"\xff\"}", "request", events.ReasonBadParameter},
		{"a key twice", `{"system":"a","system":"b"}`, "system", events.ReasonBadParameter},
		{"a key twice, spelled differently", `{"system":"a","\u0073ystem":"b"}`, "twice", events.ReasonBadParameter},
		{"a key twice, deep", `{"messages":[{"role":"user","role":"user"}]}`, "role", events.ReasonBadParameter},
		{"unknown at the top", `{"model":"gpt"}`, "model", events.ReasonBadParameter},
		{"not part of the form", `{"correlation":{}}`, "correlation", events.ReasonBadParameter},
		{"another spelling", `{"System":"a"}`, "System", events.ReasonBadParameter},
		{"unknown in a message", `{"messages":[{"role":"user","content":"a","name":"me"}]}`, "messages[0].name", events.ReasonBadParameter},
		{"unknown in data", `{"messages":[{"data":{"x":1}}]}`, "messages[0].data.x", events.ReasonBadParameter},
		{"unknown in a choice", `{"tool_choice":{"type":"auto"}}`, "tool_choice.type", events.ReasonBadParameter},
		{"unknown in a tool", `{"tools":[{"parameters":{}}]}`, "tools[0].parameters", events.ReasonBadParameter},
		{"unknown in a block", block(`{"type":"text","cache":true}`), "messages[0].content[0].cache", events.ReasonBadParameter},
		{"field of another type of block", block(`{"url":"x","type":"text"}`), "messages[0].content[0].url", events.ReasonBadParameter},
		{"field of another type, although empty", block(`{"type":"text","text":"a","data":""}`), "messages[0].content[0].data", events.ReasonBadParameter},
		{"unknown type of block", block(`{"type":"image_url"}`), "messages[0].content[0].type", events.ReasonBadParameter},
		{"no type of block", block(`{"text":"a"}`), "messages[0].content[0].type", events.ReasonBadParameter},
		{"unknown in a result's block", block(`{"type":"tool_result","id":"c","content":[{"type":"text","x":1}]}`), "messages[0].content[0].content[0].x", events.ReasonBadParameter},
		{"unknown in replay", block(`{"type":"tool_call","replay":{"kind":""}}`), "messages[0].content[0].replay.kind", events.ReasonBadParameter},
		{"messages no list", `{"messages":{}}`, "messages", events.ReasonBadParameter},
		{"message no object", `{"messages":["hi"]}`, "messages[0]", events.ReasonBadParameter},
		{"content a number", `{"messages":[{"content":1}]}`, "messages[0].content", events.ReasonBadParameter},
		{"content an object", `{"messages":[{"content":{}}]}`, "messages[0].content", events.ReasonBadParameter},
		{"text a number", block(`{"type":"text","text":1}`), "messages[0].content[0].text", events.ReasonBadParameter},
		{"arguments an object", block(`{"type":"tool_call","arguments":{}}`), "messages[0].content[0].arguments", events.ReasonBadParameter},
		{"data not base64", block(`{"type":"image","data":"?"}`), "messages[0].content[0].data", events.ReasonBadParameter},
		{"data with stray bits", block(`{"type":"image","data":"AB=="}`), "messages[0].content[0].data", events.ReasonBadParameter},
		{"a fraction of a token", `{"max_output_tokens":1.5}`, "max_output_tokens", events.ReasonBadParameter},
		{"a seed out of range", `{"seed":9223372036854775808}`, "seed", events.ReasonBadParameter},
		{"a number as text", `{"temperature":"1"}`, "temperature", events.ReasonBadParameter},
		{"a temperature out of range", `{"temperature":1e999}`, "temperature", events.ReasonBadParameter},
		{"stop as text", `{"stop":"x"}`, "stop", events.ReasonBadParameter},
		{"choice a list", `{"tool_choice":[]}`, "tool_choice", events.ReasonBadParameter},
		{"choice a number", `{"tool_choice":1}`, "tool_choice", events.ReasonBadParameter},
		{"extra no object of objects", `{"extra":{"chat":1}}`, "extra.chat", events.ReasonBadParameter},
		{"extra no object", `{"extra":"{}"}`, "extra", events.ReasonBadParameter},
		{"extra twice after repair", `{"extra":{"\ud800":{},"\ud801":{}}}`, "extra.", events.ReasonBadParameter},
		{"a bad tool", `{"tools":[{"name":"f","schema":{"type":"string"}}]}`, "tools[0]", events.ReasonBadTool},
		{"a remote schema", `{"tools":[{"name":"f","schema":{"type":"object","$ref":"https://x.test/s"}}]}`, "tools[0]", events.ReasonSchemaUnsupported},
		{"the first of two", `{"a":1,"b":2}`, "a: unknown field", events.ReasonBadParameter},
		{"too deep", `{"extra":{"chat":` + strings.Repeat(`{"a":`, 70) + `1` + strings.Repeat(`}`, 70) + `}}`, "nested", events.ReasonBadParameter},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			got, err := request.Parse([]byte(row.text))
			f := requireInvalid(t, err, row.reason)
			assert.Contains(t, f.Detail, row.names)
			assert.Equal(t, request.Request{}, got)

			kept := request.Request{System: "kept"}
			requireInvalid(t, kept.UnmarshalJSON([]byte(strings.ReplaceAll(row.text, "null", "[]"))), row.reason)
			assert.Equal(t, request.Request{System: "kept"}, kept)
		})
	}
}

// TestParseHints: who writes another API's field is told ours.
func TestParseHints(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, text, hint string
	}{
		{"OpenAI's cap", `{"max_tokens":1}`, "max_output_tokens"},
		{"its newer name", `{"max_completion_tokens":1}`, "max_output_tokens"},
		{"the model", `{"model":"gpt-5"}`, "does not name the model"},
		{"parallel calls", `{"parallel_tool_calls":true}`, "is parallel"},
		{"effort", `{"reasoning_effort":"low"}`, "is effort"},
		{"Responses' effort", `{"reasoning":{"effort":"low"}}`, "is effort"},
		{"Anthropic's thinking", `{"thinking":{}}`, "thinking_budget"},
		{"Anthropic's stop", `{"stop_sequences":[]}`, "is stop"},
		{"the oldest tools", `{"functions":[]}`, "is tools"},
		{"streaming", `{"stream":true}`, "every reply is a stream"},
		{"OpenAI's answer", `{"response_format":{"type":"json_object"}}`, "is answer"},
		{"Anthropic's answer", `{"output_config":{"format":{}}}`, "is answer"},
		{"Ollama's answer", `{"format":{}}`, "is answer"},
		{"an answer in its envelope", `{"answer":{"type":"json_schema","json_schema":{}}}`, `{"name", "schema", "strict"}`},
		{"what has no field", `{"top_k":1}`, "extra"},
		{"a tool in its envelope", `{"tools":[{"type":"function","function":{}}]}`, `{"name", "description", "schema"}`},
		{"the envelope, the other way round", `{"tools":[{"function":{},"type":"function"}]}`, `{"name", "description", "schema"}`},
		{"a later tool", `{"tools":[{"name":"g","schema":{"type":"object"}},{"name":"f","parameters":{}}]}`, "is schema"},
		{"Anthropic's tool", `{"tools":[{"input_schema":{}}]}`, "is schema"},
		{"a choice in its envelope", `{"tool_choice":{"type":"function"}}`, `"mode"`},
		{"calls beside the content", `{"messages":[{},{"tool_calls":[]}]}`, "tool_call in content"},
		{"a result's id beside the content", `{"messages":[{"role":"tool","tool_call_id":"c"}]}`, "tool_result in content"},
		{"a field of nobody", `{"banana":1}`, ""},
		{"the same word elsewhere", `{"messages":[{"model":"x"}]}`, ""},
		{"a path that only looks like an index", `{"tools[":1}`, ""},
	} {
		_, err := request.Parse([]byte(row.text))
		detail := requireInvalid(t, err, events.ReasonBadParameter).Detail
		assert.Equal(t, row.hint != "", strings.Contains(detail, "; here "), "%s: %s", row.why, detail)
		assert.Contains(t, detail, row.hint, row.why)
		assert.Contains(t, detail, "unknown field", row.why)
	}
	var tool request.Tool
	f := requireInvalid(t, tool.UnmarshalJSON([]byte(`{"type":"function"}`)), events.ReasonBadParameter)
	assert.Contains(t, f.Detail, "; here ", "a tool alone")
}

// TestCanonicalEscapes: what the doc of Canonical says of strings.
func TestCanonicalEscapes(t *testing.T) {
	t.Parallel()
	text := "a\"\\\n\u0085\u2028\u2029<&>é"
	got, err := request.Request{System: text}.Canonical()
	require.NoError(t, err)
	assert.Equal(t, `{"messages":[],"system":"a\"\\\n\u0085\u2028\u2029<&>é"}`, string(got))
	escapedToo, err := json.Marshal(map[string]any{"messages": []any{}, "system": text})
	require.NoError(t, err)
	assert.NotEqual(t, string(escapedToo), string(got))
	assert.JSONEq(t, string(escapedToo), string(got), "the value is the same however it is escaped")
}

func TestUnmarshalInsideJSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(map[string]any{"request": full(t)})
	require.NoError(t, err)
	var out struct{ Request, None request.Request }
	out.None.System = "kept"
	require.NoError(t, json.Unmarshal([]byte(strings.TrimSuffix(string(text), "}")+`,"none":null}`), &out))
	want, err := full(t).Canonical()
	require.NoError(t, err)
	got, err := out.Request.Canonical()
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "HTML escaping and compaction by encoding/json lose nothing")
	assert.Equal(t, "kept", out.None.System, "null changes nothing")
}
