package ollama_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/ollama"
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
