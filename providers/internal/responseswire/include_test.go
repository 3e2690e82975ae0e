package responseswire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/request"
)

// encoded returns members of the body of a request with that Extra.
func encoded(t *testing.T, r request.Request, extra string, profile responseswire.Profile) (include []string, parallel *bool) {
	t.Helper()
	r.Extra = map[string]string{responseswire.ExtraKey: extra}
	text, err := responseswire.Encode("m", request.Prepared{Request: r}, profile)
	require.NoError(t, err)
	var body struct {
		Include  []string
		Parallel *bool `json:"parallel_tool_calls"`
	}
	require.NoError(t, json.Unmarshal(text, &body))
	return body.Include, body.Parallel
}

// Who asks for the sources of a search does not mean to lose the sealed reasoning.
func TestIncludeKeepsSealedReasoning(t *testing.T) {
	t.Parallel()
	const sealed, sources = "reasoning.encrypted_content", "web_search_call.action.sources"
	never := openai()
	never.EncryptedReasoning = responseswire.EncryptedNever
	for _, c := range []struct {
		why, extra string
		profile    responseswire.Profile
		want       []string
	}{
		{"nothing else", `{}`, openai(), []string{sealed}},
		{"something else", `{"include":["` + sources + `"]}`, openai(), []string{sources, sealed}},
		{"the same", `{"include":["` + sealed + `","` + sources + `"]}`, openai(), []string{sealed, sources}},
		{"nothing, which is how to ask for none", `{"include":[]}`, openai(), []string{}},
		{"null likewise", `{"include":null}`, openai(), nil},
		{"a host that has no such thing", `{"include":["` + sources + `"]}`, never, []string{sources}},
	} {
		include, _ := encoded(t, ask(request.UserText("q")), c.extra, c.profile)
		assert.Equal(t, c.want, include, c.why)
	}
}

// Whether calls may go side by side is said of the provider's own tools too.
func TestParallelOfHostedTools(t *testing.T) {
	t.Parallel()
	r := ask(request.UserText("q"))
	r.Parallel = new(bool)
	_, parallel := encoded(t, r, `{}`, openai())
	assert.Nil(t, parallel, "there is nothing to say it of")
	r.HostedTools = []request.HostedTool{request.SearchWeb(request.WebSearch{})}
	_, parallel = encoded(t, r, `{}`, openai())
	require.NotNil(t, parallel)
	assert.False(t, *parallel)
}
