package cohere_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/providers/internal/canned"
)

func TestListModels(t *testing.T) {
	t.Parallel()
	const entry = `{"name":"command-a-03-2025","endpoints":["chat"],"finetuned":false,"context_length":256000}`
	for base, want := range map[string]string{
		"":                             "https://api.cohere.com/v1/models?endpoint=chat&page_size=1000",
		"http://127.0.0.1:8000/cohere": "http://127.0.0.1:8000/cohere/models?endpoint=chat&page_size=1000",
	} {
		rt := &canned.Transport{Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(`{"models":[` + entry + `]}`)}
		all, err := model(t, cohere.Config{Key: "canary", BaseURL: base, HTTPClient: &http.Client{Transport: rt}}).ListModels(t.Context())
		require.NoError(t, err)
		require.Len(t, all, 1)
		assert.Equal(t, "command-a-03-2025", all[0].ID)
		assert.Equal(t, 256_000, all[0].ContextWindow)
		assert.Equal(t, entry, all[0].Raw)
		require.Len(t, rt.Requests(), 1)
		assert.Equal(t, "GET", rt.Requests()[0].Method)
		assert.Equal(t, want, rt.Requests()[0].URL)
		assert.Equal(t, "Bearer canary", rt.Requests()[0].Header.Get("Authorization"))
	}
	rt := &canned.Transport{Status: 401, Body: []byte(`{"message":"invalid api token"}`)}
	_, err := model(t, cohere.Config{HTTPClient: &http.Client{Transport: rt}}).ListModels(t.Context())
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Rejected, Reason: events.ReasonAuth})
}
