package openai_test

import (
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/request"
)

// A request with every feature set goes out as the golden file of the family has it.
func TestEverything(t *testing.T) {
	t.Parallel()
	const dir = "../internal/chatwire/testdata/everything/openai/"
	text, err := os.ReadFile(dir + "request.json")
	require.NoError(t, err)
	var r request.Request
	require.NoError(t, json.Unmarshal(text, &r))
	rt := &canned.Transport{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte("data: [DONE]\n\n")}
	spec := request.Spec{CacheMarkers: request.Yes, CacheLong: request.Yes}
	m, err := openai.New(openai.Config{Model: "gpt-5.1", Key: key, Spec: &spec, HTTPClient: &http.Client{Transport: rt}})
	require.NoError(t, err)
	for range m.Stream(t.Context(), r) {
	}
	want, err := os.ReadFile(dir + "want.json")
	require.NoError(t, err)
	require.Len(t, rt.Requests(), 1)
	assert.Equal(t, string(want), string(rt.Requests()[0].Body)+"\n")
}
