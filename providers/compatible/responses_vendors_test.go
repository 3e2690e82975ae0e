package compatible_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// responsesPresets returns the presets that are known to speak Responses.
func responsesPresets() []string {
	rows := responseswire.Vendors()
	return slices.DeleteFunc(compatible.Presets(), func(name string) bool {
		_, known := rows[name]
		return !known
	})
}

// TestResponsesVendors: every such preset has a recording of its own,
// testdata/responses/<name>.sse, written by hand in the manner of the vendor by the
// sources beside its row. What is sent for one request, what is read of the recording,
// and what the next request sends of it is in <name>.golden; -update writes that.
func TestResponsesVendors(t *testing.T) {
	t.Parallel()
	for _, name := range responsesPresets() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire, err := os.ReadFile(filepath.Join("testdata", "responses", name+".sse"))
			require.NoError(t, err, "write a recording of the vendor")
			got := conversationWith(t, name, string(wire))
			canned.Golden(t, filepath.Join("testdata", "responses", name+".golden"), []byte(got), *update)
		})
	}
	recordings, err := filepath.Glob(filepath.Join("testdata", "responses", "*.sse"))
	require.NoError(t, err)
	assert.Len(t, recordings, len(responsesPresets()), "a recording of no preset")
}

// conversationWith returns two exchanges with a preset, of which the second sends the
// reply of the first back.
func conversationWith(t *testing.T, name, wire string) string {
	t.Helper()
	config, ok := compatible.Preset(name)
	require.True(t, ok)
	rt := sse(wire)
	config.Model, config.API, config.HTTPClient = "m", compatible.Responses, &http.Client{Transport: rt}
	if compatible.NeedsAccount(name) != "" {
		config.Account = "acme-1.example"
	}
	if strings.HasPrefix(config.BaseURL, "https:") {
		config.Key = key
	}
	m, err := compatible.New(config)
	require.NoError(t, err)
	r := askEverything(t)
	r.Cache.Key, r.HostedTools = "k", []request.HostedTool{request.SearchWeb(request.WebSearch{AllowedDomains: []string{"weather.example"}})}
	var all []byte
	var reply stream.Reply
	for ev := range m.Stream(t.Context(), r) {
		reply.Add(ev)
		all = append(events.AppendJSON(all, ev), '\n')
	}
	require.NoError(t, reply.Err())
	require.True(t, reply.Usage().Input.IsKnown())
	for _, n := range reply.Notices() {
		require.NotEqual(t, events.NoticeUnknownFrame, n.Code, "%s: %s", name, n.Detail)
	}
	r.Messages = append(r.Messages, reply.Turn())
	if reply.Executable() {
		r.Messages = append(r.Messages, reply.Answer(func(events.ToolCall) (string, error) { return "sunny", nil }))
	}
	r.Messages = append(r.Messages, request.UserText("Sure?"))
	for range m.Stream(t.Context(), r) {
	}
	sent := rt.Requests()
	require.Len(t, sent, 2)
	assert.Equal(t, config.Key != "", sent[0].Header.Get("Authorization") == "Bearer "+key)
	return sent[0].Method + " " + sent[0].URL + "\n" + string(sent[0].Body) + "\n" + string(all) + string(sent[1].Body) + "\n"
}

// Where a vendor of the API counts tokens, it is asked; the others cannot be.
func TestCountTokens(t *testing.T) {
	t.Parallel()
	for _, name := range append(responsesPresets(), "") {
		for _, api := range []compatible.API{compatible.ChatCompletions, compatible.Responses} {
			rt := sse(`{"object":"response.input_tokens","input_tokens":14}`)
			rt.Header.Set("Content-Type", "application/json")
			config, known := compatible.Preset(name)
			if !known {
				config = compatible.Config{Provider: "acme", BaseURL: "https://api.acme.example/v1"}
			}
			if compatible.NeedsAccount(name) != "" {
				config.Account = "acme-1.example"
			}
			config.Model, config.API, config.HTTPClient = "m", api, &http.Client{Transport: rt}
			m, err := compatible.New(config)
			require.NoError(t, err)
			n, err := m.CountTokens(t.Context(), ask())
			if name == "mistral" && api == compatible.Responses {
				require.NoError(t, err)
				assert.Equal(t, int64(14), n)
				assert.Equal(t, "https://api.mistral.ai/v1/responses/input_tokens", rt.Requests()[0].URL)
				assert.JSONEq(t, `{"model":"m","input":[{"role":"user","content":"hi"}]}`, string(rt.Requests()[0].Body))
				continue
			}
			assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, "%s %s", name, api)
			assert.Empty(t, rt.Requests(), "%s %s", name, api)
		}
	}
}

// What a reply of Responses costs is told by those that say it, each in its own way.
func TestResponsesTellTheirCost(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]events.Micros{"xai": 3776, "perplexity": 6100} {
		wire, err := os.ReadFile(filepath.Join("testdata", "responses", name+".sse"))
		require.NoError(t, err)
		config, _ := compatible.Preset(name)
		config.Model, config.API, config.HTTPClient = "m", compatible.Responses, &http.Client{Transport: sse(string(wire))}
		m, err := compatible.New(config)
		require.NoError(t, err)
		reply, err := stream.Collect(m.Stream(t.Context(), ask()))
		require.NoError(t, err)
		cost, told := reply.Cost()
		require.True(t, told, name)
		assert.Equal(t, want, cost.Micros, name)
	}
}
