package coherewire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// What is left out is told, and refused where nothing may be.
func TestPrepareTells(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("hi"))
	r.Parallel, r.Effort = new(false), request.EffortLow
	r.Extra = map[string]string{"coher": `{"a":1}`, coherewire.ExtraKey: `{"b":1}`}
	spec := request.Spec{ParallelTools: request.No, Efforts: []request.Effort{request.EffortOff, request.EffortHigh}}
	c, _, err := coherewire.Prepare(r, "m", spec, profile())
	require.NoError(t, err)
	var told []string
	for _, n := range c.Notices {
		told = append(told, string(n.Code)+" "+strings.SplitN(n.Detail, ":", 2)[0])
	}
	assert.Equal(t, []string{"parameter_dropped parallel", "effort_clamped effort", "parameter_dropped extra.coher"}, told)
	assert.Contains(t, string(c.Body), `"b":1`)
	assert.Contains(t, string(c.Body), `"thinking":{"type":"enabled"}`)
	assert.Equal(t, transport.SSE, c.Framing)
	for _, change := range []func(*request.Request){
		func(r *request.Request) { r.Parallel = new(false) },
		func(r *request.Request) { r.Effort = request.EffortLow },
		func(r *request.Request) { r.Extra = map[string]string{"coher": "{}"} },
	} {
		strict := ask(request.UserText("hi"))
		strict.Strict = true
		change(&strict)
		_, _, err = coherewire.Prepare(strict, "m", spec, profile())
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter})
	}
}

// Cohere takes a schema beside neither tools nor documents.
func TestPrepareAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		change func(*request.Request)
		native bool
	}{
		{"alone", func(*request.Request) {}, true},
		{"tools", func(r *request.Request) { r.Tools = []request.Tool{tool(t, "f", "")} }, false},
		{"tools that are not to be called are none", func(r *request.Request) {
			r.Tools, r.ToolChoice.Mode = []request.Tool{tool(t, "f", "")}, request.ToolNone
		}, true},
		{"a file", func(r *request.Request) {
			r.Messages = []request.Message{request.User(request.Text("hi"), request.FileBytes("", "text/plain", []byte("a")))}
		}, false},
		{"documents", func(r *request.Request) { r.Extra = map[string]string{"cohere": `{"documents":["a"]}`} }, false},
	} {
		r := ask(request.UserText("hi"))
		r.Answer = answer(t)
		c.change(&r)
		got, _, err := coherewire.Prepare(r, "m", request.Spec{StructuredAnswer: request.Yes}, profile())
		require.NoError(t, err, c.why)
		assert.Equal(t, c.native, strings.Contains(string(got.Body), `"response_format":{"type":"json_object","json_schema":{`), c.why)
		assert.Equal(t, c.native, len(got.Notices) == 0, c.why)
		if c.native {
			assert.NotContains(t, string(got.Body), `"tool`, c.why)
		}
		assert.Equal(t, !c.native, strings.Contains(string(got.Body), "JSON Schema: "), c.why)
		r.Answer = r.Answer.WithStrict()
		_, _, err = coherewire.Prepare(r, "m", request.Spec{StructuredAnswer: request.Yes}, profile())
		assert.Equal(t, c.native, err == nil, c.why)
	}
}

// What the wire's subset lacks is told, and what it has no form for is asked in
// words.
func TestPrepareAnswerInTheSubset(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why, schema, asks string
		code              events.NoticeCode
	}{
		{
			"a length", `{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"]}`,
			`"json_schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, events.NoticeSchemaLossy,
		},
		{"a value that may be null", `{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"]}`, `"JSON Schema: `, events.NoticeParameterDropped},
	} {
		a, err := request.NewAnswer("", c.schema)
		require.NoError(t, err)
		r := ask(request.UserText("hi"))
		r.Answer = a
		got, _, err := coherewire.Prepare(r, "m", request.Spec{StructuredAnswer: request.Yes}, profile())
		require.NoError(t, err, c.why)
		assert.Contains(t, strings.ReplaceAll(string(got.Body), "this JSON", `"JSON`), c.asks, c.why)
		require.NotEmpty(t, got.Notices, c.why)
		assert.Equal(t, c.code, got.Notices[0].Code, c.why)
	}
}

// TOO_MANY_TOKENS is of the prompt only where it cannot be of max_tokens.
func TestPrepareTooManyTokens(t *testing.T) {
	t.Parallel()
	body := []byte(`{"error_type":"TOO_MANY_TOKENS","message":"too many tokens"}`)
	for _, c := range []struct {
		why    string
		cap    int
		extra  string
		most   int
		reason events.Reason
	}{
		{"no cap", 0, "", 0, events.ReasonContextOverflow},
		{"a cap that the model takes, larger ones being lowered", 9000, "", 8000, events.ReasonContextOverflow},
		{"a cap of a model whose maximum is not known", 9000, "", 0, events.ReasonTooLarge},
		{"a cap in Extra", 0, `{"max_tokens":9000}`, 8000, events.ReasonTooLarge},
		{"something else in Extra", 0, `{"k":1}`, 8000, events.ReasonContextOverflow},
	} {
		r := ask(request.UserText("hi"))
		r.MaxOutputTokens = c.cap
		if c.extra != "" {
			r.Extra = map[string]string{"cohere": c.extra}
		}
		got, _, err := coherewire.Prepare(r, "m", request.Spec{MaxOutput: c.most}, profile())
		require.NoError(t, err, c.why)
		f := got.Failure(400, nil, body)
		require.NotNil(t, f, c.why)
		assert.Equal(t, events.Rejected, f.Kind, c.why)
		assert.Equal(t, c.reason, f.Reason, c.why)
		assert.Equal(t, "TOO_MANY_TOKENS", f.ProviderCode, c.why)
	}
}

// A call that breaks exactly at the output limit may have been cut by it, whatever
// the provider says.
func TestPrepareRemembersTheLimit(t *testing.T) {
	t.Parallel()
	for limit, hinted := range map[int]bool{64: true, 65: false, 0: false} {
		r := ask(request.UserText("hi"))
		r.MaxOutputTokens = limit
		_, d, err := coherewire.Prepare(r, "m", request.Spec{}, profile())
		require.NoError(t, err)
		for _, frame := range []string{
			`{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"t","function":{"name":"f","arguments":"{"}}}}}`,
			`{"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"tokens":{"output_tokens":64}}}}`,
		} {
			_, err = d.Frame(transport.Frame{Data: []byte(frame)}, func(events.Event) bool { return true })
			require.NoError(t, err)
		}
		f, failed := d.End(transport.End{}).Failure()
		require.True(t, failed)
		assert.Equal(t, events.ReasonBadToolArguments, f.Reason)
		assert.Equal(t, hinted, strings.HasPrefix(f.Detail, "possibly cut"), f.Detail)
	}
}

// Tools whose names the wire does not take are called by their own names here.
func TestPrepareNamesTools(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("hi"))
	r.Tools = []request.Tool{tool(t, "notes.record", "")}
	c, d, err := coherewire.Prepare(r, "m", request.Spec{}, profile())
	require.NoError(t, err)
	assert.Contains(t, string(c.Body), `"name":"notes_record"`)
	var names []string
	_, err = d.Frame(transport.Frame{Data: []byte(`{"type":"tool-call-start","delta":{"message":{"tool_calls":{"id":"t","function":{"name":"notes_record"}}}}}`)},
		func(ev events.Event) bool {
			if started, ok := ev.Call(); ok {
				names = append(names, started.Name)
			}
			return true
		})
	require.NoError(t, err)
	assert.Equal(t, []string{"notes.record"}, names)
}

func TestPrepareExplainsRefusals(t *testing.T) {
	t.Parallel()
	for _, noKey := range []bool{true, false} {
		c, _, err := coherewire.Prepare(ask(request.UserText("hi")), "m", request.Spec{}, coherewire.Profile{NoKey: noKey})
		require.NoError(t, err)
		f := c.Failure(401, nil, []byte(`{"message":"invalid api token"}`))
		assert.Equal(t, events.ReasonAuth, f.Reason)
		assert.Equal(t, noKey, strings.Contains(f.Detail, "no key is configured"))
		assert.Nil(t, c.Failure(200, nil, []byte(`{}`)))
	}
}

func TestPrepareRefuses(t *testing.T) {
	t.Parallel()
	for why, r := range map[string]request.Request{
		"no message":                            {},
		"a message that this wire cannot spell": ask(request.User(request.Text("q"), request.FileURL("", "text/plain", "https://example.com/a"))),
		"extra that is not its to set":          {Messages: ask(request.UserText("q")).Messages, Extra: map[string]string{"cohere": `{"model":"x"}`}},
	} {
		_, _, err := coherewire.Prepare(r, "m", request.Spec{}, profile())
		f, ok := events.AsFailure(err)
		require.True(t, ok, why)
		assert.Equal(t, events.InvalidRequest, f.Kind, why)
	}
}
