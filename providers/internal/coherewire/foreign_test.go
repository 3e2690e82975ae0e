package coherewire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/coherewire"
	"github.com/weirsdk/weir/request"
)

// A conversation that another provider's model began: its seals refuse the request, or
// are left out and told, and what was said and called goes on.
func TestForeignHistory(t *testing.T) {
	t.Parallel()
	sealed := events.ToolCall{
		ID: "toolu_01", Name: "get_weather", Arguments: `{"city": "Graz"}`,
		Replay: events.ProviderData{Format: "gemini.v1", Origin: "gemini", Value: `{"thoughtSignature":"S"}`},
	}
	turn := request.Assistant(request.Text("Looking."), request.Call(sealed))
	turn.Data = events.ProviderData{Format: "messages.v1", Origin: "anthropic", Value: `{"content":[]}`}
	r := ask(request.UserText("Weather?"), turn, request.Results(request.Result("toolu_01", "rain")), request.UserText("Thanks."))
	r.Tools = []request.Tool{tool(t, "get_weather", "")}
	_, _, err := coherewire.Prepare(r, "m", request.Spec{}, profile())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData})

	r.Foreign = request.ForeignDrop
	got, _, err := coherewire.Prepare(r, "m", request.Spec{}, profile())
	require.NoError(t, err)
	require.Len(t, got.Notices, 2)
	for _, n := range got.Notices {
		assert.Equal(t, events.NoticeForeignDropped, n.Code)
	}
	assert.Equal(t, `{"model":"m","messages":[{"role":"user","content":"Weather?"},`+
		`{"role":"assistant","content":"Looking.","tool_calls":[{"id":"toolu_01","type":"function","function":{"name":"get_weather","arguments":"{\"city\": \"Graz\"}"}}]},`+
		`{"role":"tool","tool_call_id":"toolu_01","content":"rain"},{"role":"user","content":"Thanks."}],`+
		`"tools":[{"type":"function","function":{"name":"get_weather","parameters":`+r.Tools[0].Schema()+`}}],"stream":true}`, string(got.Body))
}

// An answer whose values may be null, which Cohere's schemas have no form for, is asked
// for in words, and null is an answer.
func TestNullableAnswerIsInWords(t *testing.T) {
	t.Parallel()
	const text = `{"type":"object","properties":{"city":{"type":"string"},"rain":{"type":["number","null"]}},"required":["city"]}`
	nullable, err := request.NewAnswer("report", text)
	require.NoError(t, err)
	r := ask(request.UserText("Weather?"))
	r.Answer = nullable
	got, _, err := coherewire.Prepare(r, "m", request.Spec{StructuredAnswer: request.Yes}, profile())
	require.NoError(t, err)
	require.Len(t, got.Notices, 2, "%v", got.Notices)
	assert.Equal(t, events.NoticeParameterDropped, got.Notices[0].Code)
	assert.Equal(t, events.NoticeSchemaLossy, got.Notices[1].Code)
	assert.NotContains(t, string(got.Body), "response_format")
	assert.Contains(t, string(got.Body), `\"type\":[\"number\",\"null\"]`, "as declared")
	for _, answered := range []string{`{"city":"Graz","rain":null}`, `{"city":"Graz","rain":1.5}`, `{"city":"Graz"}`} {
		assert.Nil(t, nullable.Check(answered), answered)
	}
	r.Answer = nullable.WithStrict()
	_, _, err = coherewire.Prepare(r, "m", request.Spec{StructuredAnswer: request.Yes}, profile())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonSchemaUnsupported})
}
