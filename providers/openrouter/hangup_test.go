package openrouter_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/request"
)

func TestBillingStops(t *testing.T) {
	t.Parallel()
	for upstream, want := range map[string]request.Support{
		"OpenAI": request.Yes, "Azure": request.Yes, "xAI": request.Yes, "DeepSeek": request.Yes,
		"AWS Bedrock": request.No, "Amazon Bedrock": request.No, "Google AI Studio": request.No, "Groq": request.No, "InferenceNet": request.No,
		"Novita": request.Unknown, "Z.AI": request.Unknown, "": request.Unknown, "Open": request.Unknown, "nobody": request.Unknown,
	} {
		assert.Equal(t, want, openrouter.BillingStops(upstream), upstream)
	}
}

// TestStartSaysThatBillingStops: where OpenRouter says so of the upstream, and nobody
// stands in between.
func TestStartSaysThatBillingStops(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, base, chunk string
		api              openrouter.API
		want             bool
	}{
		{"an upstream that stops", "", `{"id":"g","provider":"OpenAI","choices":[]}`, "", true},
		{"... by another of OpenRouter's addresses", "https://eu.OpenRouter.ai/api/v1", `{"id":"g","provider":"OpenAI","choices":[]}`, "", true},
		{"one that goes on", "", `{"id":"g","provider":"Groq","choices":[]}`, "", false},
		{"one that contradicts the list", "", `{"id":"g","provider":"Novita","choices":[]}`, "", false},
		{"one that is not told", "", `{"id":"g","choices":[]}`, "", false},
		{"a gateway in front", "https://gateway.test/openrouter.ai", `{"id":"g","provider":"OpenAI","choices":[]}`, "", false},
		{"... with a name that looks alike", "https://notopenrouter.ai/api/v1", `{"id":"g","provider":"OpenAI","choices":[]}`, "", false},
		{"Responses, which names no upstream", "", `{"type":"response.created","response":{"id":"r","provider":"OpenAI"}}`, openrouter.Responses, false},
	} {
		m, err := openrouter.New(openrouter.Config{
			Key: key, Model: "a/b", BaseURL: tt.base, API: tt.api, HTTPClient: &http.Client{Transport: sse("data: " + tt.chunk + "\n\n")},
		})
		require.NoError(t, err, tt.why)
		for ev := range m.Stream(t.Context(), request.Request{Messages: []request.Message{request.UserText("hi")}}) {
			start, ok := ev.Start()
			require.True(t, ok, tt.why)
			assert.Equal(t, tt.want, start.BillingStops, tt.why)
			assert.Equal(t, events.Started, ev.Kind)
			break
		}
	}
}
