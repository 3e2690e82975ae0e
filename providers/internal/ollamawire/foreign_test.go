package ollamawire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/ollamawire"
	"github.com/weirsdk/weir/request"
)

// A conversation that another provider's model began: its seals refuse the request, or
// are left out and told, and what was said and called goes on.
func TestForeignHistory(t *testing.T) {
	t.Parallel()
	sealed := events.ToolCall{
		ID: "toolu_01", Name: "f", Arguments: `{"n": 1}`,
		Replay: events.ProviderData{Format: "gemini.v1", Origin: "gemini", Value: `{"thoughtSignature":"S"}`},
	}
	turn := request.Assistant(request.Text("Looking."), request.Call(sealed))
	turn.Data = events.ProviderData{Format: "messages.v1", Origin: "anthropic", Value: `{"content":[]}`}
	r := request.Request{Messages: []request.Message{
		request.UserText("Weather?"), turn, request.Results(request.Result("toolu_01", "rain")), request.UserText("Thanks."),
	}}
	profile := ollamawire.Profile{Origin: "ollama"}
	_, _, err := ollamawire.Prepare(r, "m", request.Spec{}, profile)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonForeignData})

	r.Foreign = request.ForeignDrop
	got, _, err := ollamawire.Prepare(r, "m", request.Spec{}, profile)
	require.NoError(t, err)
	require.Len(t, got.Notices, 2)
	for _, n := range got.Notices {
		assert.Equal(t, events.NoticeForeignDropped, n.Code)
	}
	assert.Equal(t, `{"model":"m","messages":[{"role":"user","content":"Weather?"},`+
		`{"role":"assistant","content":"Looking.","tool_calls":[{"id":"toolu_01","function":{"name":"f","arguments":{"n": 1}}}]},`+
		`{"role":"tool","content":"rain","tool_name":"f","tool_call_id":"toolu_01"},{"role":"user","content":"Thanks."}],"stream":true}`, string(got.Body))
}

// An answer whose values may be null is asked for as it is declared, and null is one.
func TestNullableAnswer(t *testing.T) {
	t.Parallel()
	const text = `{"type":"object","properties":{"city":{"type":"string"},"rain":{"type":["number","null"]}},"required":["city"]}`
	nullable, err := request.NewAnswer("report", text)
	require.NoError(t, err)
	r := request.Request{Messages: []request.Message{request.UserText("q")}, Answer: nullable.WithStrict(), Strict: true}
	got, _, err := ollamawire.Prepare(r, "m", request.Spec{StructuredAnswer: request.Yes}, ollamawire.Profile{})
	require.NoError(t, err)
	assert.Empty(t, got.Notices)
	assert.True(t, strings.HasSuffix(string(got.Body), `,"stream":true,"format":`+text+`}`), string(got.Body))
	for _, answered := range []string{`{"city":"Graz","rain":null}`, `{"city":"Graz","rain":1.5}`, `{"city":"Graz"}`} {
		assert.Nil(t, nullable.Check(answered), answered)
	}
}
