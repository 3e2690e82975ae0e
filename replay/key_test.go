package replay_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
)

// The vectors come from the Go library whose recordings these keys go back to; the
// first is of its own test, the others were computed by a second implementation.
func TestKeyVectors(t *testing.T) {
	t.Parallel()
	call := func(id string) string {
		return `{"messages":[{"role":"assistant","content":[{"type":"tool_use","tool_use_id":"t1","name":"get","input":{"id":` + id + `}}]}]}`
	}
	for _, c := range []struct{ why, model, request, want string }{
		{
			"escapes, a tool, numbers with a point", "claude-opus-5",
			`{"system":"sys <b> & co","messages":[` +
				`{"role":"user","content":[{"type":"text","text":"hello é 🙂"}]},` +
				`{"role":"assistant","content":[{"type":"tool_use","tool_use_id":"t1","name":"read","input":{"n":42,"f":0.5}}]}],` +
				`"tools":[{"name":"read","description":"d","input_schema":{"type":"object","properties":{"n":{"type":"integer","maximum":100}}},"side_effect":"read_only","timeout":0}],` +
				`"max_output_tokens":4096}`,
			"8b7c5f45e2045e72856cd3d8b8a6a559cce84ca6ee2967fbebe279c80609078e",
		},
		{"an integer above 2^53", "m", call("9007199254740993"), "4e60ba09663905e1f51163bb8ee84d5f343892470424fe2a6f4840e7467ea163"},
		{"which is not its neighbour", "m", call("9007199254740992"), "fbba68ab6b752d24f7ba21f5aab8532f86a9ce4d8b31121debbd7e42471a0aab"},
		{
			"plain text", "m",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`,
			"b38cb85fe3e547e8a1c5d3b6521bdc81c4cf871f93c85cedb84d5d05b086bac1",
		},
		{"null", "m", `{"messages":null}`, "32cadab62d240ef941b4c5b49673f1db031e3163d8ee3daa18598e7b0e34c57c"},
	} {
		key, err := replay.KeyOf(c.model, []byte(c.request))
		require.NoError(t, err, c.why)
		assert.Equal(t, c.want, key, c.why)
	}
}

func TestKeyIsOfTheValue(t *testing.T) {
	t.Parallel()
	key := func(model, text string) string {
		k, err := replay.KeyOf(model, []byte(text))
		require.NoError(t, err)
		return k
	}
	base := key("m", `{"a":1,"b":[true]}`)
	for _, c := range []struct {
		why, model, text string
		same             bool
	}{
		{"order and white space", "m", " {\"b\": [ true ],\n \"a\":1}", true},
		{"of duplicate keys the last", "m", `{"a":7,"a":1,"b":[true]}`, true},
		{"escapes in a key", "m", `{"\u0061":1,"b":[true]}`, true},
		{"another model", "n", `{"a":1,"b":[true]}`, false},
		{"another literal of the same number", "m", `{"a":1.0,"b":[true]}`, false},
		{"a field that is null is there", "m", `{"a":1,"b":[true],"c":null}`, false},
	} {
		assert.Equal(t, c.same, key(c.model, c.text) == base, c.why)
	}
}

// TestKeysOfHalfPairs: what is no character tells requests apart all the same.
func TestKeysOfHalfPairs(t *testing.T) {
	t.Parallel()
	why := map[string]string{}
	for _, text := range []string{
		`"\ud800"`, `"\ud801"`, `"\udc00"`, `"\udc00\ud800"`, `"\ud800\udc00"`, `"\ufffd"`, `"\\ud800"`, `{"\ud800":1}`, `{"\ud801":1}`,
		`{"\ud800":1,"\ud801":2}`,
	} {
		key, err := replay.KeyOf("m", []byte(text))
		require.NoError(t, err, text)
		assert.Empty(t, why[key], text)
		why[key] = text
	}
	small, err := replay.KeyOf("m", []byte(`"\udabc"`))
	require.NoError(t, err)
	large, err := replay.KeyOf("m", []byte(`"\uDABC"`))
	require.NoError(t, err)
	assert.Equal(t, small, large, "another spelling of the same")
}

func TestKeyOfRequest(t *testing.T) {
	t.Parallel()
	key := func(change func(*request.Request)) string {
		req := ask("hi")
		change(&req)
		k, err := replay.KeyOfRequest("m", req)
		require.NoError(t, err)
		return k
	}
	base := key(func(*request.Request) {})
	assert.Equal(t, base, key(func(r *request.Request) { r.Correlation.Run = "run-7" }), "who asks is no part of it")
	assert.Equal(t, base, key(func(r *request.Request) { r.Options.Without = []string{"tools"} }), "what a caller learned is no part of it")
	assert.NotEqual(t, base, key(func(r *request.Request) { r.Temperature = new(1.0) }))
	canonical, err := ask("hi").Canonical()
	require.NoError(t, err)
	same, err := replay.KeyOf("m", canonical)
	require.NoError(t, err)
	assert.Equal(t, base, same)
}

func TestNoKey(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", "{} {}", "nul"} {
		_, err := replay.KeyOf("m", []byte(text))
		assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadParameter}, "%q", text)
	}
	_, err := replay.KeyOfRequest("m", request.Request{Extra: map[string]string{"chat": "no object"}})
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest})
}
