package providers_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
)

// Every adapter whose provider has a list of models tells it: from which address,
// with the credential of the model, read within bounds, with failures of the same
// kinds as those of a stream.
func TestListModels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		api, vendor, url, header, body string
		models                         []string
	}{
		{apiChat, "openai", "https://api.openai.com/v1/models", "Authorization", `{"object":"list","data":[{"id":"gpt-5","created":1754524800}]}`, []string{"gpt-5"}},
		{apiChat, "openrouter", "https://openrouter.ai/api/v1/models", "Authorization", `{"data":[{"id":"a/b"},{"id":"c/d"}]}`, []string{"a/b", "c/d"}},
		{apiResponses, "openai", "https://api.openai.com/v1/models", "Authorization", `{"data":[{"id":"gpt-5"}]}`, []string{"gpt-5"}},
		{apiResponses, "xai", "https://api.test/v1/models", "Authorization", `{"data":[{"id":"grok"}]}`, []string{"grok"}},
		{apiChat, "azure", "https://azure.test/openai/v1/models", "Api-Key", `{"data":[{"id":"gpt-5","status":"succeeded"}]}`, []string{"gpt-5"}},
		{apiChat, "together", "https://api.test/v1/models", "Authorization", `[{"id":"x/y"}]`, []string{"x/y"}},
		{apiMessages, "", "https://api.anthropic.com/v1/models?limit=1000", "X-Api-Key", `{"data":[{"id":"claude"}],"has_more":false,"last_id":"claude"}`, []string{"claude"}},
		{apiGemini, "", "https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000", "X-Goog-Api-Key", `{"models":[{"name":"models/g"}]}`, []string{"g"}},
		{apiOllama, "", "http://127.0.0.1:11434/api/tags", "", `{"models":[{"name":"qwen3:8b","model":"qwen3:8b"}]}`, []string{"qwen3:8b"}},
	} {
		name := tt.api + " " + tt.vendor
		lister := func(rt *canned.Transport) providers.ModelLister {
			l, ok := providers.As[providers.ModelLister](model(t, tt.api, tt.vendor, rt))
			require.True(t, ok, name)
			return l
		}
		rt := &canned.Transport{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(tt.body)}
		all, err := lister(rt).ListModels(t.Context())
		require.NoError(t, err, name)
		var ids []string
		for _, info := range all {
			ids = append(ids, info.ID)
			assert.Contains(t, tt.body, info.Raw, name)
		}
		assert.Equal(t, tt.models, ids, name)
		sent := rt.Requests()
		require.Len(t, sent, 1, name)
		assert.Equal(t, http.MethodGet, sent[0].Method, name)
		assert.Equal(t, tt.url, sent[0].URL, name)
		assert.Equal(t, "application/json", sent[0].Header.Get("Accept"), name)
		if tt.header != "" {
			assert.Contains(t, sent[0].Header.Get(tt.header), canary, name)
		}
		assert.Equal(t, []int{1}, rt.Closes(), name)

		rt = &canned.Transport{Status: http.StatusUnauthorized, Body: []byte(`{"error":{"message":"bad key ` + canary + `"}}`)}
		_, err = lister(rt).ListModels(t.Context())
		f, ok := events.AsFailure(err)
		require.True(t, ok, name)
		assert.Equal(t, events.Rejected, f.Kind, name)
		assert.Equal(t, events.ReasonAuth, f.Reason, name)
		assert.Equal(t, http.StatusUnauthorized, f.Status, name)
		assert.NotEmpty(t, f.Provider, name)
		if tt.header != "" {
			assert.NotContains(t, f.Error(), "canary", name)
		}
	}
}

// A list that comes in pages is asked for to its end.
func TestListModelsInPages(t *testing.T) {
	t.Parallel()
	rt := &canned.Transport{Body: []byte(`{"data":[{"id":"a b"}],"has_more":true,"last_id":"a b"}`)}
	l, _ := providers.As[providers.ModelLister](model(t, apiMessages, "", rt))
	_, err := l.ListModels(t.Context())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply}, "the second page is the first one again")
	sent := rt.Requests()
	require.Len(t, sent, 2)
	assert.Equal(t, "https://api.anthropic.com/v1/models?limit=1000&after_id=a+b", sent[1].URL)
	assert.Contains(t, sent[1].Header.Get("X-Api-Key"), canary)
}
