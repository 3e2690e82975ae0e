package compatible_test

import (
	"flag"
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
	"github.com/weirsdk/weir/request"
)

var update = flag.Bool("update", false, "write the golden files")

// chatPresets returns the presets that speak Chat Completions.
func chatPresets() []string {
	return slices.DeleteFunc(compatible.Presets(), func(name string) bool {
		c, _ := compatible.Preset(name)
		return c.API != compatible.ChatCompletions
	})
}

// TestVendors: every such preset has a recording of its own, testdata/vendors/<name>.sse,
// written by hand in the manner of the vendor. What is sent for one request and what
// is read of the recording is in <name>.golden: the address, the body, the events,
// one a line. A new vendor costs its row in providers/internal/chatwire/vendors.go
// and its recording; -update writes the golden file.
func TestVendors(t *testing.T) {
	t.Parallel()
	for _, name := range chatPresets() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire, err := os.ReadFile(filepath.Join("testdata", "vendors", name+".sse"))
			require.NoError(t, err, "write a recording of the vendor")
			got := exchangeOf(t, name, string(wire))
			path := filepath.Join("testdata", "vendors", name+".golden")
			if *update {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
			last := got[strings.LastIndex(strings.TrimSpace(got), "\n")+1:]
			assert.Contains(t, last, `{"kind":"completed"`, "the recording is of a good reply")
			assert.NotContains(t, last, `"input":null`, "and says what it used")
		})
	}
	recordings, err := filepath.Glob(filepath.Join("testdata", "vendors", "*.sse"))
	require.NoError(t, err)
	assert.Len(t, recordings, len(chatPresets()), "a recording of no preset")
}

// A recording is of one vendor: a copy of another one's says nothing of its manner.
func TestRecordingsDiffer(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"vendors", "responses"} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*.sse"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		of := map[string]string{}
		for _, file := range files {
			wire, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Empty(t, of[string(wire)], "%s is a copy", file)
			of[string(wire)] = file
		}
	}
}

// exchangeOf returns what is sent to a preset, and what is read of its answer.
func exchangeOf(t *testing.T, name, wire string) string {
	t.Helper()
	config, ok := compatible.Preset(name)
	require.True(t, ok)
	rt := sse(wire)
	config.Model, config.HTTPClient = "m", &http.Client{Transport: rt}
	if compatible.NeedsAccount(name) != "" {
		config.Account = "acme-1.example"
	}
	if strings.HasPrefix(config.BaseURL, "https:") {
		config.Key = key
	}
	m, err := compatible.New(config)
	require.NoError(t, err)
	var all []byte
	for ev := range m.Stream(t.Context(), askEverything(t)) {
		all = append(events.AppendJSON(all, ev), '\n')
	}
	sent := rt.Requests()
	require.Len(t, sent, 1, "%s", all)
	assert.Equal(t, config.Key != "", sent[0].Header.Get("Authorization") == "Bearer "+key)
	return sent[0].Method + " " + sent[0].URL + "\n" + string(sent[0].Body) + "\n" + string(all)
}

// askEverything is a request with what vendors differ in: the cap, the effort, the
// budget, an answer beside tools.
func askEverything(t *testing.T) request.Request {
	t.Helper()
	r := ask()
	r.System, r.MaxOutputTokens, r.Effort, r.ThinkingBudget = "Be brief.", 4096, request.EffortLow, new(1024)
	tool, err := request.NewTool("weather", "", `{"type":"object","properties":{"city":{"type":"string"}}}`)
	require.NoError(t, err)
	r.Tools = []request.Tool{tool}
	r.Answer, err = request.NewAnswer("", `{"type":"object","properties":{"c":{"type":"number"}},"required":["c"]}`)
	require.NoError(t, err)
	return r
}

// A preset whose address holds the user's own account says so until it is given, and
// no account leads the key to another host than the address says.
func TestAccount(t *testing.T) {
	t.Parallel()
	config := func(name, account string) compatible.Config {
		c, _ := compatible.Preset(name)
		c.Model, c.Key, c.Account = "m", key, account
		return c
	}
	sent := func(c compatible.Config) string {
		rt := sse(hello)
		c.HTTPClient = &http.Client{Transport: rt}
		m, err := compatible.New(c)
		require.NoError(t, err)
		for range m.Stream(t.Context(), ask()) {
		}
		return rt.Requests()[0].URL
	}
	assert.Equal(t, "https://api.cloudflare.com/client/v4/accounts/0a1b/ai/v1/chat/completions", sent(config("cloudflare", "0a1b")))
	assert.Equal(t, "https://my_org-acc.snowflakecomputing.com/api/v2/cortex/v1/chat/completions", sent(config("snowflake", "my_org-acc")))
	assert.Equal(t, "https://dbc-1.cloud.databricks.com/serving-endpoints/chat/completions", sent(config("databricks", "dbc-1.cloud.databricks.com")))
	own := config("", "b")
	own.Provider, own.BaseURL = "mine", "https://{account}.test/{account}"
	assert.Equal(t, "https://b.test/b/chat/completions", sent(own))

	bad := &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}
	for why, c := range map[string]compatible.Config{
		"none":                             config("cloudflare", ""),
		"one that nobody asked for":        config("groq", "a"),
		"a path":                           config("databricks", "evil.test/x"),
		"a query":                          config("databricks", "evil.test?x"),
		"user info":                        config("snowflake", "a@evil.test"),
		"a port":                           config("databricks", "evil.test:1"),
		"a fragment":                       config("snowflake", "evil.test#"),
		"a way up":                         config("cloudflare", ".."),
		"an escape":                        config("cloudflare", "%2e"),
		"a backslash":                      config("snowflake", `evil.test\`),
		"a line end":                       config("snowflake", "a\n"),
		"letters that look like others":    config("snowflake", "аcme"),
		"no account of an address of mine": {Provider: "x", BaseURL: "https://{account}.test", Model: "m"},
	} {
		m, err := compatible.New(c)
		require.ErrorIs(t, err, bad, why)
		assert.Nil(t, m, why)
	}
	_, err := compatible.New(config("cloudflare", ""))
	f, _ := events.AsFailure(err)
	assert.Contains(t, f.Detail, compatible.NeedsAccount("cloudflare"), "it says what is missing")
	assert.Empty(t, compatible.NeedsAccount("groq"))
	assert.Empty(t, compatible.NeedsAccount("nobody"))
	for _, name := range compatible.Presets() {
		c, _ := compatible.Preset(name)
		assert.Equal(t, strings.Contains(c.BaseURL, "{account}"), compatible.NeedsAccount(name) != "", name)
	}
}

// The list of models is beside the path of a vendor that has one of its own.
func TestPath(t *testing.T) {
	t.Parallel()
	rt := sse(hello)
	c, _ := compatible.Preset("writer")
	c.Model, c.Key, c.HTTPClient = "m", key, &http.Client{Transport: rt}
	m, err := compatible.New(c)
	require.NoError(t, err)
	for range m.Stream(t.Context(), ask()) {
	}
	_, _ = m.ListModels(t.Context())
	assert.Equal(t, "https://api.writer.com/v1/chat", rt.Requests()[0].URL)
	assert.Equal(t, "https://api.writer.com/v1/models", rt.Requests()[1].URL)
	for _, path := range []string{"chat", "/chat?x=1", "/chat#x"} {
		c := compatible.Config{Provider: "a", BaseURL: "https://a.test", Model: "m", Quirks: &compatible.Quirks{Path: path}}
		_, err := compatible.New(c)
		assert.ErrorIs(t, err, &events.Failure{Reason: events.ReasonBadConfig, Kind: events.InvalidRequest}, path)
	}
	c.BaseURL = "https://api.writer.com/v1/chat"
	_, err = compatible.New(c)
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}, "the whole address")
}
