package ollama_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/request"
)

// The models that a server has, its own or the hosted one, which wants the key.
func TestListModels(t *testing.T) {
	t.Parallel()
	const entry = `{"name":"qwen3:4b","model":"qwen3:4b","size":2620788019,"details":{"family":"qwen3"}}`
	for host, want := range map[string]struct{ url, header string }{
		"":                   {"http://127.0.0.1:11434/api/tags", ""},
		"https://ollama.com": {"https://ollama.com/api/tags", "Bearer canary-key"},
	} {
		rt := &canned.Transport{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"models":[` + entry + `]}`)}
		c := ollama.Config{Model: "m", Host: host, HTTPClient: &http.Client{Transport: rt}}
		if want.header != "" {
			c.Key = "canary-key"
		}
		m, err := ollama.New(c)
		require.NoError(t, err)
		all, err := m.ListModels(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 1)
		assert.Equal(t, "qwen3:4b", all[0].ID)
		assert.Equal(t, entry, all[0].Raw)
		require.Len(t, rt.Requests(), 1)
		assert.Equal(t, "GET", rt.Requests()[0].Method)
		assert.Equal(t, want.url, rt.Requests()[0].URL)
		assert.Equal(t, want.header, rt.Requests()[0].Header.Get("Authorization"))
	}
	rt := &canned.Transport{Status: 500, Body: []byte(`{"error":"no"}`)}
	m, err := ollama.New(ollama.Config{Model: "m", HTTPClient: &http.Client{Transport: rt}})
	require.NoError(t, err)
	_, err = m.ListModels(t.Context())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Overloaded})
}

// What no model of a server can do is known before a request is prepared.
func TestSpecKnowsTheWire(t *testing.T) {
	t.Parallel()
	tool, err := request.NewTool("f", "", `{"type":"object"}`)
	require.NoError(t, err)
	for why, change := range map[string]func(*request.Request){
		"parallel":    func(r *request.Request) { r.Parallel = new(false) },
		"tool choice": func(r *request.Request) { r.ToolChoice.Mode = request.ToolRequired },
		"budget":      func(r *request.Request) { r.ThinkingBudget = new(9) },
		"citations":   func(r *request.Request) { r.Citations = true },
		"marker":      func(r *request.Request) { r.Messages[0].Blocks[0].Cache = request.CacheShort },
		"key":         func(r *request.Request) { r.Cache.Key = "k" },
		"web search":  func(r *request.Request) { r.HostedTools = []request.HostedTool{request.SearchWeb(request.WebSearch{})} },
		"raw tool":    func(r *request.Request) { r.HostedTools = []request.HostedTool{request.HostedRaw("ollama", `{"x":1}`)} },
		"a file": func(r *request.Request) {
			r.Messages = []request.Message{request.User(request.FileBytes("a", "text/plain", []byte("a")))}
		},
		"audio": func(r *request.Request) {
			r.Messages = []request.Message{request.User(request.AudioBytes("audio/wav", []byte("wav")))}
		},
	} {
		for _, model := range []string{"qwen3:4b", "gpt-oss:120b-cloud"} {
			r := request.Request{Messages: []request.Message{request.UserText("hi")}, Tools: []request.Tool{tool}, Strict: true}
			assert.Empty(t, r.CheckFor(ollama.SpecFor(model)))
			change(&r)
			assert.Len(t, r.CheckFor(ollama.SpecFor(model)), 1, "%s: %s", model, why)
		}
	}
}
